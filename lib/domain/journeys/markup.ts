import { placeholder } from './placeholders.ts';

/**
 * What authors can write in texts that are shown in paragraphs: `**bold**`, `[a link](https://…)`, and lines that begin
 * with `- `, which are a list. Everything else is shown as it is written. A text is read before its placeholders are
 * filled in, so that no value is read as one of these.
 */

/** A part of a line. `url` is as it is written, with its placeholders. */
export type Piece = { text: string; isBold?: boolean; url?: string };
export type Paragraph = { is: 'paragraph' | 'list'; lines: readonly (readonly Piece[])[] };

/** Blank lines separate paragraphs. Single line breaks are kept. */
export const paragraphsOf = (text: string): Paragraph[] =>
  blocksOf(text).flatMap((lines) =>
    lines
      .reduce<string[][]>((runs, line) => {
        const last = runs.at(-1);
        if (last && isItem(last[0]!) === isItem(line)) last.push(line);
        else runs.push([line]);
        return runs;
      }, [])
      .map((run) =>
        isItem(run[0]!)
          ? { is: 'list', lines: run.map((line) => piecesOf(line.replace(item, ''))) }
          : { is: 'paragraph', lines: run.map((line) => piecesOf(line)) },
      ),
  );

/** The same for a text in which nothing has a meaning, such as one with values. */
export const plainParagraphsOf = (text: string): Paragraph[] =>
  blocksOf(text).map((lines) => ({ is: 'paragraph', lines: lines.map((line) => [{ text: line }]) }));

const blocksOf = (text: string): string[][] =>
  text
    .split(/\n\s*\n/)
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => each.split('\n'));

const item = /^- +(?=\S)/;
const isItem = (line: string): boolean => item.test(line);

/** The URLs of the links in a text, as they are written. */
export const linksIn = (text: string): string[] =>
  text.split('\n').flatMap((line) => piecesOf(line).flatMap(({ url }) => url ?? []));

/** A text without bold, and with the URL of each link after its text. */
export const unmarked = (text: string, urlOf: (url: string) => string): string =>
  text
    .split('\n')
    .map((line) =>
      piecesOf(line)
        .map(({ url, ...piece }) => textOfPiece(url === undefined ? piece : { ...piece, url: urlOf(url) }))
        .join(''),
    )
    .join('\n');

export const textOfPiece = ({ text, url }: Piece): string =>
  url === undefined || url === text ? text : `${text} (${url})`;

/** True if the paragraphs have bold, a list or a link. */
export const isMarked = (paragraphs: readonly Paragraph[]): boolean =>
  paragraphs.some(
    ({ is, lines }) => is === 'list' || lines.flat().some(({ isBold, url }) => isBold || url !== undefined),
  );

/** Placeholders are numbers here, so that nothing inside them has a meaning. */
function piecesOf(line: string): Piece[] {
  const placeholders = line.match(placeholder) ?? [];
  let count = 0;
  const masked = line.replaceAll('\0', '').replace(placeholder, () => `\0${count++}\0`);
  const whole = (text: string) => text.replaceAll(/\0(\d+)\0/g, (_, at: string) => placeholders[Number(at)]!);
  return piecesIn(masked).map(({ text, url, ...rest }) => ({
    ...{ ...rest, text: whole(text) },
    ...(url === undefined ? {} : { url: whole(url) }),
  }));
}

/** Each part of these expressions ends where the next mark begins, so that the time is linear. */
const bold = /\*\*(?<strong>[^\s*](?:[^*]*[^\s*])?)\*\*/;
const link = /\[(?=\s*[^\s\]])(?<label>[^[\]]+)\]\((?<url>(?:[^\s()]|\([^\s()]*\))+)\)/;
const marks = new RegExp(`${bold.source}|${link.source}`, 'g');

/** Links can be inside bold. The text of a link is bold if all of it is. */
function piecesIn(text: string, isBold?: true): Piece[] {
  const pieces: Piece[] = [];
  const add = (piece: Piece) => piece.text !== '' && pieces.push(isBold ? { ...piece, isBold } : piece);
  let end = 0;
  for (const { 0: found, index, groups: { strong, label = '', url } = {} } of text.matchAll(marks)) {
    add({ text: text.slice(end, index) });
    if (strong !== undefined) for (const each of piecesIn(strong, true)) pieces.push(each);
    else if (url !== undefined) {
      const inside = piecesIn(label);
      const isWholeBold = inside.every((each) => each.isBold);
      add({ text: inside.map((each) => each.text).join(''), url, ...(isWholeBold ? { isBold: true } : {}) });
    }
    end = index + found.length;
  }
  add({ text: text.slice(end) });
  return pieces;
}

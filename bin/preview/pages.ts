import { namesInPointer } from '../../lib/domain/values/problem.ts';
import { placeIn, withValue } from './places.ts';

export const pageActs = ['copy', 'up', 'down'] as const;

/** @property page the JSON Pointer of the page in the file */
export type PageChange = { page: string; act: (typeof pageActs)[number] };

type Part = { id?: unknown; content_blocks?: Part[]; content_containers?: Part[] };
type Entry = { id?: unknown; order?: unknown; page_id?: unknown; page?: Part & { is_archived?: unknown } };

/**
 * The text of the file with a copy of the page behind it, or with the page before or behind its neighbour. Only numbers
 * in `order` change, and the copy has ids of its own: all other pages keep theirs, and with them their progress.
 * @returns `undefined` if the file has no such page or neighbour
 */
export function changedPages(file: string, { page, act }: PageChange, newId: () => string): string | undefined {
  if (!/^\/templates\/\d+\/template_pages\/\d+\/page$/.test(page)) return undefined;
  const [templates, template, pages, index] = namesInPointer(page) as [string, string, string, string];
  const list = [templates, template, pages];
  if (!placeIn(file, [...list, index, 'page']).isExact) return undefined;
  const at = Number(index);
  const entries = entriesIn(file, list);
  const sequence = [...entries.keys()].sort((a, b) => orderOf(entries[a]!) - orderOf(entries[b]!) || a - b);
  if (act === 'copy') {
    const behind = sequence.flatMap((each) => (each === at ? [at, at + 1] : each > at ? each + 1 : each));
    return ordered(withCopy(file, list, at, newId), list, behind);
  }
  // The list of pages does not show the archived ones.
  const shown = sequence.filter((each) => entries[each]!.page?.is_archived !== true);
  const other = shown[shown.indexOf(at) + (act === 'up' ? -1 : 1)];
  if (other === undefined || !shown.includes(at)) return undefined;
  return ordered(
    file,
    list,
    sequence.map((each) => (each === at ? other : each === other ? at : each)),
  );
}

const orderOf = ({ order }: Entry): number => (typeof order === 'number' ? order : Number.MAX_VALUE);

const entriesIn = (file: string, list: readonly string[]): Entry[] => {
  const { start, end } = placeIn(file, list);
  return JSON.parse(file.slice(start, end));
};

/** The file with numbers in `order` that give the sequence: those that it has, and as many higher ones as are missing. */
function ordered(file: string, list: readonly string[], sequence: readonly number[]): string {
  const entries = entriesIn(file, list);
  const given = entries.map(({ order }) => order).filter((order) => typeof order === 'number');
  const orders = [...new Set(given)].sort((a, b) => a - b);
  while (orders.length < sequence.length) orders.push((orders.at(-1) ?? 0) + 1);
  return sequence.reduce(
    (changed, index, place) =>
      entries[index]!.order === orders[place]
        ? changed
        : withValue(changed, [...list, `${index}`], 'order', orders[place]!),
    file,
  );
}

/** With a copy as the next element of the list, written as the original is. Each id in it is new. */
function withCopy(file: string, list: readonly string[], at: number, newId: () => string): string {
  const { start, end } = placeIn(file, [...list, `${at}`]);
  const [gap = ''] = /\s*$/.exec(file.slice(0, start))!;
  const copied = `${file.slice(0, end)},${gap}${file.slice(start, end)}${file.slice(end)}`;
  const { id, page_id, page = {} } = entriesIn(file, list)[at]!;
  const [own, pageId] = [[...list, `${at + 1}`], newId()];
  const ids: [path: string[], name: string, id: string][] = [
    ...(typeof id === 'string' ? [[own, 'id', newId()] as [string[], string, string]] : []),
    ...(typeof page_id === 'string' ? [[own, 'page_id', pageId] as [string[], string, string]] : []),
    [[...own, 'page'], 'id', pageId],
    ...partsIn(page, [...own, 'page']).map((path): [string[], string, string] => [path, 'id', newId()]),
  ];
  return ids.reduce((changed, [path, name, value]) => withValue(changed, path, name, value), copied);
}

/** The paths of the blocks and containers in it that have ids. */
const partsIn = (part: Part, path: readonly string[]): string[][] =>
  (['content_blocks', 'content_containers'] as const).flatMap((name) =>
    (part[name] ?? []).flatMap((each, index) => {
      const at = [...path, name, `${index}`];
      return [...(typeof each.id === 'string' ? [at] : []), ...partsIn(each, at)];
    }),
  );

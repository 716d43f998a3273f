import { readDocument } from '../../lib/content/read.ts';
import type { Template } from '../../lib/domain/campaigns/template.ts';
import { withTexts } from '../../lib/domain/campaigns/translate.ts';
import { namesInPointer, pointer } from '../../lib/domain/values/problem.ts';
import { textsOf, wordsOf } from '../warnings/translations.ts';
import { colorsOf, type EditableField, fieldAt } from './fields.ts';
import { placeIn, replaced, withMember } from './places.ts';

/** A text that can be changed: its JSON Pointer in the file, and how it is written there. */
export type EditableText = { path: string; text: string };

/** What can be changed of a page: its texts in their places, and other values in fields beside it. */
export type Edits = { texts: EditableText[]; fields: EditableField[] };

/** Headings, paragraphs, buttons, questions, options and the like. Settings and titles of steps are not. */
const editable = /^(?:\/template_pages\/\d+\/page)?\/(?:content_blocks\/\d+\/data|cta|ending)\b/;
const hiddenTexts = /\/(?:name|altText|alt)$/;

/**
 * The template with a mark before each paragraph and item of the texts that can be changed, which browsers do not show.
 * The marks say which text it is, see `shell.ts`.
 * @param shown the template in the language that is shown @param language of the translation that is shown, if it is one
 * @param page the number of the page that is shown @param pathOf the JSON Pointer in the file of a path in the template
 */
export function marked(
  shown: Template,
  original: Template,
  language: string | undefined,
  page: number,
  pathOf: (path: string) => string | undefined,
): Edits & { template: Template } {
  const sources = new Map(textsOf(original as never, '').map(({ path, text }) => [path, text]));
  const words = new Set(wordsOf(original as never, '').map(({ path }) => path));
  const texts: EditableText[] = [];
  const [fields, ofAll]: [EditableField[], EditableField[]] = [[], []];
  const template = withTexts(shown, (text, path) => {
    const [at, source] = [pathOf(path), sources.get(path)];
    if (at === undefined || source === undefined) return text;
    const isWord = words.has(path);
    const [, , index = ''] = at.split('/');
    const found =
      language === undefined || !isWord
        ? { path: at, text: source }
        : { path: pointer(['templates', index, 'translations', language, source]), text };
    const field = fieldAt(path, page);
    if (field && (isWord || field.shape.is !== 'text'))
      (field.isOfAll ? ofAll : fields).push({ ...found, label: field.label, is: field.shape.is });
    const isEditable = editable.test(path) && !hiddenTexts.test(path) && isWord;
    if (!isEditable || text.trim() === '') return text;
    texts.push(found);
    // After the hyphen of an item, which would not be one otherwise.
    return text.replaceAll(/(?:^|\n\s*\n(?=\S)|\n(?=- ))(?:- +)?/g, (start) => start + markOf(texts.length - 1));
  });
  return { template, texts, fields: [...fields, ...ofAll, ...colorsOf(original, pathOf)] };
}

/** Two variation selectors without a character that they could change. */
const markOf = (index: number): string =>
  String.fromCodePoint(0xe0100 + Math.floor(index / 200), 0xe0100 + (index % 200));

/** True if the path is that of a text that pages show, or of its translation. @param file JSON */
export function isText(file: string, path: string): boolean {
  const names = namesInPointer(path);
  const template = readDocument(JSON.parse(file)).document?.templates[Number(names[1])];
  if (names[0] !== 'templates' || !template) return false;
  const texts = wordsOf(template, pointer(names.slice(0, 2)));
  return texts.some((each) => each.path === path || (names[2] === 'translations' && each.text === names[4]));
}

/**
 * The text of the file with one text changed and everything else as it was written. The translations of the text keep
 * their text.
 * @returns `undefined` if the file has another text there
 */
export function changedText(file: string, { path, text: before }: EditableText, text: string): string | undefined {
  const names = namesInPointer(path);
  const place = placeIn(file, names);
  const isTranslation = names[2] === 'translations' && names.length === 5;
  if (!place.isExact) {
    const list = placeIn(file, names.slice(0, -1));
    return isTranslation && list.isExact ? withMember(file, list, names.at(-1)!, text) : undefined;
  }
  if (JSON.parse(file.slice(place.start, place.end)) !== before) return undefined;
  const changed = replaced(file, place, text);
  if (isTranslation) return withFreshTranslation(changed, names);
  return withTranslations(changed, names.slice(0, 2), before, text);
}

/** Texts are the keys of their translations. A text that the template has elsewhere too keeps its translations as well. */
function withTranslations(file: string, template: readonly string[], before: string, text: string): string {
  const { translations = {}, ...rest } = JSON.parse(file).templates[Number(template[1])];
  const isElsewhere = hasText(rest, before);
  let changed = file;
  for (const [language, texts] of Object.entries((translations ?? {}) as Record<string, Record<string, string>>)) {
    if (!Object.hasOwn(texts, before) || Object.hasOwn(texts, text)) continue;
    const at = [...template, 'translations', language];
    changed = isElsewhere
      ? withMember(changed, placeIn(changed, at), text, texts[before]!)
      : replaced(changed, placeIn(changed, [...at, before]).name!, text);
    changed = withSource(changed, template, language, { before, text, isElsewhere });
  }
  return changed;
}

type EditedText = { before: string; text: string; isElsewhere: boolean };

/** Notes the text that the translation was made from: the one before, or an earlier one. */
function withSource(file: string, template: readonly string[], language: string, edited: EditedText): string {
  const { before, text, isElsewhere } = edited;
  const { translated_from: all } = JSON.parse(file).templates[Number(template[1])];
  const { [before]: earlier = before, ...others } = (all?.[language] ?? {}) as Record<string, string>;
  const own = isElsewhere && all?.[language]?.[before] !== undefined ? { [before]: earlier } : {};
  const value = { ...all, [language]: { ...others, ...own, [text]: earlier } };
  const place = placeIn(file, [...template, 'translated_from']);
  if (place.isExact) return replaced(file, place, value);
  const { name, end } = placeIn(file, [...template, 'translations']);
  const [gap = ''] = /\s*$/.exec(file.slice(0, name!.start))!;
  return `${file.slice(0, end)},${gap}"translated_from": ${JSON.stringify(value)}${file.slice(end)}`;
}

/** A translation that is written again is one of the present text. @param names of the translation */
function withFreshTranslation(file: string, [templates, index, , language, text]: readonly string[]): string {
  const source = placeIn(file, [templates!, index!, 'translated_from', language!, text!]);
  return source.isExact ? replaced(file, source, text!) : file;
}

const hasText = (value: unknown, text: string): boolean =>
  value === text ||
  (typeof value === 'object' && value !== null && Object.values(value).some((each) => hasText(each, text)));

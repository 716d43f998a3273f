import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import type { GivenDocument } from '../../lib/domain/content/document.ts';
import { isJsonObject, type JsonValue } from '../../lib/domain/json.ts';
import { wordsOf } from '../warnings/translations.ts';

/** The list of a translator: each text of the campaigns of a document, and its translation into each language. */

type Template = GivenDocument['templates'][number];

const textsOf = (template: Template): Set<string> => new Set(wordsOf(template, '').map(({ text }) => text));

/** The list as CSV. @param language the only one that is listed; without it, all that the document has */
export function textsCsv({ templates }: GivenDocument, language: string | undefined): string {
  const known = new Set(templates.flatMap(({ translations }) => Object.keys(translations ?? {})));
  const languages = language === undefined ? [...known] : [language];
  const texts = new Set(templates.flatMap((template) => [...textsOf(template)]));
  const translationOf = (text: string, to: string) =>
    templates.map(({ translations }) => translations?.[to]?.[text]).find((each) => each !== undefined) ?? '';
  const lines = [...texts].map((text) => [text, ...languages.map((each) => translationOf(text, each))]);
  // A cell that begins like a formula is text for spreadsheet programs.
  return stringify([['text', ...languages], ...lines], { escape_formulas: true });
}

/** How many texts of the document have a translation now, and texts of the list that the document does not have. */
export type AppliedTexts = { document: JsonValue; translated: number; missing: number; unknown: string[] };

/**
 * The document with the translations of the list into the language. An empty cell changes nothing.
 * @throws Error if the list has no column of this name, or is not CSV
 */
export function withTexts(value: JsonValue, read: GivenDocument, csv: string, language: string): AppliedTexts {
  const [first = ''] = csv.split('\n', 1);
  const delimiter = [';', '\t'].find((each) => first.includes(each)) ?? ',';
  const rows: Record<string, string>[] = parse(csv, { bom: true, columns: true, delimiter, skip_empty_lines: true });
  const columns = Object.keys(rows[0] ?? {});
  if (!columns.includes('text') || !columns.includes(language)) {
    throw new Error(`the list needs a line of headings, with the columns text and ${language}`);
  }
  const cells = rows.map((row) => [unescaped(row.text ?? ''), unescaped(row[language] ?? '')] as const);
  const given = new Map(cells.filter(([, translation]) => translation.trim() !== ''));
  const all = read.templates.map(textsOf);
  const templates = (value as { templates?: JsonValue[] }).templates ?? [];
  const counts = { translated: 0, missing: 0 };
  const changed = templates.map((template, index) => {
    if (!isJsonObject(template)) return template;
    const before = read.templates[index]?.translations ?? {};
    const own = [...all[index]!].flatMap((text) => (given.has(text) ? [[text, given.get(text)!]] : []));
    const texts = { ...before[language], ...Object.fromEntries(own) };
    counts.translated += [...all[index]!].filter((text) => Object.hasOwn(texts, text)).length;
    counts.missing += [...all[index]!].filter((text) => !Object.hasOwn(texts, text)).length;
    return own.length === 0 ? template : { ...template, translations: { ...before, [language]: texts } };
  });
  const unknown = [...given.keys()].filter((text) => !all.some((texts) => texts.has(text)));
  return { document: { ...(value as object), templates: changed } as JsonValue, ...counts, unknown };
}

const unescaped = (cell: string): string => cell.replace(/^'(?=[=+\-@\t\r])/, '');

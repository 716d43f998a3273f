import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import type { GivenDocument } from '../../lib/domain/content/document.ts';
import { isJsonObject, type JsonValue } from '../../lib/domain/json.ts';
import { textsOf, wordsOf } from '../warnings/translations.ts';

/** The list of a translator: each text of the campaigns of a document, and its translation into each language. */

type Template = GivenDocument['templates'][number];

const wordsIn = (template: Template): Set<string> => new Set(wordsOf(template, '').map(({ text }) => text));

type TranslatedText = { text: string; [language: string]: string };

/** @param language the only one that is listed; without it, all that the document has */
export function translatedTexts({ templates }: GivenDocument, language: string | undefined) {
  const known = new Set(templates.flatMap(({ translations }) => Object.keys(translations ?? {})));
  const languages = language === undefined ? [...known] : [language];
  const texts = new Set(templates.flatMap((template) => [...wordsIn(template)]));
  const translationOf = (text: string, to: string) =>
    templates.map(({ translations }) => translations?.[to]?.[text]).find((each) => each !== undefined) ?? '';
  const list = [...texts].map((text): TranslatedText => {
    return { text, ...Object.fromEntries(languages.map((each) => [each, translationOf(text, each)])) };
  });
  return { columns: ['text', ...languages], list };
}

/** A cell that begins like a formula is text for spreadsheet programs. */
export const textsCsv = ({ columns, list }: ReturnType<typeof translatedTexts>): string =>
  stringify(list, { columns, header: true, escape_formulas: true });

/**
 * How many texts of the document have a translation now, texts of the list that the document does not have, and texts
 * whose translations are removed because no page shows them.
 */
export type AppliedTexts = {
  document: JsonValue;
  translated: number;
  missing: number;
  unknown: string[];
  removed: string[];
};

/**
 * The document with the translations of the list into the language. An empty cell changes nothing. Translations of texts
 * that the document no longer has are removed.
 * @throws Error if the list has no column of this name, or is not CSV
 */
export function withTexts(value: JsonValue, read: GivenDocument, csv: string, language: string): AppliedTexts {
  const given = listIn(csv, language);
  const all = read.templates.map(wordsIn);
  const templates = (value as { templates?: JsonValue[] }).templates ?? [];
  const counts = { translated: 0, missing: 0 };
  const removed = new Set<string>();
  const changed = templates.map((template, index) => {
    if (!isJsonObject(template)) return template;
    const words = all[index]!;
    const translations = read.templates[index]?.translations ?? {};
    const before = translations[language] ?? {};
    const vanished = vanishedFrom(read.templates[index]!, Object.keys(before));
    for (const text of vanished) removed.add(text);
    const own = [...words].flatMap((text) => (given.has(text) ? [[text, given.get(text)!] as const] : []));
    const kept = Object.entries(before).filter(([text]) => !vanished.has(text));
    const texts = Object.fromEntries([...kept, ...own]);
    counts.translated += [...words].filter((text) => Object.hasOwn(texts, text)).length;
    counts.missing += [...words].filter((text) => !Object.hasOwn(texts, text)).length;
    if (own.length === 0 && vanished.size === 0) return template;
    return { ...template, translations: { ...translations, [language]: texts } };
  });
  const unknown = [...given.keys()].filter((text) => !all.some((texts) => texts.has(text)));
  const document = { ...(value as object), templates: changed } as JsonValue;
  return { document, ...counts, unknown, removed: [...removed] };
}

/** The translations in the list, by text, without empty ones. */
function listIn(csv: string, language: string): Map<string, string> {
  const [first = ''] = csv.split('\n', 1);
  const delimiter = [';', '\t'].find((each) => first.includes(each)) ?? ',';
  const rows: Record<string, string>[] = parse(csv, { bom: true, columns: true, delimiter, skip_empty_lines: true });
  const columns = Object.keys(rows[0] ?? {});
  if (!columns.includes('text') || !columns.includes(language)) {
    throw new Error(`the list needs a line of headings, with the columns text and ${language}`);
  }
  const cells = rows.map((row) => [unescaped(row.text ?? ''), unescaped(row[language] ?? '')] as const);
  return new Map(cells.filter(([, translation]) => translation.trim() !== ''));
}

/** Those of the texts that no page shows. None if the template has a page only by its id, whose texts are not known. */
function vanishedFrom(template: Template, texts: readonly string[]): ReadonlySet<string> {
  if (template.template_pages.some(({ page }) => !page)) return new Set();
  return new Set(texts).difference(new Set(textsOf(template, '').map(({ text }) => text)));
}

const unescaped = (cell: string): string => cell.replace(/^'(?=[=+\-@\t\r])/, '');

import { parse } from 'csv-parse/sync';
import { readDocument } from '../../../lib/content/read.ts';
import { ownOf, sourceColumn, staleSource } from '../../../lib/content/stale-translations.ts';
import type { GivenDocument } from '../../../lib/domain/campaigns/document.ts';
import { isJsonObject, type JsonValue } from '../../../lib/domain/values/json.ts';
import { validationFailed } from '../../../lib/domain/values/problem.ts';
import { originalCell, textLine } from '../../../lib/files/csv.ts';
import { print, say, writeCsv } from '../../output.ts';
import { placeholderDifferences, textsOf, wordsOf } from '../../warnings/translations.ts';
import { documentOf, textIn, writeTo } from '../document.ts';
import { failure } from '../failure.ts';
import { quantity } from '../text.ts';
import type { Outcome } from '../verb.ts';

/** The list of a translator: each text of the campaigns of a document, and its translation into each language. */

type Given = { file: string; csv: boolean | undefined } & Record<'apply' | 'language', string | undefined> & {
    json: boolean | undefined;
  };

export async function texts({ file, csv, apply, language, json }: Given): Promise<Outcome> {
  if ((csv === true) === (apply !== undefined)) throw failure('invalid_arguments', 'write --csv or --apply');
  const value = documentOf(file, true);
  const { errors, document } = readDocument(value);
  if (!document) throw validationFailed(errors);
  if (apply === undefined) {
    const { columns, list } = translatedTexts(document, language);
    if (json) return { value: list };
    await writeCsv([columns, ...list.map((each) => columns.map((name) => each[name]))].map(textLine));
    return undefined;
  }
  if (language === undefined) throw failure('invalid_arguments', '--apply needs --language');
  const { document: changed, ...counts } = withTexts(value, document, listIn(apply, language), language);
  const written = JSON.stringify(changed, undefined, 2);
  if (file === '-') print(written);
  else writeTo(file, `${written}\n`, 'w');
  for (const text of json ? [] : counts.unknown) say(`Not in the campaign: ${text}`);
  for (const text of json ? [] : counts.refused)
    say(`Not applied, because the placeholders of the translation are not those of the text: ${text}`);
  for (const text of json ? [] : counts.removed) say(`Removed, because no page shows it any more: ${text}`);
  for (const text of json ? [] : counts.stale)
    say(`The translation is of an earlier text, and did not change: ${text}`);
  const text = `${quantity(counts.translated, 'text')} in ${language}, ${counts.missing} without a translation.`;
  if (file !== '-') return { value: { file, language, ...counts }, text };
  say(text);
  return undefined;
}

type Template = GivenDocument['templates'][number];

const wordsIn = (template: Template): Set<string> => new Set(wordsOf(template, '').map(({ text }) => text));

type TranslatedText = { text: string; [language: string]: string };

/** @param language the only one that is listed; without it, all that the document has */
function translatedTexts({ templates }: GivenDocument, language: string | undefined) {
  const known = new Set(templates.flatMap(({ translations }) => Object.keys(translations ?? {})));
  const languages = language === undefined ? [...known] : [language];
  const texts = new Set(templates.flatMap((template) => [...wordsIn(template)]));
  const translationOf = (text: string, to: string) =>
    templates.map(({ translations }) => translations?.[to]?.[text]).find((each) => each !== undefined) ?? '';
  const sourceOf = (text: string, to: string) =>
    templates.map((template) => staleSource(template, to, text)).find((each) => each !== undefined) ?? '';
  const stale = languages.filter((language) => [...texts].some((text) => sourceOf(text, language) !== ''));
  const list = [...texts].map((text): TranslatedText => {
    const translations = languages.map((each) => [each, translationOf(text, each)]);
    const sources = stale.map((each) => [sourceColumn(each), sourceOf(text, each)]);
    return { text, ...Object.fromEntries([...translations, ...sources]) };
  });
  return {
    columns: ['text', ...languages.flatMap((each) => [each, ...stale.filter((one) => one === each).map(sourceColumn)])],
    list,
  };
}

/**
 * How many texts of the document have a translation now, texts of the list that the document does not have, texts whose
 * translations are removed because no page shows them, and texts whose translation is refused because it has other
 * placeholders. `stale`: texts whose translation is of an earlier text, and did not change.
 */
type AppliedTexts = {
  document: JsonValue;
  translated: number;
  missing: number;
  unknown: string[];
  removed: string[];
  refused: string[];
  stale: string[];
};

/**
 * The document with the translations of the list into the language. An empty cell changes nothing. Translations of texts
 * that the document no longer has are removed.
 */
function withTexts(
  value: JsonValue,
  read: GivenDocument,
  list: ReadonlyMap<string, Row>,
  language: string,
): AppliedTexts {
  const lists = Map.groupBy(list, ([text, { to }]) => placeholderDifferences(text, to).length === 0);
  const [given, refused] = [new Map(lists.get(true)), new Map(lists.get(false))];
  const all = read.templates.map(wordsIn);
  const templates = (value as { templates?: JsonValue[] }).templates ?? [];
  const counts = { translated: 0, missing: 0 };
  const [removed, stale] = [new Set<string>(), new Set<string>()];
  const changed = templates.map((template, index) => {
    if (!isJsonObject(template)) return template;
    const words = all[index]!;
    const translations = read.templates[index]?.translations ?? {};
    const before = translations[language] ?? {};
    const vanished = vanishedFrom(read.templates[index]!, Object.keys(before));
    for (const text of vanished) removed.add(text);
    const own = [...words].flatMap((text) => (given.has(text) ? [[text, given.get(text)!.to] as const] : []));
    const kept = Object.entries(before).filter(([text]) => !vanished.has(text));
    const texts = Object.fromEntries([...kept, ...own]);
    counts.translated += [...words].filter((text) => Object.hasOwn(texts, text)).length;
    counts.missing += [...words].filter((text) => !Object.hasOwn(texts, text)).length;
    const sources = sourcesAfter(read.templates[index]!, language, texts, given);
    for (const [text, from] of Object.entries(sources)) if (from !== text) stale.add(text);
    if (own.length === 0 && vanished.size === 0) return template;
    const { translated_from } = read.templates[index]!;
    const isKept = translated_from !== null || Object.keys(sources).length > 0;
    return {
      ...template,
      translations: { ...translations, [language]: texts },
      ...(isKept ? { translated_from: { ...translated_from, [language]: sources } } : {}),
    };
  });
  const isUnknown = (text: string) => !all.some((texts) => texts.has(text));
  const unknown = [...list.keys()].filter(isUnknown);
  const document = { ...(value as object), templates: changed } as JsonValue;
  return { document, ...counts, unknown, removed: [...removed], refused: [...refused.keys()], stale: [...stale] };
}

/**
 * What the translations of a template were made from, where this is known, or could be mistaken: an import would take a
 * translation that was there before for one of the text before.
 */
function sourcesAfter(
  { translations, translated_from }: Template,
  language: string,
  texts: Readonly<Record<string, string>>,
  given: ReadonlyMap<string, Row>,
): Record<string, string> {
  const before = translations?.[language] ?? {};
  const known = new Set(Object.values(before));
  const sources = Object.entries(texts).flatMap(([text, to]): [string, string][] => {
    const from = ownOf(translated_from, language, text);
    const row = given.get(text);
    const isNew = row?.to === to && before[text] !== to;
    if (isNew ? from !== undefined || known.has(to) : from !== undefined && row?.isStillRight) return [[text, text]];
    return from === undefined ? [] : [[text, from]];
  });
  return Object.fromEntries(sources);
}

/** A translation, and whether the list says that it is right although it was made from an earlier text. */
type Row = { to: string; isStillRight: boolean };

/** The translations in the list, by text, without empty ones. @throws AdminFailure `invalid_arguments`, `invalid_request` */
function listIn(file: string, language: string): Map<string, Row> {
  const csv = textIn(file);
  const [first = ''] = csv.split('\n', 1);
  const delimiter = [';', '\t'].find((each) => first.includes(each)) ?? ',';
  const invalid = (reason: string) => failure('invalid_request', `${file}: ${reason}`);
  let rows: Record<string, string>[];
  try {
    rows = parse(csv, { bom: true, columns: true, delimiter, skip_empty_lines: true });
  } catch (error) {
    throw invalid((error as Error).message);
  }
  const columns = Object.keys(rows[0] ?? {});
  if (!columns.includes('text') || !columns.includes(language))
    throw invalid(`the list needs a line of headings, with the columns text and ${language}`);
  const cells = rows.map((row) => {
    const isStillRight = row[sourceColumn(language)]?.trim() === '';
    return [originalCell(row.text ?? ''), { to: originalCell(row[language] ?? ''), isStillRight }] as const;
  });
  return new Map(cells.filter(([, { to }]) => to.trim() !== ''));
}

/** Those of the texts that no page shows. None if the template has a page only by its id, whose texts are not known. */
function vanishedFrom(template: Template, texts: readonly string[]): ReadonlySet<string> {
  if (template.template_pages.some(({ page }) => !page)) return new Set();
  return new Set(texts).difference(new Set(textsOf(template, '').map(({ text }) => text)));
}

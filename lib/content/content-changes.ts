import type { StoredDocument, StoredTemplate } from '../domain/campaigns/document.ts';
import { withTexts } from '../domain/campaigns/translate.ts';
import { canonicalText } from '../domain/values/canonical-json.ts';
import { isFilledText, type JsonValue } from '../domain/values/json.ts';
import { namesInPointer, pointer } from '../domain/values/problem.ts';

/** What a revision of the content changes, as people read it before they publish it, and later in the history. */

/** Titles of the pages or messages of a template. */
type PartChanges = { added: string[]; changed: string[]; removed: string[] };
/** A text that becomes another one at the same place. */
export type TextChange = { from: string; to: string };

export type ObjectChange = {
  kind: 'template' | 'objective' | 'engagement_channel';
  id: string;
  name: string | null;
  change: 'added' | 'changed' | 'removed';
  /** The other fields that change. */
  fields: string[];
  pages: PartChanges;
  messages: PartChanges;
  texts: TextChange[];
  /** The languages whose translations change. */
  translations: string[];
};

/** The objects that differ, in the order of the document. */
export function contentChanges(before: StoredDocument, after: StoredDocument): ObjectChange[] {
  return [
    ...objectChanges('objective', before.objectives, after.objectives),
    ...objectChanges('engagement_channel', before.engagement_channels, after.engagement_channels),
    ...objectChanges('template', before.templates, after.templates, templateChange),
  ];
}

const unchangedParts = (): PartChanges => ({ added: [], changed: [], removed: [] });

type Detail = Pick<ObjectChange, 'fields' | 'pages' | 'messages' | 'texts' | 'translations'>;
const noDetail = (): Detail => ({
  ...{ fields: [], pages: unchangedParts(), messages: unchangedParts(), texts: [], translations: [] },
});

function objectChanges<Each extends { id: string; name: string | null; key?: string }>(
  kind: ObjectChange['kind'],
  before: readonly Each[],
  after: readonly Each[],
  detail: (old: Each, now: Each) => Detail = (old, now) => ({ ...noDetail(), fields: fieldsThatDiffer(old, now) }),
): ObjectChange[] {
  const former = new Map(before.map((each) => [each.id, each]));
  const present = new Set(after.map(({ id }) => id));
  const named = ({ id, name, key }: Each, change: ObjectChange['change']) => ({
    kind,
    id,
    name: name ?? key ?? null,
    change,
  });
  return [
    ...after.flatMap((each) => {
      const old = former.get(each.id);
      if (!old) return [{ ...named(each, 'added'), ...noDetail() }];
      return isSame(old, each) ? [] : [{ ...named(each, 'changed'), ...detail(old, each) }];
    }),
    ...before.filter(({ id }) => !present.has(id)).map((each) => ({ ...named(each, 'removed'), ...noDetail() })),
  ];
}

const isSame = (a: unknown, b: unknown): boolean => canonicalText(a as JsonValue) === canonicalText(b as JsonValue);

const fieldsThatDiffer = (a: object, b: object, without: readonly string[] = []): string[] =>
  Object.keys({ ...a, ...b })
    .filter((name) => !without.includes(name))
    .filter((name) => !isSame(fieldOf(a, name), fieldOf(b, name)));

const fieldOf = (value: object, name: string): unknown => (value as Record<string, unknown>)[name] ?? null;

/** These are told by the parts, texts and languages. */
const told = ['name', 'template_pages', 'template_messages', 'translations', 'translated_from'];

function templateChange(before: StoredTemplate, after: StoredTemplate): Detail {
  const [old, now] = [before, after].map(({ template_pages }) => template_pages.map(({ page }) => page.id));
  const kept = (ids: readonly string[], others: readonly string[]) => ids.filter((id) => others.includes(id));
  const isReordered = !isSame(kept(old!, now!), kept(now!, old!));
  const [oldTexts, newTexts] = [before.translations ?? {}, after.translations ?? {}];
  const [oldMarks, newMarks] = [before.translated_from ?? {}, after.translated_from ?? {}];
  return {
    fields: [...fieldsThatDiffer(before, after, told), ...(isReordered ? ['order of the pages'] : [])],
    pages: partChanges(before.template_pages, after.template_pages, ({ page_id, page, order, ...shown }) => ({
      ...{ id: page.id, title: titleOf(page, page.navigation_title), form: { ...shown, ...page, updated_at: null } },
    })),
    messages: partChanges(before.template_messages, after.template_messages, ({ live_since, order, ...shown }) => ({
      ...{ id: shown.id, title: titleOf(shown.message, null), form: shown },
    })),
    texts: textChanges(before, after).map(({ from, to }) => ({ from, to })),
    translations: [...new Set([...fieldsThatDiffer(oldTexts, newTexts), ...fieldsThatDiffer(oldMarks, newMarks)])],
  };
}

type Part = { id: string; title: string; form: unknown };

function partChanges<Each>(before: readonly Each[], after: readonly Each[], partOf: (each: Each) => Part): PartChanges {
  const former = new Map(before.map(partOf).map((part) => [part.id, part]));
  const parts = after.map(partOf);
  const present = new Set(parts.map(({ id }) => id));
  const titles = (chosen: readonly Part[]) => chosen.map(({ title }) => title);
  return {
    added: titles(parts.filter(({ id }) => !former.has(id))),
    changed: titles(parts.filter(({ id, form }) => former.has(id) && !isSame(former.get(id)!.form, form))),
    removed: titles([...former.values()].filter(({ id }) => !present.has(id))),
  };
}

type Titled = { content_name: string | null; content_blocks: readonly { data: unknown }[] };

const titleOf = ({ content_name, content_blocks }: Titled, other: string | null): string => {
  const headings = content_blocks.map(({ data }) => (data as { heading?: unknown } | null)?.heading);
  return [content_name, ...headings, other].find(isFilledText)?.trim() ?? 'without a title';
};

/** The texts of a template that are another one at the same place, in the order of its pages. */
export function textChanges(before: StoredTemplate, after: StoredTemplate): TextChange[] {
  const former = textsByPlace(before);
  return [...textsByPlace(after)].flatMap(([place, to]) => {
    const from = former.get(place);
    return from === undefined || from === to ? [] : [{ from, to }];
  });
}

/** A page or block that moves keeps the places of its texts: they name it by its id. */
function textsByPlace(template: StoredTemplate): Map<string, string> {
  const texts = new Map<string, string>();
  withTexts(template as never, (text, path) => {
    texts.set(placeOf(template, path), text);
    return text;
  });
  return texts;
}

function placeOf(template: StoredTemplate, path: string): string {
  let value: unknown = template;
  const names = namesInPointer(path).map((name) => {
    value = (value as Record<string, unknown> | undefined)?.[name];
    const { id, page } = { ...(value as { id?: unknown; page?: { id?: unknown } } | null) };
    return [page?.id, id].find(isFilledText) ?? name;
  });
  return pointer(names);
}

/** Texts of one object that are named one by one. */
const mostNamed = 10;

const kinds = { template: 'campaign', objective: 'objective', engagement_channel: 'channel' } as const;
const verbs = { added: 'Adds', changed: 'Changes', removed: 'Removes' } as const;

/** The change in lines: what changes, and then each detail. */
export function changeLines({ kind, id, name, change, ...detail }: ObjectChange): string[] {
  const { fields, pages, messages, texts, translations } = detail;
  return [
    `${verbs[change]} the ${kinds[kind]} ${name === null ? id : quoted(name)}`,
    ...partLines('page', pages),
    ...partLines('message', messages),
    ...texts.slice(0, mostNamed).map(textLine),
    ...(texts.length > mostNamed ? [`${texts.length - mostNamed} more texts change`] : []),
    ...listLine('translations', translations),
    ...listLine('settings', fields),
  ];
}

const partLines = (what: string, parts: PartChanges): string[] =>
  Object.entries(parts).flatMap(([change, titles]) =>
    listLine(
      `${what} ${change}:`,
      titles.map((title) => quoted(title)),
    ),
  );

function listLine(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return [`${what} ${names.slice(0, mostNamed).join(', ')}${more}`];
}

const longestText = 80;
const isLong = (text: string): boolean => text.length > longestText;

/** The beginning of a long text, or what is there from a later position. */
function quoted(text: string, start = 0): string {
  const rest = start > 0 ? `…${text.slice(start)}` : text;
  return JSON.stringify(isLong(rest) ? `${rest.slice(0, longestText - 1)}…` : rest);
}

/** Characters that both texts have in common before the first difference. */
const shownBefore = 30;

/** Long texts are cut around their first difference, so that the line shows it. */
function textLine({ from, to }: TextChange): string {
  let differsAt = 0;
  while (differsAt < from.length && from[differsAt] === to[differsAt]) differsAt++;
  const start = isLong(from) || isLong(to) ? Math.max(0, differsAt - shownBefore) : 0;
  return `text ${quoted(from, start)} becomes ${quoted(to, start)}`;
}

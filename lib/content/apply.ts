import type { GivenDocument, StoredDocument, StoredPage, StoredTemplate } from '../domain/campaigns/document.ts';
import { withLiveSince } from '../domain/campaigns/message-plan.ts';
import { canonicalText } from '../domain/values/canonical-json.ts';
import type { JsonValue } from '../domain/values/json.ts';
import type { ErrorDetail } from '../domain/values/problem.ts';
import {
  type AnswerChange,
  type AnswerMove,
  answerChanges,
  answerMoves,
  type PageChange,
  pageChanges,
  type Renaming,
  renamings,
} from './changes.ts';
import { contentErrors, identityErrors } from './checks.ts';
import { type IdentifiedDocument, type ImportContext, identified } from './identify.ts';
import { type GivenParts, givenParts, withParts } from './parts.ts';
import { type RuleChange, ruleChanges, ruleErrors, withTemplateIds } from './rules.ts';
import { withStaleTranslations } from './stale-translations.ts';
import { pagesOf } from './stored-parts.ts';
import { type KeyMove, withKeptKeys } from './survey-keys.ts';

export type Counts = { created: number; updated: number; unchanged: number };
export type ImportCounts = { objectives: Counts; engagement_channels: Counts; templates: Counts };
export type Applied = {
  content: StoredDocument;
  counts: ImportCounts;
  /** The document, with all ids. */
  given: IdentifiedDocument;
  changes: PageChange[];
  answerChanges: AnswerChange[];
  answerMoves: AnswerMove[];
  renamings: Renaming[];
  ruleChanges: RuleChange[];
};

/**
 * Applies an import to the stored content. An object in the document replaces the stored object with the same id,
 * including everything inside it. Other stored objects are kept.
 * @returns the new content, or all errors
 */
export function applyContent(
  stored: StoredDocument,
  document: GivenDocument,
  context: ImportContext,
): Applied | { errors: ErrorDetail[] } {
  const moves: KeyMove[] = [];
  const former = context.before ?? stored;
  const named = withTemplateIds(identified(document, stored, context.idOf), stored);
  const given = withKeptKeys(named, stored, (move) => moves.push(move));
  const { parts, errors: partErrors } = givenParts(given, stored);
  const timed = withTimes(parts, stored, context.now);
  const templates = withParts(given.templates, timed, stored)
    .map((each) => insertedAt(each, stored, context.now))
    .map((each) =>
      withStaleTranslations(
        each,
        former.templates.find(({ id }) => id === each.id),
      ),
    );
  const objectives = given.objectives.map((each) => ({ ...each, team_id: context.teamId }));
  const replacing = { ...given, objectives, templates };
  const after: StoredDocument = {
    objectives: merged(stored.objectives, objectives),
    engagement_channels: merged(stored.engagement_channels, given.engagement_channels),
    templates: merged(withShared(stored.templates, timed, stored), templates),
  };
  const errors = [
    ...partErrors,
    ...contentErrors(given, parts, stored, context),
    ...ruleErrors(given, stored, context),
    ...repeatedErrors(replacing, document),
    ...identityErrors(after, pathsOf(replacing, timed)),
  ];
  if (errors.length > 0) return { errors };
  const content = withLiveSince(after, former, context.now);
  const imported = new Set(templates.map(({ id }) => id));
  const counts = {
    objectives: countsOf(stored.objectives, objectives),
    engagement_channels: countsOf(stored.engagement_channels, given.engagement_channels),
    templates: countsOf(
      stored.templates,
      content.templates.filter(({ id }) => imported.has(id)),
    ),
  };
  const changes = pageChanges(document, given, stored, context.idOf);
  const pathOf = ({ id }: StoredPage) => timed.pages.get(id)?.path;
  return {
    ...{ content, counts, given, changes, renamings: renamings(document, given, stored) },
    answerChanges: answerChanges(stored, content, pathOf),
    answerMoves: answerMoves(moves, content, pathOf),
    ruleChanges: ruleChanges(stored, content),
  };
}

/** Stored objects keep their places and are replaced if given. New objects come after them. */
function merged<T extends { id: string }>(stored: readonly T[], given: readonly T[]): T[] {
  const byId = new Map(stored.map((each) => [each.id, each]));
  for (const each of given) byId.set(each.id, each);
  return [...byId.values()];
}

/** Updates shared pages and messages also in templates that are not in the document. */
const withShared = (templates: readonly StoredTemplate[], parts: GivenParts, stored: StoredDocument) =>
  withParts(
    templates.map((template) => ({
      ...template,
      template_pages: template.template_pages.map((each) => ({ ...each, page_id: each.page.id })),
      template_messages: template.template_messages.map((each) => ({ ...each, message_id: each.message.id })),
    })),
    parts,
    stored,
  );

/** Sets `updated_at` of a page to the time of the import that changed it, unless the document sets it. */
function withTimes(parts: GivenParts, stored: StoredDocument, now: string): GivenParts {
  const before = pagesOf(stored);
  const pages = [...parts.pages].map(([id, { part, path }]) => {
    const updated_at = part.updated_at ?? lastUpdate(part, before.get(id), now);
    return [id, { part: { ...part, updated_at }, path }] as const;
  });
  return { ...parts, pages: new Map(pages) };
}

const lastUpdate = (page: StoredPage, before: StoredPage | undefined, now: string): string =>
  before?.updated_at && isSame({ ...page, updated_at: null }, { ...before, updated_at: null })
    ? before.updated_at
    : now;

function insertedAt(template: StoredTemplate, stored: StoredDocument, now: string): StoredTemplate {
  const before = stored.templates.find(({ id }) => id === template.id);
  return { ...template, inserted_at: template.inserted_at ?? before?.inserted_at ?? now };
}

const lists = ['objectives', 'engagement_channels', 'templates'] as const;
type Given = Pick<IdentifiedDocument, 'objectives' | 'engagement_channels'> & { templates: readonly StoredTemplate[] };

/** Errors of objects that the document contains twice with the same kind and id, which is ambiguous. */
const repeatedErrors = (document: Given, written: GivenDocument): ErrorDetail[] =>
  lists.flatMap((list) =>
    document[list].flatMap(({ id }, index) => {
      const other = document[list].findIndex((each) => each.id === id);
      return other < index ? [repeatedError(list, [other, index], written)] : [];
    }),
  );

function repeatedError(list: (typeof lists)[number], [other, index]: [number, number], written: GivenDocument) {
  const [first, second] = [written[list][other]!, written[list][index]!];
  // The id of an objective is made from its key.
  const isMade = list !== 'objectives' && first.id === null && second.id === null && second.name !== null;
  return isMade
    ? {
        path: `/${list}/${index}/name`,
        message: `is also the name of /${list}/${other}, and the id is made from the name: write another name, or an \`id\` into both`,
      }
    : { path: `/${list}/${index}/id`, message: `is also the id of /${list}/${other}` };
}

/** The paths of the top-level objects, pages and messages in the document. */
const pathsOf = (document: Given, { pages, messages }: GivenParts): Map<object, string> =>
  new Map<object, string>([
    ...lists.flatMap((list) => document[list].map((each, index) => [each, `/${list}/${index}`] as const)),
    ...[...pages.values(), ...messages.values()].map(({ part, path }) => [part, path] as const),
  ]);

function countsOf(stored: readonly { id: string }[], given: readonly { id: string }[]): Counts {
  const before = new Map(stored.map((each) => [each.id, each]));
  const counts: Counts = { created: 0, updated: 0, unchanged: 0 };
  for (const each of given) {
    const old = before.get(each.id);
    counts[old ? (isSame(old, each) ? 'unchanged' : 'updated') : 'created']++;
  }
  return counts;
}

/** Whatever the order of the fields is. */
export const isSame = (a: object, b: object): boolean =>
  canonicalText(a as JsonValue) === canonicalText(b as JsonValue);

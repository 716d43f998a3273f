import type { StoredDocument } from '../../../lib/domain/content/document.ts';
import { type LinkedContent, linked, noContent } from '../../../lib/domain/content/link.ts';
import { shownTemplateOf } from '../../../lib/domain/content/shown-template.ts';
import type { JsonValue } from '../../../lib/domain/json.ts';
import { type ErrorDetail, notFound, validationFailed } from '../../../lib/domain/problem.ts';
import { timestamp } from '../../../lib/domain/timestamp.ts';
import { lostRace, type RetryDependencies, untilWritten } from '../../../lib/operations/retry.ts';
import { loadStoredContent, type StoredContent, saveContent } from '../../../lib/store/content.ts';
import type { Database } from '../../../lib/store/database.ts';
import { derivedContentId } from '../../../lib/store/ids.ts';
import { globalTeam } from '../../../lib/store/keys.ts';
import { loadTeam } from '../../../lib/store/teams.ts';
import { applyContent, type ImportCounts, isSame } from '../../content/apply.ts';
import { identified } from '../../content/identify.ts';
import { readDocument } from '../../content/read.ts';

export type ImportContentDependencies = RetryDependencies & {
  database: Database;
  /** Milliseconds since the epoch. */
  now(): number;
  newId(): string;
  /** Returns true if the API can return a response of this size. */
  fits(response: unknown): boolean;
};

/**
 * Imports the administrator's document into the team's content, all or nothing; without a team, into the global
 * objectives. If nothing changes, nothing is written.
 * @throws Problem `validation_failed` with all errors; `not_found` if there is no such team
 */
export async function importContent(
  dependencies: ImportContentDependencies,
  teamId: string | null,
  value: JsonValue,
  options: ImportOptions = {},
): Promise<ImportCounts> {
  const owner = teamId ?? globalTeam;
  return untilWritten(dependencies, 'the content is contended', async () => {
    const { before, content, counts } = await checkContent(dependencies, teamId, value, options);
    if (isSame(content, before.document)) return counts;
    const saving = { before, revision: dependencies.newId(), now: dependencies.now() };
    return (await saveContent(dependencies.database, owner, content, saving)) ? counts : lostRace;
  });
}

export type CheckContentDependencies = Pick<ImportContentDependencies, 'database' | 'now' | 'fits'>;

/** `replaces`: content that the document does not have is removed. */
export type ImportOptions = { replaces?: boolean };

/** What an import would make of the team's content. */
export type CheckedContent = {
  /** What is stored now. */
  before: StoredContent;
  content: StoredDocument;
  counts: ImportCounts;
  /** The global content, whose objectives all teams see. */
  global: StoredDocument;
  /** Ids of the templates that the document gives, in its order. */
  templateIds: string[];
};

/**
 * Everything that {@link importContent} does, up to the write.
 * @throws Problem as it does
 */
export async function checkContent(
  dependencies: CheckContentDependencies,
  teamId: string | null,
  value: JsonValue,
  { replaces = false }: ImportOptions = {},
): Promise<CheckedContent> {
  const { errors, document } = readDocument(value);
  if (!document) throw validationFailed(errors);
  const { before, context, global } = await loadContext(dependencies, teamId);
  const applied = applyContent(replaces ? noContent : before.document, document, context);
  if ('errors' in applied) throw validationFailed([...errors, ...applied.errors]);
  if (errors.length > 0) throw validationFailed(errors);
  const { content, counts } = applied;
  if (!isSame(content, before.document)) {
    const owner = teamId ?? globalTeam;
    const tooLarge = sizeErrors(linked(content, global, { teamId: owner, team: null }), dependencies.fits);
    if (tooLarge.length > 0) throw validationFailed(tooLarge);
  }
  const templateIds = identified(document, before.document, context.idOf).templates.map(({ id }) => id);
  return { before, content, counts, global, templateIds };
}

async function loadContext({ database, now }: CheckContentDependencies, teamId: string | null) {
  const owner = teamId ?? globalTeam;
  const [before, global, team] = await Promise.all([
    loadStoredContent(database, owner),
    teamId === null ? undefined : loadStoredContent(database, globalTeam),
    teamId === null ? undefined : loadTeam(database, teamId),
  ]);
  if (teamId !== null && !team) throw notFound();
  const globalContent = global?.document ?? noContent;
  const context = {
    teamId,
    features: team?.features ?? [],
    globalObjectives: globalContent.objectives,
    idOf: (name: string) => derivedContentId(owner, name),
    now: timestamp(now()),
  };
  return { before, context, global: globalContent };
}

/** Errors for content that would be too large for a response. */
function sizeErrors({ templates, objectives }: LinkedContent, fits: (response: unknown) => boolean): ErrorDetail[] {
  const responses: [path: string, what: string, response: unknown][] = [
    ['/objectives', 'the list of objectives', { objectives }],
    ['/templates', 'the list of templates', { templates: templates.map(shownTemplateOf) }],
    ...templates.flatMap(({ id, template_pages, template_messages }): typeof responses => [
      ['/templates', `the list of pages of the template ${id}`, template_pages],
      ['/templates', `the list of messages of the template ${id}`, { templates: template_messages }],
    ]),
  ];
  return responses
    .filter(([, , response]) => !fits(response))
    .map(([path, what]) => ({ path, message: `${what} would be larger than a response can be` }));
}

import { type Applied, applyContent, isSame } from '../../content/apply.ts';
import { changeLines, contentChanges, type ObjectChange } from '../../content/content-changes.ts';
import { readDocument } from '../../content/read.ts';
import type { RuleChange } from '../../content/rules.ts';
import type { StoredDocument } from '../../domain/campaigns/document.ts';
import { type LinkedContent, linked, noContent } from '../../domain/campaigns/link.ts';
import { shownTemplateMessageOf, shownTemplateOf } from '../../domain/campaigns/shown-template.ts';
import type { JsonValue } from '../../domain/values/json.ts';
import { type ErrorDetail, notFound, Problem } from '../../domain/values/problem.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { loadStoredContent, type StoredContent, saveContent } from '../../store/campaigns/content.ts';
import { type PublishedRevision, revisionInsertion } from '../../store/campaigns/revisions.ts';
import type { Write } from '../../store/table/database.ts';
import { derivedContentId } from '../../store/table/ids.ts';
import { globalTeam } from '../../store/table/keys.ts';
import { loadTeam } from '../../store/teams/teams.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { Service } from '../service.ts';
import { ruleWrites, writeRules } from './live-rules.ts';

export type ImportContentService = Service & {
  /** Returns true if the API can return a response of this size. */
  fits(response: unknown): boolean;
};

/** What an import would make of the team's content. */
export type CheckedContent = Applied & {
  /** What is stored now. */
  before: StoredContent;
  /** The global content, whose objectives all teams see. */
  global: StoredDocument;
};

/** Unlike other problems it names every error, also more than a response can: a person corrects them all at once. */
export class InvalidContent extends Problem {
  override readonly details: readonly ErrorDetail[];
  constructor(errors: readonly ErrorDetail[]) {
    super('validation_failed');
    this.details = errors;
  }
}

/**
 * Imports the administrator's document into the team's content, all or nothing; without a team, into the global
 * objectives. If nothing changes, nothing is written.
 * @throws InvalidContent with all errors; Problem `not_found` if there is no such team; what `onChange` throws
 */
export async function importContent(
  service: ImportContentService,
  teamId: string | null,
  value: JsonValue,
  options: ImportOptions = {},
): Promise<CheckedContent> {
  const owner = teamId ?? globalTeam;
  return untilWritten(service, 'too many conflicts on the content', async () => {
    const checked = await checkContent(service, teamId, value, options);
    const { before, content } = checked;
    const rules = await ruleWrites(service, owner, linked(content, checked.global, { teamId: owner, team: null }));
    if (isSame(content, before.document)) {
      // An import that was killed can have left rules behind.
      return (await writeRules(service.database, rules)) ? checked : lostRace;
    }
    await options.onChange?.(checked);
    const [rulesNow, others] = [rules.slice(0, rulesBeside), rules.slice(rulesBeside)];
    const [revision, now] = [service.newId(), service.now()];
    const published = { ...actOf(checked, options.act ?? noAct), revision, at: timestamp(now) };
    const history = revisionInsertion(owner, before.version + 1, published);
    const saving = { before, revision, now, beside: [history, ...((await options.beside?.()) ?? []), ...rulesNow] };
    if (!(await saveContent(service.database, owner, content, saving))) return lostRace;
    return (await writeRules(service.database, others)) ? checked : lostRace;
  });
}

/** Rules that one transaction changes with the content, its history, and the document that waited for approval. */
const rulesBeside = 97;

/** Who publishes what, for the history. */
export type Act = Pick<PublishedRevision, 'who' | 'what' | 'approved_by' | 'publish_at' | 'restores'>;
const noAct: Act = { who: null, what: 'import' };

/** The act, with what it changes. */
export const actOf = <Given extends Act>({ before, content, ruleChanges }: CheckedContent, act: Given) => {
  const changes = contentChanges(before.document, content);
  return {
    ...act,
    template_ids: changes.filter(({ kind }) => kind === 'template').map(({ id }) => id),
    changes: [...changes.map(changeLine), ...ruleChanges.map(ruleLine)],
  };
};

const changeLine = (change: ObjectChange): string => {
  const [head, ...details] = changeLines(change);
  return details.length === 0 ? head! : `${head}: ${details.join('; ')}`;
};

const ruleLine = ({ template_id, name, change }: RuleChange): string =>
  `The rule of ${JSON.stringify(name ?? template_id)} ${change}`;

export type CheckContentService = Pick<ImportContentService, 'database' | 'now' | 'fits'>;

export type ImportOptions = {
  /** Content that the document does not have is removed. */
  replaces?: boolean;
  /** Is called before the write, which does not happen if it throws. */
  onChange?(checked: CheckedContent): Promise<void>;
  act?: Act;
  /** What is written in the transaction that publishes the content; at most one write. */
  beside?(): Promise<readonly Write[]>;
};

/**
 * Everything that {@link importContent} does, up to what it does to people.
 * @throws InvalidContent and Problem `not_found`, as it does
 */
export async function checkContent(
  service: CheckContentService,
  teamId: string | null,
  value: JsonValue,
  { replaces = false }: ImportOptions = {},
): Promise<CheckedContent> {
  const { errors, document } = readDocument(value);
  if (!document) throw new InvalidContent(errors);
  const { before, context, global } = await loadContext(service, teamId);
  const applied = applyContent(replaces ? noContent : before.document, document, context);
  if ('errors' in applied) throw new InvalidContent([...errors, ...applied.errors]);
  if (errors.length > 0) throw new InvalidContent(errors);
  const { content } = applied;
  if (!isSame(content, before.document)) {
    const owner = teamId ?? globalTeam;
    const tooLarge = sizeErrors(linked(content, global, { teamId: owner, team: null }), service.fits);
    if (tooLarge.length > 0) throw new InvalidContent(tooLarge);
  }
  return { ...applied, before, global };
}

async function loadContext({ database, now }: CheckContentService, teamId: string | null) {
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
    before: before.document,
    team,
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
      [
        '/templates',
        `the list of messages of the template ${id}`,
        { templates: template_messages.map(shownTemplateMessageOf) },
      ],
    ]),
  ];
  return responses
    .filter(([, , response]) => !fits(response))
    .map(([path, what]) => ({ path, message: `${what} would be larger than a response can be` }));
}

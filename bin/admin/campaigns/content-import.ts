import { setTimeout as sleep } from 'node:timers/promises';
import { readDocument } from '../../../lib/content/read.ts';
import type { GivenDocument } from '../../../lib/domain/campaigns/document.ts';
import { defaultMessagesAWeek } from '../../../lib/domain/teams/team.ts';
import { isJsonObject, type JsonValue } from '../../../lib/domain/values/json.ts';
import type { ErrorDetail } from '../../../lib/domain/values/problem.ts';
import { fits } from '../../../lib/http/reply.ts';
import type { Accepted } from '../../../lib/operations/publishing/consequences.ts';
import {
  type Act,
  type CheckedContent,
  checkContent,
  importContent,
} from '../../../lib/operations/publishing/import-content.ts';
import { listProducts } from '../../../lib/store/accounts/products.ts';
import { loadStoredContent } from '../../../lib/store/campaigns/content.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { globalTeam } from '../../../lib/store/table/keys.ts';
import { loadTeam } from '../../../lib/store/teams/teams.ts';
import { say } from '../../output.ts';
import { contentWarnings } from '../../warnings/document.ts';
import { filesShownBy, fileWarnings, productsNamedIn, productWarnings } from '../../warnings/files.ts';
import { capWarnings, senderWarnings } from '../../warnings/messages.ts';
import { documentOf } from '../document.ts';
import { AdminFailure, failure } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { proposeContent, requireNonePending } from '../operations/campaigns/approval.ts';
import { type Review, reviewOf, reviewText } from '../operations/campaigns/review.ts';
import { fillLookups } from '../operations/contacts/fill-lookups.ts';
import { listTeamFiles } from '../store/campaigns/team-files.ts';
import { tableOf } from '../text.ts';
import { type Outcome, requireConsent } from '../verb.ts';

type Given = { file: string; team: string | undefined } & Record<'strict' | 'acceptMoves' | 'new', boolean | undefined>;
export const noReview: Review = { changes: [], rules: [], consequences: [] };

export type Publishing = { at: string | undefined; yes: boolean | undefined };

export async function imported(installation: Installation, given: Given & Publishing) {
  const { team, at, yes, acceptMoves = false, new: makesNew = false } = given;
  const document = documentOf(given.file, true);
  const { warnings } = await checkedContent(installation, document, given);
  const act = { who: await installation.who(), what: 'import' } as const;
  return published(installation, {
    ...{ team, at, yes, document, accepted: { acceptMoves, new: makesNew }, act, warnings },
  });
}

type Publication = Publishing & {
  team: string | undefined;
  document: JsonValue;
  accepted: Accepted;
  act: Act & { who: string };
  warnings: readonly ErrorDetail[];
};

/** Imports the document, or lets it wait for its time or for approval. Says first what it changes. */
export async function published(installation: Installation, publication: Publication): Promise<NonNullable<Outcome>> {
  const { team, at, yes, document, accepted, act, warnings } = publication;
  let review = noReview;
  const onReview = (found: Review) => {
    review = found;
    requireConsent(consequenceText(review, warnings), { yes });
  };
  const service = { ...installation, fits };
  if (at !== undefined && team === undefined)
    throw failure('invalid_arguments', 'is only for the content of a team: give --team', '--at');
  await requireNonePending(service, team ?? null);
  const needsApproval = team !== undefined && (await loadTeam(installation.database, team))?.content_approval === true;
  if (team === undefined || (at === undefined && !needsApproval)) {
    const onChange = async (checked: CheckedContent) =>
      onReview(await reviewOf(service, team ?? globalTeam, checked, accepted));
    const content = await importContent(service, team ?? null, document, { act, onChange });
    return finished(installation, { team, content, review, warnings });
  }
  const proposal = { ...accepted, act, publishAt: at, onReview };
  const { checked: content, pending } = await proposeContent(service, team, document, proposal);
  const outcome = outcomeOf(team, content, review, warnings);
  if (!pending) return outcome;
  const { revision } = pending;
  const run = (verb: string) => `npm run admin -- content ${verb} ${revision} --team ${team}`;
  const next = [
    ...(needsApproval ? [`It waits for another person: ${run('approve')}`] : []),
    ...(at === undefined
      ? []
      : [
          `It is published ${needsApproval ? 'after that, not before' : 'at'} ${at}. To take it back: ${run('withdraw')}`,
        ]),
  ];
  const publishAt = at === undefined ? {} : { publish_at: at };
  return {
    ...outcome,
    value: { ...outcome.value, pending_revision: revision, ...publishAt },
    ids: { content_revision: revision },
    notes: [outcome.notes, ...next].filter((note) => note !== '').join('\n'),
  };
}

type Published = {
  team: string | undefined;
  content: CheckedContent;
  review: Review;
  warnings: readonly ErrorDetail[];
};

/** Fills what the content declares, and says what was done. */
export async function finished(installation: Installation, { team, content, review, warnings }: Published) {
  if (team !== undefined) await fillLookups({ ...installation, wait }, team);
  const { revision, document } = await loadStoredContent(installation.database, team ?? globalTeam);
  const ids = {
    ...(revision === undefined ? {} : { content_revision: revision }),
    template_ids: document.templates.map(({ id }) => id),
  };
  return { ...outcomeOf(team ?? null, content, review, warnings), ids };
}

export async function checked(installation: Installation, given: Given) {
  const { team = null, acceptMoves = false, new: makesNew = false } = given;
  const { content, warnings } = await checkedContent(installation, documentOf(given.file, true), given);
  const review = await reviewOf(installation, team ?? globalTeam, content, { acceptMoves, new: makesNew });
  if (review.changes.length > 0) say(consequenceText(review, warnings));
  return outcomeOf(team, content, review, warnings);
}

/** Waits until no function instance still writes contacts without the newly declared lookup fields. */
async function wait(milliseconds: number): Promise<void> {
  say(`Imported. Filling the lookup indexes begins in ${Math.ceil(milliseconds / 1000)} seconds …`);
  await sleep(milliseconds);
}

/**
 * What an import would do, and what it would warn of.
 * @throws InvalidContent naming every error; with `strict`, AdminFailure `validation_failed` naming the warnings
 */
export async function checkedContent(
  { database }: Installation,
  document: JsonValue,
  { team, strict }: Pick<Given, 'team' | 'strict'>,
) {
  const content = await checkContent({ database, now: Date.now, fits }, team ?? null, document);
  const { document: read } = readDocument(document);
  const sender = team === undefined ? undefined : await loadTeam(database, team);
  const warnings = read
    ? [
        ...contentWarnings(document, withStale(read, content)),
        ...(team === undefined ? [] : await missingObjects(database, team, read)),
        ...(sender === undefined ? [] : senderWarnings(read, sender)),
        ...capWarnings(read, sender ?? { max_messages_a_week: defaultMessagesAWeek }),
      ]
    : [];
  if (strict && warnings.length > 0) throw new AdminFailure('validation_failed', warnings);
  return { content, warnings };
}

/** The document with what the import finds of translations that are older than their texts. */
function withStale(document: GivenDocument, { given, content }: CheckedContent): GivenDocument {
  const after = new Map(content.templates.map((template) => [template.id, template]));
  const templates = document.templates.map((each, index) => {
    return { ...each, translated_from: after.get(given.templates[index]!.id)?.translated_from ?? null };
  });
  return { ...document, templates };
}

/** Warnings for files and products that the team does not have. */
async function missingObjects(database: Database, team: string, document: GivenDocument): Promise<ErrorDetail[]> {
  const [files, products] = [filesShownBy(document), productsNamedIn(document)];
  return [
    ...(files.length === 0 ? [] : fileWarnings(files, await listTeamFiles(database, team))),
    ...(products.length === 0 ? [] : productWarnings(products, await listProducts(database, team))),
  ];
}

const outcomeOf = (
  team: string | null,
  { counts, given }: CheckedContent,
  review: Review,
  warnings: readonly ErrorDetail[],
) => ({
  value: {
    team_id: team,
    ...counts,
    ids: idsIn(given as unknown as JsonValue),
    ...review,
    warnings,
  },
  text: tableOf(Object.entries(counts), {
    '': ([kind]) => kind.replaceAll('_', ' '),
    CREATED: ([, { created }]) => created,
    UPDATED: ([, { updated }]) => updated,
    UNCHANGED: ([, { unchanged }]) => unchanged,
  }),
  // With changes, they were said before.
  notes: review.changes.length > 0 ? '' : warningLines(warnings),
});

const naming = ['id', 'key', 'name', 'order', 'type', 'content_name', 'page_id', 'message_id', 'engagement_channel_id'];
const lists = ['objectives', 'engagement_channels', 'templates', 'template_pages', 'template_messages'];
const parts = ['default_content', 'page', 'message', 'content_containers', 'content_blocks'];
const kept = new Set([...naming, ...lists, ...parts]);

/** The document with its ids and names alone. */
function idsIn(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(idsIn);
  if (!isJsonObject(value)) return value;
  const isUnset = (inner: JsonValue) => inner === null || (Array.isArray(inner) && inner.length === 0);
  const entries = Object.entries(value).filter(([name, inner]) => kept.has(name) && !isUnset(inner));
  return Object.fromEntries(entries.map(([name, inner]) => [name, idsIn(inner)]));
}

/** What would be done, with what to think about before. */
export const consequenceText = (review: Review, warnings: readonly ErrorDetail[]): string =>
  [reviewText(review), warningLines(warnings)].filter((text) => text !== '').join('\n');

/** The warnings for people. */
export const warningLines = (warnings: readonly ErrorDetail[]): string =>
  warnings.map(({ path, message }) => `Warning: ${path}: ${message}`).join('\n');

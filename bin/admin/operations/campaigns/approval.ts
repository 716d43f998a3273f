import { isSame } from '../../../../lib/content/apply.ts';
import type { JsonValue } from '../../../../lib/domain/values/json.ts';
import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import type { Accepted } from '../../../../lib/operations/publishing/consequences.ts';
import {
  type Act,
  actOf,
  type CheckedContent,
  checkContent,
  type ImportContentService,
} from '../../../../lib/operations/publishing/import-content.ts';
import { publishPending, requireNoNewLookups } from '../../../../lib/operations/publishing/publish-waiting.ts';
import {
  changePending,
  expirePending,
  insertPending,
  loadPending,
  type PendingRevision,
  pendingDeletion,
  pendingDocument,
} from '../../../../lib/store/campaigns/revisions.ts';
import { type Database, writeOne } from '../../../../lib/store/table/database.ts';
import { globalTeam } from '../../../../lib/store/table/keys.ts';
import { publicationInsertion } from '../../../../lib/store/waiting-work/due-work.ts';
import { failure } from '../../failure.ts';
import { type Review, reviewOf } from './review.ts';

/** Content waits for its time, or until another person approves it (`content_approval` of the team). */

type Proposal = Accepted & {
  act: Act & { who: string };
  /** From when on it is published, ISO 8601; without it, when another person approves it. */
  publishAt?: string | undefined;
  /** Is called before the write, which does not happen if it throws. */
  onReview?(review: Review): void;
};

/**
 * Lets the document wait. Nothing waits if it changes nothing.
 * @throws AdminFailure and Problem as `importContent` and `consequencesOf`; `conflict` if another document waits;
 * InvalidContent if a document with a time declares a new lookup field
 */
export async function proposeContent(
  service: ImportContentService,
  teamId: string,
  value: JsonValue,
  { act, publishAt, onReview, ...accepted }: Proposal,
): Promise<{ checked: CheckedContent; pending?: Omit<PendingRevision, 'parts'> }> {
  const checked = await checkContent(service, teamId, value);
  if (isSame(checked.content, checked.before.document)) return { checked };
  if (publishAt !== undefined) requireNoNewLookups(checked);
  onReview?.(await reviewOf(service, teamId, checked, accepted));
  const { acceptMoves: accept_moves = false, new: makesNew = false } = accepted;
  const pending = {
    ...actOf(checked, act),
    ...{ revision: service.newId(), at: timestamp(service.now()), accept_moves, new: makesNew },
    ...(publishAt === undefined ? {} : { publish_at: publishAt }),
  };
  if (await insertPending(service.database, teamId, pending, value)) return { checked, pending };
  await requireNonePending(service, teamId);
  throw failure('conflict', 'Another document waited at the same time. Nothing was changed.');
}

/** @throws AdminFailure `conflict` */
export async function requireNonePending({ database }: Pick<ImportContentService, 'database'>, teamId: string | null) {
  const pending = await loadPending(database, teamId ?? globalTeam);
  if (!pending) return;
  const { revision, publish_at: at, refused } = pending;
  const waits = refused ? `was not published at ${at}:` : `waits until ${at}:`;
  const given = `${revision} --team ${teamId}`;
  const state = at === undefined ? `waits for approval: approve it with content approve ${given}, or` : waits;
  throw failure('conflict', `The revision ${revision} ${state} withdraw it with content withdraw ${given}.`);
}

/** The document that waits with this id, as it was given; `undefined` if none does. */
export async function waitingDocument(
  database: Database,
  teamId: string | null,
  revision: string,
): Promise<JsonValue | undefined> {
  const owner = teamId ?? globalTeam;
  const pending = await loadPending(database, owner);
  return pending?.revision === revision ? pendingDocument(database, owner, pending) : undefined;
}

/** @throws AdminFailure `not_found` if no document with this id waits */
export async function pendingNamed(
  { database }: Pick<ImportContentService, 'database'>,
  teamId: string,
  revision: string,
): Promise<PendingRevision> {
  const pending = await loadPending(database, teamId);
  if (pending?.revision === revision) return pending;
  throw nonePending();
}

const nonePending = () => failure('not_found', 'no revision with this id waits', '<revision>');

/**
 * Publishes the document that waits, as an import now would; before its time it only notes the approval. If it is stopped,
 * call it again.
 * @param approval.who approves it
 * @returns `waitsUntil` if it is not yet published
 * @throws AdminFailure `forbidden` for the person who imported it; and as `importContent` and `consequencesOf`
 */
export async function approveContent(
  service: ImportContentService,
  teamId: string,
  { revision, who, onReview }: { revision: string; who: string } & Pick<Proposal, 'onReview'>,
): Promise<{ checked: CheckedContent; waitsUntil?: string }> {
  const { database, now } = service;
  const pending = await pendingNamed(service, teamId, revision);
  if (pending.who === who) {
    throw failure(
      'forbidden',
      `was imported by ${who}, as whom you run this command: another person must approve it`,
      '<revision>',
    );
  }
  const { accept_moves: acceptMoves, new: makesNew, publish_at: at } = pending;
  const review = async (checked: CheckedContent) =>
    onReview?.(await reviewOf(service, teamId, checked, { acceptMoves, new: makesNew }));
  if (at === undefined || Date.parse(at) <= now())
    return { checked: await publishPending(service, teamId, pending, { approvedBy: who, onChange: review }) };
  const checked = await checkContent(service, teamId, await pendingDocument(database, teamId, pending));
  await review(checked);
  if (!(await changePending(database, teamId, revision, { approved_by: who }))) throw nonePending();
  // If its time came meanwhile, it was not published without the approval.
  await writeOne(database, publicationInsertion(teamId, at, revision));
  return { checked, waitsUntil: at };
}

/** @throws AdminFailure `not_found` if no document with this id waits */
export async function withdrawContent(service: ImportContentService, teamId: string, revision: string): Promise<void> {
  const pending = await pendingNamed(service, teamId, revision);
  if (!(await service.database.transact([pendingDeletion(teamId, pending)]))) throw nonePending();
  await expirePending(service.database, teamId, pending, service.now());
}

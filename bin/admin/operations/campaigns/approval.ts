import type { JsonValue } from '../../../../lib/domain/values/json.ts';
import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import type { Database } from '../../../../lib/store/table/database.ts';
import { globalTeam } from '../../../../lib/store/table/keys.ts';
import { isSame } from '../../../content/apply.ts';
import { failure } from '../../failure.ts';
import {
  expirePending,
  insertPending,
  loadPending,
  type PendingRevision,
  pendingDeletion,
  pendingDocument,
} from '../../store/campaigns/revisions.ts';
import {
  type Act,
  actOf,
  checkContent,
  type ImportContentService,
  type ImportOptions,
  importContent,
} from './content.ts';
import { type CheckedContent, reviewOf } from './review.ts';

/** Content of a team with `content_approval` waits until another person approves it. */

type Proposal = ImportOptions & { act: Act & { who: string } };

/**
 * Lets the document wait. Nothing waits if it changes nothing.
 * @throws AdminFailure and Problem as `importContent`; `conflict` if another document waits
 */
export async function proposeContent(
  service: ImportContentService,
  teamId: string,
  value: JsonValue,
  options: Proposal,
): Promise<{ checked: CheckedContent; pending?: Omit<PendingRevision, 'parts'> }> {
  const checked = await checkContent(service, teamId, value);
  if (isSame(checked.content, checked.before.document)) return { checked };
  options.onReview?.(await reviewOf(service, teamId, checked, options));
  const { acceptMoves: accept_moves = false, new: makesNew = false } = options;
  const pending = {
    ...actOf(checked, options.act),
    ...{ revision: service.newId(), at: timestamp(service.now()), accept_moves, new: makesNew },
  };
  if (await insertPending(service.database, teamId, pending, value)) return { checked, pending };
  await requireNonePending(service, teamId);
  throw failure('conflict', 'Another document waited for approval at the same time. Nothing was changed.');
}

/** @throws AdminFailure `conflict` */
export async function requireNonePending({ database }: Pick<ImportContentService, 'database'>, teamId: string | null) {
  const pending = await loadPending(database, teamId ?? globalTeam);
  if (!pending) return;
  const ways = `approve it with content approve ${pending.revision}, or withdraw it with content withdraw ${pending.revision}`;
  throw failure('conflict', `The revision ${pending.revision} waits for approval: ${ways}.`);
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

const nonePending = () => failure('not_found', 'no revision with this id waits for approval', '<revision>');

/**
 * Publishes the document that waits, as an import now would. If it is stopped, call it again: the transaction that
 * publishes the document also ends its wait.
 * @param who approves it
 * @throws AdminFailure `forbidden` for the person who imported it; and as `importContent`
 */
export async function approveContent(
  service: ImportContentService,
  teamId: string,
  { revision, who, onReview }: { revision: string; who: string } & Pick<ImportOptions, 'onReview'>,
): Promise<CheckedContent> {
  const pending = await pendingNamed(service, teamId, revision);
  if (pending.who === who) {
    throw failure(
      'forbidden',
      `was imported by ${who}, as whom you run this command: another person must approve it`,
      '<revision>',
    );
  }
  const { what, restores, accept_moves: acceptMoves, new: makesNew } = pending;
  const document = await pendingDocument(service.database, teamId, pending);
  const checked = await importContent(service, teamId, document, {
    ...{ acceptMoves, new: makesNew, ...(onReview ? { onReview } : {}) },
    act: { who: pending.who, what, approved_by: who, ...(restores === undefined ? {} : { restores }) },
    beside: async () => [pendingDeletion(teamId, await pendingNamed(service, teamId, revision))],
  });
  // If the content was as in the document already, nothing was written.
  await service.database.transact([pendingDeletion(teamId, pending)]);
  await expirePending(service.database, teamId, pending, service.now());
  return checked;
}

/** @throws AdminFailure `not_found` if no document with this id waits */
export async function withdrawContent(service: ImportContentService, teamId: string, revision: string): Promise<void> {
  const pending = await pendingNamed(service, teamId, revision);
  if (!(await service.database.transact([pendingDeletion(teamId, pending)]))) throw nonePending();
  await expirePending(service.database, teamId, pending, service.now());
}

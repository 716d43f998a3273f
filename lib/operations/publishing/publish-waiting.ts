import { lookupField, lookupFieldName } from '../../domain/contacts/lookup.ts';
import { type ErrorDetail, notFound, Problem, reasonOf } from '../../domain/values/problem.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import {
  changePending,
  expirePending,
  loadPending,
  type PendingRevision,
  pendingDeletion,
  pendingDocument,
} from '../../store/campaigns/revisions.ts';
import { StoreUnavailable } from '../../store/table/database.ts';
import { isRefusal } from '../../store/table/errors.ts';
import { loadTeam } from '../../store/teams/teams.ts';
import { recordedAct } from '../access/audit.ts';
import type { Settings } from '../service.ts';
import { consequencesOf } from './consequences.ts';
import {
  type CheckedContent,
  type ImportContentService,
  type ImportOptions,
  InvalidContent,
  importContent,
} from './import-content.ts';

export type PublishService = ImportContentService &
  Pick<Settings, 'retentionDays'> & {
    /** Called with the error because of which a revision was not published at its time. */
    onRefused(error: unknown, revision: string): void;
  };

/** Attempts that are stopped, for example by the timeout of the function, before they can say how they end. */
const mostAttempts = 5;

/**
 * Publishes the revision whose time has come, in the name of the person who has set the time. It does nothing if no
 * revision with this id waits any more, or if another person must still approve it. If it is stopped, call it again: a
 * revision is published once. A revision that cannot be published still waits, with the reason, and is not tried again.
 * @throws StoreUnavailable, or what AWS refuses: call it again
 */
export async function publishWaiting(service: PublishService, teamId: string, revision: string): Promise<void> {
  const { database } = service;
  const [pending, team] = await Promise.all([loadPending(database, teamId), loadTeam(database, teamId)]);
  if (pending?.revision !== revision || pending.refused) return;
  const { who, approved_by: by, accept_moves: acceptMoves, new: makesNew, attempts = 0 } = pending;
  if (team?.content_approval && by === undefined) return;
  if (!(await changePending(database, teamId, revision, { attempts: attempts + 1 }))) return;
  const act = { who, what: 'content publish', team_id: teamId, ids: { content_revision: revision } };
  try {
    await recordedAct(service, act, async () => {
      if (attempts >= mostAttempts) throw new Problem('internal_error', [stopped]);
      await publishPending(service, teamId, pending, {
        approvedBy: by,
        onChange: async (checked) => {
          requireNoNewLookups(checked);
          await consequencesOf(database, teamId, checked, { acceptMoves, new: makesNew });
        },
      });
    });
  } catch (error) {
    if (error instanceof StoreUnavailable || isRefusal(error)) {
      // An outage uses up no attempt.
      await changePending(database, teamId, revision, { attempts }).catch(() => {});
      throw error;
    }
    const refused = { at: timestamp(service.now()), ...reasonsOf(error) };
    if (await changePending(database, teamId, revision, { refused })) service.onRefused(error, revision);
  }
}

const stopped = { path: '', message: `was stopped ${mostAttempts} times before its end` };

/** Of one revision: an item has 400 KB. */
const mostDetails = 20;
const longestMessage = 1000;

function reasonsOf(error: unknown): { error: string; details: ErrorDetail[] } {
  const isKnown = error instanceof Problem && error.details !== undefined;
  const details = isKnown ? error.details : [{ path: '', message: reasonOf(error) }];
  const shown = details.slice(0, mostDetails).map(({ path, message }) => {
    return { path, message: message.slice(0, longestMessage).toWellFormed() };
  });
  return { error: error instanceof Problem ? error.code : 'internal_error', details: shown };
}

/**
 * Publishes the document that waits, as an import now would. If it is stopped, call it again: the transaction that
 * publishes the document also ends its wait.
 * @throws Problem `not_found` if it does not wait any more; and as `importContent`
 */
export async function publishPending(
  service: ImportContentService,
  teamId: string,
  pending: PendingRevision,
  { approvedBy, onChange }: Pick<ImportOptions, 'onChange'> & { approvedBy: string | undefined },
): Promise<CheckedContent> {
  const { database, now } = service;
  const { revision, who, what, restores, publish_at } = pending;
  const document = await pendingDocument(database, teamId, pending);
  const checked = await importContent(service, teamId, document, {
    ...(onChange ? { onChange } : {}),
    act: {
      ...{ who, what },
      ...(approvedBy === undefined ? {} : { approved_by: approvedBy }),
      ...(publish_at === undefined ? {} : { publish_at }),
      ...(restores === undefined ? {} : { restores }),
    },
    beside: async () => {
      if ((await loadPending(database, teamId))?.revision !== revision) throw notFound();
      return [pendingDeletion(teamId, pending)];
    },
  });
  // If the content was as in the document already, nothing was written.
  await database.transact([pendingDeletion(teamId, pending)]);
  await expirePending(database, teamId, pending, now());
  return checked;
}

/**
 * The index of a new lookup field is filled only by the command, after its import.
 * @throws InvalidContent if the import would declare a field
 */
export function requireNoNewLookups({ before, content }: CheckedContent): void {
  const known = new Set(before.lookups.map(({ field }) => field));
  const errors = content.engagement_channels.flatMap(({ name, lookup_fields }) =>
    lookup_fields.filter((each) => !known.has(canonicalName(each))).map((each) => newLookup(name, each)),
  );
  if (errors.length > 0) throw new InvalidContent(errors);
}

function canonicalName(text: string): string {
  const field = lookupField(text);
  return typeof field === 'string' ? text : lookupFieldName(field);
}

const newLookup = (channel: string | null, field: string): ErrorDetail => ({
  path: '/engagement_channels',
  message: `${JSON.stringify(channel)} declares the new lookup field ${field}, whose index only an import without --at fills. Import the channel first`,
});

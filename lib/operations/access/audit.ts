import {
  type AuditEntry,
  type AuditIds,
  actBegun,
  actDone,
  type TokenAct,
  unknownClient,
} from '../../domain/access/audit.ts';
import type { EntryLimit } from '../../domain/access/audit-limit.ts';
import type { StoredClient } from '../../domain/access/client.ts';
import { Problem } from '../../domain/values/problem.ts';
import { orderedTimestamps, timestamp } from '../../domain/values/timestamp.ts';
import { appendEntry } from '../../store/access/audit.ts';
import { saveLastUse } from '../../store/access/clients.ts';
import { globalTeam } from '../../store/table/keys.ts';
import type { Service, Settings } from '../service.ts';

const timeOfEntry = orderedTimestamps();

/**
 * Writes an entry with the present time into the audit log of its team.
 * @param entryId unique; if the response to the write is lost, the retry finds the entry and changes nothing
 * @param options.owner the log to write to if the team of the entry does not exist
 */
export async function recordEntry(
  { database, now, retentionDays }: Pick<Service, 'database' | 'now'> & Pick<Settings, 'retentionDays'>,
  entry: Omit<AuditEntry, 'at'>,
  entryId: string,
  { owner = entry.team_id ?? globalTeam }: { owner?: string } = {},
): Promise<void> {
  const time = now();
  const complete = { at: timeOfEntry(time), ...entry };
  await appendEntry(database, { owner, entry: complete, entryId, now: time, retentionDays });
}

/** An act of a client. `what` is that of the same act of an administrator. */
export type ClientAct<T> = Pick<AuditEntry, 'who' | 'what' | 'team_id' | 'ids'> & {
  /** Ids that the result adds. */
  resultIds?(result: T): AuditIds;
};

/**
 * Runs an act between two entries with the same `act_id`, as the acts of administrators. If the first one cannot be
 * written, the act is not run.
 */
export async function recordedAct<T>(
  service: Service & Pick<Settings, 'retentionDays'>,
  { resultIds, ...act }: ClientAct<T>,
  run: () => Promise<T>,
): Promise<T> {
  const act_id = service.newId();
  const append = (part: 0 | 1, outcome: string, more: AuditIds = {}) => {
    const entry = { ...act, ids: { act_id, ...act.ids, ...more }, outcome };
    return recordEntry(service, entry, `${act_id}#${part}`);
  };
  await append(0, actBegun);
  try {
    const result = await run();
    await append(1, actDone, resultIds?.(result));
    return result;
  } catch (error) {
    await append(1, error instanceof Problem ? error.code : 'internal_error').catch(() => {});
    throw error;
  }
}

export type TokenAudit = Service &
  Pick<Settings, 'retentionDays' | 'baseUrl'> & {
    limit: EntryLimit;
    /** Called if a write failed on which the response does not depend. */
    onUnrecorded(what: string, error: unknown): void;
  };

/** Maximum number of refusals that a function instance records per minute. Anyone can cause refusals of unknown clients. */
const perMinute = { client: 10, unknown: 1 };

/** @param jti the id of the token */
export const recordToken = (service: TokenAudit, client: StoredClient, jti: string): Promise<void> =>
  recordEntry(service, { ...ofClient(client, 'token issued'), outcome: actDone, ids: idsOf(client, { jti }) }, jti);

/** The refusal does not depend on its entry, because the caller gets nothing. */
export async function recordRefusal(
  service: TokenAudit,
  client: StoredClient | undefined,
  outcome: string,
): Promise<void> {
  const what = 'token refused';
  const event = `${what} ${client?.client_id ?? unknownClient}`;
  const count = service.limit.countFor(event, client ? perMinute.client : perMinute.unknown, service.now());
  if (count === undefined) return;
  const subject = client
    ? { ...ofClient(client, what), ids: idsOf(client) }
    : { who: unknownClient, what, team_id: null, ids: {} };
  await recordEntry(service, { ...subject, outcome, ...countOf(count) }, service.newId()).catch((error) =>
    service.onUnrecorded(what, error),
  );
}

/** The client was revoked because its credentials were in a URL. Few entries are written for a URL that is sent many times. */
export async function recordRevocation(service: TokenAudit, client: StoredClient): Promise<void> {
  const what = 'token revoked';
  const { limit, now, newId } = service;
  const count = limit.countFor(`${what} ${client.client_id}`, perMinute.client, now());
  if (count === undefined) return;
  const entry = { ...ofClient(client, what), ids: idsOf(client), outcome: actDone, ...countOf(count) };
  await recordEntry(service, entry, newId());
}

/** Stores the day of the client's last token, once a day. The token does not depend on it. */
export const noteUse = (service: TokenAudit, client: StoredClient): Promise<void> =>
  saveLastUse(service.database, client, timestamp(service.now()).slice(0, 10)).catch((error) =>
    service.onUnrecorded('last use', error),
  );

const ofClient = ({ client_id, team_id }: StoredClient, what: TokenAct) => ({ who: client_id, what, team_id });
const idsOf = ({ client_id }: StoredClient, more: Record<string, string> = {}) => ({ client_id, ...more });
const countOf = (count: number) => (count > 1 ? { count } : {});

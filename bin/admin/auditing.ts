import { type AuditIds, actBegun, actDone } from '../../lib/domain/access/audit.ts';
import { isUuid } from '../../lib/domain/values/uuid.ts';
import { recordEntry } from '../../lib/operations/access/audit.ts';
import { loadClient } from '../../lib/store/access/clients.ts';
import { loadIdentities } from '../../lib/store/contacts/identities.ts';
import type { Database } from '../../lib/store/table/database.ts';
import { derivedAccountId } from '../../lib/store/table/ids.ts';
import { globalTeam } from '../../lib/store/table/keys.ts';
import { loadTeam } from '../../lib/store/teams/teams.ts';
import { say } from '../output.ts';
import { failureOf } from './failure.ts';
import type { Installation } from './installation.ts';

/** The objects of a verb. The ids are written to the audit log: never a unique_id, a name, an email or a secret. */
export type Subject = { team?: string | undefined; ids: AuditIds };

/**
 * Runs an act of an administrator between two entries of the audit log with the same `act_id`: one says that it has
 * begun, the other how it ended. If the first one cannot be written, the act is not run, so no act is without an entry.
 * If the second one is missing, the act was interrupted and may be done in part.
 */
export async function recorded<Result extends { ids?: AuditIds } | undefined>(
  installation: Installation,
  what: string,
  subject: Subject,
  run: () => Promise<Result>,
): Promise<Result> {
  const { database, now, newId, retention } = installation;
  const who = await installation.who();
  const actId = newId();
  const ids = { act_id: actId, ...safeIds(subject.ids) };
  const append = async (part: 0 | 1, outcome: string, more: AuditIds = {}) => {
    const all = { ...ids, ...safeIds(more) };
    const { team, owner } = await teamOf(database, subject.team, all);
    const { team_id: _, ...others } = all as AuditIds & { team_id?: string };
    const entry = { who, what, team_id: team, ids: others, outcome };
    await recordEntry({ database, now, retentionDays: retention.days.audit }, entry, `${actId}#${part}`, { owner });
  };
  await append(0, actBegun);
  try {
    const result = await run();
    await append(1, actDone, result?.ids).catch(warn);
    return result;
  } catch (error) {
    await append(1, failureOf(error).code).catch(warn);
    throw error;
  }
}

/** Only a warning: the act has ended, and its result can be a secret that is shown only once. */
const warn = (error: unknown): void => say(`The audit log has no entry of the outcome: ${failureOf(error).message}`);

/** An act on a team that does not exist is recorded in the log of entries without a team. */
async function teamOf(
  database: Database,
  named: string | undefined,
  { team_id, client_id }: AuditIds,
): Promise<{ team: string | null; owner: string }> {
  const client = typeof client_id === 'string' ? await loadClient(database, client_id) : undefined;
  const team = named ?? (typeof team_id === 'string' ? team_id : client?.team_id);
  if (team === undefined || !isUuid(team)) return { team: null, owner: globalTeam };
  return { team, owner: (await loadTeam(database, team)) ? team : globalTeam };
}

/** Maximum number of ids of a list: more would make large items. */
const maxIds = 100;

/** Omits arguments that are no UUIDs, which can be anything typed by mistake. Batch ids are chosen by clients. */
const safeIds = (ids: AuditIds): AuditIds =>
  Object.fromEntries(
    Object.entries(ids)
      .map(([name, value]): [string, string | string[]] => [
        name,
        typeof value === 'string' ? value : value.slice(0, maxIds),
      ])
      .filter(([name, value]) => name.startsWith('batch_id') || [value].flat().every(isUuid)),
  );

/** The ids of objects by the names that an administrator uses. They are derived within a team. */

export async function contactIds(database: Database, team: string, uniqueId: string): Promise<AuditIds> {
  const id = isUuid(team) ? (await loadIdentities(database, team, [uniqueId])).get(uniqueId) : undefined;
  return id === undefined ? {} : { contact_id: id };
}

export const accountIds = (team: string, accountNumber: string): AuditIds =>
  isUuid(team) ? { account_id: derivedAccountId(team, accountNumber) } : {};

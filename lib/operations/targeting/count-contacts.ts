import { timestamp } from '../../domain/values/timestamp.ts';
import { directoryPage } from '../../store/contacts/directory.ts';
import { writeOne } from '../../store/table/database.ts';
import { directoryShards } from '../../store/table/keys.ts';
import { together } from '../../store/table/together.ts';
import { stateWrite } from '../../store/targeting/rules.ts';
import type { Service } from '../service.ts';
import type { TeamRules } from './team-rules.ts';

/** Milliseconds for which the number of contacts is good enough for the brake. Each walk over everybody counts them. */
const countedFor = 48 * 3_600_000;

/** Milliseconds after which a worker counts no further. What it has counted of a very large team is a lower bound. */
const countingTime = 10_000;
const rowsAtOnce = 2500;

/** Counts the contacts of the team, unless they were counted lately. */
export async function countIfOld(
  { database, now }: Pick<Service, 'database' | 'now'>,
  teamId: string,
  team: Pick<TeamRules, 'state'>,
): Promise<void> {
  const { counted_at } = team.state;
  const began = now();
  if (counted_at !== null && began - Date.parse(counted_at) < countedFor) return;
  const shards = Array.from({ length: directoryShards }, (_, shard) => shard);
  const counts = await together(shards, directoryShards, async (shard) => {
    let count = 0;
    let after: string | undefined;
    do {
      const page = await directoryPage(database, teamId, shard, { limit: rowsAtOnce, after });
      count += page.contactIds.length;
      after = page.next;
    } while (after !== undefined && now() - began < countingTime);
    return count;
  });
  const contacts = counts.reduce((sum, each) => sum + each, 0);
  await saveCount({ database, now }, teamId, team, { contacts });
}

/** Notes the number of contacts. Another writer that is first has noted one too. */
export async function saveCount(
  { database, now }: Pick<Service, 'database' | 'now'>,
  teamId: string,
  team: Pick<TeamRules, 'state'>,
  counted: { contacts: number; too_many_accounts?: number },
): Promise<void> {
  const state = { ...team.state, ...counted, counted_at: timestamp(now()) };
  const isWritten = await writeOne(database, stateWrite(teamId, state));
  team.state = isWritten ? { ...state, version: state.version + 1 } : state;
}

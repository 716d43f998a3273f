import { timestamp } from '../../domain/values/timestamp.ts';
import { scanDirectory } from '../../store/contacts/directory.ts';
import { writeOne } from '../../store/table/database.ts';
import { stateWrite } from '../../store/targeting/rules.ts';
import type { Service } from '../service.ts';
import type { TeamRules } from './team-rules.ts';

/** Milliseconds for which the number of contacts is good enough for the brake. Each walk over everybody counts them. */
const countedFor = 48 * 3_600_000;

/** Counts the contacts of the team, unless they were counted lately. */
export async function countIfOld(
  { database, now }: Pick<Service, 'database' | 'now'>,
  teamId: string,
  team: Pick<TeamRules, 'state'>,
): Promise<void> {
  const { counted_at } = team.state;
  if (counted_at !== null && now() - Date.parse(counted_at) < countedFor) return;
  let contacts = 0;
  await scanDirectory(database, { teamId, search: '' }, () => {
    contacts += 1;
  });
  await saveCount({ database, now }, teamId, team, contacts);
}

/** Notes the number of contacts. Another writer that is first has noted one too. */
export async function saveCount(
  { database, now }: Pick<Service, 'database' | 'now'>,
  teamId: string,
  team: Pick<TeamRules, 'state'>,
  contacts: number,
): Promise<void> {
  const state = { ...team.state, contacts, counted_at: timestamp(now()) };
  const isWritten = await writeOne(database, stateWrite(teamId, state));
  team.state = isWritten ? { ...state, version: state.version + 1 } : state;
}

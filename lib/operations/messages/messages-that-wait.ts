import { pauseOf } from '../../domain/messages/pause.ts';
import { wakeAfter } from '../../domain/waiting-work/lane.ts';
import { messageLane, nextMessages } from '../../store/messages/lane.ts';
import { loadMessageCounts, loadMessageState } from '../../store/messages/state.ts';
import type { Service, Settings } from '../service.ts';
import type { Standing } from '../waiting-work/sweep.ts';

/** Messages that are looked at. Those behind them wait for their turn. */
const looked = 20;

/** The lane of the messages of the team, if it holds some and is not paused, for the sweep. */
export async function messagesThatWait(
  { database, eventEpoch }: Pick<Service, 'database'> & Pick<Settings, 'eventEpoch'>,
  teamId: string,
): Promise<Standing> {
  const waiting = await nextMessages(database, teamId, looked);
  const [first] = waiting.map(({ at }) => Date.parse(at)).sort((a, b) => a - b);
  if (first === undefined) return { lanes: [] };
  const [state, { moved_at }] = await Promise.all([
    loadMessageState(database, teamId),
    loadMessageCounts(database, teamId),
  ]);
  if (pauseOf(state, eventEpoch) !== undefined) return { lanes: [] };
  // A lane that moves does not wait: its messages go out at the rate of the team.
  const since = Math.max(first, moved_at === null ? 0 : Date.parse(moved_at));
  return { lanes: [{ lane: messageLane(teamId), since, wakeAt: since + wakeAfter }] };
}

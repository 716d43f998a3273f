import { dayAt } from '../../domain/targeting/calendar-day.ts';
import { localTime } from '../../domain/values/local-time.ts';
import { type WaitingLane, wakeAfter } from '../../domain/waiting-work/lane.ts';
import { writeOne } from '../../store/table/database.ts';
import { countMarks, lanesOf } from '../../store/targeting/marks.ts';
import { loadTargeting, stateWrite, type Targeting } from '../../store/targeting/rules.ts';
import { listWalks, type Walk, walkLane } from '../../store/targeting/walks.ts';
import { loadTeam } from '../../store/teams/teams.ts';
import type { Service } from '../service.ts';
import type { Standing } from '../waiting-work/sweep.ts';
import { askForWalk, overEverybody } from './ask-for-walk.ts';
import { timeZoneOf } from './team-rules.ts';

/** Marks of a team above which a walk over everybody replaces further ones: as many as are counted. */
const mostMarks = 20_000;
/** Hours of the team's day in which everybody is judged for the first time. Later, only a missed day is made good. */
const judgedFrom = 2;
const judgedUntil = 6;

/** The lanes of targeting that hold work, for the sweep. It also begins what is due once a day. */
export async function targetingThatWaits(
  service: Pick<Service, 'database' | 'now' | 'newId' | 'pause'>,
  teamId: string,
): Promise<Standing> {
  const { database, now } = service;
  const targeting = await loadTargeting(database, teamId);
  // A team without rules costs one read.
  if (targeting.rules.length === 0) return { lanes: [] };
  const [counted] = await Promise.all([
    Promise.all(lanesOf(teamId).map(async (lane, index) => ({ lane, ...(await countMarks(database, teamId, index)) }))),
    judgeDaily(service, teamId, targeting),
  ]);
  const marks = counted.reduce((sum, each) => sum + each.marks, 0);
  if (marks >= mostMarks) await askForWalk(service, teamId, overEverybody, { isInsteadOfMarks: true });
  const walks = await listWalks(database, teamId);
  const marked = counted.flatMap(({ lane, oldest }): WaitingLane[] => {
    if (oldest === undefined) return [];
    const since = Date.parse(oldest);
    return [{ lane, since, wakeAt: since + wakeAfter }];
  });
  const stopped = targeting.rules.filter(({ live, brake }) => live && brake.stopped_at !== null);
  return { lanes: [...marked, ...walkThatWaits(teamId, walks, now())], targeting_stopped: stopped.length };
}

/** The lane of walks, if one may begin. One that moves does not wait. */
function walkThatWaits(teamId: string, walks: readonly Walk[], now: number): WaitingLane[] {
  const ready = walks.filter(({ begins_at }) => Date.parse(begins_at) <= now);
  // The lane works one after another, so it moves if one of them does.
  const moved = ready.flatMap(({ moved_at }) => moved_at ?? []).sort();
  const begins = ready.map(({ begins_at }) => begins_at).sort();
  const latest = moved.at(-1) ?? begins[0];
  if (latest === undefined) return [];
  const since = Date.parse(latest);
  return [{ lane: walkLane(teamId), since, wakeAt: since + wakeAfter }];
}

/** Asks once for each day of the team that everybody is judged. */
async function judgeDaily(
  service: Pick<Service, 'database' | 'now' | 'newId' | 'pause'>,
  teamId: string,
  { rules, state }: Targeting,
): Promise<void> {
  if (!rules.some(({ live }) => live)) return;
  const { database, now } = service;
  const [time, timeZone] = [now(), timeZoneOf(await loadTeam(database, teamId))];
  const [day, { hour }] = [dayAt(time, timeZone), localTime(time, timeZone)];
  const isDue = state.judged_on === null ? hour < judgedUntil : state.judged_on < day;
  if (hour < judgedFrom || !isDue) return;
  await askForWalk(service, teamId, overEverybody);
  await writeOne(database, stateWrite(teamId, { ...state, judged_on: day }));
}

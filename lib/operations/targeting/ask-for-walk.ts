import { timestamp } from '../../domain/values/timestamp.ts';
import type { Write } from '../../store/table/database.ts';
import { loadTargeting, type Targeting } from '../../store/targeting/rules.ts';
import { loadWalk, type Walk, type WalkData, type WalkOver, walkWrite } from '../../store/targeting/walks.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { Service } from '../service.ts';

export const overEverybody = { kind: 'everybody' } as const satisfies WalkOver;

/**
 * Milliseconds until a walk begins that replaces marks: longer than a running invocation of the publisher, which has seen
 * no walk, and than the lag of the directory.
 */
export const beforeWalk = 120_000;

/**
 * Asks for a walk. One over the same that has begun begins again after its end, so that each ends; one that has not begun
 * serves both.
 * @param options.replaces the one over the same is given up
 * @param options.beside what is written in the same transaction, made of what is stored
 */
export async function askForWalk(
  service: Pick<Service, 'database' | 'now' | 'newId' | 'pause'>,
  teamId: string,
  over: WalkOver,
  options: { isInsteadOfMarks?: boolean; replaces?: boolean; beside?(stored: Targeting): Write[] } = {},
): Promise<void> {
  const { database, now, newId } = service;
  const { isInsteadOfMarks = false, replaces = false } = options;
  await untilWritten(service, 'too many conflicts on a walk', async () => {
    const [before, stored] = await Promise.all([loadWalk(database, teamId, over), loadTargeting(database, teamId)]);
    const next = newWalk(over, { now: now(), isInsteadOfMarks, of: stored.state.contacts });
    const asked = before && !replaces ? joined(before, next) : next;
    const beside = options.beside?.(stored) ?? [];
    if (asked === before && beside.length === 0) return undefined;
    const writes = [walkWrite(teamId, asked, before, newId()), ...beside];
    return (await database.transact(writes)) ? undefined : lostRace;
  });
}

type Asked = { now: number; isInsteadOfMarks: boolean; of: number | null };

const newWalk = (over: WalkOver, { now, isInsteadOfMarks, of }: Asked): WalkData => ({
  ...{ over, asked_at: timestamp(now), begins_at: timestamp(now + (isInsteadOfMarks ? beforeWalk : 0)) },
  ...{
    replaces_marks: isInsteadOfMarks,
    began_at: null,
    moved_at: null,
    shard: 0,
    after: null,
    looked: 0,
    started: 0,
    held: 0,
    too_many: 0,
    of,
  },
  again_at: null,
});

/** The walk that serves the new request too. One that replaces marks begins two minutes after it began to. */
function joined(walk: Walk, next: WalkData): WalkData {
  const replaces_marks = walk.replaces_marks || next.replaces_marks;
  const isSame = replaces_marks === walk.replaces_marks;
  if (walk.began_at !== null) {
    return isSame && walk.again_at !== null ? walk : { ...walk, again_at: next.asked_at, replaces_marks };
  }
  return isSame ? walk : { ...walk, begins_at: next.begins_at, replaces_marks };
}

/** The walk as it begins again after its end. */
export const again = ({ over, of, replaces_marks }: Walk, now: number): WalkData =>
  newWalk(over, { now, isInsteadOfMarks: replaces_marks, of });

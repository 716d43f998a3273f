import { timestamp } from '../../domain/timestamp.ts';
import {
  type CompletionWork,
  completionWork,
  endCompletionWork,
  nextCompletionWork,
} from '../../store/completion-work.ts';
import type { Content } from '../../store/content.ts';
import { StoreUnavailable } from '../../store/database.ts';
import { isRefusal } from '../../store/errors.ts';
import { holdersPage } from '../../store/holders.ts';
import type { ProgressDependencies } from '../service.ts';
import { settleContacts } from './settle.ts';

export type CompletionWorkDependencies = ProgressDependencies & {
  sleep(milliseconds: number): Promise<unknown>;
  /** Called with the error if the code fails on a contact, which is then passed over: its readers record the same. */
  onContactFailure(error: unknown, contactId: string): void;
};

/** Items of an account with its holders that one step reads. */
const holdersAtOnce = 400;
/**
 * Each completion is told and counted by the publisher, which works for all teams, and which it costs about three times as
 * much as it costs here. So the lane waits so much longer than it worked.
 */
const restAfterWork = 3;

/**
 * Works what waits in the lane of the team, until there is nothing or no time. It is safe to stop it at any time, to run
 * it again, and to run several at once.
 * @throws StoreUnavailable or what AWS refuses. The team must then be woken again.
 */
export async function workCompletions(
  dependencies: CompletionWorkDependencies,
  teamId: string,
  hasTime: () => boolean,
): Promise<'empty' | 'out of time'> {
  const { database, now } = dependencies;
  for (;;) {
    const work = await nextCompletionWork(database, teamId);
    if (!work) return 'empty';
    if (!hasTime()) return 'out of time';
    if ('contactIds' in work) await workContacts(dependencies, teamId, work, hasTime);
    else {
      const { accountNumber, after } = work;
      const { contactIds, next } = await holdersPage(database, teamId, accountNumber, { limit: holdersAtOnce, after });
      const found = completionWork(teamId, timestamp(now()), { contactIds, accountNumbers: [] });
      await endCompletionWork(database, work, next, found);
    }
  }
}

async function workContacts(
  dependencies: CompletionWorkDependencies,
  teamId: string,
  work: Extract<CompletionWork, { contactIds: string[] }>,
  hasTime: () => boolean,
): Promise<void> {
  const { database, now, sleep } = dependencies;
  const began = now();
  const content = await dependencies.content.current(teamId);
  const { left, written } = await settleAll(dependencies, teamId, content, work.contactIds, hasTime);
  const rest = completionWork(teamId, work.at, { contactIds: left, accountNumbers: [] });
  await endCompletionWork(database, work, undefined, rest);
  const share = Math.min(1, written / (work.contactIds.length - left.length));
  if (share > 0) await sleep(restAfterWork * share * (now() - began));
}

/** If the code fails on some, each is looked at alone. */
async function settleAll(
  dependencies: CompletionWorkDependencies,
  teamId: string,
  content: Content,
  contactIds: readonly string[],
  hasTime: () => boolean,
): Promise<{ left: string[]; written: number }> {
  const bounds = { contacts: Number.POSITIVE_INFINITY, hasTime, isLane: true };
  try {
    return await settleContacts(dependencies, teamId, content, contactIds, bounds);
  } catch (error) {
    const [first, ...others] = contactIds as [string, ...string[]];
    if (error instanceof StoreUnavailable || isRefusal(error)) throw error;
    if (others.length > 0) {
      const { written } = await settleAll(dependencies, teamId, content, [first], hasTime);
      return { left: others, written };
    }
    dependencies.onContactFailure(error, first);
    return { left: [], written: 0 };
  }
}

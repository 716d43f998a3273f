import { timestamp } from '../../domain/values/timestamp.ts';
import { wakeAfter } from '../../domain/waiting-work/lane.ts';
import { holdersPage } from '../../store/accounts/holders.ts';
import type { Content } from '../../store/campaigns/content.ts';
import {
  type CompletionWork,
  completionLane,
  completionWork,
  endCompletionWork,
  nextCompletionWork,
  type WaitingFacts,
} from '../../store/events/completion-work.ts';
import { listJourneyKeys } from '../../store/results/journey-lists.ts';
import { StoreUnavailable } from '../../store/table/database.ts';
import { isRefusal } from '../../store/table/errors.ts';
import type { DueJourney } from '../../store/waiting-work/due-work.ts';
import { type DueService, replanJourneys, workDueJourneys } from '../messages/work-due.ts';
import type { CountService } from '../results/count.ts';
import type { JourneyService } from '../service.ts';
import { restAfter } from '../waiting-work/rest.ts';
import type { Standing } from '../waiting-work/sweep.ts';
import { workLane } from '../waiting-work/turn.ts';
import { holdersAtOnce as toldAtOnce } from './account-events.ts';
import { settleContacts, settleJourneys } from './settle.ts';

export type CompletionWorkService = JourneyService &
  CountService &
  DueService & {
    /** Publishes the revision that waits for its time. It does nothing if none with this id does. */
    publish(teamId: string, revision: string): Promise<void>;
    /** Called with the error if the code fails on a contact, or a journey of it, which is then passed over. */
    onContactFailure(error: unknown, contactId: string, templateId?: string): void;
  };

/** Items of an account with its holders that one step reads. */
const holdersAtOnce = 400;
/** Milliseconds in which the publisher tells the holders of a page. */
const restAfterPage = 200;
/** Journeys of a changed template that one step plans again. */
const plannedAtOnce = 100;
/** Sorts after all holders. */
const endOfHolders = '~';

/**
 * Works what waits in the lane of the team.
 * @throws StoreUnavailable or what AWS refuses. The team must then be woken again.
 */
export async function workCompletions(
  service: CompletionWorkService,
  teamId: string,
  hasTime: () => boolean,
): Promise<'empty' | 'out of time'> {
  const next = () => nextCompletionWork(service.database, teamId);
  return workLane(hasTime, next, (work) => workStep(service, teamId, work, hasTime));
}

async function workStep(
  service: CompletionWorkService,
  teamId: string,
  work: CompletionWork,
  hasTime: () => boolean,
): Promise<void> {
  const { database, now } = service;
  if ('step' in work) {
    if (work.after === endOfHolders) return void (await endCompletionWork(database, work, undefined, []));
    const { accountNumber, after } = work;
    const { next } = await holdersPage(database, teamId, accountNumber, { limit: toldAtOnce, after });
    // The publisher tells those between the two cursors.
    await endCompletionWork(database, work, next ?? endOfHolders, []);
    if (next !== undefined) await service.wait(restAfterPage);
    return;
  }
  if ('accountNumber' in work) {
    const { accountNumber, after } = work;
    const { contactIds, next } = await holdersPage(database, teamId, accountNumber, { limit: holdersAtOnce, after });
    const found = completionWork(teamId, timestamp(now()), `${work.sk} ${after}`, { contactIds });
    await endCompletionWork(database, work, next, found);
    return;
  }
  if ('revision' in work) {
    await service.publish(teamId, work.revision);
    await endCompletionWork(database, work, undefined, []);
    return;
  }
  const content = await service.content.current(teamId);
  if ('due' in work) {
    const began = now();
    await workAllDue(service, teamId, content, work.due);
    await endCompletionWork(database, work, undefined, []);
    await restAfter(service, began, 1, hasTime);
    return;
  }
  if ('planOf' in work) {
    const { planOf: templateId, after } = work;
    const page = await listJourneyKeys(database, { teamId, templateId }, { after }, plannedAtOnce);
    await replanJourneys(service, teamId, content, page.entries);
    await endCompletionWork(database, work, page.hasMore ? page.entries.at(-1)?.position : undefined, []);
    return;
  }
  if ('journeys' in work) {
    const bounds = { journeys: Number.POSITIVE_INFINITY, hasTime, isLane: true };
    await workKeys(
      service,
      teamId,
      work,
      work.journeys,
      {
        settle: (keys) => settleJourneys(service, teamId, content, keys, bounds),
        waiting: (journeys) => ({ journeys }),
        passOver: (error, { contactId, templateId }) => service.onContactFailure(error, contactId, templateId),
      },
      hasTime,
    );
  } else {
    const bounds = { contacts: Number.POSITIVE_INFINITY, hasTime, isLane: true };
    await workKeys(
      service,
      teamId,
      work,
      work.contactIds,
      {
        settle: (ids) => settleContacts(service, teamId, content, ids, bounds),
        waiting: (contactIds) => ({ contactIds }),
        passOver: service.onContactFailure,
      },
      hasTime,
    );
  }
}

/** A journey on which the code fails is passed over. */
async function workAllDue(
  service: CompletionWorkService,
  teamId: string,
  content: Content,
  due: readonly DueJourney[],
): Promise<void> {
  try {
    await workDueJourneys(service, teamId, content, due);
  } catch (error) {
    const [first, ...others] = due;
    if (!first || error instanceof StoreUnavailable || isRefusal(error)) throw error;
    if (others.length === 0) return service.onContactFailure(error, first.contactId, first.templateId);
    for (const each of due) await workAllDue(service, teamId, content, [each]);
  }
}

/** The lane of the team, if it holds work. */
export async function completionsThatWait(
  { database }: Pick<JourneyService, 'database'>,
  teamId: string,
): Promise<Standing> {
  const work = await nextCompletionWork(database, teamId);
  if (!work) return { lanes: [] };
  const since = Date.parse(work.at);
  return { lanes: [{ lane: completionLane(teamId), since, wakeAt: since + wakeAfter }] };
}

type Steps<Key> = {
  settle(keys: readonly Key[]): Promise<Settled<Key>>;
  waiting(left: readonly Key[]): WaitingFacts;
  passOver(error: unknown, key: Key): void;
};
type Settled<Key> = { left: Key[]; written: number };

async function workKeys<Key>(
  service: CompletionWorkService,
  teamId: string,
  work: CompletionWork,
  keys: readonly Key[],
  steps: Steps<Key>,
  hasTime: () => boolean,
): Promise<void> {
  const { database, now } = service;
  const began = now();
  const { left, written } = await settleAll(keys, steps);
  await endCompletionWork(database, work, undefined, completionWork(teamId, work.at, work.sk, steps.waiting(left)));
  await restAfter(service, began, Math.min(1, written / (keys.length - left.length)), hasTime);
}

/** If the code fails on some, each is looked at alone. */
async function settleAll<Key>(keys: readonly Key[], steps: Steps<Key>): Promise<Settled<Key>> {
  try {
    return await steps.settle(keys);
  } catch (error) {
    const [first, ...others] = keys as [Key, ...Key[]];
    if (error instanceof StoreUnavailable || isRefusal(error)) throw error;
    if (others.length > 0) {
      const { written } = await settleAll([first], steps);
      return { left: others, written };
    }
    steps.passOver(error, first);
    return { left: [], written: 0 };
  }
}

import { changedAt, type Ending, ended, type Journey, recordedEnding } from '../../domain/journeys/journey.ts';
import type { JourneyKey } from '../../store/journeys/journey-items.ts';
import { endingOf, loadJourneyWithActions, timesOf } from '../../store/journeys/journeys.ts';
import type { Write } from '../../store/table/database.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { Service } from '../service.ts';

export type EndOptions = {
  /** Cancelled by `targeting undo`, which leaves a journey alone in which something was recorded. */
  isUndone?: boolean;
  /** True for a journey that has ended, although this is not recorded: it is not changed. */
  isOver?(journey: Journey): boolean;
  /** Writes that are one transaction with the end. */
  also?: readonly Write[];
};

/** A journey that has ended, and how. `isNew`: this call ended it. */
export type EndedJourney = { journey: Journey; ending: Ending; isNew: boolean };

/**
 * Cancels a journey, or records that it has expired. Of completed, cancelled and expired the first that is recorded
 * stands (contract, section 14), and the result says which it is.
 * @returns `undefined` if there is no such journey, or its contact was erased, or it is not to be undone
 */
export async function endJourney(
  service: Service,
  teamId: string,
  { key, journeyId }: { key: JourneyKey; journeyId: string },
  ending: Exclude<Ending, 'completed'>,
  at: string,
  { isUndone, isOver, also = [] }: EndOptions = {},
): Promise<EndedJourney | undefined> {
  const { database } = service;
  return untilWritten(service, 'too many conflicts on the journey', async () => {
    const stored = await loadJourneyWithActions(database, teamId, key);
    // Another id: the contact was erased and created again in between.
    if (stored?.journey.id !== journeyId) return undefined;
    if (isUndone && stored.actions.length > 0) return undefined;
    const before = recordedEnding(stored.journey, stored.actions) ?? (isOver?.(stored.journey) ? 'expired' : undefined);
    if (before !== undefined)
      return { journey: changedAt(stored.journey, timesOf(stored)), ending: before, isNew: false };
    const journey = ended(stored.journey, ending, at, isUndone);
    const isWritten = await database.transact([...endingOf(teamId, journey, stored, ending), ...also]);
    return isWritten ? { journey: changedAt(journey, timesOf(stored)), ending, isNew: true } : lostRace;
  });
}

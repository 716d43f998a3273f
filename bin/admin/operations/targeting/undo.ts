import { isRunning } from '../../../../lib/domain/targeting/rule.ts';
import { Problem } from '../../../../lib/domain/values/problem.ts';
import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import { findTemplate } from '../../../../lib/operations/campaigns/find-template.ts';
import { endJourney } from '../../../../lib/operations/journeys/end.ts';
import type { JourneyService } from '../../../../lib/operations/service.ts';
import { keyOfJourney } from '../../../../lib/store/journeys/journey-items.ts';
import { type JourneyWithActions, loadJourneyWithActions } from '../../../../lib/store/journeys/journeys.ts';
import { listJourneyKeys } from '../../../../lib/store/results/journey-lists.ts';
import { together } from '../../../../lib/store/table/together.ts';

type UndoService = JourneyService & { onProgress(text: string): void };

/** Journeys that are read together, and changed in parallel. */
const journeysAtOnce = 500;
const parallel = 16;

/**
 * The journeys that targeting started since then, that are open and that nobody has opened.
 * @throws Problem `conflict` while targeting could start more
 */
export async function journeysToUndo(
  service: UndoService,
  teamId: string,
  { templateId, since }: { templateId: string; since: string },
): Promise<JourneyWithActions[]> {
  const { database, content, onProgress } = service;
  if (isRunning(await findTemplate(content, teamId, templateId))) throw new Problem('conflict', [stillLive]);
  const found: JourneyWithActions[] = [];
  let looked = 0;
  for (let after: string | undefined, hasMore = true; hasMore; ) {
    // The list is by the last change, which is not before the start.
    const page = await listJourneyKeys(database, { teamId, templateId }, { since, after }, journeysAtOnce);
    const stored = await together(page.entries, parallel, (key) => loadJourneyWithActions(database, teamId, key));
    for (const each of stored) if (each && isUntouched(each, since)) found.push(each);
    looked += page.entries.length;
    onProgress(`${looked} journeys looked at, ${found.length} to cancel`);
    ({ hasMore } = page);
    after = page.entries.at(-1)?.position;
  }
  return found;
}

const stillLive = {
  path: '--template',
  message:
    'the template is live and not muted, so targeting goes on. Mute it first: set "is_muted": true and import it',
};

/** Nobody has opened it: nothing is recorded in it. */
const isUntouched = ({ journey, actions }: JourneyWithActions, since: string): boolean =>
  journey.rule !== null &&
  journey.inserted_at >= since &&
  journey.cancelled_at === null &&
  journey.expired_at === null &&
  actions.length === 0;

/**
 * Cancels these journeys, so that a later form of the rule can reopen them.
 * @returns the number of those that were still open
 */
export async function undoJourneys(
  service: UndoService,
  teamId: string,
  journeys: readonly JourneyWithActions[],
): Promise<number> {
  let cancelled = 0;
  await together(journeys, parallel, async ({ journey }) => {
    const found = { key: keyOfJourney(journey), journeyId: journey.id };
    const at = timestamp(service.now());
    const end = await endJourney(service, teamId, found, 'cancelled', at, { isUndone: true });
    if (end?.isNew) cancelled += 1;
    if (cancelled % 1000 === 0) service.onProgress(`${cancelled} journeys cancelled`);
  });
  return cancelled;
}

import { type ActionKind, completesOnPage, type JourneyAction, type PageAction } from '../../domain/completion.ts';
import type { IdentityNeed } from '../../domain/identity-need.ts';
import { notFound, Problem, validationFailed } from '../../domain/problem.ts';
import { timestamp } from '../../domain/timestamp.ts';
import { StoreUnavailable, type Upsert } from '../../store/database.ts';
import { insertionOf, loadAction, loadContactFile, repetitionOf } from '../../store/journeys.ts';
import { maxRounds } from '../contacts/dependencies.ts';
import type { ProgressDependencies } from './dependencies.ts';
import { accountsOf, type JourneyProgress, progressOf, recordShown } from './progress.ts';
import { type OpenJourney, openJourney, type Place } from './show.ts';

export type RecordDependencies = ProgressDependencies & {
  /** Waits before round `n` (from 1) of deciding again, a random time. */
  pause(round: number): Promise<void>;
};

/**
 * Records what somebody who holds the slug did on a page, once for each page and type; and that the journey is
 * completed, when the last page with a condition completes by it. An action is taken only where the page itself would
 * show it (contract, section 10).
 * @param isProved whether the person has proved to be the contact
 * @throws Problem `not_found` when there is no such page, or nothing to see of the journey at the moment; `gone` when
 * it is over; `identity_required`; `validation_failed` when the page completes by something that does not happen on it
 */
export async function recordPageAction(
  dependencies: RecordDependencies,
  place: Place,
  action: PageAction,
  isProved: (view: OpenJourney) => boolean,
): Promise<void> {
  const view = await openJourney(dependencies, place, action.page_id);
  if (view.closed) throw view.closed === 'unavailable' ? notFound() : new Problem('gone');
  const need = view.identityNeed !== undefined && isProved(view) ? undefined : view.identityNeed;
  await recordAction(dependencies, place.teamId, { ...view, identityNeed: need }, action.type);
}

/** The page that an action is about, as it is seen. */
export type ActionContext = {
  progress: JourneyProgress;
  shown: OpenJourney['shown'];
  /** What still has to be proved. */
  identityNeed: IdentityNeed | undefined;
};

/** The same on a page that is known. @throws Problem `identity_required`, `validation_failed` as above */
export async function recordAction(
  dependencies: RecordDependencies,
  teamId: string,
  { progress, shown: { page }, identityNeed }: ActionContext,
  type: PageAction['type'],
): Promise<void> {
  const isCompletion = type === 'page_completed';
  if (isCompletion && !completesOnPage(page)) {
    throw validationFailed([{ path: '/page_id', message: 'is of a page that cannot be completed from here' }]);
  }
  if (identityNeed === 'journey' || (isCompletion && identityNeed)) throw new Problem('identity_required');
  const at = timestamp(dependencies.now());
  const place = placeOf(progress, teamId);
  const { actions } = progress;
  const completes = isCompletion || page.completion_condition === 'view';
  const writes =
    completes && !actionOf(actions, 'completed', page.id) ? [insertionOf(teamId, place, done(page.id, at))] : [];
  if (isCompletion) await dependencies.database.write(writes);
  else
    await recordView(
      dependencies,
      place,
      { page_id: page.id, at, stored: actionOf(actions, 'viewed', page.id) },
      writes,
    );
  if (writes.length > 0) await finish(dependencies, place);
}

const placeOf = ({ journey }: JourneyProgress, teamId: string): Place => ({
  teamId,
  contactId: journey.contact_id,
  templateId: journey.template_id,
});

const actionOf = (actions: readonly JourneyAction[], kind: ActionKind, pageId: string): JourneyAction | undefined =>
  actions.find((action) => action.kind === kind && action.page_id === pageId);

const done = (page_id: string, at: string): JourneyAction => ({ kind: 'completed', page_id, at });

/** The first view of a page is an item, a later one moves its latest time, unless that is later already. */
async function recordView(
  { database, pause }: Pick<RecordDependencies, 'database' | 'pause'>,
  place: Place,
  { page_id, at, stored }: { page_id: string; at: string; stored: JourneyAction | undefined },
  beside: readonly Upsert[],
): Promise<void> {
  let known = stored;
  for (let round = 0; round < maxRounds; round++) {
    if (round > 0) {
      await pause(round);
      known = await loadAction(database, place.teamId, place, { kind: 'viewed', page_id });
    }
    const isLater = !known || (known.last ?? known.at) < at;
    const view = known
      ? repetitionOf(place.teamId, place, known, at)
      : insertionOf(place.teamId, place, { kind: 'viewed', page_id, at });
    const writes = [...(round === 0 ? beside : []), ...(isLater ? [view] : [])];
    const written = await database.write(writes);
    if (!isLater || written.at(-1)) return;
  }
  throw new StoreUnavailable('the view is contended');
}

/** Two last pages that complete at one moment both see it here: each is stored before the file is read. */
async function finish(dependencies: ProgressDependencies, place: Place): Promise<void> {
  const { teamId, contactId, templateId } = place;
  const { content, database, now } = dependencies;
  const [file, current] = await Promise.all([loadContactFile(database, teamId, contactId), content.current(teamId)]);
  if (!file) return;
  const journeys = file.journeys.filter(({ journey }) => journey.template_id === templateId);
  const own = { ...file, journeys };
  const progress = await progressOf(own, current, accountsOf(dependencies, teamId, file.links), now());
  if (progress[0]?.analytics.is_completed) await recordShown(database, teamId, progress);
}

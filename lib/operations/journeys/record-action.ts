import { type ActionKind, completesOnPage, type JourneyAction } from '../../domain/completion.ts';
import type { ContentBlock } from '../../domain/content/block.ts';
import type { IdentityNeed } from '../../domain/identity-need.ts';
import { journeyUrl } from '../../domain/journey.ts';
import type { Values } from '../../domain/placeholders.ts';
import { type ErrorDetail, notFound, Problem, validationFailed } from '../../domain/problem.ts';
import { answerErrors, isDeclining, keptResponses, type PageAction, type SentAnswer } from '../../domain/response.ts';
import { timestamp } from '../../domain/timestamp.ts';
import type { Upsert } from '../../store/database.ts';
import {
  insertionOf,
  loadAction,
  loadContactAggregate,
  repetitionOf,
  responseInsertions,
} from '../../store/journeys.ts';
import { lostRace, type RetryDependencies, untilWritten } from '../retry.ts';
import type { ProgressDependencies } from './dependencies.ts';
import { accountsOf, type JourneyProgress, progressOf, recordShown } from './progress.ts';
import { type OpenJourney, openJourney, type TeamJourneyKey } from './show.ts';

export type RecordDependencies = ProgressDependencies &
  RetryDependencies & {
    /** A fresh UUID. */
    newId(): string;
    /** Base URL of the web client. */
    baseUrl: string;
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
  place: TeamJourneyKey,
  action: PageAction,
  isProved: (view: OpenJourney) => boolean,
): Promise<void> {
  const view = await openJourney(dependencies, place, action.page_id);
  if (view.closed) throw view.closed === 'unavailable' ? notFound() : new Problem('gone');
  const isIdentityProved = isProved(view);
  const { team, contact, template, journey } = view;
  const values = async (): Promise<Values> => ({
    contact,
    account: await view.account(),
    isIdentityValidated: isIdentityProved,
    journeyUrl: journeyUrl(dependencies.baseUrl, journey.slug),
    teamName: team.name,
    templateName: template.name ?? undefined,
    variables: view.shown.content_variables ?? {},
  });
  const need = isIdentityProved ? undefined : view.identityNeed;
  await recordAction(dependencies, place.teamId, { ...view, values, isIdentityProved, identityNeed: need }, action);
}

/** The page that an action is about, as it is seen. */
export type ActionContext = {
  progress: JourneyProgress;
  shown: OpenJourney['shown'];
  /** What still has to be proved. */
  identityNeed: IdentityNeed | undefined;
  isIdentityProved: boolean;
  /** The blocks that the person sees, and what their placeholders stand for. */
  blocks: readonly ContentBlock[];
  values(): Promise<Values>;
  /** Of the content. */
  revision: string | null;
};

/** The same on a page that is known. @throws Problem `identity_required`, `validation_failed` as above */
export async function recordAction(
  dependencies: RecordDependencies,
  teamId: string,
  context: ActionContext,
  { type, answers = [] }: Omit<PageAction, 'page_id'>,
): Promise<void> {
  const { progress, identityNeed, blocks } = context;
  const { page } = context.shown;
  const isCompletion = type === 'page_completed';
  if (!isCompletion && answers.length > 0) throw validationFailed([misplacedAnswers]);
  if (isCompletion && !completesOnPage(page)) throw validationFailed([notCompletable]);
  if (identityNeed === 'journey' || (isCompletion && identityNeed)) throw new Problem('identity_required');
  const errors = answerErrors(answers, blocks);
  if (errors.length > 0) throw validationFailed(errors);
  const at = timestamp(dependencies.now());
  const place = placeOf(progress, teamId);
  const { actions } = progress;
  const completes = isCompletion ? !isDeclining(answers) : page.completion_condition === 'view';
  const writes =
    completes && !actionOf(actions, 'completed', page.id) ? [insertionOf(teamId, place, done(page.id, at))] : [];
  if (answers.length > 0) await keep(dependencies, place, context, { answers, at, completes });
  else if (isCompletion) await dependencies.database.write(writes);
  else
    await recordView(
      dependencies,
      place,
      { page_id: page.id, at, stored: actionOf(actions, 'viewed', page.id) },
      writes,
    );
  if (writes.length > 0) await finish(dependencies, place);
}

const notCompletable: ErrorDetail = { path: '/page_id', message: 'is of a page that cannot be completed from here' };
const misplacedAnswers: ErrorDetail = { path: '/answers', message: 'can be sent with page_completed only' };

/** Keeps the answers and, where they complete the page, records that with them: all or nothing. */
async function keep(
  dependencies: RecordDependencies,
  place: TeamJourneyKey,
  { progress, shown: { page }, blocks, values, isIdentityProved, revision }: ActionContext,
  { answers, at, completes }: { answers: readonly SentAnswer[]; at: string; completes: boolean },
): Promise<void> {
  const { database, newId } = dependencies;
  const shared = { page_id: page.id, content_revision: revision, identity_proved: isIdentityProved, at };
  const kept = keptResponses(answers, { ...shared, blocks, values: await values(), newId });
  const writes = kept.flatMap((each) => responseInsertions(place.teamId, place, progress.journey.id, each));
  let completed = actionOf(progress.actions, 'completed', page.id);
  await untilWritten(dependencies, 'the journey is contended', async (round) => {
    if (round > 0) {
      completed = await loadAction(database, place.teamId, place, { kind: 'completed', page_id: page.id });
    }
    const completion = completes && !completed ? [insertionOf(place.teamId, place, done(page.id, at))] : [];
    return (await database.transact([...writes, ...completion])) ? undefined : lostRace;
  });
}

const placeOf = ({ journey }: JourneyProgress, teamId: string): TeamJourneyKey => ({
  teamId,
  contactId: journey.contact_id,
  templateId: journey.template_id,
});

const actionOf = (actions: readonly JourneyAction[], kind: ActionKind, pageId: string): JourneyAction | undefined =>
  actions.find((action) => action.kind === kind && action.page_id === pageId);

const done = (page_id: string, at: string): JourneyAction => ({ kind: 'completed', page_id, at });

/** The first view of a page is an item, a later one moves its latest time, unless that is later already. */
async function recordView(
  dependencies: Pick<RecordDependencies, 'database' | 'pause'>,
  place: TeamJourneyKey,
  { page_id, at, stored }: { page_id: string; at: string; stored: JourneyAction | undefined },
  beside: readonly Upsert[],
): Promise<void> {
  const { database } = dependencies;
  let known = stored;
  await untilWritten(dependencies, 'the view is contended', async (round) => {
    if (round > 0) {
      known = await loadAction(database, place.teamId, place, { kind: 'viewed', page_id });
    }
    const isLater = !known || (known.last ?? known.at) < at;
    const view = known
      ? repetitionOf(place.teamId, place, known, at)
      : insertionOf(place.teamId, place, { kind: 'viewed', page_id, at });
    const writes = [...(round === 0 ? beside : []), ...(isLater ? [view] : [])];
    const written = await database.write(writes);
    return !isLater || written.at(-1) ? undefined : lostRace;
  });
}

/** Two last pages that complete at one moment both see it here: each is stored before the file is read. */
async function finish(dependencies: ProgressDependencies, place: TeamJourneyKey): Promise<void> {
  const { teamId, contactId, templateId } = place;
  const { content, database, now } = dependencies;
  const [file, current] = await Promise.all([
    loadContactAggregate(database, teamId, contactId),
    content.current(teamId),
  ]);
  if (!file) return;
  const journeys = file.journeys.filter(({ journey }) => journey.template_id === templateId);
  const own = { ...file, journeys };
  const progress = await progressOf(own, current, accountsOf(dependencies, teamId, file.links), now());
  if (progress[0]?.analytics.is_completed) await recordShown(database, teamId, progress);
}

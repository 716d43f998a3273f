import type { FactsChange } from '../../domain/contacts/identity-facts.ts';
import {
  answerErrors,
  complete,
  keptResponses,
  type PageAction,
  type SentAnswer,
} from '../../domain/journeys/answer.ts';
import { type ActionKind, completesOnPage, type JourneyAction } from '../../domain/journeys/completion.ts';
import { addAnswers } from '../../domain/journeys/given-answer.ts';
import { type Journey, journeyUrl } from '../../domain/journeys/journey.ts';
import type { Values } from '../../domain/journeys/placeholders.ts';
import { byKeys } from '../../domain/journeys/survey.ts';
import { type ErrorDetail, notFound, Problem, validationFailed } from '../../domain/values/problem.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import type { Content } from '../../store/campaigns/content.ts';
import { keyOfJourney } from '../../store/journeys/journey-items.ts';
import {
  insertionOf,
  loadActions,
  loadJourneyWithActions,
  recordActions,
  repetitionOf,
  responseInsertions,
} from '../../store/journeys/journeys.ts';
import { writeOne } from '../../store/table/database.ts';
import { conflictRounds, lostRace, untilWritten } from '../retry.ts';
import type { JourneyService, Service } from '../service.ts';
import { type JourneyProgress, recordShown } from './progress.ts';
import { type JourneyView, type OpenJourney, openJourney, type PageInLanguage, type TeamJourneyKey } from './show.ts';

/**
 * Records an action of a person who has the slug, once for each page and type. If it completes the last page with a
 * condition, the completion of the journey is recorded too. An action is accepted only if the page itself would offer
 * it (contract, section 10).
 * @param isProved returns true if the person has proved to be the contact
 * @param acceptLanguage of the browser, for an action that does not name the language of its page
 * @throws Problem `not_found` if there is no such page, or the journey is not available now or was erased; `gone` if
 * it has ended; `identity_required`; `validation_failed` if the page is completed by something that does not happen on it, or
 * does not offer the answers; `conflict` if a block has too many answers
 */
export async function recordPageAction(
  service: JourneyService,
  key: TeamJourneyKey,
  action: PageAction,
  isProved: (view: OpenJourney) => boolean,
  acceptLanguage?: string,
): Promise<void> {
  const view = await openJourney(service, key, { page: action.page_id }, acceptLanguage);
  if (view.closed) throw isGone(view.closed) ? new Problem('gone') : notFound();
  const isIdentityProved = isProved(view);
  const { team, contact, journey } = view;
  const values = async ({ template, shown }: PageInLanguage): Promise<Values> => ({
    contact,
    account: await view.account(),
    isIdentityValidated: isIdentityProved,
    journeyUrl: journeyUrl(service.baseUrl, journey.slug),
    teamName: team.name,
    templateName: template.name ?? undefined,
    variables: shown.content_variables ?? {},
  });
  const context = { ...view, languages: view.inLanguages(action.language), values, isIdentityProved };
  await recordAction(service, key.teamId, context, action);
}

const isGone = (closed: NonNullable<JourneyView['closed']>): boolean => closed === 'archived' || closed === 'expired';

/** The page of an action, as the person sees it. */
export type ActionContext = {
  progress: JourneyProgress;
  shown: OpenJourney['shown'];
  isIdentityProved: boolean;
  /** The last change of what proves the identity. */
  factsChange: FactsChange | undefined;
  /** The page in each language of the campaign, first in the one that the person sees. */
  languages: readonly PageInLanguage[];
  /** The values of the placeholders. */
  values(page: PageInLanguage): Promise<Values>;
  /** The content that the page is from. */
  content: Content;
};

/** The same for a page that was already read. @throws Problem `identity_required`, `validation_failed`, `conflict` as above */
export async function recordAction(
  service: JourneyService,
  teamId: string,
  context: ActionContext,
  { type, answers = [] }: Omit<PageAction, 'page_id'>,
): Promise<void> {
  const { progress, languages, isIdentityProved } = context;
  const identityNeed = isIdentityProved ? undefined : languages[0]?.need;
  const { page } = context.shown;
  const isCompletion = type === 'page_completed';
  if (!isCompletion && answers.length > 0) throw validationFailed([misplacedAnswers]);
  if (isCompletion && !completesOnPage(page)) throw validationFailed([notCompletable]);
  if (identityNeed === 'journey' || (isCompletion && identityNeed)) throw new Problem('identity_required');
  const asked = answers.length > 0 ? await askedPage(context, answers) : undefined;
  const at = timestamp(service.now());
  const key = journeyKeyOf(progress, teamId);
  const { actions } = progress;
  const completes = isCompletion ? complete(answers, asked?.blocks ?? []) : page.completion_condition === 'view';
  const done = completes && !actionOf(actions, 'completed', page.id) ? [completion(page.id, at)] : [];
  if (asked) await saveAnswers(service, key, { ...context, asked }, { at, completes });
  else if (isCompletion) await record(service, teamId, progress.journey, done);
  else {
    const stored = actionOf(actions, 'viewed', page.id);
    await recordView(service, teamId, { journey: progress.journey, page_id: page.id, at, stored }, done);
  }
  if (done.length > 0) await finish(service, teamId, progress, completion(page.id, at));
}

/** As `recordActions`. @throws Problem `not_found` if the journey was erased */
async function record(
  { database }: Service,
  teamId: string,
  journey: Journey,
  actions: readonly JourneyAction[],
): Promise<JourneyAction[]> {
  const recorded = await recordActions(database, teamId, journey, actions);
  if (!recorded) throw notFound();
  return recorded.others;
}

const notCompletable: ErrorDetail = { path: '/page_id', message: 'must name a page that can be completed from here' };
const misplacedAnswers: ErrorDetail = { path: '/answers', message: 'can only be sent with page_completed' };

/** The blocks that are answered, the values of their placeholders, and the answers in the texts or keys of the blocks. */
type AskedPage = { blocks: PageInLanguage['blocks']; values: Values; answers: readonly SentAnswer[] };

/**
 * The page in the first language in which it offers all the answers: a request can prefer another language than the one
 * for the page did. If it has texts of several languages, the page is in the language that the person sees.
 * @throws Problem `validation_failed`, with the errors in the language that the person sees
 */
async function askedPage(
  { languages, values: valuesOf }: ActionContext,
  answers: readonly SentAnswer[],
): Promise<AskedPage> {
  const pages = await Promise.all(languages.map(async (page) => ({ ...page, values: await valuesOf(page) })));
  const errorsIn = ({ blocks, values }: (typeof pages)[number], given = answers) => answerErrors(given, blocks, values);
  const found = pages.find((page) => errorsIn(page).length === 0);
  if (found) return { ...found, answers };
  const keyed = answers.map((answer) => {
    const asked = pages.map(({ blocks, values }) => ({
      block: blocks.find(({ id }) => id === answer.block_id),
      values,
    }));
    return { ...answer, values: byKeys(answer.values ?? [], asked) };
  });
  const first = pages[0]!;
  if (errorsIn(first, keyed).length > 0) throw validationFailed(errorsIn(first));
  return { ...first, answers: keyed };
}

/** Stores the answers and, if they complete the page, its completion, in one transaction. */
async function saveAnswers(
  service: JourneyService,
  key: TeamJourneyKey,
  context: ActionContext & { asked: AskedPage },
  { at, completes }: { at: string; completes: boolean },
): Promise<void> {
  const { database, newId } = service;
  const { progress, asked, isIdentityProved, factsChange, content } = context;
  const { id: page_id } = context.shown.page;
  const { blocks, values } = asked;
  const kept = keptResponses(asked.answers, {
    page_id,
    content_revision: content.revision,
    identity_proved: isIdentityProved,
    identity_facts_changed_at: factsChange?.at ?? null,
    identity_facts_changed_by: factsChange?.by ?? null,
    ...{ blocks, values, newId },
  });
  let stored: Pick<JourneyProgress, 'journey' | 'given' | 'answers' | 'actions'> | undefined = progress;
  const attempt = async (round: number) => {
    if (round > 0) stored = await loadJourneyWithActions(database, key.teamId, key);
    if (stored?.journey.id !== progress.journey.id) throw notFound();
    const added = addAnswers(stored.answers, kept, at);
    const isNew = completes && !actionOf(stored.actions, 'completed', page_id);
    const writes = [
      ...responseInsertions(key.teamId, key, stored, added),
      ...(isNew ? [insertionOf(key.teamId, stored.journey, completion(page_id, at))] : []),
    ];
    return (await database.transact(writes, { losesConflicts: true })) ? undefined : lostRace;
  };
  await untilWritten(service, 'too many conflicts on the journey', attempt, conflictRounds);
}

const journeyKeyOf = ({ journey }: JourneyProgress, teamId: string): TeamJourneyKey => ({
  ...{ teamId, ...keyOfJourney(journey) },
});

const actionOf = (actions: readonly JourneyAction[], kind: ActionKind, pageId: string): JourneyAction | undefined =>
  actions.find((action) => action.kind === kind && action.page_id === pageId);

const completion = (page_id: string, at: string): JourneyAction => ({ kind: 'completed', page_id, at });

type View = { journey: Journey; page_id: string; at: string; stored: JourneyAction | undefined };

/** The first view of a page creates an item. A later view sets its latest time, unless that is later already. */
async function recordView(
  service: Service,
  teamId: string,
  { journey, page_id, at, stored }: View,
  done: readonly JourneyAction[],
): Promise<void> {
  const { database } = service;
  const view: JourneyAction = { kind: 'viewed', page_id, at };
  const others = await record(service, teamId, journey, stored ? done : [...done, view]);
  let known = stored ?? others.find(({ kind }) => kind === 'viewed');
  if (!known) return;
  await untilWritten(service, 'too many conflicts on the view', async (round) => {
    if (round > 0) [known] = await loadActions(database, teamId, journey, 'viewed', [page_id]);
    if (!known) throw notFound();
    const isLater = (known.last ?? known.at) < at;
    return !isLater || (await writeOne(database, repetitionOf(teamId, journey, known, at))) ? undefined : lostRace;
  });
}

/**
 * Records the completion of the journey, by the content that was shown. If two last pages are completed at the same
 * time, both requests see it, because each stores its completion before it reads those of the other pages.
 */
async function finish(
  { database, now }: Service,
  teamId: string,
  { journey, actions: before, template, with: progressWith }: JourneyProgress,
  done: JourneyAction,
): Promise<void> {
  const actions = [...before, done];
  const pages = template.template_pages.map(({ page }) => page).filter(completesOnPage);
  const open = pages.filter(({ id }) => !actionOf(actions, 'completed', id)).map(({ id }) => id);
  const recorded = await loadActions(database, teamId, journey, 'completed', open);
  const progress = progressWith([...actions, ...recorded], now());
  if (progress.analytics.is_completed) await recordShown(database, teamId, [progress]);
}

import { randomUUID } from 'node:crypto';
import type { PageAction } from '../../../lib/domain/journeys/answer.ts';
import { confirmJourney } from '../../../lib/operations/journeys/confirm.ts';
import { countJourneys } from '../../../lib/operations/results/count.ts';
import { readResults } from '../../../lib/operations/results/read.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { ModelDatabase } from '../models/model-database.ts';
import { putContent } from './content.ts';
import { act, database, dependencies, idOf, journeysOf, openOn, post, team, templateId } from './journey-operations.ts';

/** A campaign with a page to view, a consent and a survey, and its journeys. */
export const pages = { view: randomUUID(), consent: randomUUID(), survey: randomUUID() };
const blocks = { consent: randomUUID(), survey: randomUUID() };
const questions = [{ text: 'How?', key: 'how', options: ['Well', 'Badly'] }, 'Why?'];
const template_pages = [
  { order: 1, page: { id: pages.view, completion_condition: 'view', content_name: 'Welcome' } },
  {
    order: 2,
    page: {
      ...{ id: pages.consent, completion_condition: 'confirm' },
      content_blocks: [
        { id: blocks.consent, type: 'agreement', data: { agreementText: 'I agree', disagreeText: 'No' } },
      ],
    },
  },
  {
    order: 3,
    page: {
      ...{ id: pages.survey, completion_condition: 'confirm' },
      content_blocks: [{ id: blocks.survey, type: 'survey', data: { questions } }],
    },
  },
];

export async function openCampaign(table: Database = new ModelDatabase(), fields: object = {}): Promise<void> {
  await openOn(table);
  await putContent(database, team, { templates: [{ id: templateId, name: 'Campaign', template_pages, ...fields }] });
}

/** Starts a journey, and returns what its person can do. */
export async function person(uniqueId: string) {
  await post({ unique_id: uniqueId, journey: { template_id: templateId } });
  const [journey] = await journeysOf(uniqueId);
  const send = (action: PageAction) => act(journey!.slug, action);
  const answered = (page: 'consent' | 'survey', answer: object) =>
    send({ type: 'page_completed', page_id: pages[page], answers: [{ block_id: blocks[page], ...answer } as never] });
  return {
    key: { contactId: idOf(uniqueId), templateId },
    journeyId: journey!.id,
    view: (page: keyof typeof pages) => send({ type: 'page_viewed', page_id: pages[page] }),
    decide: (answer: 'accepted' | 'declined') => answered('consent', { answer }),
    answer: (...values: [question: string, value: string][]) =>
      answered('survey', { values: values.map(([question, value]) => ({ question, value })) }),
    confirm: () => confirmJourney(dependencies(), team, { templateId, journeyId: journey!.id }, true),
  };
}
export type Person = Awaited<ReturnType<typeof person>>;

/** Counts these journeys, as the publisher does for the changes of a batch. */
export const count = (people: readonly Person[], using: Database = database) =>
  countJourneys(
    { ...dependencies(using) },
    team,
    people.map(({ key }) => key),
  );

export const results = (using: Database = database) => readResults(dependencies(using), team, templateId);

/** The numbers of the results, without texts. */
export async function numbers() {
  const { journeys, pages: shown, questions: asked, by_day } = await results();
  return {
    journeys,
    pages: shown.map(({ viewed, completed, declined }) => [viewed, completed, declined]),
    answers: asked.map(({ answers }) => answers.map(({ count: given }) => given)),
    days: by_day.length,
  };
}

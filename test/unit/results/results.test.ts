import { describe, expect, test } from 'vitest';
import { type Counts, sumOf } from '../../../lib/domain/journeys/counts.ts';
import { countsOf } from '../../../lib/domain/results/journey-counts.ts';
import { resultsOf } from '../../../lib/domain/results/results.ts';

const survey = (id: string, questions: unknown) => ({ id, type: 'survey', data: { questions } });
const page = (id: string, order: number | null, more: object = {}) => ({
  ...{ order, page_id: id },
  page: { id, navigation_title: null, content_name: null, content_blocks: [], content_containers: [], ...more },
});
const template = (template_pages: object[] = [], content_blocks: object[] = []) =>
  ({ id: 'template', content_blocks, template_pages, template_messages: [] }) as never;
const now = '2026-11-23T12:00:00.000000Z';
const of = (counts: Counts, ...given: Parameters<typeof template>) => resultsOf(template(...given), counts, now);

describe('the results of a template', () => {
  test('are all zero at first', () => {
    expect(of({}, [page('a', 1, { navigation_title: 'Welcome' })])).toEqual({
      template_id: 'template',
      journeys: { created: 0, opened: 0, completed: 0, verified: 0, cancelled: 0, expired: 0, by_source: {} },
      targeted: 0,
      pages: [{ page_id: 'a', name: 'Welcome', order: 1, viewed: 0, completed: 0, declined: 0 }],
      questions: [],
      messages: [],
      by_day: [],
      as_of: now,
    });
  });

  test('add up the days, which are in their order', () => {
    const { journeys, by_day } = of({
      'day/2026-11-23': { opened: 1, completed: 1 },
      'day/2026-11-24': { verified: 1, cancelled: 1, expired: 2 },
      'day/2026-11-22': { created: 3, opened: 1 },
    });
    expect(journeys).toMatchObject({ created: 3, opened: 2, completed: 1, verified: 1, cancelled: 1, expired: 2 });
    expect(by_day).toEqual([
      { date: '2026-11-22', created: 3, opened: 1, completed: 0 },
      { date: '2026-11-23', created: 0, opened: 1, completed: 1 },
    ]);
  });

  test('have the journeys by their sources, and the people who were noted', () => {
    const long = 'x'.repeat(100);
    const journey = { inserted_at: now, completion_verified_at: null, cancelled_at: null, expired_at: null };
    const sources = ['api', 'completed', long, 'api'].map((source) => ({ journey: { ...journey, source } }));
    const counts = sources.map((each) => countsOf({ ...each, actions: [], answers: [] }));
    const { journeys, targeted } = of(sumOf([...counts, { targeted: { people: 2 } }]));
    expect(journeys.by_source).toEqual({ api: 2, completed: 1, [long]: 1 });
    expect([journeys.created, journeys.completed, targeted]).toEqual([4, 0, 2]);
  });

  test('name the 100 sources with the most journeys, however many there are', () => {
    const numbers = Array.from({ length: 5000 }, (_, n) => [JSON.stringify(`source ${n}`), n] as const);
    const bySource = Object.entries(of({ 'source/': Object.fromEntries(numbers) }).journeys.by_source);
    expect([bySource.length, Math.min(...bySource.map(([, count]) => count))]).toEqual([100, 4900]);
  });

  test('have the pages in their order with their names of today, then those that were removed', () => {
    const counts = { 'page/z': { viewed: 2, declined: 1 }, 'page/x': { completed: 1 }, 'page/b': { viewed: 1 } };
    const names = { navigation_title: 'Step', content_name: 'Name' };
    const { pages } = of(counts, [page('c', 1, { ...names, navigation_title: null }), page('b', null, names)]);
    expect(pages).toEqual([
      { page_id: 'c', name: 'Name', order: 1, viewed: 0, completed: 0, declined: 0 },
      { page_id: 'b', name: 'Step', order: null, viewed: 1, completed: 0, declined: 0 },
      { page_id: 'x', name: null, order: null, viewed: 0, completed: 1, declined: 0 },
      { page_id: 'z', name: null, order: null, viewed: 2, completed: 0, declined: 1 },
    ]);
  });

  test('have the answers by question: options in their order, removed options, typed texts', () => {
    const questions = [
      { text: 'How?', key: 'how', options: ['Well', { key: 'bad', text: 'Badly' }] },
      'Why?',
      { text: 'How much?', scale: [1, 2] },
    ];
    // Nobody gives the answer y any more.
    const counts = {
      'answers/a/s': {
        '["how","gone"]': 4,
        '["how",null]': 1,
        '["gone","x"]': 5,
        '["gone","y"]': 2,
        '["question_2",null]': 3,
        '["question_3","2"]': 1,
      },
      'answers/a/s/7': { '["how","option_1"]': 2, '["gone","y"]': -2 },
    };
    const container = { content_blocks: [survey('c', ['In a channel?'])] };
    const asking = page('a', 1, { content_blocks: [survey('s', questions)], content_containers: [container] });
    expect(of(counts, [asking]).questions).toEqual([
      {
        ...{ page_id: 'a', block_id: 's', key: 'how', question: 'How?' },
        ...{ type: 'option', answered: 7 },
        answers: [
          { key: 'option_1', answer: 'Well', count: 2 },
          { key: 'bad', answer: 'Badly', count: 0 },
          { key: 'gone', answer: null, count: 4 },
          { key: null, answer: null, count: 1 },
        ],
      },
      {
        ...{ page_id: 'a', block_id: 's', key: 'question_2', question: 'Why?' },
        ...{ type: 'text', answered: 3 },
        answers: [{ key: null, answer: null, count: 3 }],
      },
      {
        ...{ page_id: 'a', block_id: 's', key: 'question_3', question: 'How much?' },
        ...{ type: 'option', answered: 1 },
        answers: [
          { key: '1', answer: '1', count: 0 },
          { key: '2', answer: '2', count: 1 },
        ],
      },
      {
        ...{ page_id: 'a', block_id: 'c', key: 'question_1', question: 'In a channel?' },
        ...{ type: 'text', answered: 0 },
        answers: [{ key: null, answer: null, count: 0 }],
      },
      {
        ...{ page_id: 'a', block_id: 's', key: 'gone', question: null },
        ...{ type: null, answered: 5 },
        answers: [{ key: 'x', answer: null, count: 5 }],
      },
    ]);
  });

  test('have how many persons answered a question with several options, of whom the answers are shares', () => {
    const options = ['Red', 'Green'];
    const asked = [
      { text: 'Colors?', key: 'colors', multiple: true, options },
      { text: 'Age?', type: 'number' },
      { text: 'Day?', type: 'date' },
    ];
    const counters = {
      ...{ '["colors","option_1"]': 3, '["colors","option_2"]': 2, 'further ["colors"]': 1 },
      ...{ '["question_2",null]': 2, '["question_3",null]': 4 },
    };
    const { questions } = of({ 'answers/a/s': counters }, [page('a', 1, { content_blocks: [survey('s', asked)] })]);
    expect(questions.map(({ key, type, answered }) => [key, type, answered])).toEqual([
      ['colors', 'options', 4],
      ['question_2', 'number', 2],
      ['question_3', 'date', 4],
    ]);
  });

  test('have the questions of the template on its first page, and where they were asked before', () => {
    const counts = { 'answers/b/t': { '["question_1",null]': 2 } };
    const { questions } = of(counts, [page('a', 1), page('b', 2)], [survey('t', ['Ready?'])]);
    expect(questions.map(({ page_id, question, answers }) => [page_id, question, answers[0]!.count])).toEqual([
      ['a', 'Ready?', 0],
      ['b', 'Ready?', 2],
    ]);
  });
});

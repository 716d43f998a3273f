import type { Template } from '../../lib/domain/content/template.ts';
import type { Results } from '../../lib/domain/results.ts';
import { questionsOf } from '../../lib/domain/survey.ts';
import type { TemplateJourney } from '../../lib/domain/template-list-responses.ts';
import { textLine } from '../../lib/files/csv.ts';
import type { ListedResponse } from '../../lib/operations/results/read.ts';
import { blocksOf } from '../content/stored-parts.ts';
import { typedLabel } from './results-text.ts';

export type ListedJourney = TemplateJourney & { web_client_url: string };

type NamedCells = Record<string, string | number | null>;
const numbersOf = (counts: Record<string, number>, of: NamedCells): NamedCells[] =>
  Object.entries(counts).map(([measure, count]) => ({ ...of, measure, count }));

/** One number for each line. Of a question with several options, also how many `people` answered it. */
export function resultLines({ journeys, pages, questions, by_day }: Results): string[] {
  const columns = ['of', 'page_id', 'name', 'question_key', 'answer_key', 'answer', 'date', 'measure', 'count'];
  const rows = [
    ...numbersOf(journeys, { of: 'journeys' }),
    ...pages.flatMap(({ page_id, name, viewed, completed, declined }) =>
      numbersOf({ viewed, completed, declined }, { of: 'page', page_id, name }),
    ),
    ...questions.flatMap(({ page_id, key, question: name, type, answered, answers }) => {
      const question = { of: 'question', page_id, name, question_key: key };
      return [
        ...(type === 'options' ? numbersOf({ people: answered }, question) : []),
        ...answers.flatMap(({ key: answer_key, answer: said, count }) => {
          const answer = answer_key === null ? typedLabel({ type }) : said;
          return numbersOf({ answered: count }, { ...question, answer_key, answer });
        }),
      ];
    }),
    ...by_day.flatMap(({ date, ...counts }) => numbersOf(counts, { of: 'day', date })),
  ];
  return [columns, ...rows.map((row) => columns.map((name) => row[name]))].map(textLine);
}

export type JourneyState = 'created' | 'opened' | 'completed';
export const stateOf = ({ analytics_cache: { is_completed, pages_viewed } }: TemplateJourney): JourneyState =>
  is_completed ? 'completed' : pages_viewed.length > 0 ? 'opened' : 'created';

export async function* journeyLines(journeys: AsyncIterable<ListedJourney>): AsyncGenerator<string> {
  const times = ['inserted_at', 'updated_at', 'last_viewed', 'completion_verified_at'];
  yield textLine([
    ...['unique_id', 'web_client_url', 'contact_id', 'journey_id'],
    ...['state', 'pages_viewed', 'pages_completed', 'source', ...times],
  ]);
  for await (const each of journeys) {
    const { contact, web_client_url, id, source, inserted_at, updated_at, completion_verified_at } = each;
    const { pages_viewed, pages_completed, last_viewed } = each.analytics_cache;
    const counts = [pages_viewed.length, pages_completed.length];
    yield textLine([
      ...[contact.unique_id, web_client_url, contact.id, id, stateOf(each), ...counts, source],
      ...[inserted_at, updated_at, last_viewed, completion_verified_at],
    ]);
  }
}

/** Two columns for each question that the template asks, the words and the key; another question is in the last column. */
export async function* responseLines(
  template: Template,
  responses: AsyncIterable<ListedResponse>,
): AsyncGenerator<string> {
  const asked = blocksOf(template).flatMap((block) =>
    questionsOf(block).map(({ key, text }) => ({ block_id: block.id, key, text })),
  );
  yield textLine([
    ...['unique_id', 'contact_id', 'journey_id', 'response_id', 'at', 'page_id', 'block_type', 'answer', 'typed_name'],
    ...asked.flatMap(({ text, key }) => [text, `${key} (key)`]),
    'other answers',
  ]);
  for await (const { contact, journey_id, id, ...response } of responses) {
    const { at, page_id, block_id, block_type, answer, typed_name, values } = response;
    const isNamed = (each: (typeof asked)[number], key: string | undefined) =>
      each.block_id === block_id && each.key === key;
    const others = values.filter(({ key }) => !asked.some((each) => isNamed(each, key)));
    yield textLine([
      ...[contact.unique_id, contact.id, journey_id, id, at, page_id, block_type, answer, typed_name],
      ...asked.flatMap((each) => {
        const given = values.filter(({ key }) => isNamed(each, key));
        const cell = (of: (value: (typeof given)[number]) => string) => given.map(of).filter(Boolean).join('; ');
        return [cell(({ value }) => value), cell(({ option_key = '' }) => option_key)];
      }),
      others.map(({ question, value }) => `${question} ${value}`).join('; '),
    ]);
  }
}

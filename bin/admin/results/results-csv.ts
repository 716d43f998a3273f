import { blocksOfPage } from '../../../lib/content/stored-parts.ts';
import type { StoredBlock } from '../../../lib/domain/campaigns/document.ts';
import type { Page } from '../../../lib/domain/campaigns/page.ts';
import type { Template } from '../../../lib/domain/campaigns/template.ts';
import type { Contact } from '../../../lib/domain/contacts/contact.ts';
import { questionsOf, uniqueNames } from '../../../lib/domain/journeys/survey.ts';
import type { TemplateJourney } from '../../../lib/domain/results/journey-list-responses.ts';
import type { SuppressionScope } from '../../../lib/domain/suppression/suppression.ts';
import { textLine } from '../../../lib/files/csv.ts';
import type { ListedResponse } from '../../../lib/operations/results/read.ts';
import { type CampaignResults, typedLabel } from './results-text.ts';

export type ListedJourney = TemplateJourney & { web_client_url: string } & Mailing;
/** The fields of a contact that a mailing needs. `suppressed`: what its address is listed for. */
export type Mailing = {
  name: string;
  language: string | null;
  phone: string | null;
  suppressed: SuppressionScope | null;
} & Pick<Contact, 'email' | 'email_opted_in' | 'email_verified' | 'sms_opted_in' | 'sms_verified'>;
const consents = ['email_opted_in', 'email_verified', 'sms_opted_in', 'sms_verified'] as const;

type NamedCells = Record<string, string | number | null>;
const numbersOf = (counts: Record<string, number>, of: NamedCells): NamedCells[] =>
  Object.entries(counts).map(([measure, count]) => ({ ...of, measure, count }));

/** One number for each line. Of a question with several options, also how many `people` answered it. */
export function resultLines(results: CampaignResults): string[] {
  const { journeys, targeted, pages, questions, messages, by_language, by_day } = results;
  const { by_source, ...numbers } = journeys;
  const columns = [
    'of',
    'page_id',
    'name',
    'question_key',
    'answer_key',
    'answer',
    'template_message_id',
    'date',
    'measure',
    'count',
  ];
  const rows = [
    ...numbersOf(numbers, { of: 'journeys' }),
    ...Object.entries(by_source).flatMap(([name, created]) => numbersOf({ created }, { of: 'source', name })),
    ...by_language.flatMap(({ language: name, ...counts }) => numbersOf(counts, { of: 'language', name })),
    ...numbersOf({ targeted }, { of: 'people' }),
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
    ...messages.flatMap(({ template_message_id, name, ...counts }) =>
      numbersOf(counts, { of: 'message', template_message_id, name }),
    ),
    ...by_day.flatMap(({ date, ...counts }) => numbersOf(counts, { of: 'day', date })),
  ];
  return [columns, ...rows.map((row) => columns.map((name) => row[name]))].map(textLine);
}

export const pageTitle = ({ navigation_title, content_name, id }: Page): string =>
  navigation_title ?? content_name ?? id;

export type JourneyState = 'created' | 'opened' | 'completed';
export const stateOf = ({ analytics_cache: { is_completed, pages_viewed } }: TemplateJourney): JourneyState =>
  is_completed ? 'completed' : pages_viewed.length > 0 ? 'opened' : 'created';

export async function* journeyLines(journeys: AsyncIterable<ListedJourney>): AsyncGenerator<string> {
  const times = ['inserted_at', 'updated_at', 'last_viewed', 'completion_verified_at'];
  yield textLine([
    ...['unique_id', 'web_client_url', 'contact_id', 'journey_id', 'email', 'name', 'language', 'phone', ...consents],
    'suppressed',
    ...['state', 'pages_viewed', 'pages_completed', 'source', ...times],
  ]);
  for await (const each of journeys) {
    const { contact, web_client_url, id, source, inserted_at, updated_at, completion_verified_at } = each;
    const { pages_viewed, pages_completed, last_viewed } = each.analytics_cache;
    const counts = [pages_viewed.length, pages_completed.length];
    yield textLine([
      ...[contact.unique_id, web_client_url, contact.id, id, each.email, each.name, each.language, each.phone],
      ...consents.map((name) => each[name]?.toString() ?? null),
      each.suppressed,
      ...[stateOf(each), ...counts, source, inserted_at, updated_at, last_viewed, completion_verified_at],
    ]);
  }
}

/**
 * One column for each question that the template asks, named by its page and its text, with a number if both are equal.
 * Another question is in the last column.
 */
export async function* responseLines(
  template: Template,
  responses: AsyncIterable<ListedResponse>,
): AsyncGenerator<string> {
  const titles = new Map(template.template_pages.map(({ page }) => [page.id, pageTitle(page)]));
  const nameOf = uniqueNames();
  const ofPage = (title: string, blocks: readonly StoredBlock[]) =>
    blocks.flatMap((block) =>
      questionsOf(block).map(({ key, text }) => ({ block_id: block.id, key, name: nameOf(`${title}: ${text}`) })),
    );
  const asked = [
    ...ofPage(template.name ?? template.id, template.content_blocks),
    ...template.template_pages.flatMap(({ page }) => ofPage(pageTitle(page), blocksOfPage(page))),
  ];
  yield textLine([
    ...['unique_id', 'contact_id', 'journey_id', 'response_id', 'at', 'page_id', 'page', 'block_type'],
    ...['answer', 'typed_name'],
    ...asked.map(({ name }) => name),
    'other answers',
  ]);
  for await (const { contact, journey_id, id, ...response } of responses) {
    const { at, page_id, block_id, block_type, answer, typed_name, values } = response;
    const isNamed = (each: (typeof asked)[number], key: string | undefined) =>
      each.block_id === block_id && each.key === key;
    const others = values.filter(({ key }) => !asked.some((each) => isNamed(each, key)));
    yield textLine([
      ...[contact.unique_id, contact.id, journey_id, id],
      ...[at, page_id, titles.get(page_id) ?? null, block_type, answer, typed_name],
      ...asked.map((each) => {
        const given = values.filter(({ key }) => isNamed(each, key));
        return given.map(({ value }) => value).join('; ');
      }),
      others.map(({ question, value }) => `${question} ${value}`).join('; '),
    ]);
  }
}

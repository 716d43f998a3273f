import * as z from 'zod';
import type { ContentBlock } from '../campaigns/block.ts';
import type { TemplatePage } from '../campaigns/page.ts';
import type { Template } from '../campaigns/template.ts';
import {
  type AnswerCount,
  answersByPage,
  type CountedAnswer,
  type Counts,
  countsBySource,
  dayOf,
  messageGroup,
  pageOf,
  templateMessageOf,
} from '../journeys/counts.ts';
import { questionsOf } from '../journeys/survey.ts';
import { uuid } from '../values/uuid.ts';

/** The results of a template (contract, section 13). */

const count = (of: string) => z.int().describe(`Number of ${of}`);
const journeyCounts = {
  created: count('journeys that were created'),
  opened: count('journeys of which a page was viewed'),
  completed: count('journeys that were completed'),
};

/** One option, several, or something typed. */
type AnswerType = 'option' | 'options' | 'text' | 'number' | 'date';

export const results = z
  .object({
    template_id: uuid().describe('The campaign'),
    journeys: z
      .object({
        ...journeyCounts,
        verified: count('journeys whose completion was confirmed'),
        cancelled: count('journeys that are cancelled now'),
        expired: count('journeys that have expired, and were neither completed nor cancelled before'),
        by_source: z
          .record(z.string(), z.int())
          .describe('Number of journeys that were created, by their `source`: the 100 sources with the most'),
      })
      .meta({ id: 'JourneyCounts', description: 'Numbers of journeys' }),
    targeted: count('people whom targeting has noted without a journey (`NO_JOURNEY`)'),
    pages: z
      .array(
        z
          .object({
            page_id: uuid().describe('The page'),
            name: z.string().nullable().describe('Its title now. `null` if it has none, or was removed'),
            order: z.number().nullable().describe('Its order now. `null` if it has none, or was removed'),
            viewed: count('journeys in which the page was viewed'),
            completed: count('journeys in which the page was completed, and not declined by a later answer'),
            declined: count('journeys whose latest answer to a block of the page declines'),
          })
          .meta({ id: 'PageCounts', description: 'A page, and in how many journeys something happened on it' }),
      )
      .describe('The pages in their order, then pages that were removed'),
    questions: z
      .array(
        z
          .object({
            page_id: uuid().describe('The page on which it was asked'),
            block_id: uuid().describe('The survey'),
            key: z.string().describe('The `key` of the question'),
            question: z.string().nullable().describe('Its text now. `null` if it was removed'),
            answers: z
              .array(
                z
                  .object({
                    key: z.string().nullable().describe('The `key` of the option. `null` for what was typed'),
                    answer: z
                      .string()
                      .nullable()
                      .describe('Its text now. `null` if it was removed, and for what was typed'),
                    count: count('persons whose latest answer this is'),
                  })
                  .meta({ id: 'AnswerCount', description: 'An answer, and how many persons gave it' }),
              )
              .describe('The options in their order, also those that nobody chose'),
          })
          .meta({ id: 'QuestionCounts', description: 'A question of a survey, and its answers' }),
      )
      .describe('The questions in the order of the pages'),
    by_day: z
      .array(
        z
          .object({ date: z.iso.date().describe('The day in UTC'), ...journeyCounts })
          .meta({ id: 'DayCounts', description: 'What happened on a day' }),
      )
      .describe('The days on which something happened, oldest first'),
    messages: z
      .array(
        z
          .object({
            template_message_id: uuid().describe('The template message'),
            name: z.string().nullable().describe('Its content name now. `null` if it has none, or was removed'),
            due: count('messages that were due, those that were not sent included'),
            sent: count('messages that were handed to the provider'),
            delivered: count('messages that were delivered'),
            bounced: count('messages that bounced'),
            complained: count('messages that the recipient reported as spam. They count as delivered, too'),
            unsubscribed: count('messages by whose link the recipient unsubscribed'),
          })
          .meta({ id: 'MessageCounts', description: 'A template message, and what became of its messages' }),
      )
      .describe('The messages of the template in their order, then those that were removed'),
    as_of: z.iso.datetime().describe('Time of the response'),
  })
  .meta({ id: 'TemplateResults', description: 'How many journeys of a template came how far, and what was answered' });
type ShownResults = z.output<typeof results>;
type PageCounts = ShownResults['pages'][number];
type QuestionCounts = ShownResults['questions'][number] & {
  /** What a person answers it with now. `null` if it was removed. */
  type: AnswerType | null;
  /** How many persons answered it. With several options, the counts of the answers add up to more. */
  answered: number;
};
export type Results = Omit<ShownResults, 'questions'> & { questions: QuestionCounts[] };

/** What the API shows of the results (contract, section 13). */
export const shownResults = ({ questions, ...rest }: Results): ShownResults => ({
  ...rest,
  questions: questions.map(({ type: _, answered: __, ...question }) => question),
});

/** @param counts of all journeys of the template. What the template no longer has is counted too. */
export function resultsOf(template: Template, counts: Counts, now: string): Results {
  const days = Object.entries(counts).flatMap(([group, counters]) => {
    const date = dayOf(group);
    return date === undefined ? [] : [{ date, counters }];
  });
  const by_day = days
    .map(({ date, counters: { created = 0, opened = 0, completed = 0 } }) => ({ date, created, opened, completed }))
    .filter(({ created, opened, completed }) => created + opened + completed > 0)
    .sort((a, b) => (a.date < b.date ? -1 : 1));
  const total = (name: string) => days.reduce((sum, { counters }) => sum + (counters[name] ?? 0), 0);
  const pages = pagesOf(template, counts);
  const known = questionsIn([...template.content_blocks, ...pages.flatMap(({ blocks }) => blocks)]);
  return {
    template_id: template.id,
    journeys: {
      created: total('created'),
      opened: total('opened'),
      completed: total('completed'),
      verified: total('verified'),
      cancelled: total('cancelled'),
      expired: total('expired'),
      by_source: countsBySource(counts),
    },
    targeted: counts.targeted?.people ?? 0,
    pages: pages.map(({ counters: { viewed = 0, completed = 0, declined = 0 }, ...page }) => {
      return { page_id: page.page_id, name: page.name, order: page.order, viewed, completed, declined };
    }),
    questions: pages.flatMap((page, index) => {
      // The first page shows the blocks of the template too.
      return questionsOn(page, [...(index === 0 ? template.content_blocks : []), ...page.blocks], known);
    }),
    by_day,
    messages: messagesOf(template, counts),
    as_of: now,
  };
}

/** The messages of the template in their order, then the removed ones that are counted. */
function messagesOf({ template_messages }: Template, counts: Counts): ShownResults['messages'] {
  const counted = Object.keys(counts).flatMap((group) => templateMessageOf(group) ?? []);
  const present = template_messages.map(({ id, message }) => ({ template_message_id: id, name: message.content_name }));
  const ids = new Set(present.map(({ template_message_id }) => template_message_id));
  const removed = counted.filter((id) => !ids.has(id)).sort();
  return [...present, ...removed.map((id) => ({ template_message_id: id, name: null }))].map((message) => {
    const {
      due = 0,
      sent = 0,
      delivered = 0,
      bounced = 0,
      complained = 0,
      unsubscribed = 0,
    } = counts[messageGroup(message.template_message_id)] ?? {};
    return { ...message, due, sent, delivered, bounced, complained, unsubscribed };
  });
}

type CountedPage = Pick<PageCounts, 'page_id' | 'name' | 'order'> & {
  counters: Counts[string];
  answers: readonly AnswerCount[];
  blocks: readonly ContentBlock[];
};

/** The pages of the template in their order, then the removed ones that are counted. */
function pagesOf({ template_pages }: Template, counts: Counts): CountedPage[] {
  const counted = new Map(
    Object.entries(counts).flatMap(([group, counters]) => {
      const id = pageOf(group);
      return id === undefined ? [] : [[id, counters] as const];
    }),
  );
  const answered = answersByPage(counts);
  const answersOn = (pageId: string) => answered.get(pageId) ?? [];
  const present = template_pages.map(({ order, page }) => ({
    page_id: page.id,
    name: page.navigation_title ?? page.content_name,
    order,
    counters: counted.get(page.id) ?? {},
    answers: answersOn(page.id),
    blocks: blocksOf(page),
  }));
  const ids = new Set(present.map(({ page_id }) => page_id));
  const removed = [...new Set([...counted.keys(), ...answered.keys()])]
    .filter((id) => !ids.has(id))
    .sort()
    .map((id) => {
      const counters = counted.get(id) ?? {};
      return { page_id: id, name: null, order: null, counters, answers: answersOn(id), blocks: [] };
    });
  return [...present, ...removed];
}

const blocksOf = ({ content_blocks, content_containers }: TemplatePage['page']): ContentBlock[] => [
  ...content_blocks,
  ...content_containers.flatMap((container) => container.content_blocks),
];

type Question = ReturnType<typeof questionsOf>[number];
const nameOf = ({ block_id, key }: Pick<CountedAnswer, 'block_id' | 'key'>): string => JSON.stringify([block_id, key]);

/** The questions in these blocks, by block and key. */
const questionsIn = (blocks: readonly ContentBlock[]): Map<string, { block_id: string; key: string } & Question> =>
  new Map(
    blocks.flatMap((block) =>
      questionsOf(block).map((question) => {
        const named = { block_id: block.id, ...question };
        return [nameOf(named), named];
      }),
    ),
  );

/**
 * The questions of a page in their order, then those that it no longer asks.
 * @param shown its blocks @param known the questions of the template, by block and key
 */
function questionsOn(
  { page_id, answers: counted }: CountedPage,
  shown: readonly ContentBlock[],
  known: ReturnType<typeof questionsIn>,
): QuestionCounts[] {
  const byName = Map.groupBy(counted, nameOf);
  const asked = [...questionsIn(shown).values(), ...counted];
  return [...new Map(asked.map((each) => [nameOf(each), each]))].map(([name, { block_id, key }]) => {
    const question = known.get(name);
    const [further = [], given = []] = [true, false].map((is) =>
      (byName.get(name) ?? []).filter(({ isFurther }) => isFurther === is),
    );
    const words = { block_id, key, question: question?.text ?? null, type: question ? typeOf(question) : null };
    const answered = total(given) - total(further);
    return { page_id, ...words, answered, answers: answersTo(question?.offered ?? [], given) };
  });
}

const total = (counted: readonly AnswerCount[]): number => counted.reduce((sum, { count: number }) => sum + number, 0);

const typeOf = ({ offered, several, type }: Question): AnswerType =>
  several ? 'options' : offered.length > 0 ? 'option' : (type ?? 'text');

/** The options in their order, then those that were removed, then what was typed. */
function answersTo(
  offered: readonly { key: string; text: string }[],
  given: readonly { option_key: string | null; count: number }[],
): QuestionCounts['answers'] {
  const countOf = (key: string | null) => given.find(({ option_key }) => option_key === key)?.count;
  const removed = given
    .flatMap(({ option_key }) => option_key ?? [])
    .filter((key) => !offered.some((each) => each.key === key))
    .sort();
  const typed = countOf(null);
  return [
    ...offered.map(({ key, text }) => ({ key, answer: text, count: countOf(key) ?? 0 })),
    ...removed.map((key) => ({ key, answer: null, count: countOf(key)! })),
    ...(typed !== undefined || (offered.length === 0 && removed.length === 0)
      ? [{ key: null, answer: null, count: typed ?? 0 }]
      : []),
  ];
}

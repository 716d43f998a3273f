import * as z from 'zod';
import { isBlank } from '../values/fields.ts';
import { Problem } from '../values/problem.ts';
import { laterThan } from '../values/timestamp.ts';
import type { BlockAnswer, KeptResponse, UntimedResponse } from './answer.ts';

/** What a journey keeps of the answers of its person: the latest to each block, and their number. */

/** A person has at most this many answers to one block (contract, section 6). */
export const maxAnswersToBlock = 50;

/** What was chosen for a question of a survey, by keys. `option_key` is `null` for a typed text. */
export const choice = z.object({ key: z.string(), option_key: z.string().nullable() });
export type Choice = z.output<typeof choice>;

/** The latest answer to a block on a page, and how many answers it has there. */
export type GivenAnswer = BlockAnswer & {
  count: number;
  /** The answers to the questions of a survey. */
  choices?: readonly Choice[] | undefined;
};

/** Adds a later answer. The entry of its block on its page is replaced. */
export function withAnswer(
  given: readonly GivenAnswer[],
  answer: BlockAnswer & Pick<GivenAnswer, 'choices'>,
): GivenAnswer[] {
  const { id, page_id, block_id, answer: decision, at, choices } = answer;
  const isSame = (each: GivenAnswer) => each.page_id === page_id && each.block_id === block_id;
  const count = (given.find(isSame)?.count ?? 0) + 1;
  const added = { id, page_id, block_id, answer: decision, at, count, ...(choices?.length ? { choices } : {}) };
  return [...given.filter((each) => !isSame(each)), added];
}

/** Without typed texts that are blank. */
const choicesOf = ({ values }: UntimedResponse): Choice[] =>
  values.flatMap(({ key, option_key = null, value }) =>
    key === undefined || (option_key === null && isBlank(value)) ? [] : [{ key, option_key }],
  );

/**
 * Adds answers to those that a journey has. Each gets a time after all others of the journey, so that their order
 * survives a millisecond and clocks that differ.
 * @throws Problem `conflict` if a block has too many answers. A block can be on another page than before.
 */
export function addAnswers(
  given: readonly GivenAnswer[],
  kept: readonly UntimedResponse[],
  now: string,
): { given: readonly GivenAnswer[]; responses: KeptResponse[] } {
  const countOf = (id: string) =>
    given.filter(({ block_id }) => block_id === id).reduce((sum, { count }) => sum + count, 0);
  if (kept.some(({ block_id }) => countOf(block_id) >= maxAnswersToBlock)) throw new Problem('conflict');
  let all = given;
  const responses = kept.map((each) => {
    const response = {
      ...each,
      at: laterThan(
        all.map(({ at }) => at),
        now,
      ),
    };
    all = withAnswer(all, { ...response, choices: choicesOf(response) });
    return response;
  });
  return { given: all, responses };
}

/** The latest answer to each block of the page. */
export const latestAnswers = <Answer extends BlockAnswer>(
  answers: readonly Answer[],
  pageId: string,
): Map<string, Answer> =>
  new Map(answers.filter(({ page_id }) => page_id === pageId).map((answer) => [answer.block_id, answer]));

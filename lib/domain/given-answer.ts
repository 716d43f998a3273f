import { Problem } from './problem.ts';
import type { BlockAnswer, KeptResponse, UntimedResponse } from './response.ts';
import { laterThan } from './timestamp.ts';

/** What a journey keeps of the answers of its person: the latest to each block, and their number. */

/** A person has at most this many answers to one block (contract, section 6). */
export const maxAnswersToBlock = 50;

/** The latest answer to a block on a page, and how many answers it has there. */
export type GivenAnswer = BlockAnswer & { count: number };

/** Adds a later answer. The entry of its block on its page is replaced. */
export function withAnswer(given: readonly GivenAnswer[], answer: BlockAnswer): GivenAnswer[] {
  const { id, page_id, block_id, answer: decision, at } = answer;
  const isSame = (each: GivenAnswer) => each.page_id === page_id && each.block_id === block_id;
  const count = (given.find(isSame)?.count ?? 0) + 1;
  return [...given.filter((each) => !isSame(each)), { id, page_id, block_id, answer: decision, at, count }];
}

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
    all = withAnswer(all, response);
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

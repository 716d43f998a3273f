import type { GivenAnswer } from '../../../lib/domain/given-answer.ts';
import type { Journey } from '../../../lib/domain/journey.ts';
import type { Database } from '../../../lib/store/database.ts';
import { loadJourneys } from '../../../lib/store/journeys.ts';
import { listJourneyKeys } from '../../../lib/store/template-lists.ts';
import { mostJourneys } from './progress.ts';

/** The latest answer of a person to a block, and its journey. */
export type BlockAnswerOf = { journey: Journey; answer: GivenAnswer };

/** The latest answers to the blocks of a template, by block, of the first {@link mostJourneys} journeys. */
export async function loadBlockAnswers(
  database: Database,
  template: { teamId: string; templateId: string },
): Promise<{ byBlock: Map<string, BlockAnswerOf[]>; isAtLeast: boolean }> {
  const { entries, hasMore: isAtLeast } = await listJourneyKeys(database, template, {}, mostJourneys);
  const journeys = await loadJourneys(database, template.teamId, entries);
  const all = journeys.flatMap((stored) =>
    (stored?.given.answers ?? []).map((answer) => ({ journey: stored!.journey, answer })),
  );
  return { byBlock: Map.groupBy(all, ({ answer }) => answer.block_id), isAtLeast };
}

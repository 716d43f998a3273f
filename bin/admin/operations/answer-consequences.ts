import { isTextOf } from '../../../lib/domain/response.ts';
import type { Database } from '../../../lib/store/database.ts';
import { loadResponsesAt } from '../../../lib/store/journeys.ts';
import { responseKey } from '../../../lib/store/keys.ts';
import { type AnswerChange, nameOf } from '../../content/answer-changes.ts';
import { titleOf } from '../../content/traits.ts';
import { type BlockAnswerOf, loadBlockAnswers } from '../store/block-answers.ts';
import type { People } from '../store/progress.ts';
import { type Consequence, counted } from './consequence.ts';

/** What an import does to the people who answered an agreement, a confirmation or a survey. */
export async function answerConsequences(
  database: Database,
  teamId: string,
  changes: readonly AnswerChange[],
): Promise<Consequence[]> {
  const consequences: Consequence[] = [];
  for (const [templateId, own] of Map.groupBy(changes, (change) => change.templateId)) {
    const { byBlock, isAtLeast } = await loadBlockAnswers(database, { teamId, templateId });
    for (const change of own) {
      const answers = await concernedBy(database, teamId, change, byBlock.get(change.block.id) ?? []);
      const people = new Set(answers.map(({ journey }) => journey.id)).size;
      if (people === 0) continue;
      const { path, page, block } = change;
      const ids = { template_id: templateId, page_id: page.id, block_id: block.id };
      consequences.push({ path, ...ids, people, message: textOf(change, { people, isAtLeast }) });
    }
  }
  return consequences;
}

/** All answers to a block that is removed; of one with another text, those that accepted a text that it no longer has. */
async function concernedBy(
  database: Database,
  teamId: string,
  { kind, now }: AnswerChange,
  answers: readonly BlockAnswerOf[],
): Promise<readonly BlockAnswerOf[]> {
  if (kind === 'removed') return answers;
  const accepted = answers.filter(({ answer }) => answer.answer === 'accepted');
  const keys = accepted.map(({ journey, answer }) => responseKey(teamId, journey.contact_id, journey.id, answer));
  const responses = await loadResponsesAt(database, keys);
  return accepted.filter((_, at) => {
    const text = responses[at]?.text;
    return text !== undefined && !now.some((block) => isTextOf(block, text));
  });
}

function textOf({ kind, page, block, successors }: AnswerChange, concerned: People): string {
  const what = `${nameOf(block)} (${block.id}) of ${titleOf(page)}`;
  const people = counted(concerned);
  if (kind === 'reworded') {
    const kept = 'They keep the acceptance, and the page shows them the text that they accepted';
    return `The text of ${what} changes; ${people} accepted the earlier text. ${kept}. To ask them again, give the block another id.`;
  }
  const same = successors.map((each) => ` If it is now ${nameOf(each)}, write "id": "${block.id}" into that block.`);
  return `${what[0]!.toUpperCase()}${what.slice(1)} is removed; ${people} answered it. What they answered stays recorded, but the page no longer shows it.${same.join('')}`;
}

import type { Applied } from '../../content/apply.ts';
import { type AnswerChange, type AnswerMove, nameOf, type PageChange } from '../../content/changes.ts';
import { titleOf } from '../../content/match.ts';
import { isTextOf } from '../../domain/journeys/answer.ts';
import { answersByPage, pageGroup } from '../../domain/journeys/counts.ts';
import type { GivenAnswer } from '../../domain/journeys/given-answer.ts';
import type { Journey } from '../../domain/journeys/journey.ts';
import { type ErrorDetail, Problem } from '../../domain/values/problem.ts';
import { loadJourneys, loadResponsesAt } from '../../store/journeys/journeys.ts';
import { listJourneyKeys } from '../../store/results/journey-lists.ts';
import { loadCounts } from '../../store/results/results.ts';
import type { Database } from '../../store/table/database.ts';
import { journeyActionKey, responseKey } from '../../store/table/keys.ts';

/** What an import does to people who have a journey. */
export type Consequence = {
  path: string;
  template_id: string;
  page_id: string;
  /** Of what happens to the answers to a block. */
  block_id?: string;
  people: number;
  message: string;
};

/** What the administrator accepts: that pages get the progress of others, and that a template is a new one. */
export type Accepted = { acceptMoves?: boolean; new?: boolean };

/**
 * What an import does to whom.
 * @throws Problem `conflict` if it would give the progress of people to another page, count their answers for another
 * option, or make a new template of one that only has another name, and this is not accepted. It names all pages of such
 * a template that need an id, because the next one would be refused as soon as one has its id.
 */
export async function consequencesOf(
  database: Database,
  teamId: string,
  {
    changes,
    renamings,
    answerChanges,
    answerMoves,
  }: Pick<Applied, 'changes' | 'renamings' | 'answerChanges' | 'answerMoves'>,
  accepted: Accepted,
): Promise<Consequence[]> {
  const consequences: Consequence[] = [];
  const refused: ErrorDetail[] = [];
  for (const [templateId, own] of Map.groupBy(changes, ({ template }) => template.id)) {
    const former = own.filter(({ kind }) => kind !== 'added').map(({ pageId }) => pageId);
    const { journeys, pages } = await loadProgress(database, { teamId, templateId }, former);
    const told = own.flatMap((change) => {
      const concerned = change.kind === 'added' ? journeys : pages.get(change.pageId)!;
      return concerned.people === 0 ? [] : [{ change, people: concerned.people, message: textOf(change, concerned) }];
    });
    for (const { change, people, message } of told) {
      consequences.push({ path: change.path, template_id: templateId, page_id: change.pageId, people, message });
    }
    if (accepted.acceptMoves || !told.some(({ change }) => change.kind === 'replaced')) continue;
    for (const { change, message } of told) {
      if (change.isUnclear) refused.push({ path: change.path, message: `${message} ${ways(change, own)}` });
    }
  }
  for (const { path, id, name, former } of accepted.new ? [] : renamings) {
    const { journeys } = await loadProgress(database, { teamId, templateId: former.id }, []);
    const is = `is the template "${former.name}" (${former.id}, ${counted(journeys)} with a journey) under another name`;
    const ways = `To rename it, write "id": "${former.id}" into it. To make a new template (${id}) beside it, import with --new`;
    refused.push({ path, message: `"${name}" ${is}. ${ways}` });
  }
  for (const { ways, ...moved } of await movedAnswers(database, teamId, answerMoves)) {
    consequences.push(moved);
    if (!accepted.acceptMoves) refused.push({ path: moved.path, message: `${moved.message} ${ways}` });
  }
  if (refused.length > 0) throw new Problem('conflict', refused);
  return [...consequences, ...(await answerConsequences(database, teamId, answerChanges))];
}

function textOf({ kind, pageId, title, formerTitle, isAsked }: PageChange, concerned: People): string {
  const people = counted(concerned);
  switch (kind) {
    case 'added':
      return `${title} (${pageId}) is new for ${people} with a journey.${isAsked ? ' They are asked to complete it.' : ''}`;
    case 'removed':
      return `${title} (${pageId}) is removed; ${people} viewed or completed it. What they did stays recorded.`;
    case 'replaced':
      return `${title} gets the id (${pageId}) and the progress of ${formerTitle}, which ${people} viewed or completed.`;
  }
}

/** @param all changes of its template */
function ways({ kind, pageId, newId }: PageChange, all: readonly PageChange[]): string {
  const another = `If it is another one, write "id": "${newId}"`;
  if (kind === 'replaced')
    return `If it is the same page, write "id": "${pageId}" into it, or import with --accept-moves. ${another}`;
  const former = all.filter((each) => each.kind !== 'added');
  const same = former.map((each) => `If it is ${each.formerTitle}, write "id": "${each.pageId}" into it. `).join('');
  return `${same}${another}`;
}

/** The answers that an import would count for another question or option, with what the administrator can do. */
async function movedAnswers(
  database: Database,
  teamId: string,
  moves: readonly AnswerMove[],
): Promise<(Consequence & { ways: string })[]> {
  const moved: (Consequence & { ways: string })[] = [];
  for (const [templateId, own] of Map.groupBy(moves, (move) => move.templateId)) {
    const [{ byBlock, isAtLeast }, counts] = await Promise.all([
      loadBlockAnswers(database, { teamId, templateId }),
      loadCounts(database, teamId, templateId),
    ]);
    const answered = answersByPage(counts);
    for (const { path, page, block, key, option_key, question, text, former } of own) {
      const isOwn = (each: { key: string; option_key: string | null }) =>
        each.key === key && (option_key === undefined || each.option_key === option_key);
      const found = (byBlock.get(block.id) ?? []).filter(({ answer }) => answer.choices?.some(isOwn)).length;
      const counted = (answered.get(page.id) ?? []).filter(
        (each) => each.block_id === block.id && isOwn(each) && !(each.isFurther && option_key !== undefined),
      );
      const known = counted.reduce((sum, { isFurther, count }) => sum + (isFurther ? -count : count), 0);
      const people = Math.max(found, isAtLeast ? known : 0);
      if (people === 0) continue;
      moved.push({
        ...{ path, template_id: templateId, page_id: page.id, block_id: block.id, people },
        ...movedText({ question, option_key, text, former, key }, { people, isAtLeast }),
      });
    }
  }
  return moved;
}

function movedText(
  { question, option_key, text, former, key }: Pick<AnswerMove, 'question' | 'option_key' | 'text' | 'former' | 'key'>,
  concerned: People,
): { message: string; ways: string } {
  const [kind, what] = option_key === undefined ? ['question', ''] : ['option', ` of the question "${question}"`];
  return {
    message: `The ${kind} "${text}"${what} gets the answers of "${former}", which ${counted(concerned)} gave.`,
    ways: `If it is the same ${kind}, write "key": "${option_key ?? key}" into it, or import with --accept-moves. If it is another one, write a \`key\` of its own into it.`,
  };
}

/** What an import does to the people who answered an agreement, a confirmation or a survey. */
async function answerConsequences(
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
      consequences.push({ path, ...ids, people, message: answerText(change, { people, isAtLeast }) });
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

function answerText({ kind, page, block, successors }: AnswerChange, concerned: People): string {
  const what = `${nameOf(block)} (${block.id}) of ${titleOf(page)}`;
  const people = counted(concerned);
  if (kind === 'reworded') {
    const kept = 'They keep the acceptance, and the page shows them the text that they accepted';
    return `The text of ${what} changes; ${people} accepted the earlier text. ${kept}. To ask them again, give the block another id.`;
  }
  const same = successors.map((each) => ` If it is now ${nameOf(each)}, write "id": "${block.id}" into that block.`);
  return `${what[0]!.toUpperCase()}${what.slice(1)} is removed; ${people} answered it. What they answered stays recorded, but the page no longer shows it.${same.join('')}`;
}

const counted = ({ people, isAtLeast }: People): string =>
  `${isAtLeast ? 'at least ' : ''}${people} ${people === 1 ? 'person' : 'people'}`;

/** A number of people. `isAtLeast`: there are more journeys than were read. */
type People = { people: number; isAtLeast: boolean };

/** That an import reads. */
const mostJourneys = 1000;

/**
 * How many people have a journey of the template, and how many of them viewed or completed each page. It reads the first
 * {@link mostJourneys} journeys, and for the others the results, which trail by seconds.
 */
async function loadProgress(
  database: Database,
  template: { teamId: string; templateId: string },
  pageIds: readonly string[],
): Promise<{ journeys: People; pages: Map<string, People> }> {
  const { teamId, templateId } = template;
  const { entries, hasMore: isAtLeast } = await listJourneyKeys(database, template, {}, mostJourneys);
  const counts = isAtLeast ? await loadCounts(database, teamId, templateId) : {};
  const pages = new Map<string, People>();
  for (const page_id of pageIds) {
    const [viewed, completed] = await Promise.all(
      ['viewed', 'completed'].map((kind) =>
        database.get(
          entries.map(({ contactId, accountId }) =>
            journeyActionKey(teamId, contactId, templateId, { kind, page_id }, accountId),
          ),
        ),
      ),
    );
    const found = entries.filter((_, at) => viewed![at] ?? completed![at]).length;
    const { viewed: ofAll = 0, completed: done = 0 } = counts[pageGroup(page_id)] ?? {};
    pages.set(page_id, { people: Math.max(found, ofAll, done), isAtLeast });
  }
  return { journeys: { people: entries.length, isAtLeast }, pages };
}

/** The latest answer of a person to a block, and its journey. */
type BlockAnswerOf = { journey: Journey; answer: GivenAnswer };

/** The latest answers to the blocks of a template, by block, of the first {@link mostJourneys} journeys. */
async function loadBlockAnswers(
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

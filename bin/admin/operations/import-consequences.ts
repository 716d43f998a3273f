import { type ErrorDetail, Problem } from '../../../lib/domain/problem.ts';
import type { Database } from '../../../lib/store/database.ts';
import type { Applied } from '../../content/apply.ts';
import type { PageChange } from '../../content/changes.ts';
import { loadProgress, type People } from '../store/progress.ts';
import { answerConsequences } from './answer-consequences.ts';
import { type Consequence, counted } from './consequence.ts';

/** What the administrator accepts: that pages get the progress of others, and that a template is a new one. */
export type Accepted = { acceptMoves?: boolean; new?: boolean };

/**
 * What an import does to whom.
 * @throws Problem `conflict` if it would give the progress of people to another page, or make a new template of one that
 * only has another name, and this is not accepted. It names all pages of such a template that need an id, because the
 * next one would be refused as soon as one has its id.
 */
export async function consequencesOf(
  database: Database,
  teamId: string,
  { changes, renamings, answerChanges }: Pick<Applied, 'changes' | 'renamings' | 'answerChanges'>,
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

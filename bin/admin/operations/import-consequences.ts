import { type ErrorDetail, Problem } from '../../../lib/domain/problem.ts';
import type { Database } from '../../../lib/store/database.ts';
import type { PageChange, Renaming } from '../../content/changes.ts';
import { loadProgress, type People } from '../store/progress.ts';

/** What an import does to the people who have a journey. */
export type Consequence = { path: string; template_id: string; page_id: string; people: number; message: string };
/** What the administrator accepts: that pages get the progress of others, and that a template is a new one. */
export type Accepted = { acceptMoves?: boolean; new?: boolean };

/**
 * What an import does to whom.
 * @throws Problem `conflict` if it would give the progress of people to another page, or make a new template of one that
 * only has another name, and this is not accepted
 */
export async function consequencesOf(
  database: Database,
  teamId: string,
  { changes, renamings }: { changes: readonly PageChange[]; renamings: readonly Renaming[] },
  accepted: Accepted,
): Promise<Consequence[]> {
  const consequences: Consequence[] = [];
  const refused: ErrorDetail[] = [];
  for (const [templateId, own] of Map.groupBy(changes, ({ template }) => template.id)) {
    const former = own.filter(({ kind }) => kind !== 'added').map(({ pageId }) => pageId);
    const { journeys, pages } = await loadProgress(database, { teamId, templateId }, former);
    for (const change of own) {
      const concerned = change.kind === 'added' ? journeys : pages.get(change.pageId)!;
      if (concerned.people === 0) continue;
      const { path, pageId: page_id } = change;
      const message = textOf(change, concerned);
      consequences.push({ path, template_id: templateId, page_id, people: concerned.people, message });
      if (change.kind === 'replaced' && !accepted.acceptMoves)
        refused.push({ path, message: `${message} ${ways(change)}` });
    }
  }
  for (const { path, id, name, former } of accepted.new ? [] : renamings) {
    const { journeys } = await loadProgress(database, { teamId, templateId: former.id }, []);
    const is = `is the template "${former.name}" (${former.id}, ${counted(journeys)} with a journey) under another name`;
    const ways = `To rename it, write "id": "${former.id}" into it. To make a new template (${id}) beside it, import with --new`;
    refused.push({ path, message: `"${name}" ${is}. ${ways}` });
  }
  if (refused.length > 0) throw new Problem('conflict', refused);
  return consequences;
}

function textOf({ kind, pageId, title, formerTitle, isAsked }: PageChange, concerned: People): string {
  const people = counted(concerned);
  switch (kind) {
    case 'added':
      return `${title} (${pageId}) is new for ${people} with a journey${isAsked ? ', who are asked to complete it' : ''}.`;
    case 'removed':
      return `${title} (${pageId}) is removed; ${people} viewed or completed it. What they did stays recorded.`;
    case 'replaced':
      return `${title} gets the id (${pageId}) and the progress of ${formerTitle}, which ${people} viewed or completed.`;
  }
}

const ways = ({ pageId, newId }: PageChange) =>
  `If it is the same page, write "id": "${pageId}" into it, or import with --accept-moves. If it is another one, write "id": "${newId}"`;

const counted = ({ people, isAtLeast }: People): string =>
  `${isAtLeast ? 'at least ' : ''}${people} ${people === 1 ? 'person' : 'people'}`;

import { FaultyRecord, type JudgedRecord } from '../../domain/contact-record.ts';
import type { Objective } from '../../domain/objective.ts';
import type { Fault } from '../../domain/problem.ts';
import { loadObjectives, loadOpenTemplates } from '../../store/catalogue.ts';
import type { Database } from '../../store/database.ts';

/** What records name beside contacts: the objectives to complete, and the templates that may be used. */
export type References = { objectives: readonly Objective[]; templates: ReadonlySet<string> };

/** Reads only what the records can need: objectives when there are fields that no contact has, templates when named. */
export async function loadReferences(
  database: Database,
  teamId: string,
  records: readonly JudgedRecord[],
): Promise<References> {
  const named = records.flatMap(({ templateId }) => (templateId === undefined ? [] : [templateId]));
  const mayComplete = records.some(
    (record) => !(record instanceof FaultyRecord) && Object.keys(record.unknown).length > 0,
  );
  const [objectives, templates] = await Promise.all([
    mayComplete ? loadObjectives(database, teamId) : [],
    named.length > 0 ? loadOpenTemplates(database, teamId, named) : new Set<string>(),
  ]);
  return { objectives, templates };
}

/** A journey needs a template that exists and is not archived. */
export function templateFaults({ templateId }: JudgedRecord, { templates }: References): Fault[] {
  const usable = templateId === undefined || templates.has(templateId);
  return usable ? [] : [{ path: '/journey/template_id', message: 'there is no such template, or it is archived' }];
}

import { FaultyRecord, type JudgedRecord } from '../../domain/contact-record.ts';
import { isArchived, type Template } from '../../domain/content/template.ts';
import type { Objective } from '../../domain/objective.ts';
import type { Fault } from '../../domain/problem.ts';
import type { ContentCatalogue } from '../../store/content.ts';

/** What records name beside contacts: the objectives to complete, and the templates that journeys may start from. */
export type References = { objectives: readonly Objective[]; templates: ReadonlyMap<string, Template> };

const nothing: References = { objectives: [], templates: new Map() };

/**
 * Read strongly, for a completion that an old list missed would be lost without a word; and only when the records can
 * need it: a field that no contact has may be an objective's key.
 */
export async function loadReferences(
  content: ContentCatalogue,
  teamId: string,
  records: readonly JudgedRecord[],
): Promise<References> {
  if (!records.some(mayRefer)) return nothing;
  const { objectives, templates } = await content.current(teamId);
  const open = templates.filter((template) => !isArchived(template));
  return { objectives, templates: new Map(open.map((template) => [template.id, template])) };
}

const mayRefer = (record: JudgedRecord): boolean =>
  record.templateId !== undefined || (!(record instanceof FaultyRecord) && Object.keys(record.unknown).length > 0);

/** The template that the record starts a journey from; `undefined` when it asks for none, or for one that is not there. */
export const templateOf = ({ templateId }: JudgedRecord, { templates }: References): Template | undefined =>
  templateId === undefined ? undefined : templates.get(templateId.toLowerCase());

/** A journey needs a template that exists and is not archived. */
export function templateFaults(record: JudgedRecord, references: References): Fault[] {
  if (record.templateId === undefined || templateOf(record, references)) return [];
  return [{ path: record.templatePath, message: 'there is no such template, or it is archived' }];
}

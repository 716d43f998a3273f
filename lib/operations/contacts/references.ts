import { InvalidContact, type ParsedContact } from '../../domain/contact-record.ts';
import { isArchived, type Template } from '../../domain/content/template.ts';
import type { Objective } from '../../domain/objective.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import type { ContentCache } from '../../store/content.ts';

/** What records name beside contacts: the objectives to complete, and the templates that journeys may start from. */
export type References = { objectives: readonly Objective[]; templates: ReadonlyMap<string, Template> };

const nothing: References = { objectives: [], templates: new Map() };

/**
 * Read strongly, for a completion that an old list missed would be lost without a word; and only when the records can
 * need it: a field that no contact has may be an objective's key.
 */
export async function loadReferences(
  content: ContentCache,
  teamId: string,
  records: readonly ParsedContact[],
): Promise<References> {
  if (!records.some(mayRefer)) return nothing;
  const { objectives, templates } = await content.current(teamId);
  const open = templates.filter((template) => !isArchived(template));
  return { objectives, templates: new Map(open.map((template) => [template.id, template])) };
}

const mayRefer = (record: ParsedContact): boolean =>
  record.templateId !== undefined || (!(record instanceof InvalidContact) && Object.keys(record.unknown).length > 0);

/**
 * The template that the record starts a journey from; `undefined` when it asks for none, or for one that is not there.
 */
export const templateOf = ({ templateId }: ParsedContact, { templates }: References): Template | undefined =>
  templateId === undefined ? undefined : templates.get(templateId.toLowerCase());

/** A journey needs a template that exists and is not archived. */
export function templateErrors(record: ParsedContact, references: References): ErrorDetail[] {
  if (record.templateId === undefined || templateOf(record, references)) return [];
  return [{ path: record.templatePath, message: 'there is no such template, or it is archived' }];
}

import { isArchived } from '../../domain/campaigns/shown-template.ts';
import type { Template } from '../../domain/campaigns/template.ts';
import type { Contact } from '../../domain/contacts/contact.ts';
import type { ParsedContact } from '../../domain/contacts/contact-record.ts';
import type { Objective } from '../../domain/contacts/objective.ts';
import type { ErrorDetail } from '../../domain/values/problem.ts';
import type { ContentCache } from '../../store/campaigns/content.ts';

/** Content that contact records can refer to: objectives to complete, and templates to start journeys from. */
export type References = { objectives: readonly Objective[]; templates: ReadonlyMap<string, Template> };

/** A journey for which a contact record asks. */
export type AskedJourney = { contact: Pick<Contact, 'id' | 'inserted_at'>; template: Template };

/** What writes contacts that no client sends. */
export const importer = 'import';

const nothing: References = { objectives: [], templates: new Map() };

/**
 * Reads the current content, because a completion of an objective that is missing in cached content would be lost
 * silently. It is read only if a record can refer to it: a field that contacts do not have may be an objective's key.
 */
export async function loadReferences(
  content: ContentCache,
  teamId: string,
  records: readonly ParsedContact[],
): Promise<References> {
  if (!records.some(mayHaveReferences)) return nothing;
  const { objectives, templates } = await content.current(teamId);
  const open = templates.filter((template) => !isArchived(template));
  return { objectives, templates: new Map(open.map((template) => [template.id, template])) };
}

const mayHaveReferences = ({ templateId, unknown }: ParsedContact): boolean =>
  templateId !== undefined || Object.keys(unknown).length > 0;

/**
 * The template that the record starts a journey from; `undefined` if it names none, or there is no such template.
 */
export const templateOf = ({ templateId }: ParsedContact, { templates }: References): Template | undefined =>
  templateId === undefined ? undefined : templates.get(templateId.toLowerCase());

/** A journey needs a template that exists and is not archived. */
export function templateErrors(record: ParsedContact, references: References): ErrorDetail[] {
  if (record.templateId === undefined || templateOf(record, references)) return [];
  return [{ path: record.templatePath, message: 'must be the id of a template that is not archived' }];
}

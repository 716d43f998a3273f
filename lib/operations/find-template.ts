import type { Template } from '../domain/content/template.ts';
import { notFound } from '../domain/problem.ts';
import type { ContentCatalogue } from '../store/content.ts';

/**
 * One template of the team, for showing. "Reads by id see every acknowledged write": one that the instance has not seen
 * yet is looked for once more in the store.
 * @throws Problem `not_found`
 */
export async function findTemplate(content: ContentCatalogue, teamId: string, id: string): Promise<Template> {
  const named = (template: Template) => template.id === id;
  const template = (await content.load(teamId)).templates.find(named);
  const found = template ?? (await content.current(teamId)).templates.find(named);
  if (!found) throw notFound();
  return found;
}

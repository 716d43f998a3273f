import type { Template } from '../domain/content/template.ts';
import { notFound } from '../domain/problem.ts';
import type { ContentCache } from '../store/content.ts';
import { findInContent } from './find-in-content.ts';

/** One template of the team, for display. @throws Problem `not_found` */
export async function findTemplate(content: ContentCache, teamId: string, id: string): Promise<Template> {
  const found = await findInContent(content, teamId, ({ templates }) => templates.find((each) => each.id === id));
  if (!found) throw notFound();
  return found;
}

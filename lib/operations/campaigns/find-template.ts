import type { Template } from '../../domain/campaigns/template.ts';
import { notFound } from '../../domain/values/problem.ts';
import type { Content, ContentCache } from '../../store/campaigns/content.ts';

/** One template of the team, as the latest import left it. @throws Problem `not_found` */
export async function findTemplate(content: ContentCache, teamId: string, id: string): Promise<Template> {
  const { templates } = await content.current(teamId);
  const found = templates.find((each) => each.id === id);
  if (!found) throw notFound();
  return found;
}

/**
 * Finds something in the team's cached content or, if it is not there, in the current content. It may have been
 * imported a moment ago, and "reads by id see every acknowledged write".
 * @param cached the content, if it was read already
 * @returns `undefined` if neither has it
 */
export async function findInContent<Found>(
  cache: ContentCache,
  teamId: string,
  find: (content: Content) => Found | undefined | Promise<Found | undefined>,
  cached?: Content,
): Promise<Found | undefined> {
  const recent = cached ?? (await cache.load(teamId));
  const found = await find(recent);
  if (found !== undefined) return found;
  const current = await cache.current(teamId);
  return current === recent ? undefined : find(current);
}

import type { Content, ContentCache } from '../store/content.ts';

/**
 * Finds something in the team's content as it was some seconds ago or, where that does not have it, in what is stored
 * now: "reads by id see every acknowledged write", and it may have been imported a moment ago.
 * @param cached the content, where it was read already
 * @returns `undefined` when neither has it
 */
export async function findInContent<Found>(
  cache: ContentCache,
  teamId: string,
  find: (content: Content) => Found | undefined | Promise<Found | undefined>,
  cached?: Content,
): Promise<Found | undefined> {
  const known = cached ?? (await cache.load(teamId));
  const found = await find(known);
  if (found !== undefined) return found;
  const current = await cache.current(teamId);
  return current === known ? undefined : find(current);
}

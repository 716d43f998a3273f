import { isUuid } from '../domain/uuid.ts';
import { routes } from '../routes.ts';

/**
 * Path parameters that the log names. Not among them: a batch's id, which is the caller's own text, and the slugs and
 * references that open a page to whoever has them.
 */
const loggedParams = new Set(['contact_id', 'template_id', 'journey_id', 'channel_id', 'page_id']);

/** The objects that the path of a request names. A value that is no id of ours is the caller's own text. */
export function loggedIds(routeId: string, params: Record<string, string | undefined> = {}): Record<string, string> {
  const named = Object.entries(params).map(([name, value = '']) => [
    name === 'id' ? idName(routeId) : name,
    value.toLowerCase(),
  ]);
  return Object.fromEntries(named.filter(([name, value]) => loggedParams.has(name!) && isUuid(value!)));
}

/** `{id}` of `/v1/contacts/{id}` is a `contact_id`. */
function idName(routeId: string): string {
  const path = routes.find(({ id }) => id === routeId)?.path ?? '';
  return `${/(\w+)s\/\{id\}/.exec(path)?.[1]}_id`;
}

import { isUuid } from '../domain/uuid.ts';
import { routes } from '../routes.ts';

/**
 * Path parameters that are logged. A `batch_id` is not, because it is the caller's own text. Slugs and references are
 * not, because anyone who has one can open the page.
 */
const loggedParams = new Set(['contact_id', 'template_id', 'journey_id', 'channel_id', 'page_id']);

/** The ids of the objects in the path of a request. A value that is not a UUID is the caller's own text: not logged. */
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

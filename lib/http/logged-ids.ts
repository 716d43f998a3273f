import { isUuid } from '../domain/uuid.ts';
import type { Event } from './middleware.ts';

/**
 * Path parameters that are logged. A `batch_id` is not, because it is the caller's own text. Slugs and references are
 * not, because anyone who has one can open the page.
 */
const loggedParams = new Set(['contact_id', 'template_id', 'journey_id', 'channel_id', 'page_id']);

type PathOf = Pick<Event, 'routeKey' | 'pathParameters'>;

/** The ids of the objects in the path of a request. A value that is not a UUID is the caller's own text: not logged. */
export function loggedIds({ routeKey, pathParameters = {} }: PathOf): Record<string, string> {
  const named = Object.entries(pathParameters).map(([name, value = '']) => [
    name === 'id' ? idName(routeKey) : name,
    value.toLowerCase(),
  ]);
  return Object.fromEntries(named.filter(([name, value]) => loggedParams.has(name!) && isUuid(value!)));
}

/** `{id}` of `GET /v1/contacts/{id}` is a `contact_id`. */
const idName = (routeKey: string): string => `${/(\w+)s\/\{id\}/.exec(routeKey)?.[1]}_id`;

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonValue } from '../../../lib/domain/values/json.ts';

/**
 * Campaigns to begin with, in `examples/starters`: drafts, so that an import starts no journey. Their agreements ask for a
 * proof of identity.
 */
export const starters = {
  welcome: 'A greeting, a survey, and a choice of which a no is an answer',
  terms: 'An agreement with a document and a signature, after a proof of identity',
  survey: 'A scale, a choice and a typed text on one page',
  offer: 'An offer with its terms and a decision, after a proof of identity, and a teaser for online banking',
} as const;
export type Starter = keyof typeof starters;

export const isStarter = (name: string): name is Starter => Object.hasOwn(starters, name);

/** The campaign with ids that nothing else has. */
export function starterDocument(name: Starter): JsonValue {
  const text = readFileSync(new URL(`../../../examples/starters/${name}.json`, import.meta.url), 'utf8');
  const ids = new Map<string, string>();
  const own = text.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, (id) => {
    if (!ids.has(id)) ids.set(id, randomUUID());
    return ids.get(id)!;
  });
  return withIds(JSON.parse(own), '');
}

const lists = [
  'engagement_channels',
  'objectives',
  'templates',
  'template_pages',
  'content_containers',
  'content_blocks',
];

/** Adds an id to each object that has one. @param list the name of the list or member that has the value */
function withIds(value: JsonValue, list: string): JsonValue {
  if (Array.isArray(value)) return value.map((each) => withIds(each, list));
  if (!isJsonObject(value)) return value;
  const own = list === 'page' || lists.includes(list) ? { id: value.id ?? randomUUID() } : {};
  const members = Object.entries(value).map(([name, inner]) => [name, name === 'data' ? inner : withIds(inner, name)]);
  return { ...own, ...Object.fromEntries(members) };
}

import type { Kind, PartsOf } from './items.ts';
import * as items from './items.ts';
import type { Key } from './keys.ts';

/** Finds what `items.ts` declares of an item, by its key. It holds all kinds, so only what reads many of them imports it. */

type Items = typeof items;
/** The name of a kind of item. */
export type ItemKind = keyof Items;
type Declared = Items[ItemKind];
export const itemKinds: Readonly<Record<ItemKind, Kind>> = items;
const allKinds: readonly Declared[] = Object.values(items);

/** The kinds of which functions can be granted this. */
export type GrantedKind<Access extends Kind['functions']> = {
  [Name in ItemKind]: Items[Name]['functions'] extends Access ? Name : never;
}[ItemKind];
/** Matches the partition keys of the kind: `*` stands for any text. */
export const partitionPattern = (name: ItemKind): string => itemKinds[name].pk.replaceAll(/<\w+>/g, '*');

/** The last part of a key can contain `#`: a client can choose it, and ids can have several parts. */
const matcher = (pattern: string) =>
  new RegExp(`^${pattern.replace(/<(\w+)>$/, '(?<$1>.+)').replaceAll(/(?<!\?)<(\w+)>/g, '(?<$1>[^#]+)')}$`, 's');
/** A key can match several patterns: the one with most fixed text comes first. */
const byFixedText = (a: string, b: string) => lengthOf(b) - lengthOf(a);
const lengthOf = (pattern: string) => pattern.replaceAll(/<\w+>/g, '').length;

/** The partitions, and of each the kinds in it. */
const partitions = [...Map.groupBy(allKinds, ({ pk }) => pk)]
  .sort(([a], [b]) => byFixedText(a, b))
  .map(([pk, kinds]) => ({
    partition: matcher(pk),
    kinds: kinds.sort((a, b) => byFixedText(a.sk, b.sk)).map((kind) => ({ kind, sortKey: matcher(kind.sk) })),
  }));

/** The kind of the item with this key, and the variable parts of the key; `undefined` if no kind has such keys. */
export function kindOf({ pk, sk }: Key): { kind: Declared; parts: Partial<Record<string, string>> } | undefined {
  for (const { partition, kinds } of partitions) {
    const outer = partition.exec(pk);
    if (!outer) continue;
    for (const { kind, sortKey } of kinds) {
      const inner = sortKey.exec(sk);
      if (inner) return { kind, parts: { ...outer.groups, ...inner.groups } };
    }
  }
  return undefined;
}

/** The names of the items that an export of a team contains. */
export type TeamItemKind = Exclude<Declared['exported'], false>;
export const teamItemKind = (teamId: string, key: Key): TeamItemKind | undefined =>
  kindInTeam(teamId, key)?.exported || undefined;

export const isKeptByReset = (teamId: string, key: Key): boolean => kindInTeam(teamId, key)?.reset === 'kept';

function kindInTeam(teamId: string, key: Key): Declared | undefined {
  const { kind, parts } = kindOf(key) ?? {};
  return parts?.team === teamId ? kind : undefined;
}

type InContact = Extract<Declared, { pk: Items['contact']['pk'] }>;
/** The names of the items in a contact's partition. */
export type ContactItemKind = Exclude<InContact['exported'], false>;

export function contactItemKind(key: Key): ContactItemKind | undefined {
  const kind = kindOf(key)?.kind;
  return kind?.pk === items.contact.pk ? kind.exported : undefined;
}

/** What an erasure does with the items of this name. */
export const erasureOfKind = (name: ContactItemKind): Kind['erased'] =>
  allKinds.find(({ exported }) => exported === name)!.erased;

/** The parts of keys that are ids, and how others call them. */
const ids = {
  team: 'teamId',
  contact: 'contactId',
  template: 'templateId',
  account: 'accountId',
  number: 'accountNumber',
  batch: 'batchId',
  file: 'fileId',
} as const;
type Ids<Of extends Declared> = Record<
  (typeof ids)[keyof typeof ids & PartsOf<`${Of['pk']}${Of['sk']}`>[number]],
  string
>;

/** A kind of item whose changes matter to others, and the ids in its key. */
export type ItemPlace = {
  [Name in ItemKind]: Items[Name] extends { published: infer Published extends string; pk: `T#${string}` }
    ? { kind: Published } & Ids<Items[Name]>
    : never;
}[ItemKind];

export function placeOf(key: Key): ItemPlace | undefined {
  const { kind, parts } = kindOf(key) ?? {};
  if (!kind?.published || parts?.team === undefined) return undefined;
  const named = Object.entries(ids).flatMap(([part, id]) => (parts[part] === undefined ? [] : [[id, parts[part]]]));
  return { kind: kind.published, ...Object.fromEntries(named) };
}

const published = [
  ...new Set(allKinds.filter((kind) => kind.published !== false).map(({ sk }) => sk.replace(/<.*/s, '<'))),
].sort();
/**
 * A filter pattern of Lambda for the sort keys of the items whose changes are published. All other items are left out, so
 * the publisher, which writes the log of events, does not invoke itself.
 */
export const publishedSortKeys: readonly (string | { prefix: string })[] = [
  ...published.filter((sk) => !sk.endsWith('<')),
  ...published.filter((sk) => sk.endsWith('<')).map((sk) => ({ prefix: sk.slice(0, -1) })),
];

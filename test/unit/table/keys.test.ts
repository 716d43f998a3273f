import { describe, expect, test } from 'vitest';
import { passesFilter } from '../../../bin/local/stream/records.ts';
import * as ids from '../../../lib/store/table/ids.ts';
import {
  type ItemKind,
  isKeptByReset,
  itemKinds,
  kindOf,
  type TeamItemKind,
  teamItemKind,
} from '../../../lib/store/table/item-kinds.ts';
import * as keys from '../../../lib/store/table/keys.ts';
import { storedKeys, team } from '../../support/engine/stored-keys.ts';

const T = `T#${team}`;
const at = '2026-03-01T00:00:00.000000Z';
const unique = '705dca60-ab04-55fc-b6cd-9cccc16863d7';

test.each(storedKeys)('%s makes the keys of stored items', (_, key, pk, sk) => {
  expect(key).toEqual({ pk, sk });
});

test('the key of a claim has its name, and global content has a team of its own', () => {
  expect(keys.claimKey(team, 'b', 'x')).toEqual({ pk: `${T}#B#b`, sk: 'x' });
  expect(keys.contentKey(keys.globalTeam)).toEqual({ pk: 'T#GLOBAL', sk: 'CONTENT' });
});

test('the entries of the indexes have these keys', () => {
  const directory = (sk: string, name: string) => ({ directory_pk: `${T}#${name}`, directory_sk: sk });
  expect(keys.batchListKey(team, 'b#1', at)).toEqual(directory(`${at}#b#1`, 'BATCHES'));
  expect(keys.batchIdOfListKey(`${at}#b#1`)).toBe('b#1');
  expect(keys.dropListKey(team, 'f', at)).toEqual(directory(`${at}#f`, 'FILES'));
  expect(keys.fileIdOfDropListKey(`${at}#f#1`)).toBe('f#1');
  const journey = { id: 'j', contact_id: '05c-x', contactId: '05c-x', template_id: 't', templateId: 't' };
  expect(keys.journeyListKey(team, journey, at)).toEqual(directory(`${at}#j`, 'Y#t#1'));
  expect(keys.responseListKey(team, journey, { at, id: 'r' })).toEqual(directory(`${at}#r`, 'Z#t#1'));
  const shards = ['00', '01', '02', '03', '04', 'fd'].map((start) => keys.directoryKey(team, `${start}c-x`, at));
  const partitions = [0, 1, 2, 3, 0, 1].map((shard) => `${T}#D#${shard}`);
  expect(shards.map(({ directory_pk }) => directory_pk)).toEqual(partitions);
  expect(shards[0]!.directory_sk).toBe(`${at}#00c-x`);
  expect(keys.contactIdOfDirectoryKey(`${at}#00c-x`)).toBe('00c-x');
  expect(keys.insertedAtOfDirectoryKey(`${at}#00c-x`)).toBe(at);
  expect(keys.directoryEndOf(at) > keys.directoryPositionOf(at, '~')).toBe(true);
  expect(keys.directoryEndOf(at) < keys.directoryPositionOf('2026-03-01T00:00:00.000001Z', '0')).toBe(true);
  expect(keys.lookupPartition(team, 'email', 'x')).toBe(`${T}#L#ba960207-e13f-5541-bbf4-41701fbb1093`);
  expect(keys.lookupAttribute(3)).toBe('lookup_3');
});

test('ids are derived from what they identify', () => {
  expect({
    contact: ids.derivedContactId(team, 'u'),
    account: ids.derivedAccountId(team, 'u'),
    content: ids.derivedContentId(team, 'u'),
    global: ids.derivedContentId(keys.globalTeam, 'u'),
    product: ids.derivedProductId(team, 'u'),
    file: ids.derivedFileId('k', 'v'),
    image: ids.derivedTeamFileId(team, 'd'),
    service: ids.derivedServiceId(team, 'c', 'n'),
    uniqueId: keys.uniqueIdDigest(team, 'u'),
  }).toEqual({
    contact: 'd193f5fa-aa97-5763-a391-37ed37220e64',
    account: '011499bb-9646-5ebd-ac0c-269f796179a5',
    content: 'b7196437-81d5-5a7e-8d26-27422633c4b8',
    global: 'd3df1a6b-ad40-5790-96b6-a8083f63a986',
    product: 'ee8b5bcb-fcc3-57f6-a1a3-3844a32f1b64',
    file: 'f6f730ae-197d-533e-864a-0b5ac3c67e06',
    image: 'a7d7b693-f361-5434-b1ae-e0a3443273e4',
    service: 'ce1d3db1-c3b1-523e-a810-37168d75a399',
    uniqueId: unique,
  });
});

describe('a key is read back', () => {
  test('from the items of a contact', () => {
    const link = keys.linkKey(team, 'c', '1#2');
    expect([keys.isLinkKey(link), keys.accountNumberOfLink(link)]).toEqual([true, '1#2']);
    expect(keys.isLinkKey(keys.contactKey(team, 'c'))).toBe(false);
    expect(keys.contactIdOfPartition(link.pk)).toBe('c');
    expect(keys.accountNumberOfPartition(keys.accountKey(team, '1#A#2'))).toBe('1#A#2');
    expect(keys.clientIdOfEntry(keys.teamClientKey(team, 'c'))).toBe('c');
    expect(keys.isBatchKey(keys.batchKey(team, 'b'))).toBe(true);
    expect(keys.isBatchKey(keys.chunkKey(team, 'b', 0))).toBe(false);
  });

  test.each([
    [keys.journeyKey(team, 'c', 't'), { templateId: 't' }],
    [keys.journeyActionKey(team, 'c', 't', { kind: 'k', page_id: 'p' }), { templateId: 't', kind: 'k', pageId: 'p' }],
    [
      { pk: '', sk: 'JOURNEY#t#answered#p#r' },
      { templateId: 't', kind: 'answered', pageId: 'p', id: 'r' },
    ],
    [{ pk: '', sk: 'JOURNEY#t#k' }, { templateId: 't' }],
    [keys.journeyKey(team, 'c', 't', 'a'), { templateId: 't', accountId: 'a' }],
    [
      keys.journeyActionKey(team, 'c', 't', { kind: 'k', page_id: 'p' }, 'a'),
      { templateId: 't', accountId: 'a', kind: 'k', pageId: 'p' },
    ],
  ])('from the items of a journey %#', (key, parts) => {
    expect(keys.partsOfJourneyKey(key)).toStrictEqual(parts);
  });
});

const items: [kind: ItemKind, exported: TeamItemKind | undefined, isKept: boolean][] = [
  ['contact', 'contacts', false],
  ['link', 'links', false],
  ['journey', 'journeys', false],
  ['action', 'actions', false],
  ['accountJourney', 'journeys', false],
  ['accountAction', 'actions', false],
  ['response', 'responses', false],
  ['identityAttempts', 'identity_attempts', false],
  ['account', 'accounts', false],
  ['product', 'products', true],
  ['teamClient', 'clients', true],
  ['content', 'content', true],
  ['team', 'team', true],
  ['orderCounter', undefined, true],
  ['teamFile', undefined, false],
  ['importState', undefined, true],
  ['openChunk', undefined, false],
  ['contentPart', undefined, true],
  ['identity', undefined, false],
  ['payload', undefined, false],
  ['dropFile', undefined, false],
  ['importedVersion', undefined, false],
  ['eventHead', undefined, true],
  ['eventPack', undefined, true],
  ['changedWork', undefined, false],
  ['webhook', undefined, false],
];
const keyOf = (kind: ItemKind) => storedKeys.find(([name]) => name === kind)![1];

test.each(items)('the item %s is exported as %s, and is kept by a reset: %s', (kind, exported, isKept) => {
  expect(teamItemKind(team, keyOf(kind))).toBe(exported);
  expect(isKeptByReset(team, keyOf(kind))).toBe(isKept);
});

test('an item of another team is not exported', () => {
  for (const [, { pk, sk }] of storedKeys) {
    expect(teamItemKind(team, { pk: pk.replace(team, 'other'), sk })).toBeUndefined();
  }
});

test.each(storedKeys)('a key of %s is read as one of this kind', (kind, key) => {
  expect(kindOf(key)?.kind).toBe(itemKinds[kind]);
});

test.each([
  ['an account number', keys.accountKey(team, '1#A#2'), 'account'],
  ['an account number of a link', keys.linkKey(team, 'c', '1#2'), 'link'],
  ['a batch', keys.chunkKey(team, 'b#Q', 7), 'chunk'],
  ['an upload', keys.uploadChunkKey(team, 'b#Q', `${at}#u`, 7), 'uploadChunk'],
  ['a code', keys.productKey(team, 'P#1'), 'product'],
  ['an entry', keys.auditKey(team, at, 'act#begun'), 'audit'],
  ['a group', keys.erasedCountersKey(team, 't', 0, 'page/p#1'), 'erasedGroup'],
] as const)('%s can contain what separates the parts of a key', (_, key, kind) => {
  expect(kindOf(key)?.kind).toBe(itemKinds[kind]);
});

test('a key of no kind is nothing', () => {
  for (const sk of ['UNKNOWN#1', 'contact', 'JOURNEY']) expect(kindOf({ pk: `${T}#C#c`, sk })).toBeUndefined();
  expect(kindOf({ pk: `${T}#UNKNOWN#c`, sk: 'CONTACT' })).toBeUndefined();
});

test('all that is in the partition of a contact is exported and erased', () => {
  const inContact = Object.values(itemKinds).filter(({ pk }) => pk === itemKinds.contact.pk);
  expect(inContact.filter(({ of, erased, exported }) => of !== 'contact' || !exported || erased === 'kept')).toEqual(
    [],
  );
});

test('the stream is filtered to what is published', () => {
  for (const [kind, { sk }] of storedKeys)
    expect([kind, passesFilter(sk)]).toEqual([kind, itemKinds[kind].published !== false]);
});

test('the items that a page needs are between the first link and the attempts', () => {
  const isIn = ({ from, to }: { from: string; to: string }, { sk }: keys.Key) => from <= sk && sk <= to;
  const kinds = items.slice(0, 6).map(([kind, name]) => [keyOf(kind), name] as const);
  const within = (range: { from: string; to: string }) =>
    kinds.filter(([key]) => isIn(range, key)).map(([, kind]) => kind);
  expect(within(keys.contactAggregate)).toEqual(kinds.map(([, kind]) => kind).filter((kind) => kind !== 'responses'));
  expect(within(keys.linksAndContact)).toEqual(['contacts', 'links']);
  const isWork = (key: keys.Key) => isIn(keys.stateAndOpenChunks, key);
  expect(isWork(keys.importStateKey(team)) && isWork(keys.chunkListKey(team, 'OPEN', 999_999_999_999))).toBe(true);
  expect(isWork(keys.chunkListKey(team, 'FAILED', 1))).toBe(false);
});

import { expect, test, vi } from 'vitest';
import { FolderDropBox } from '../../../bin/admin/store/drop-box/drop-box-files.ts';
import { FolderErasureList } from '../../../bin/admin/store/erasure/erasure-list.ts';
import {
  asFunction,
  restricted,
  restrictedDropBox,
  restrictedErasureList,
  restrictedFiles,
  restrictedImages,
} from '../../../bin/local/functions/permissions.ts';
import type { backgroundFunctions } from '../../../lib/background.ts';
import type { RouteId } from '../../../lib/routes.ts';
import type { ImageStore } from '../../../lib/store/campaigns/images.ts';
import type { QueryInput, Write } from '../../../lib/store/table/database.ts';
import {
  accountKey,
  auditKey,
  batchListPartition,
  chunkKey,
  chunkListKey,
  clientKey,
  contactKey,
  contactPartition,
  directoryPartition,
  erasureRequestKey,
  importPartition,
  importStateKey,
  type Key,
  lookupPartition,
  orderCounterKey,
  pendingContentKey,
  signingKeysPartition,
  teamKey,
  teamsKey,
  teamsPartition,
} from '../../../lib/store/table/keys.ts';
import { ModelObjects } from '../../support/drop-box.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';

const team = '6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a10';
const contact = contactKey(team, 'contact');
const claim = chunkKey(team, 'batch', 0);
const open = chunkListKey(team, 'OPEN', 1);
const failed = chunkListKey(team, 'FAILED', 1);
const entry = auditKey(team, '2026-03-01T12:00:00.000000Z', 'entry');
const update = (key: Key): Write => ({ kind: 'update', key, set: {}, expect: {} });

const noImages: ImageStore = { read: async () => undefined, write: async () => {}, remove: async () => {} };
const database = restricted(new ModelDatabase());
const files = restrictedFiles(new ModelObjects());
const images = restrictedImages(noImages);
const dropBox = restrictedDropBox(new FolderDropBox('none'));
const erasures = restrictedErasureList(new FolderErasureList('none'));
const first = (all: AsyncIterable<unknown>) => all[Symbol.asyncIterator]().next();

type Access = () => Promise<unknown>;
const get = (key: Key) => () => database.get([key]);
const query = (input: QueryInput) => () => database.query(input);
const insert = (key: Key) => () => database.write([{ kind: 'insert', item: key }]);
const transact =
  (...writes: Write[]) =>
  () =>
    database.transact(writes);
const put = (key: Key): Write => ({ kind: 'insert', item: key });
const remove = (key: Key): Write => ({ kind: 'delete', key, expect: {} });
const readFile = (key: string) => () => files.read(key, '1', 0);
const writeFile = (key: string) => () => files.write(key, '');
const join = (key: string, part: string) => () => files.join(key, '', [part], 0);

type FunctionId = RouteId | 'no-route' | (typeof backgroundFunctions)[number]['id'];
const cases: [FunctionId, string, Access, 'granted' | 'refused'][] = [
  ['get-contact', 'read the contact', get(contact), 'granted'],
  ['get-contact', 'read the client', get(clientKey('client')), 'granted'],
  ['get-contact', 'read the list of teams', get(teamsKey(team)), 'refused'],
  ['get-contact', 'query the signing keys', query({ pk: signingKeysPartition }), 'granted'],
  ['get-contact', 'query a team', query({ pk: contactPartition(team, 'contact') }), 'refused'],
  ['get-contact', 'write a contact', insert(contact), 'refused'],
  ['list-contact-accounts', 'query a team', query({ pk: contactPartition(team, 'contact') }), 'granted'],
  [
    'list-contact-accounts',
    'query the directory',
    query({ pk: directoryPartition(team, 0), index: 'directory' }),
    'refused',
  ],
  ['upsert-contacts', 'write a contact', insert(contact), 'granted'],
  [
    'list-contacts',
    'query a lookup index',
    query({ pk: lookupPartition(team, 'email', 'a'), index: 'lookup_1' }),
    'refused',
  ],
  ['upsert-contacts', 'write a client', insert(clientKey('client')), 'refused'],
  ['upsert-contacts', 'delete a contact', transact(remove(contact)), 'refused'],
  ['create-batch', 'accept a chunk', transact(put(orderCounterKey(team)), put(claim), put(open)), 'granted'],
  ['create-batch', 'put a failed chunk back', transact(remove(failed), put(open)), 'granted'],
  ['create-batch', 'take a claim back', transact(remove(claim)), 'refused'],
  ['create-batch', 'delete an account', transact(remove(accountKey(team, '1'))), 'refused'],
  ['create-batch', "query a team's chunks", query({ pk: importPartition(team) }), 'refused'],
  ['get-batch', "list a team's batches", query({ pk: batchListPartition(team), index: 'directory' }), 'refused'],
  ['import-worker', 'take a chunk off both lists', transact(remove(open), remove(failed)), 'granted'],
  ['import-worker', 'take a claim back', transact(remove(claim)), 'refused'],
  ['import-worker', 'end the wait of a revision', transact(remove(pendingContentKey(team))), 'granted'],
  ['sweeper', 'list the teams', query({ pk: teamsPartition }), 'granted'],
  ['sweeper', "query a team's chunks", query({ pk: importPartition(team) }), 'granted'],
  ['sweeper', 'read a claim', get(claim), 'granted'],
  ['sweeper', "change a team's imports", transact(update(importStateKey(team))), 'granted'],
  ['sweeper', 'take a chunk off the list', transact(remove(open)), 'granted'],
  ['sweeper', 'begin a chunk that may be cancelled', transact({ kind: 'check', key: open, expect: {} }), 'granted'],
  ['sweeper', 'take a claim back', transact(remove(claim)), 'refused'],
  ['sweeper', 'write a client', insert(clientKey('client')), 'refused'],
  ['create-token', 'append to the audit log', insert(entry), 'granted'],
  ['create-token', 'replace an entry of the audit log', transact(put(entry)), 'refused'],
  ['create-token', 'change an entry of the audit log', transact(update(entry)), 'refused'],
  ['create-token', 'delete an entry of the audit log', transact(remove(entry)), 'refused'],
  ['create-token', 'read the audit log', query({ pk: entry.pk }), 'refused'],
  ['import-worker', 'append to the audit log', insert(entry), 'granted'],
  ['sweeper', 'append to the audit log', insert(entry), 'refused'],
  ['erase-contact', 'store a request', insert(erasureRequestKey(team, 'contact')), 'granted'],
  ['erase-contact', 'write the contact', insert(contact), 'refused'],
  ['erase-contact', 'delete the contact', transact(remove(contact)), 'refused'],
  ['erasure-worker', 'delete a contact', transact(remove(contact)), 'granted'],
  ['erasure-worker', 'delete an entry of the audit log', transact(remove(entry)), 'refused'],
  ['erasure-worker', 'delete a team', transact(remove(teamKey(team))), 'refused'],
  ['erasure-worker', 'delete a file', () => dropBox.remove('a', '1'), 'granted'],
  ['erasure-worker', 'read the list of erasures', () => first(erasures.entries()), 'refused'],
  ['drop-box-reader', 'delete a file', () => dropBox.remove('a', '1'), 'refused'],
  ['drop-box-reader', 'list files', () => first(dropBox.list('a')), 'refused'],
  ['no-route', 'read anything', get(contact), 'refused'],
  ['drop-box-reader', 'read a file of accounts', readFile(`${team}/accounts/a.csv`), 'granted'],
  ['drop-box-reader', 'read a file beside', readFile(`${team}/other/a.csv`), 'refused'],
  ['drop-box-reader', 'write a file of accounts', writeFile(`${team}/accounts/a.csv`), 'refused'],
  ['drop-box-reader', 'write a report', writeFile('anything.report.json'), 'granted'],
  ['drop-box-reader', 'write what is only called like one', writeFile('anything.report-json'), 'refused'],
  ['drop-box-reader', 'join what it kept', join('a.rejected.csv', 'work/1'), 'granted'],
  ['drop-box-reader', 'join something else', join('a.rejected.csv', 'a.rejected.csv'), 'refused'],
  ['drop-box-notice', 'read a file of accounts', readFile(`${team}/accounts/a.csv`), 'refused'],
  ['create-batch', 'write a report', writeFile('anything.report.json'), 'refused'],
  ['get-file', 'read an image', () => images.read('1'), 'granted'],
  ['get-file', 'write an image', () => images.write('1', Buffer.from(''), 'image/png'), 'refused'],
  ['get-file', 'delete an image', () => images.remove('1'), 'refused'],
  ['show-journey', 'read an image', () => images.read('1'), 'refused'],
  ['drop-box-reader', 'read an image', () => images.read('1'), 'refused'],
];

test.each(cases)('%s asks to %s', async (id, _, access, answer) => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  const asked = asFunction(id, access);
  if (answer === 'granted') await asked;
  else await expect(asked).rejects.toMatchObject({ name: 'AccessDeniedException' });
  expect(said).toHaveBeenCalledTimes(answer === 'granted' ? 0 : 1);
  said.mockRestore();
});

test('nothing is kept from what is no function', async () => {
  expect(await database.transact([put(contactKey(team, 'other')), put(teamsKey(team))])).toBe(true);
});

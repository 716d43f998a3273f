import { describe, expect, test, vi } from 'vitest';
import { Problem } from '../../../lib/domain/values/problem.ts';
import { type FileChunk, openFile } from '../../../lib/files/file.ts';
import { sendChunk, validRows } from '../../../lib/operations/drop-box/send.ts';
import type { DropService } from '../../../lib/operations/service.ts';
import { loadByUniqueId } from '../../../lib/store/contacts/contacts.ts';
import { loadBatch } from '../../../lib/store/imports/claims.ts';
import { bound, StoreUnavailable } from '../../../lib/store/table/database.ts';
import { digestOf } from '../../../lib/store/table/digest.ts';
import { batchKey } from '../../../lib/store/table/keys.ts';
import { DropWorld } from '../../support/drop-box.ts';
import { postBatch } from '../../support/operations/import-operations.ts';
import { serviceOn, upsertBatch } from '../../support/operations/operations.ts';
import { csv, row, rows } from '../../support/samples/account-files.ts';

async function open(path: string, content: string) {
  const world = await DropWorld.open();
  const drop = await world.opened(path, content);
  const bytes = await world.objects.read(drop.state.key, '1', 0);
  const { chunks } = await openFile(bytes!, { kind: drop.kind, name: path });
  const read: FileChunk[] = [];
  for await (const chunk of chunks) read.push(chunk);
  const send = (at = 0, dependencies = world.dependencies()) => sendChunk(dependencies, drop, read[at]!);
  const batch = () => loadBatch(world.database, world.teamId, drop.batchId);
  return { world, drop, read, send, batch };
}

describe('a chunk of accounts', () => {
  test('is accepted as a chunk of the batch, without its invalid rows', async () => {
    const { read, send, batch } = await open('accounts/a.csv', csv(row(1), 'junk', row(2)));
    expect(validRows(read[0]!).map(({ line }) => line)).toEqual([2, 4]);
    const [, junk] = read[0]!.rows;
    expect(await send()).toEqual({
      rejected: [{ row: junk, errors: junk!.errors }],
      accepted: 2,
      created: 0,
      existing: 0,
    });
    expect(await batch()).toMatchObject({ chunks: [{ index: 0, records: 2 }], head: { chunk_count: 1 } });
  });

  test('has the digest of its records, and needs the attributes of its batch only as the last one', async () => {
    const { world, drop, read, send, batch } = await open(
      'accounts/a.csv',
      csv(...Array(499).fill('junk'), row(1), row(2)),
    );
    const get = vi.spyOn(world.database, 'get');
    const key = expect.arrayContaining([batchKey(world.teamId, drop.batchId)]);
    await send(0);
    expect(get).not.toHaveBeenCalledWith(key);
    await send(1);
    expect(get).toHaveBeenCalledWith(key);
    const digests = read.map((chunk) => digestOf(validRows(chunk).map(({ record }) => record)));
    expect((await batch()).chunks.map(({ digest }) => digest)).toEqual(digests);
  });

  test('is a duplicate when it is sent again', async () => {
    const { send, batch } = await open('accounts/a.csv', csv(row(1)));
    expect(await send()).toEqual(await send());
    expect((await batch()).chunks).toHaveLength(1);
  });

  test.each([
    ['other rows', { chunk_index: 0, records: [{ account_number: 'x', product: { code: 'P', type: 'loan' } }] }],
    [
      'another number of chunks',
      { chunk_index: 7, chunk_count: 9, records: [{ account_number: 'x', contact: { unique_id: 'c' } }] },
    ],
  ])('ends the file if its batch has %s', async (_, sent) => {
    const { world, drop } = await open('accounts/a.csv', csv(row(1)));
    const file = { key: drop.state.key, version: '1' };
    await postBatch(world.dependencies(), world.teamId, { batch_id: drop.batchId, ...sent });
    expect(await world.finish(file)).toBeLessThan(5);
    const reason = `Lines 2 to 2 were not accepted: ${drop.batchId} has other records in their place.`;
    expect(world.report(file)).toMatchObject({ status: 'refused', reason, rows: { accepted: 0 } });
  });

  test('announces the number of chunks only as the last one', async () => {
    const { send, batch } = await open('accounts/a.csv', csv(...rows(501)));
    await send(0);
    expect((await batch()).head).toEqual({});
    await send(1);
    expect((await batch()).head).toEqual({ chunk_count: 2 });
  });

  test('does not announce it if an earlier chunk was not sent', async () => {
    const { drop, send, batch } = await open('accounts/a.csv', csv(...Array(500).fill('junk'), row(1)));
    expect(await send(0)).toMatchObject({ accepted: 0, created: 0, existing: 0 });
    expect(await batch()).toMatchObject({ chunks: [], head: {} });
    drop.state.hasUnsentChunk = true;
    await send(1);
    const { chunks, head } = await batch();
    expect([chunks.map(({ index }) => index), head]).toEqual([[1], {}]);
  });
});

describe('a chunk of contacts', () => {
  test('is upserted, without its invalid rows', async () => {
    const { world, send } = await open('contacts/c.csv', 'unique_id,birthdate\na,\nb,never\nc,\n');
    const sent = await send();
    expect(sent).toMatchObject({ rejected: [{ row: { line: 3 } }], accepted: 2, created: 2, existing: 0 });
    expect(await send()).toEqual({ ...sent, created: 0, existing: 2 });
    const found = await loadByUniqueId(world.database, world.teamId, ['a', 'b', 'c']);
    expect([...found.values()].map(({ stored }) => stored !== undefined)).toEqual([true, false, true]);
  });

  const unknown = crypto.randomUUID();
  const ndjson = (...lines: object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const wrong = { journey: { template_id: unknown } };

  test('is upserted without the rows that only the team knows to be wrong, which are named in their order', async () => {
    const lines = ndjson({ unique_id: 'a', ...wrong }, { unique_id: 'b' }, { unique_id: 'c', email: 7 });
    const { read, send } = await open('contacts/c.ndjson', lines);
    const { rejected, ...counts } = await send();
    expect(counts).toEqual({ accepted: 1, created: 1, existing: 0 });
    expect(rejected.map(({ row: { line } }) => line)).toEqual([1, 3]);
    expect(rejected[0]).toEqual({
      row: read[0]!.rows[0],
      errors: [{ column: 'journey.template_id', reason: expect.stringContaining('template') }],
    });
    expect(rejected[1]!.errors).toEqual([{ column: 'email', reason: 'must be a string' }]);
  });

  test('of which no row is right sends nothing', async () => {
    const { world, send } = await open('contacts/c.ndjson', ndjson({ unique_id: 'a', ...wrong }));
    const before = world.database.items.size;
    const { rejected, ...counts } = await send();
    expect(counts).toEqual({ accepted: 0, created: 0, existing: 0 });
    expect(rejected).toHaveLength(1);
    expect(world.database.items.size).toBe(before);
  });

  /** Sends the only chunk of the file while reads of the table end with this error. */
  async function sentWith(error: Error, lines: string) {
    const { world, send } = await open('contacts/c.csv', lines);
    const dependencies = world.dependencies();
    const database = { ...bound(world.database), get: () => Promise.reject(error) };
    const contacts = serviceOn(database, { pause: async () => {} });
    const upsertContacts: DropService['upsertContacts'] = (team, records) => upsertBatch(contacts, team, records);
    return send(0, { ...dependencies, upsertContacts });
  }
  const problem = (...paths: string[]) =>
    new Problem(
      'validation_failed',
      paths.map((path) => ({ path, message: `wrong ${path.at(-1)}` })),
    );

  test('has each error of a row, and the rows in their order, also if all are wrong', async () => {
    const error = problem('/contacts/0/x', '/contacts/1/y', '/contacts/0/z');
    const { rejected, ...counts } = await sentWith(error, 'unique_id,birthdate\na,\nb,never\nc,\n');
    expect(counts).toEqual({ accepted: 0, created: 0, existing: 0 });
    expect(rejected.map(({ row, errors }) => [row.line, errors.map(({ column }) => column)])).toEqual([
      [2, ['x', 'z']],
      [3, ['birthdate']],
      [4, ['y']],
    ]);
  });

  test.each([
    ['the table is not available', new StoreUnavailable('away')],
    ['another problem names a row', new Problem('conflict', [{ path: '/contacts/0/unique_id', message: 'x' }])],
    ['the problem names no row', problem('/contacts')],
    ['the problem names a row that was not sent', problem('/contacts/1')],
    ['the problem has no details', new Problem('validation_failed')],
    ['the error only looks like a problem', Object.assign(new Error('x'), { ...problem('/contacts/0') })],
  ])('is not sent if %s', async (_, error) => {
    await expect(sentWith(error, 'unique_id\na\n')).rejects.toBe(error);
  });
});

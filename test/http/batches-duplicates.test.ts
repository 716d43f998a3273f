import { beforeEach, describe, expect, test } from 'vitest';
import { failNextChunk, importDependencies, postBatch } from '../support/import-operations.ts';
import { Bank } from '../support/imports.ts';
import { service } from '../support/service.ts';

const api = await service();
let bank: Bank;
beforeEach(async () => {
  bank = await Bank.open(api);
});

const pair = { batch_id: 'b', chunk_index: 0 };
const record = (account_number: string, fields: object = {}) => ({
  account_number,
  product: { code: 'CHK', type: 'checking' },
  ...fields,
});
const first = [record('1', { contact: { unique_id: 'c', role: 'joint' }, balance: 1 }), record('2')];

describe('a repeat of an accepted pair', () => {
  test.each<[string, object, boolean]>([
    ['the same records', { records: first }, true],
    ['other records', { records: [record('3')] }, false],
    ['records that break a rule', { records: [record('1', { balance: 'much' }), 7] }, false],
    ['records that are no array', { records: 'none' }, false],
    ['no records', {}, false],
    ['an empty array of records', { records: [] }, false],
    ['more records than a chunk takes', { records: Array.from({ length: 501 }, (_, n) => record(`${n}`)) }, false],
    ['another type', { type: 'contacts', records: first }, true],
    ['no type', { type: undefined, records: first }, true],
    ['a chunk_count', { records: first, chunk_count: 7 }, true],
    ['a chunk_count that is none', { records: first, chunk_count: 'x' }, true],
  ])('is a duplicate, whatever it holds: %s', async (_, repeat, same_records) => {
    const accepted = await bank.post({ ...pair, records: first });
    expect(accepted.body).toMatchObject({ duplicate: false, records: 2 });
    const { status, body } = await bank.post({ ...pair, ...repeat });
    expect(status).toBe(202);
    expect(body).toEqual({ ...accepted.body, duplicate: true, same_records });
    expect(await bank.settled('b')).toMatchObject({
      chunks: { accepted: 1, completed: 1 },
      records: { accepted: 2, applied: 2 },
    });
    expect((await bank.status('b')).body.chunks).not.toHaveProperty('expected');
  });

  test.each<[string, string, boolean]>([
    [
      'the keys in another order',
      '[{"product":{"type":"checking","code":"CHK"},"balance":1,"contact":{"role":"joint","unique_id":"c"},"account_number":"1"},{"product":{"type":"checking","code":"CHK"},"account_number":"2"}]',
      true,
    ],
    ['a number written otherwise', JSON.stringify(first).replace('"balance":1', '"balance":1.0'), true],
    ['another number', JSON.stringify(first).replace('"balance":1', '"balance":10'), false],
    ['a number as a text', JSON.stringify(first).replace('"balance":1', '"balance":"1"'), false],
    ['the records in another order', JSON.stringify(first.toReversed()), false],
    ['one record more', JSON.stringify([...first, record('3')]), false],
    ['an unknown field more', JSON.stringify([first[0], { ...first[1], note: null }]), false],
  ])('says whether its records are the same values in the same order: %s', async (_, records, same_records) => {
    await bank.post({ ...pair, records: first });
    const { body } = await bank.send(`{"type":"account","batch_id":"b","chunk_index":0,"records":${records}}`);
    expect(body).toMatchObject({ duplicate: true, same_records });
  });

  test('says so of the last acceptance only, and a request without chunk_index is never one', async () => {
    await bank.post({ ...pair, records: first });
    const upload = { batch_id: 'b', records: first };
    for (let round = 0; round < 2; round++) {
      const { body } = await bank.post(upload);
      expect(body).toMatchObject({ duplicate: false, chunk_index: null });
      expect(body).not.toHaveProperty('same_records');
    }
    expect((await bank.settled('b')).chunks).toMatchObject({ accepted: 3, completed: 3 });
  });

  test('of a failed chunk puts it back among the open ones, once', async () => {
    const unread = importDependencies(api.database);
    await postBatch(unread, bank.team.teamId, { ...pair, records: first });
    await failNextChunk(unread, bank.team.teamId);
    const repeats = await Promise.all([1, 2, 3].map(() => bank.post({ ...pair, records: first })));
    expect(repeats.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(repeats.filter(({ body }) => body.redriven)).toHaveLength(1);
    for (const { body } of repeats) expect(body).toMatchObject({ duplicate: true, same_records: true });
    expect(await bank.settled('b')).toMatchObject({
      status: 'completed',
      chunks: { accepted: 1, completed: 1, failed: 0 },
      records: { accepted: 2, applied: 2 },
    });
    expect((await bank.post({ ...pair, records: first })).body).not.toHaveProperty('redriven');
  });
});

import { expect, test } from 'vitest';
import { postBatch } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { Bank } from '../../support/service/imports.ts';
import { service } from '../../support/service/service.ts';

const api = await service();
const record = (account_number: string, fields: object = {}) => ({
  ...{ account_number, product: { code: 'CHK', type: 'checking' } },
  ...fields,
});
const first = [record('1', { contact: { unique_id: 'c', role: 'joint' }, balance: 1 }), record('2')];
const pair = { batch_id: 'b', chunk_index: 0 };

/** What is sent beside the pair, as JSON or as a text, and whether it counts as the same records. */
const repeats: [what: string, sent: object | string, isSame: boolean][] = [
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
  [
    'the keys in another order',
    '[{"product":{"type":"checking","code":"CHK"},"balance":1,"contact":{"role":"joint","unique_id":"c"},"account_number":"1"},{"product":{"type":"checking","code":"CHK"},"account_number":"2"}]',
    true,
  ],
  ['a number written otherwise', JSON.stringify(first).replace('"balance":1', '"balance":1.0'), true],
  ['another number', JSON.stringify(first).replace('"balance":1', '"balance":10'), false],
  ['a number as a text', JSON.stringify(first).replace('"balance":1', '"balance":"1"'), false],
  ['the records in another order', { records: first.toReversed() }, false],
  ['one record more', { records: [...first, record('3')] }, false],
  ['an unknown field more', { records: [first[0], { ...first[1], note: null }] }, false],
];

test('a repeat of an accepted pair is a duplicate, whatever it holds, and says whether its records are the same', async () => {
  const bank = await Bank.open(api);
  const accepted = await bank.post({ ...pair, records: first });
  expect(accepted.body).toMatchObject({ duplicate: false, records: 2 });
  for (const [what, sent, isSame] of repeats) {
    const text = `{"type":"account","batch_id":"b","chunk_index":0,"records":${sent}}`;
    const { status, body } = await (typeof sent === 'string' ? bank.send(text) : bank.post({ ...pair, ...sent }));
    expect([what, status, body]).toEqual([what, 202, { ...accepted.body, duplicate: true, same_records: isSame }]);
  }
  const status = await bank.settled('b');
  const repeated = repeats.filter(([, , isSame]) => !isSame).length;
  expect(status.chunks).toEqual({ accepted: 1, completed: 1, failed: 0, repeated });
  expect(status.records).toMatchObject({ accepted: 2, applied: 2 });
});

test('a client can read a batch of the service itself, and cannot write to it, whatever it sends', async () => {
  const bank = await Bank.open(api);
  for (const batch_id of ['drop-1', 'remove-1']) {
    const own = { batch_id, chunk_index: 0, records: first };
    await postBatch(serviceOn(api.database), bank.team.teamId, own);
    const tooMany = { ...own, records: Array.from({ length: 501 }, () => first[0]) };
    const bodies: [sent: object, paths: string[]][] = [
      [own, ['/batch_id']],
      [{ batch_id, records: first }, ['/batch_id']],
      [{ ...own, chunk_index: 1, chunk_count: 7 }, ['/batch_id']],
      [{ batch_id, type: 'x', chunk_index: -1 }, ['/batch_id', '/chunk_index', '/records', '/type']],
      [tooMany, ['/batch_id', '/records']],
    ];
    for (const [sent, paths] of bodies) {
      const { status, body } = await bank.post(sent);
      expect([status, body.details.map(({ path }: { path: string }) => path).sort()]).toEqual([422, paths]);
    }
    expect((await bank.status(batch_id)).body.chunks).toEqual({ accepted: 1, completed: 0, failed: 0 });
  }
});

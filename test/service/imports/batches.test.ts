import { expect, test } from 'vitest';
import { Bank } from '../../support/service/imports.ts';
import { service } from '../../support/service/service.ts';

/** `POST /v1/batches`: what the checks of test/judges/acceptance and test/unit/imports/batch.test.ts leave open. */
const bank = await Bank.open(await service());
const record = { account_number: '1', product: { code: 'CHK', type: 'checking' } };

test.each([
  ['128 characters of four bytes', '😀'.repeat(128)],
  ['what separates parameters', 'a#b&c=d%2F+e?'],
  ['a NUL character', 'a\u0000b'],
  ['characters that are none', '\ufffe\uffff'],
  ['a dot segment', '..'],
  ['a blank', ' '],
])('the id of a batch may be or have %s', async (_, batch_id) => {
  const { status, body } = await bank.post({ batch_id, chunk_index: 0, records: [record] });
  expect([status, body.batch_id]).toEqual([202, batch_id]);
  expect((await bank.status(batch_id)).body.batch_id).toBe(batch_id);
});

test.each(['a b', 'a/b', 'é😀', 'a%2Fb', 'a?b', '?', 'a%3Fb', 'a??b=c&d', '%'])(
  'the id of a batch may stand in a path, percent-encoded: %s',
  async (batch_id) => {
    await bank.post({ batch_id, records: [record] });
    const { status, body } = await bank.get(`/v1/batches/${encodeURIComponent(batch_id)}`);
    expect([status, body.batch_id]).toEqual([200, batch_id]);
  },
);

test('the first hundred errors are named, those that make the request meaningless first', async () => {
  const records = Array.from({ length: 501 }, () => ({ ...record, nickname: 7 }));
  const { status, body } = await bank.post({ batch_id: 'b', chunk_index: 0, records });
  expect([status, body.error, body.details.length]).toEqual([400, 'invalid_request', 100]);
  expect(body.details[0].path).toBe('/records');
});

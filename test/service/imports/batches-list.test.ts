import { beforeAll, describe, expect, test } from 'vitest';
import { Bank } from '../../support/service/imports.ts';
import { service } from '../../support/service/service.ts';

let bank: Bank;
const api = await service();
const names = ['batch 0', 'batch 1', 'a/b#c', 'batch 3', 'batch 4', 'batch 5'];
const newestFirst = names.toReversed();
const record = { account_number: '1', product: { code: 'CHK', type: 'checking' } };
const large = (key: string) => ({ ...record, meta_public: { [key]: 'x'.repeat(9000) } });

beforeAll(async () => {
  bank = await Bank.open(api);
  await bank.post({ batch_id: names[0], records: [large('a')] });
  for (const batch_id of names.slice(1)) await bank.post({ batch_id, records: [large('b')] });
  // A later chunk does not move its batch.
  await bank.post({ batch_id: names[0], chunk_index: 0, records: [record] });
  for (const batch_id of names) await bank.settled(batch_id);
});

const list = (query: string, of = bank) => of.get(`/v1/batches${query}`);
const unsealed = (position: unknown) => Buffer.from(JSON.stringify(position)).toString('base64url');
const idsIn = ({ body }: Awaited<ReturnType<typeof list>>): string[] =>
  body.batches.map(({ batch_id }: { batch_id: string }) => batch_id);

describe('the list of batches', () => {
  test('shows the newest first, each as its own state but for the errors', async () => {
    const whole = await list('');
    expect(idsIn(whole)).toEqual(newestFirst);
    expect(whole.body).toMatchObject({ limit: 20, has_more: false });
    expect(whole.body).not.toHaveProperty('next_cursor');
    expect(whole.headers.get('link')).toBeNull();
    const { errors, ...state } = (await bank.status('a/b#c')).body;
    expect(errors).toHaveLength(1);
    expect(whole.body.batches[3]).toEqual(state);
  });

  test.each([1, 4, 6])('shows each batch once, in pages of %i', async (limit) => {
    const pages = [await list(`?limit=${limit}`)];
    for (let last = pages[0]!; last.body.has_more; pages.push(last)) {
      const { next_cursor } = last.body;
      expect(last.headers.get('link')).toBe(`<${api.baseUrl}/v1/batches?cursor=${next_cursor}>; rel="next"`);
      last = await list(`?cursor=${next_cursor}`);
      expect(last.body.limit).toBe(limit);
    }
    expect(pages.flatMap(idsIn)).toEqual(newestFirst);
    expect(pages).toHaveLength(Math.ceil(names.length / limit));
  });

  test('has a cursor that belongs to its limit', async () => {
    const { next_cursor } = (await list('?limit=2')).body;
    expect(idsIn(await list(`?limit=2&cursor=${next_cursor}`))).toEqual(newestFirst.slice(2, 4));
    const { status, body } = await list(`?limit=6&cursor=${next_cursor}`);
    expect([status, body]).toMatchObject([400, { error: 'invalid_request', details: [{ path: 'limit' }] }]);
  });

  test.each([
    '',
    'WzUsMV0',
    unsealed([2, 'x']),
    unsealed([2, 'a'.repeat(1100)]),
    unsealed([1, '\ud800']),
    'a'.repeat(2001),
  ])('has no cursor %.20j', async (cursor) => {
    const { status, body } = await list(`?cursor=${cursor}`);
    expect([status, body]).toMatchObject([400, { error: 'invalid_request', details: [{ path: 'cursor' }] }]);
  });
});

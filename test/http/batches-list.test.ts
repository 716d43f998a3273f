import { beforeAll, describe, expect, test } from 'vitest';
import { Bank } from '../support/imports.ts';
import { service, type TestService } from '../support/service.ts';

let api: TestService;
let bank: Bank;
const names = Array.from({ length: 23 }, (_, n) => (n === 7 ? 'a/b#c' : `batch ${n}`));
const newestFirst = names.toReversed();

beforeAll(async () => {
  api = await service();
  bank = await Bank.open(api);
  const bad = { account_number: '1', product: { code: 'CHK', type: 'checking' }, meta_public: { a: 'x'.repeat(9000) } };
  await bank.apply(bad);
  for (const batch_id of names) {
    const rejected = { ...bad, meta_public: { b: 'x'.repeat(9000) } };
    expect((await bank.post({ batch_id, records: [rejected] })).status).toBe(202);
  }
  // A later chunk does not move its batch.
  await bank.post({
    batch_id: names[0],
    chunk_index: 0,
    records: [{ account_number: '1', contact: { unique_id: 'c' } }],
  });
  for (const batch_id of names) await bank.settled(batch_id);
});

const list = (query = '', of = bank) => of.get(`/v1/batches${query}`);
const unsealed = (position: unknown) => Buffer.from(JSON.stringify(position)).toString('base64url');
const idsIn = ({ body }: Awaited<ReturnType<typeof list>>) =>
  body.batches.map(({ batch_id }: { batch_id: string }) => batch_id);

describe('the list of batches', () => {
  test('shows the newest first, each as its own state but for the errors', async () => {
    const { status, body, headers } = await list('?limit=100');
    expect(status).toBe(200);
    expect(idsIn({ body } as never).slice(0, 23)).toEqual(newestFirst);
    expect(body).toMatchObject({ limit: 100, has_more: false });
    expect(body).not.toHaveProperty('next_cursor');
    expect(headers.get('link')).toBeNull();
    const { errors, ...state } = (await bank.status('a/b#c')).body;
    expect(errors).toHaveLength(1);
    expect(body.batches.find(({ batch_id }: { batch_id: string }) => batch_id === 'a/b#c')).toEqual(state);
  });

  test('comes in pages of twenty, and goes on where a page ended', async () => {
    const first = await list();
    expect(first.body).toMatchObject({ limit: 20, has_more: true, next_cursor: expect.any(String) });
    expect(idsIn(first)).toEqual(newestFirst.slice(0, 20));
    const address = `${api.baseUrl}/v1/batches?cursor=${first.body.next_cursor}`;
    expect(first.headers.get('link')).toBe(`<${address}>; rel="next"`);
    const next = await list(`?cursor=${first.body.next_cursor}`);
    expect(idsIn(next).slice(0, 3)).toEqual(newestFirst.slice(20));
    expect(next.body).toMatchObject({ limit: 20, has_more: false });
    expect(next.headers.get('link')).toBeNull();
  });

  test('shows each batch once, whatever the size of its pages', async () => {
    for (const limit of [1, 5, 24]) {
      const seen: string[] = [];
      let page = await list(`?limit=${limit}`);
      for (; page.body.has_more; page = await list(`?cursor=${page.body.next_cursor}`)) seen.push(...idsIn(page));
      seen.push(...idsIn(page));
      expect(seen.slice(0, 23)).toEqual(newestFirst);
      expect(seen).toHaveLength(24);
    }
  });

  test('has a cursor that belongs to its limit', async () => {
    const { next_cursor } = (await list('?limit=5')).body;
    expect(idsIn(await list(`?limit=5&cursor=${next_cursor}`))).toEqual(newestFirst.slice(5, 10));
    const other = await list(`?limit=6&cursor=${next_cursor}`);
    expect(other.status).toBe(400);
    expect(other.body).toMatchObject({ error: 'invalid_request', details: [{ path: 'limit' }] });
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=x',
    'limit=',
    'limit=1.5',
    'cursor=',
    'cursor=x',
    'cursor=WzUsMV0',
    ...[
      [2, 'x'],
      [2, `${'a'.repeat(1100)}`],
      [1, '\ud800'],
    ].map((forged) => `cursor=${unsealed(forged)}`),
    `cursor=${'a'.repeat(2001)}`,
  ])('is not given for %s', async (query) => {
    const { status, body } = await list(`?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'invalid_request', details: [{ path: query.split('=')[0] }] });
  });

  test("is each team's own", async () => {
    const other = await Bank.open(api);
    expect((await list('', other)).body).toEqual({ batches: [], limit: 20, has_more: false });
    const { next_cursor } = (await list('?limit=5')).body;
    const taken = await list(`?cursor=${next_cursor}`, other);
    expect(taken.status).toBe(400);
    expect(taken.body.details).toEqual([{ path: 'cursor', message: 'is not a cursor of this list' }]);
    const asContacts = await bank.get(`/v1/contacts?cursor=${next_cursor}`);
    expect([asContacts.status, asContacts.body.details]).toEqual([400, taken.body.details]);
  });
});

import { expect, test } from 'vitest';
import { Bank } from '../../support/service/imports.ts';
import { service } from '../../support/service/service.ts';

/** What would not fit into an answer is 413, and never a part of it. */
const api = await service();
const tooLarge = { status: 413, body: { error: 'payload_too_large' } };
/** A quotation mark takes four bytes of an answer and two of a request. */
const quotes = (count: number) => '"'.repeat(count);

test('the accounts of a contact', async () => {
  const bank = await Bank.open(api);
  const contactId = await bank.contact('wide');
  const product = { code: 'CHK', type: 'checking' };
  const account = { contact: { unique_id: 'wide' }, product, meta_public: { a: quotes(8_000) } };
  for (const part of ['a', 'b']) {
    await bank.apply(...Array.from({ length: 100 }, (_, n) => ({ ...account, account_number: `${part}${n}` })));
  }
  expect(await bank.get(`/v1/contacts/${contactId}/accounts`)).toMatchObject(tooLarge);
});

test('a batch of contacts, before anything is written', async () => {
  const { token } = await api.newTeam();
  const post = (contacts: object[]) => api.request('POST', '/v1/contacts', { token, body: { contacts } });
  const sent = (part: string) =>
    Array.from({ length: 220 }, (_, n) => ({ unique_id: `u${n}`, meta_private: { [part]: quotes(3_700) } }));
  for (const contacts of [sent('a'), sent('b').slice(0, 110), sent('b').slice(110)]) {
    expect((await post(contacts)).status).toBe(200);
  }
  expect(await post(sent('c').map(({ unique_id }) => ({ unique_id, city: 'Oslo' })))).toMatchObject(tooLarge);
  const { body } = await post([{ unique_id: 'u7' }]);
  expect(body.existing_contacts[0].city).toBeNull();
});

test('a list of contacts, which is never shorter than asked for', async () => {
  const { token } = await api.newTeam();
  const metadata = { a: quotes(7_500) };
  const fields = ['name_first', 'name_last', 'address', 'address2', 'city', 'county'];
  const wide = Object.fromEntries(fields.map((field) => [field, quotes(1024)]));
  for (const part of ['a', 'b']) {
    const each = { ...wide, meta_public: metadata, meta_private: metadata };
    const contacts = Array.from({ length: 40 }, (_, n) => ({ ...each, unique_id: `${part}${n}` }));
    await api.request('POST', '/v1/contacts', { token, body: { contacts } });
  }
  const list = (limit: number) => api.request('GET', `/v1/contacts?limit=${limit}`, { token });
  expect(await list(100)).toMatchObject(tooLarge);
  expect((await list(50)).body.contacts).toHaveLength(50);
});

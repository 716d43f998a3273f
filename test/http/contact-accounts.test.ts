import { expect, test } from 'vitest';
import { derivedAccountId } from '../../lib/store/ids.ts';
import { Bank } from '../support/imports.ts';
import { service } from '../support/service.ts';

/** `GET /v1/contacts/:id/accounts`: what the checks of test/acceptance leave open. */
const bank = await Bank.open(await service());
const record = (unique_id: string, account_number: string, fields: object = {}) => ({
  ...{ account_number, contact: { unique_id }, product: { code: 'CHK', type: 'checking' } },
  ...fields,
});

test('accounts come by the bytes of their numbers', async () => {
  const contactId = await bank.contact('c');
  await bank.apply(...['10', '9', 'b', 'A', '1', '#', 'é', 'x'.repeat(512)].map((number) => record('c', number)));
  const ids = ['#', '1', '10', '9', 'A', 'b', 'x'.repeat(512), 'é'].map((number) =>
    derivedAccountId(bank.team.teamId, number),
  );
  const accounts = await bank.accounts(contactId);
  expect(accounts.map(({ account }: { account: { id: string } }) => account.id)).toEqual(ids);
});

test('accounts that would not fit into an answer are 413', async () => {
  const contactId = await bank.contact('wide');
  // A function's response holds the answer's JSON as a JSON string, in which each of these takes four characters.
  const wide = { meta_public: { a: '\\'.repeat(8_000) } };
  for (const part of ['a', 'b']) {
    await bank.apply(...Array.from({ length: 100 }, (_, n) => record('wide', `${part}${n}`, wide)));
  }
  const { status, body } = await bank.get(`/v1/contacts/${contactId}/accounts`);
  expect([status, body.error]).toEqual([413, 'payload_too_large']);
});

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Account } from '../../lib/domain/account.ts';
import { loadAccounts } from '../../lib/store/accounts.ts';
import { derivedAccountId } from '../../lib/store/ids.ts';
import { Bank } from '../support/imports.ts';
import { service } from '../support/service.ts';

const api = await service();
let bank: Bank;
let contactId: string;
beforeEach(async () => {
  bank = await Bank.open(api);
  contactId = await bank.contact('c');
});

const contact = { unique_id: 'c' };
const record = (account_number: string, fields: object = {}) => ({
  account_number,
  contact,
  product: { code: 'CHK', type: 'checking' },
  ...fields,
});

const stored = async (number = '1'): Promise<Account> =>
  (await loadAccounts(api.database, bank.team.teamId, [number]))[0]!;
const fields = async () => (await stored()).fields;
const roles = async (id = contactId) => (await bank.accounts(id)).map(({ role }: { role: unknown }) => role);

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);

describe("a contact's accounts", () => {
  test('are a bare array of what the specification shows, and nothing more', async () => {
    expect(await bank.accounts(contactId)).toEqual([]);
    await bank.apply(
      record('1', {
        contact: { ...contact, role: 'primary' },
        product: { code: 'FREE', type: 'checking', name: 'Free', description: 'No fee', standardized_type: 'checking' },
        nickname: 'Mine',
        balance: 1,
        micr: '2',
        meta_public: { car: { make: 'M', doors: [2, 4] } },
        meta_private: { secret: true },
      }),
    );
    expect(await bank.accounts(contactId)).toEqual([
      {
        role: 'primary',
        account: {
          id: uuid,
          nickname: 'Mine',
          meta_public: { 'car.make': 'M', 'car.doors.0': 2, 'car.doors.1': 4 },
          product: { id: uuid, type: 'checking', code: 'FREE', name: 'Free', description: 'No fee', services: [] },
        },
      },
    ]);
  });

  test('come by account number', async () => {
    const numbers = ['10', '9', 'b', 'A', '1', '#', 'é', 'x'.repeat(512)];
    await bank.apply(...numbers.map((number) => record(number)));
    const ids = ['#', '1', '10', '9', 'A', 'b', 'x'.repeat(512), 'é'].map((number) =>
      derivedAccountId(bank.team.teamId, number),
    );
    const accounts = await bank.accounts(contactId);
    expect(accounts.map(({ account }: { account: { id: string } }) => account.id)).toEqual(ids);
  });

  test('are found by the id in either case', async () => {
    expect(await bank.accounts(contactId.toUpperCase())).toEqual([]);
  });

  test('are not found where there is no such contact in the team', async () => {
    const other = await Bank.open(api);
    const theirs = await other.contact('c');
    for (const id of [randomUUID(), theirs, 'c', '%20', `${contactId}0`, 'x'.repeat(3000), `${contactId}%23`]) {
      const { status, body } = await bank.get(`/v1/contacts/${id}/accounts`);
      expect([status, body.error]).toEqual([404, 'not_found']);
    }
  });

  test('that would not fit into an answer are 413', async () => {
    // A function's response holds the answer's JSON as a JSON string, in which each of these takes four characters.
    const wide = { meta_public: { a: '\\'.repeat(8_000) } };
    for (const part of ['a', 'b']) {
      await bank.apply(...Array.from({ length: 100 }, (_, n) => record(`${part}${n}`, wide)));
    }
    const { status, body } = await bank.get(`/v1/contacts/${contactId}/accounts`);
    expect([status, body.error]).toEqual([413, 'payload_too_large']);
  });
});

describe('a link', () => {
  test('is not made by a record without a contact, but by a later mapping', async () => {
    for (const none of [undefined, null, { role: 'x' }, { unique_id: null }, { unique_id: ' ' }]) {
      await bank.apply(record('1', { contact: none }));
    }
    expect(await bank.accounts(contactId)).toEqual([]);
    await bank.apply({ account_number: '1', 'contact.unique_id': 'c' });
    expect(await bank.accounts(contactId)).toHaveLength(1);
  });

  test('stays when a record names another contact', async () => {
    const other = await bank.contact('other');
    await bank.apply(record('1'));
    await bank.apply(record('1', { contact: { unique_id: 'other' } }));
    expect([await roles(), await roles(other)]).toEqual([[null], [null]]);
  });
});

describe('a product', () => {
  test('of an account may be another one later', async () => {
    await bank.apply(record('1'));
    await bank.apply(record('1', { product: { code: 'SAV', type: 'savings' } }));
    expect(await bank.accounts(contactId)).toMatchObject([{ account: { product: { code: 'SAV', type: 'savings' } } }]);
  });
});

describe('an account', () => {
  test('keeps decimals to the digit as they were written', async () => {
    const decimals = {
      balance: '12345678901234567890.10',
      apy: '0.050',
      loan_payment: '-0.00',
      loan_principal: '1e3',
      last_statement_balance: '100',
    };
    const written = Object.entries(decimals).map(([name, digits]) => `"${name}":${digits}`);
    const body = (values: string[]) =>
      `{"type":"account","batch_id":"${randomUUID()}","records":[${JSON.stringify(record('1')).slice(0, -1)},${values.join()}}]}`;
    const answer = await bank.send(body(written));
    await bank.settled(answer.body.batch_id);
    expect(await fields()).toEqual(decimals);
    // The same as strings says the same.
    expect((await bank.apply(record('1', decimals))).records).toMatchObject({ unchanged: 1 });
  });

  test('shows numbers of its metadata to the digit', async () => {
    const line = JSON.stringify(record('1')).slice(0, -1);
    const text = `{"type":"account","batch_id":"b","records":[${line},"meta_public":{"n":12345678901234567890.1}}]}`;
    await bank.send(text);
    await bank.settled('b');
    const headers = { authorization: `Bearer ${bank.team.token}` };
    const response = await fetch(`${api.baseUrl}/v1/contacts/${contactId}/accounts`, { headers });
    expect(await response.text()).toContain('"n":12345678901234567890.1');
  });

  test('has dates as they were written, and whole numbers however they are', async () => {
    const dates = { opened_date: '2024-02-29', closed_date: '2024-02-29T23:59:59.123Z', maturity_date: '2050-01-01' };
    const line = JSON.stringify(record('1', dates)).slice(0, -1);
    const text = `{"type":"account","batch_id":"b","records":[${line},"number_transactions_last_30_days":1.2e1}]}`;
    await bank.send(text);
    await bank.settled('b');
    expect(await fields()).toEqual({ ...dates, number_transactions_last_30_days: 12 });
  });
});

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Account } from '../../lib/domain/account.ts';
import { standardizedTypes } from '../../lib/domain/account-fields.ts';
import { loadAccounts } from '../../lib/store/accounts.ts';
import { derivedAccountId } from '../../lib/store/ids.ts';
import { productKey } from '../../lib/store/keys.ts';
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
const product = async (code: string) =>
  (await api.database.get([productKey(bank.team.teamId, code)]))[0] as Record<string, unknown> | undefined;
const roles = async (id = contactId) => (await bank.accounts(id)).map(({ role }: { role: unknown }) => role);
const nicknames = async () =>
  (await bank.accounts(contactId)).map(({ account }: { account: { nickname: unknown } }) => account.nickname);

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
  test('may be made to several contacts in one batch, to each with its role', async () => {
    const joint = await bank.contact('joint');
    const third = await bank.contact('third');
    await bank.apply(
      record('1', { contact: { ...contact, role: 'primary' } }),
      record('1', { contact: { unique_id: 'joint', role: 'joint' } }),
      record('1', { contact: { unique_id: 'third' } }),
    );
    const [first, second, last] = await Promise.all([contactId, joint, third].map((id) => bank.accounts(id)));
    expect([first, second, last].map(([entry]) => entry.role)).toEqual(['primary', 'joint', null]);
    expect(new Set([first, second, last].map(([entry]) => entry.account.id)).size).toBe(1);
  });

  test('keeps its role when none is sent, and loses it by null', async () => {
    await bank.apply(record('1', { contact: { ...contact, role: 'primary' } }));
    await bank.apply(record('1'), { account_number: '1', contact });
    expect(await roles()).toEqual(['primary']);
    await bank.apply({ account_number: '1', contact: { ...contact, role: null } });
    expect(await roles()).toEqual([null]);
    await bank.apply({ account_number: '1', contact: { ...contact, role: 'joint' } });
    expect(await roles()).toEqual(['joint']);
  });

  test('by a mapping works as soon as account and contact exist, whichever comes first', async () => {
    const mapping = (account_number: string) => ({ account_number, contact: { unique_id: 'later', role: 'owner' } });
    const status = await bank.apply(mapping('1'), mapping('2'));
    expect(status.records).toMatchObject({ applied: 2, rejected: 0 });
    await bank.apply(record('1', { contact: undefined, nickname: 'first' }));
    const later = await bank.contact('later');
    expect(await bank.accounts(later)).toMatchObject([{ role: 'owner', account: { nickname: 'first' } }]);
    await bank.apply(record('2', { contact: undefined, nickname: 'second' }));
    expect(await bank.accounts(later)).toMatchObject([{}, { role: 'owner', account: { nickname: 'second' } }]);
  });

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
  test('is made once, from the first record that names its code, and never changed', async () => {
    await bank.apply(
      record('1', { product: { code: 'P', type: 'loan', name: 'first', standardized_type: 'mortgage' } }),
      record('2', { product: { code: 'P', type: 'lease', name: 'second', description: 'x' } }),
    );
    await bank.apply(record('3', { product: { code: 'P', type: 'savings', name: null, standardized_type: 'cd' } }));
    const accounts = await bank.accounts(contactId);
    expect(accounts).toHaveLength(3);
    for (const { account } of accounts) {
      expect(account.product).toEqual({
        id: accounts[0].account.product.id,
        type: 'loan',
        code: 'P',
        name: 'first',
        description: null,
        services: [],
      });
    }
    expect(await product('P')).toMatchObject({ standardized_type: 'mortgage' });
  });

  test('has its classification by one of the listed values, or unknown', async () => {
    const records = [...standardizedTypes, undefined].map((standardized_type, n) =>
      record(`${n}`, { product: { code: `P${n}`, type: 'savings', standardized_type } }),
    );
    await bank.apply(...records);
    expect(await product('P6')).toMatchObject({ standardized_type: standardizedTypes[6] });
    expect(await product(`P${standardizedTypes.length}`)).toMatchObject({ standardized_type: 'unknown' });
    for (const standardized_type of [null, 'Mortgage', '', 1]) {
      const answer = await bank.post({
        records: [record('1', { product: { code: 'Q', type: 'loan', standardized_type } })],
      });
      expect(answer.status).toBe(422);
      expect(answer.body.details).toMatchObject([{ path: '/records/0/product/standardized_type' }]);
    }
    expect(await product('Q')).toBeUndefined();
  });

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

  test('keeps what is not sent, and loses what is null', async () => {
    await bank.apply(record('1', { nickname: 'n', micr: '1', balance: 5 }));
    await bank.apply(record('1', { micr: '2' }));
    expect(await fields()).toEqual({ nickname: 'n', micr: '2', balance: '5' });
    await bank.apply(record('1', { nickname: null, balance: null }));
    expect(await fields()).toEqual({ micr: '2' });
    expect(await nicknames()).toEqual([null]);
  });

  test('takes the records of a batch in their order', async () => {
    await bank.apply(
      record('1', { nickname: 'a', micr: '1' }),
      record('1', { nickname: null }),
      record('1', { status_code: 'S' }),
      record('1', { nickname: 'b' }),
    );
    expect(await fields()).toEqual({ nickname: 'b', micr: '1', status_code: 'S' });
  });

  test('may be sent in dotted keys, beside nested ones of other fields', async () => {
    await bank.apply({
      'contact.role': 'joint',
      'product.name': 'Dotted',
      'meta_public.a.b': 2,
      account_number: '1',
      contact: { unique_id: 'c' },
      product: { code: 'D', type: 'checking' },
      meta_public: { a: { c: 3 } },
    });
    expect(await bank.accounts(contactId)).toMatchObject([
      { role: 'joint', account: { meta_public: { 'a.b': 2, 'a.c': 3 }, product: { name: 'Dotted' } } },
    ]);
  });

  test('merges its metadata by top-level key', async () => {
    const metas = async (...sent: unknown[]) => {
      for (const meta of sent) await bank.apply(record('1', { meta_public: meta, meta_private: meta }));
      const { meta_public, meta_private } = await stored();
      expect(meta_private).toEqual(meta_public);
      expect((await bank.accounts(contactId))[0].account.meta_public).toEqual(meta_public);
      return meta_public;
    };
    expect(await metas({ a: [1, 2, 3], b: { c: true }, d: 'x' })).toEqual({
      'a.0': 1,
      'a.1': 2,
      'a.2': 3,
      'b.c': true,
      d: 'x',
    });
    expect(await metas({ a: [9], 'b.e': null }, { d: null })).toEqual({ 'a.0': 9, 'b.e': null });
    expect(await metas({ a: {} }, { b: [] })).toBeNull();
    expect(await metas({ a: 1 }, null)).toBeNull();
    expect(await metas({ a: 1 }, undefined)).toEqual({ a: 1 });
  });
});

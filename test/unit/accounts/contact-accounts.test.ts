import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { accountRecord } from '../../../lib/domain/accounts/account-record.ts';
import { contactAccounts } from '../../../lib/operations/accounts/contact-accounts.ts';
import { ProductCache, setProduct } from '../../../lib/store/accounts/products.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { derivedAccountId, derivedContactId } from '../../../lib/store/table/ids.ts';
import { teamKey } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { applyRecords } from '../../support/operations/import-operations.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';

const database: Database = new ModelDatabase();
let teamId: string;
let order = 0;
beforeEach(() => {
  teamId = randomUUID();
});

const apply = (...records: object[]) =>
  applyRecords(serviceOn(database), {
    teamId,
    order: ++order,
    records: records.map((each) => accountRecord.parse(each)),
  });
const addContact = (unique_id: string) => upsertContact(serviceOn(database), teamId, record({ unique_id }));
const accountsOf = (uniqueId: string, using = database) =>
  contactAccounts(
    { database: using, productCache: new ProductCache(using) },
    teamId,
    derivedContactId(teamId, uniqueId),
  );
const product = { code: 'CHK', type: 'checking' };

describe("a contact's accounts", () => {
  test('are not found, where there is no contact', async () => {
    await apply({ account_number: '1', product, contact: { unique_id: 'c' } });
    await expect(accountsOf('c')).rejects.toMatchObject({ code: 'not_found' });
    await addContact('c');
    expect(await accountsOf('c')).toHaveLength(1);
  });

  /** What an instance reads of products, and the accounts that it shows. */
  function instance() {
    const read: string[] = [];
    const observed: Database = {
      ...bound(database),
      get: (keys) => {
        read.push(...keys.map(({ sk }) => sk));
        return database.get(keys);
      },
      query: async (input) => {
        const page = await database.query(input);
        read.push(...page.items.map(({ sk }) => sk));
        return page;
      },
    };
    const productCache = new ProductCache(observed);
    const contactId = derivedContactId(teamId, 'c');
    return {
      accounts: () => contactAccounts({ database: observed, productCache }, teamId, contactId),
      productsRead: () => read.splice(0).filter((sk) => sk.startsWith('PRODUCT#')),
    };
  }

  test('show what is set in a product at once, at every instance', async () => {
    await database.write([{ kind: 'insert', item: teamKey(teamId) }]);
    await addContact('c');
    await apply({ account_number: '1', product, contact: { unique_id: 'c' } });
    const instances = [instance(), instance()];
    const services = () =>
      Promise.all(instances.map(async ({ accounts }) => (await accounts())[0]?.account.product.services));
    expect(await services()).toEqual([[], []]);
    const set = { services: ['Bill pay'] };
    expect(await setProduct(database, teamId, product.code, set, new Date().toISOString())).toBeDefined();
    const billPay = { id: expect.any(String), name: 'Bill pay' };
    expect(await services()).toEqual([[billPay], [billPay]]);
  });

  test('read their own products alone, each once, until one of the team is set', async () => {
    await database.write([{ kind: 'insert', item: teamKey(teamId) }]);
    await addContact('c');
    const named = (code: string) => ({ product: { code, type: 'loan' } });
    const contact = { unique_id: 'c' };
    await apply(...['1', '2'].map((account_number) => ({ account_number, contact, ...named('A') })));
    await apply({ account_number: '3', contact, ...named('B') });
    await apply(...Array.from({ length: 30 }, (_, n) => ({ account_number: `x${n}`, ...named(`X${n}`) })));
    const { accounts, productsRead } = instance();
    expect(await accounts()).toHaveLength(3);
    expect(productsRead()).toEqual(['PRODUCT#A', 'PRODUCT#B']);
    expect(await accounts()).toHaveLength(3);
    expect(productsRead()).toEqual([]);
    await setProduct(database, teamId, 'X7', { services: [] }, new Date().toISOString());
    expect(await accounts()).toHaveLength(3);
    expect(productsRead()).toEqual(['PRODUCT#A', 'PRODUCT#B']);
  });

  test('come by account number, more of them than one request or one page takes', async () => {
    await addContact('c');
    const numbers = [...Array.from({ length: 120 }, (_, n) => `${n}`), 'Z', 'a', 'é', '😀', ' 7', 'x'.repeat(512)];
    const contact = { unique_id: 'c' };
    await apply(...numbers.toReversed().map((account_number) => ({ account_number, contact, product })));
    const sorted = numbers.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const expected = sorted.map((number) => derivedAccountId(teamId, number));
    const inPagesOf = (limit: number): Database => ({
      ...bound(database),
      query: (input) => database.query({ ...input, limit }),
    });
    // 126 links and the contact itself: 9 ends a page at the last link, 127 at the contact.
    for (const limit of [9, 50, 127, 1000]) {
      const accounts = await accountsOf('c', inPagesOf(limit));
      expect(accounts.map(({ account }) => account.id)).toEqual(expected);
    }
  });
});

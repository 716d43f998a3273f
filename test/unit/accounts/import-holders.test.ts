import { beforeEach, describe, expect, test } from 'vitest';
import { accountRecord } from '../../../lib/domain/accounts/account-record.ts';
import { moveLinks } from '../../../lib/store/accounts/accounts.ts';
import { earlierHolders, loadHolders } from '../../../lib/store/accounts/holders.ts';
import type { Upsert } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { accountKey, identityKey, linkKey } from '../../../lib/store/table/keys.ts';
import { model, open, record, replaced, teamId, using } from '../../support/models/model-imports.ts';
import { applyRecords } from '../../support/operations/import-operations.ts';

beforeEach(open);

const id = (uniqueId: string) => derivedContactId(teamId, uniqueId);
const account = (number: string, uniqueId?: string, fields: object = {}) =>
  record(number, { ...fields, ...(uniqueId === undefined ? {} : { contact: { unique_id: uniqueId } }) });
const mapping = (number: string, uniqueId: string) => ({ account_number: number, contact: { unique_id: uniqueId } });

let order = 0;
async function apply(records: object[], changes: Parameters<typeof using>[0] = {}): Promise<void> {
  order += 1;
  const parsed = records.map((each) => accountRecord.parse(each));
  await applyRecords(using(changes), { teamId, order, records: parsed });
}
const holders = async (number: string) => new Set(await loadHolders(model, teamId, number));
/** The items beside the account. */
const beside = (number: string) =>
  [...model.items.values()].flatMap(({ pk, sk }) =>
    pk === accountKey(teamId, number).pk && sk !== 'ACCOUNT' ? [sk.replace(/#.*/, '#')] : [],
  );

describe('the holders of an account', () => {
  test('are in the account, if it is new: they take no write of their own', async () => {
    await apply([account('1', 'a'), account('1', 'b'), account('2', 'a'), account('3')]);
    expect([...model.items.keys()].filter((key) => key.includes('#A#'))).toHaveLength(3);
    expect(await holders('1')).toEqual(new Set([id('a'), id('b')]));
    expect(await holders('2')).toEqual(new Set([id('a')]));
    expect(await holders('3')).toEqual(new Set());
  });

  test.each<[string, object[][], string[]]>([
    ['to an account that exists', [[account('1')], [account('1', 'a')]], ['HOLDER#']],
    ['before there is an account', [[mapping('1', 'a')]], ['HOLDER#', 'HOLDERS']],
    ['before the account, and again with it', [[mapping('1', 'a')], [account('1', 'a')]], ['HOLDER#', 'HOLDERS']],
    [
      'that is written again, with another role',
      [[account('1', 'a')], [{ ...mapping('1', 'a'), contact: { unique_id: 'a', role: 'x' } }]],
      [],
    ],
    ['that is in the file every day', [[account('1', 'a')], [account('1', 'a')], [account('1', 'a')]], []],
  ])('of a link %s', async (_, chunks, items) => {
    for (const records of chunks) await apply(records);
    expect(await holders('1')).toEqual(new Set([id('a')]));
    expect(beside('1')).toEqual(items);
  });

  test('of several chunks are all known', async () => {
    await apply([mapping('1', 'a')]);
    await apply([account('1', 'b')]);
    await apply([account('1', 'c', { product: { code: 'Q', type: 'loan' } }), mapping('1', 'd')]);
    expect(await holders('1')).toEqual(new Set(['a', 'b', 'c', 'd'].map(id)));
  });

  test('that were linked before the account are noted once, for each account', async () => {
    await apply([mapping('1', 'a'), mapping('1', 'b'), mapping('2', 'a'), account('3', 'a')]);
    expect(await earlierHolders(model, teamId, ['1', '2', '3'])()).toEqual(new Set(['1', '2']));
  });

  test('of a link that an administrator removed and a later file brings back stay known', async () => {
    await apply([account('1', 'a')]);
    order += 1;
    const removal = { account_number: '1', removal: { contact_id: id('a') } };
    await applyRecords(using(), { teamId, order, records: [removal] });
    await apply([account('1', 'a')]);
    expect(await holders('1')).toEqual(new Set([id('a')]));
    expect(model.read(linkKey(teamId, id('a'), '1'))?.data).toBeDefined();
  });
});

describe('no link is without its holder', () => {
  /** Asserts it after each write. The accounts and links of some writes lose their race. */
  const checked = (fails: (call: number) => boolean) => {
    let call = 0;
    return replaced({
      write: async (writes) => {
        // The insert of a holder is lost only if the holder exists.
        const isHolder = (each: Upsert) => each.kind === 'insert' && each.item.sk.startsWith('HOLDER#');
        const taken = fails(call++) ? writes.filter(isHolder) : writes;
        const results = await model.write(taken);
        const written = writes.map((each) => results[taken.indexOf(each)] ?? false);
        for (const { pk, sk } of model.items.values()) {
          if (!sk.startsWith('ACCOUNT#')) continue;
          const contactId = pk.slice(pk.lastIndexOf('#') + 1);
          expect(await holders(sk.slice('ACCOUNT#'.length))).toContain(contactId);
        }
        return written;
      },
    });
  };

  test.each([
    ['nothing', () => false],
    ['the first write', (call: number) => call === 0],
    ['every third write', (call: number) => call % 3 === 1],
  ])('if %s is lost', async (_, fails) => {
    await apply([mapping('1', 'a')], { database: checked(fails) });
    await apply([account('1', 'b'), account('2', 'a'), mapping('2', 'c')], { database: checked(fails) });
    expect(await holders('2')).toEqual(new Set([id('a'), id('c')]));
  });

  test('if another worker creates the account at the same time', async () => {
    let isFirst = true;
    const records = [accountRecord.parse(account('1', 'other'))];
    const database = replaced({
      write: async (writes) => {
        if (isFirst) {
          isFirst = false;
          await applyRecords(using(), { teamId, order: order - 1, records });
        }
        return model.write(writes);
      },
    });
    order += 1;
    await apply([account('1', 'a')], { database });
    expect(await holders('1')).toEqual(new Set([id('other'), id('a')]));
  });

  test('if the links of the contact are moved to another at the same time', async () => {
    await apply([account('1', 'a')]);
    let isFirst = true;
    const database = replaced({
      write: async (writes) => {
        if (isFirst) {
          isFirst = false;
          const item = { ...identityKey(teamId, 'z'), contact_id: id('z'), moving_from: id('a') };
          await model.write([{ kind: 'insert', item }]);
          await moveLinks(model, teamId, { uniqueId: 'z', from: id('a'), to: id('z') });
        }
        return model.write(writes);
      },
    });
    await apply([{ ...mapping('1', 'a'), contact: { unique_id: 'a', role: 'x' } }, account('1')], { database });
    expect(model.read(linkKey(teamId, id('a'), '1'))?.data).toBeDefined();
    expect(await holders('1')).toEqual(new Set([id('a'), id('z')]));
  });
});

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../bin/admin/operations/access/clients.ts';
import { fillLookups } from '../../../bin/admin/operations/contacts/fill-lookups.ts';
import { createTeam } from '../../../bin/admin/operations/teams/teams.ts';
import { contentCachedFor, loadLookups } from '../../../lib/store/campaigns/content.ts';
import { loadContacts } from '../../../lib/store/contacts/contacts.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { contactKey } from '../../../lib/store/table/keys.ts';
import { ModelTable } from '../../support/models/model-table.ts';
import { putContent } from '../../support/operations/content.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';

const database: Database = new ModelTable();
const unhurried = async () => {};
/** The database with some of its functions replaced. */
const changedDatabase = (changes: Partial<Database>): Database => ({ ...bound(database), ...changes });
/** The database in which something happens just before the first write, or before contacts are listed first. */
function justBefore(part: 'write' | 'list', happen: () => Promise<unknown>): Database {
  let hasHappened = false;
  const once = async (isMeant: boolean) => {
    if (hasHappened || !isMeant) return;
    hasHappened = true;
    await happen();
  };
  return changedDatabase({
    write: (writes) => once(part === 'write').then(() => database.write(writes)),
    query: (input) => once(part === 'list' && input.index === 'directory').then(() => database.query(input)),
  });
}
const fillDependencies = serviceOn(database, { wait: unhurried, pause: unhurried });

describe('a field that is declared when there are contacts', () => {
  const declared = { id: randomUUID(), name: 'Web', lookup_fields: ['meta_private[core_id]'] };

  async function early(contacts: number) {
    const dependencies = serviceOn(database);
    const teamId = (await createTeam(dependencies, { name: 'Bank', features: [] })).team_id;
    const ids = Array.from({ length: contacts }, (_, n) => `c${n}`);
    for (const core_id of ids) {
      await upsertContact(
        serviceOn(database),
        teamId,
        record({ unique_id: core_id, name_first: 'Ann', meta_private: { core_id } }),
      );
    }
    await putContent(database, teamId, { engagement_channels: [declared] });
    const entries = async () => {
      const stored = await loadContacts(
        database,
        teamId,
        ids.map((each) => derivedContactId(teamId, each)),
      );
      return stored.filter((each) => each?.entries.lookup_1 !== undefined).length;
    };
    return { teamId, entries };
  }
  const isFilled = async (teamId: string) => (await loadLookups(database, teamId)).every(({ filled }) => filled);

  test('is waited for where somebody may still write without it, then filled in, once', async () => {
    const { teamId, entries } = await early(3);
    await createClient(serviceOn(database), teamId);
    expect(await isFilled(teamId)).toBe(false);
    const waits: number[] = [];
    const wait = async (milliseconds: number) => {
      waits.push(milliseconds);
      expect(await entries()).toBe(0);
    };
    expect(await fillLookups({ ...fillDependencies, wait }, teamId)).toBe(3);
    expect(await fillLookups({ ...fillDependencies, wait }, teamId)).toBe(0);
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThan(contentCachedFor);
    expect([await entries(), await isFilled(teamId)]).toEqual([3, true]);
  });

  test.each([1, 501])('is not waited for where there is no client, with %i contacts', async (contacts) => {
    const { teamId, entries } = await early(contacts);
    const wait = () => Promise.reject(new Error('a wait'));
    expect(await fillLookups({ ...fillDependencies, wait }, teamId)).toBe(contacts);
    expect([await entries(), await isFilled(teamId)]).toEqual([contacts, true]);
  });

  test.each([
    ['until the last declared field is settled', 1, [1]],
    ['no longer', 0, []],
  ])('is waited for %s', async (_, left, expected) => {
    const { teamId } = await early(1);
    await createClient(serviceOn(database), teamId);
    await sleep(2);
    const other = { ...declared, lookup_fields: ['meta_private[core_id]', 'name_first'] };
    await putContent(database, teamId, { engagement_channels: [other] });
    const times = (await loadLookups(database, teamId)).map(({ declared_at }) => Date.parse(declared_at));
    expect(new Set(times).size).toBe(2);
    const now = () => Math.max(...times) + contentCachedFor + 5000 - left;
    const waits: number[] = [];
    await fillLookups({ ...fillDependencies, now, wait: async (time) => void waits.push(time) }, teamId);
    expect([waits, await isFilled(teamId)]).toEqual([expected, true]);
  });

  test('stays unfilled where filling breaks off, and the next time what is done is not written again', async () => {
    const { teamId, entries } = await early(30);
    const partly = changedDatabase({
      write: async (writes) => {
        await database.write(writes.slice(0, 10));
        throw new Error('broken off');
      },
    });
    await expect(fillLookups({ ...fillDependencies, database: partly }, teamId)).rejects.toThrow('broken off');
    expect([await entries(), await isFilled(teamId)]).toEqual([10, false]);
    expect(await fillLookups(fillDependencies, teamId)).toBe(20);
    expect([await entries(), await isFilled(teamId)]).toEqual([30, true]);
  });

  test('is filled in right where contacts change meanwhile', async () => {
    const { teamId, entries } = await early(2);
    const stale = serviceOn(database);
    const racing = justBefore('write', () =>
      upsertContact(stale, teamId, record({ unique_id: 'c0', meta_private: { core_id: null } })),
    );
    expect(await fillLookups({ ...fillDependencies, database: racing }, teamId)).toBe(1);
    expect(await entries()).toBe(1);
  });

  test('begins anew where another field is declared while it is filled in', async () => {
    const { teamId, entries } = await early(2);
    const other = { ...declared, lookup_fields: ['name_first', 'meta_private[core_id]'] };
    const changing = justBefore('list', () => putContent(database, teamId, { engagement_channels: [other] }));
    await fillLookups({ ...fillDependencies, database: changing }, teamId);
    const lookups = await loadLookups(database, teamId);
    expect(lookups.map(({ field, filled }) => [field, filled])).toEqual([
      ['meta_private[core_id]', true],
      ['name_first', true],
    ]);
    expect(await entries()).toBe(2);
  });

  test('is not filled in where another field has taken its index meanwhile', async () => {
    const { teamId, entries } = await early(1);
    const changing = justBefore('list', async () => {
      await putContent(database, teamId, { engagement_channels: [{ ...declared, lookup_fields: ['name_first'] }] });
      expect(await fillLookups(fillDependencies, teamId)).toBe(1);
    });
    expect(await fillLookups({ ...fillDependencies, database: changing }, teamId)).toBe(0);
    const lookups = await loadLookups(database, teamId);
    expect(lookups.map(({ field, filled, slot }) => [field, filled, slot])).toEqual([['name_first', true, 1]]);
    expect(await entries()).toBe(1);
  });

  test('is filled in for a contact that another write changed first', async () => {
    const { teamId, entries } = await early(2);
    const unaware = { ...serviceOn(database), content: { lookups: async () => [] } as never };
    const racing = justBefore('write', () =>
      upsertContact(unaware, teamId, record({ unique_id: 'c0', meta_private: { core_id: 'changed' } })),
    );
    expect(await fillLookups({ ...fillDependencies, database: racing }, teamId)).toBe(2);
    expect(await entries()).toBe(2);
  });

  test('is given up on if a contact changes all the time', async () => {
    const { teamId } = await early(1);
    const conflicting = changedDatabase({ write: async (writes) => writes.map(() => false) });
    await expect(fillLookups({ ...fillDependencies, database: conflicting }, teamId)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'too many conflicts on a contact',
    });
  });

  test('is filled in for the other contacts if one was erased after the list was read', async () => {
    const { teamId, entries } = await early(2);
    const erased = contactKey(teamId, derivedContactId(teamId, 'c0')).pk;
    const erasing = changedDatabase({
      get: async (keys) => (await database.get(keys)).map((item) => (item?.pk === erased ? undefined : item)),
    });
    expect(await fillLookups({ ...fillDependencies, database: erasing }, teamId)).toBe(1);
    expect([await entries(), await isFilled(teamId)]).toEqual([1, true]);
  });
});

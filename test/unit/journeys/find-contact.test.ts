import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { fillLookups } from '../../../bin/admin/operations/contacts/fill-lookups.ts';
import { type LookupField, lookupField } from '../../../lib/domain/contacts/lookup.ts';
import { findContact } from '../../../lib/operations/journeys/find-contact.ts';
import { ContentCache, contentCachedFor } from '../../../lib/store/campaigns/content.ts';
import type { Database, Item, QueryInput } from '../../../lib/store/table/database.ts';
import { contactKey } from '../../../lib/store/table/keys.ts';
import { inRounds } from '../../support/engine/round-trips.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { putContent } from '../../support/operations/content.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { newTeam } from '../../support/operations/teams.ts';
import { record } from '../../support/samples/contacts.ts';

const database: Database = new ModelDatabase();
const pause = async () => {};
const indexes = ['lookup_1', 'lookup_2', 'lookup_3', 'lookup_4'];

let team: string;
let channel: string;
let time: number;
/** What is read, in order: `get`, or the index of a query. */
let reads: string[];
beforeEach(async () => {
  team = await newTeam(database);
  channel = randomUUID();
  time = Date.now();
});

const declare = (...lookup_fields: string[]) =>
  putContent(database, team, { engagement_channels: [{ id: channel, name: 'Web', lookup_fields }] });
const fill = () => fillLookups(serviceOn(database, { wait: pause, pause }), team);
const add = async (unique_id: string, fields: object = {}) =>
  (await upsertContact(serviceOn(database), team, record({ unique_id, ...fields }))).contact.id;

/** A function instance that records its reads. By default it may not scan. */
function instance({ scanUnits = 0, query = (input: QueryInput) => database.query(input) } = {}) {
  const recorded: Database = {
    ...{ write: (writes) => database.write(writes), transact: (writes) => database.transact(writes) },
    get: (keys) => {
      reads.push('get');
      return database.get(keys);
    },
    query: (input) => {
      reads.push(input.index ?? 'table');
      return query(input);
    },
  };
  const observed = inRounds(recorded);
  const content = new ContentCache(observed.database, () => time);
  const dependencies = serviceOn(observed.database, { content, now: () => time, pause, scanUnits });
  return async (name: string, value: string) => {
    reads = [];
    const before = observed.rounds();
    const field = lookupField(name) as LookupField;
    const found = await findContact(dependencies, { teamId: team, clientId: 'client' }, { field, value });
    return { id: found?.contact.id, rounds: observed.rounds() - before };
  };
}

describe('a contact is found', () => {
  test('by its id or its unique_id, without an index', async () => {
    const id = await add('ann');
    const find = instance();
    expect((await find('id', id)).id).toBe(id);
    expect(reads).toEqual(['table']);
    expect((await find('unique_id', 'ann')).id).toBe(id);
    expect(reads).not.toContain('directory');
    expect((await find('unique_id', 'bob')).id).toBeUndefined();
    expect((await find('id', randomUUID())).id).toBeUndefined();
  });

  test.each([
    ['id', 'no UUID'],
    ['phone_mobile', 'no number'],
  ])('never by the %s %j, which is not looked for', async (name, value) => {
    const id = await add('ann');
    const find = instance();
    expect((await find('id', id)).id).toBe(id);
    expect((await find(name, value)).id).toBeUndefined();
    expect(reads).toEqual([]);
  });

  test('by a declared field, in the index that the last read named', async () => {
    await declare('email', 'city');
    await fill();
    const id = await add('ann', { email: 'ann@example.com', city: 'Brno' });
    const find = instance();
    expect(await find('city', 'Brno')).toEqual({ id, rounds: 2 });
    expect(reads.toSorted()).toEqual(['get', ...indexes, 'table']);
    expect(await find('city', 'Brno')).toEqual({ id, rounds: 2 });
    expect(reads).toEqual(['lookup_2', 'table']);
    time += contentCachedFor;
    expect(await find('email', 'ann@example.com')).toEqual({ id, rounds: 2 });
    expect(reads.toSorted()).toEqual(['get', 'lookup_1', 'table']);
    expect(await find('email', 'bob@example.com')).toEqual({ id: undefined, rounds: 1 });
  });

  test('by a field that was declared after the last read, in one more round', async () => {
    await declare('email');
    await fill();
    const id = await add('ann', { email: 'ann@example.com', city: 'Brno' });
    const find = instance();
    await find('email', 'ann@example.com');
    await declare('email', 'city');
    await fill();
    time += contentCachedFor;
    expect(await find('city', 'Brno')).toEqual({ id, rounds: 3 });
    expect(reads).toEqual(['get', 'lookup_2', 'table']);
  });

  test('on a later page of the index, after entries of contacts that no longer match', async () => {
    await declare('email');
    await fill();
    const outdated = await Promise.all(['a', 'b'].map((each) => add(each)));
    const id = await add('ann', { email: 'ann@example.com' });
    const itemOf = (contactId: string): Item => ({ ...contactKey(team, contactId) });
    const query = async (input: QueryInput) => {
      if (input.index === undefined) return database.query(input);
      return input.after === undefined ? { items: outdated.map(itemOf), next: 'first' } : { items: [itemOf(id)] };
    };
    expect((await instance({ query })('email', 'ann@example.com')).id).toBe(id);
  });

  test('not if two have the value', async () => {
    await declare('email');
    await fill();
    await add('a', { email: 'ann@example.com', city: 'Brno' });
    const find = instance();
    expect((await find('email', 'ann@example.com')).id).toBeDefined();
    await add('b', { email: 'ann@example.com', city: 'Brno' });
    expect((await find('email', 'ann@example.com')).id).toBeUndefined();
    expect((await instance({ scanUnits: 1000 })('city', 'Brno')).id).toBeUndefined();
  });

  test('by a scan if the field is not declared, or its index is not filled', async () => {
    const id = await add('ann', { email: 'ann@example.com', city: 'Brno' });
    await declare('email');
    for (const [name, value] of [
      ['email', 'ann@example.com'],
      ['city', 'Brno'],
    ] as const) {
      await expect(instance()(name, value)).rejects.toMatchObject({ code: 'too_many_requests' });
      expect((await instance({ scanUnits: 1000 })(name, value)).id).toBe(id);
      expect(reads).toContain('directory');
    }
  });
});

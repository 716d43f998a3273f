import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import { bound, type Database, StoreUnavailable, type Upsert } from '../../../lib/store/table/database.ts';
import { putContent } from '../../support/operations/content.ts';
import {
  database,
  dependencies,
  idOf,
  journeysOf,
  named,
  open,
  post,
  team,
  templateId,
} from '../../support/operations/journey-operations.ts';
import { updateContact, upsertBatch, upsertContact } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';

const objective = { id: randomUUID(), key: 'enrolled' };
beforeEach(async () => {
  await open();
  await putContent(database, team, { objectives: [objective], templates: [{ id: templateId, name: 'W' }] });
});

const noTemplate = { path: '/journey/template_id', message: 'must be the id of a template that is not archived' };
const large = 'x'.repeat(9_000);
const stored = async (uniqueId: string) => (await loadContact(database, team, idOf(uniqueId)))!;

/** Writes as `write` does, and the sizes of the calls that write something. */
function observed(write: Database['write'] = (writes) => database.write(writes)) {
  const sizes: number[] = [];
  const using = dependencies({
    ...bound(database),
    write: (writes, options) => {
      if (writes.length > 0) sizes.push(writes.length);
      return write(writes, options);
    },
  });
  return { sizes, using };
}

/** The first write is this one; all others are as usual. */
function firstWrite(first: Database['write']) {
  let isFirst = true;
  return observed((writes, options) => {
    if (!isFirst) return database.write(writes);
    isFirst = false;
    return first(writes, options);
  });
}

describe('an upsert', () => {
  test('counts versions, and writes only what changed', async () => {
    expect(await post({ unique_id: 'p' })).toMatchObject({ created: true, version: 1 });
    const { sizes, using } = observed();
    const same = await upsertContact(using, team, record({ unique_id: 'p' }));
    expect(same).toMatchObject({ created: false, version: 1 });
    const changes = [{ unique_id: 'p' }, { unique_id: 'q' }].map(record);
    await upsertBatch(using, team, changes);
    expect(sizes).toEqual([1]);
    expect(await post({ unique_id: 'p', city: 'Oslo' })).toMatchObject({ created: false, version: 2 });
    expect((await stored('p')).version).toBe(2);
  });

  test('of which the response was lost recognizes its contact', async () => {
    const { sizes, using } = firstWrite(async (writes) => (await database.write(writes)).map(() => false));
    const created = await upsertContact(using, team, record({ unique_id: 'p' }));
    expect(created).toMatchObject({ created: true, version: 1 });
    expect(sizes).toEqual([1]);
    expect((await stored('p')).version).toBe(1);
  });

  test('in a batch starts each journey once that the records of a contact name', async () => {
    const second = randomUUID();
    await putContent(database, team, {
      objectives: [objective],
      templates: [templateId, second].map((id, index) => ({ id, name: `W${index}` })),
    });
    const named = [templateId, second, templateId].map((id) => ({ unique_id: 'p', journey: { template_id: id } }));
    await upsertBatch(dependencies(), team, named.map(record));
    const started = (await journeysOf('p')).map(({ template_id }) => template_id);
    expect(started.sort()).toEqual([templateId, second].sort());
  });
});

describe('a batch of which one contact loses a race', () => {
  const batch = ['p', 'q'].map((unique_id) => record({ unique_id, meta_public: { own: large } }));
  /** Writes the first contact only, after another request wrote the second. */
  const losing = (rival: object) => async (writes: readonly Upsert[]) => {
    await post({ unique_id: 'q', ...rival });
    const [first] = await database.write(writes.slice(0, 1));
    return writes.map((_, index) => index === 0 && first === true);
  };

  test('writes the other one once, and this one again', async () => {
    const { sizes, using } = firstWrite(losing({ city: 'Oslo' }));
    const written = await upsertBatch(using, team, batch);
    expect(written.new_contacts.map(({ unique_id }) => unique_id)).toEqual(['p']);
    expect(written.existing_contacts).toMatchObject([{ unique_id: 'q', city: 'Oslo', meta_public: { own: large } }]);
    expect(sizes).toEqual([2, 1]);
  });

  test('is unavailable if that contact now exceeds its limits', async () => {
    const { using } = firstWrite(losing({ meta_public: { other: large } }));
    const exceeded = { code: 'unavailable', message: 'a concurrent write made a contact exceed its limits' };
    const another = record({ unique_id: 'r' });
    await expect(upsertBatch(using, team, [...batch, another])).rejects.toMatchObject(exceeded);
    expect((await stored('p')).version).toBe(1);
  });
});

describe('an update', () => {
  const update = (fields: object, using = dependencies(), expected?: number) =>
    updateContact(using, team, idOf('p'), record({ unique_id: 'p', ...fields }), (version) => {
      return expected === undefined || version === expected;
    });

  test('counts versions, and writes only what changed', async () => {
    await post({ unique_id: 'p', meta_private: { a: 1 } });
    const { sizes, using } = observed();
    expect(await update({}, using)).toMatchObject({ version: 1, contact: { meta_private: { a: 1 } } });
    expect(sizes).toEqual([]);
    expect(await update({ city: 'Oslo' }, using)).toMatchObject({ version: 2, contact: { city: 'Oslo' } });
    expect((await stored('p')).version).toBe(2);
  });

  test('is refused with all its errors', async () => {
    await post({ unique_id: 'p', meta_public: { kept: large } });
    const otherId = { path: '/unique_id', message: 'cannot be changed here' };
    const detailsOf = (fields: object) => update(fields).catch(({ details }) => details);
    expect(await detailsOf({ unique_id: 'q' })).toEqual([otherId]);
    const tooLarge = expect.objectContaining({ path: '/meta_public' });
    expect(await detailsOf({ unique_id: 'q', meta_public: { more: large } })).toEqual([otherId, tooLarge]);
    expect(await detailsOf({ meta_public: { more: large } })).toEqual([tooLarge]);
    const wrong = expect.objectContaining({ path: '/name_first' });
    const journeyOf = { template_id: randomUUID() };
    expect(await detailsOf({ unique_id: 'q', name_first: 5, journey: journeyOf })).toEqual([
      wrong,
      otherId,
      noTemplate,
    ]);
    expect((await stored('p')).version).toBe(1);
  });

  /** The write is sent again, after other requests wrote the contact. Whether the first one happened is not known. */
  const resent = (...others: object[]) =>
    firstWrite(async (writes, options) => {
      for (const other of others) await post({ unique_id: 'p', ...other });
      options?.onResend?.();
      return database.write(writes);
    });

  test('that was sent again is refused if the version shows that another request was first', async () => {
    await post({ unique_id: 'p' });
    const { using } = resent({ city: 'Oslo' });
    await expect(update({ name_first: 'Ann' }, using, 1)).rejects.toMatchObject({ code: 'precondition_failed' });
  });
});

describe('a fault between the contact and its journey', () => {
  /** Accepts single writes but no transactions, which create journeys. */
  const broken = (): Database => ({
    ...bound(database),
    transact: () => Promise.reject(new StoreUnavailable('away')),
  });

  test('is made good by sending the contact again', async () => {
    const contact = record({ unique_id: 'p', city: 'Tabor', ...named });
    await expect(upsertContact(dependencies(broken()), team, contact)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await journeysOf('p')).toEqual([]);
    const again = await upsertContact(dependencies(), team, contact);
    expect(again).toMatchObject({ created: false, contact: { city: 'Tabor' } });
    expect(await journeysOf('p')).toHaveLength(1);
  });

  test('is made good by sending the batch again', async () => {
    const batch = Array.from({ length: 100 }, (_, n) => record({ unique_id: `p${n}`, ...named }));
    await expect(upsertBatch(dependencies(broken()), team, batch)).rejects.toBeInstanceOf(StoreUnavailable);
    expect((await upsertBatch(dependencies(), team, batch)).existing_contacts).toHaveLength(100);
    for (const n of batch.keys()) expect(await journeysOf(`p${n}`)).toHaveLength(1);
  });

  test('is made good by sending the update again', async () => {
    await post({ unique_id: 'p' });
    const change = record({ unique_id: 'p', city: 'Tabor', ...named });
    const update = updateContact(dependencies(broken()), team, idOf('p'), change);
    await expect(update).rejects.toBeInstanceOf(StoreUnavailable);
    await updateContact(dependencies(), team, idOf('p'), change);
    expect(await journeysOf('p')).toHaveLength(1);
  });
});

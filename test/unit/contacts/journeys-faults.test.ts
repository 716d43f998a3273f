import { beforeEach, describe, expect, test } from 'vitest';
import { bound, type Database, StoreUnavailable } from '../../../lib/store/table/database.ts';
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

beforeEach(open);

describe('a fault between the contact and its journey', () => {
  /** Accepts single writes but no transactions, which create journeys. */
  const broken = (): Database => ({
    ...bound(database),
    transact: () => Promise.reject(new StoreUnavailable('away')),
  });

  beforeEach(async () => {
    await putContent(database, team, { templates: [{ id: templateId, name: 'Welcome' }] });
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

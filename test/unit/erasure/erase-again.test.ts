import { beforeEach, describe, expect, test } from 'vitest';
import { loadLinks } from '../../../lib/store/accounts/accounts.ts';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import type { ErasureEntry } from '../../../lib/store/erasure/erasure-list.ts';
import type { Item } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { account, mapping, marks, PersonWorld } from '../../support/operations/person-world.ts';
import { record } from '../../support/samples/contacts.ts';

let world: PersonWorld;
beforeEach(async () => {
  world = await PersonWorld.open();
});

describe('a repeated erasure after a restore', () => {
  test('leaves nothing of the person, and nobody else is touched', async () => {
    world = await PersonWorld.open({ engine: true });
    await world.fill(20);
    const restore = await world.backup();
    const receipt = await world.erase();
    const clean = await world.items();
    await restore();
    expect((await world.traces()).length).toBeGreaterThan(8);
    const [repeated, ...more] = await world.eraseAgain();
    expect(more).toEqual([]);
    expect(repeated).toMatchObject({
      team_id: world.teamId,
      contact_id: world.contactId,
      counts: { ...receipt.counts },
    });
    expect(await world.traces()).toEqual([]);
    expect(keysOf(await world.items())).toEqual(keysOf(clean));
    expect(await world.eraseAgain()).toEqual([]);
  });

  test('keeps a contact that was created with the same unique_id after the erasure', async () => {
    await world.fill(2);
    await world.erase();
    const other = await world.post('other-7781', { name_first: 'Other' });
    const restore = await world.backup();
    await world.erase('other-7781');
    await restore();
    const { contact } = await world.post(marks.present, { name_first: 'Again' });
    await world.accept('again', 0, [account('n-1', marks.present)]);
    await world.work();
    const before = keysOf(await world.items());
    expect(await world.eraseAgain()).toMatchObject([{ contact_id: other.contact.id }]);
    const isOfOther = (key: string) => key.includes(other.contact.id) || key.includes('other-7781');
    expect(keysOf(await world.items())).toEqual(before.filter((key) => !isOfOther(key)));
    expect((await loadLinks(world.database, world.teamId, contact.id)).links).toHaveLength(1);
  });

  test('keeps a contact of a request that began before the erasure and was written after it', async () => {
    const { contact } = await world.post('ann', { name_first: 'Ann' });
    const received = Date.parse(contact.inserted_at) + 1;
    await world.erase('ann');
    const slow = { ...serviceOn(world.database), now: () => received };
    await upsertContact(slow, world.teamId, record({ unique_id: 'ann', city: 'Oslo' }));
    expect(await world.eraseAgain()).toEqual([]);
    expect((await loadContact(world.database, world.teamId, contact.id))?.contact.city).toBe('Oslo');
  });

  const uniqueId = 'late-7781';
  const isPayload = ({ pk }: Item) => pk.includes('#U#');
  test.each([
    ['in stored chunks', () => true, { chunks: 1, chunk_records: 2, links: 2 }],
    ['by nothing', (item: Item) => !isPayload(item), { links: 2 }],
  ])('reaches links that waited for the contact, which the table names %s', async (_, isKept, counts) => {
    await world.accept('early', 0, [account('e-1', uniqueId), mapping('e-1b', uniqueId), account('e-2', 'other')]);
    await world.work();
    const restore = await world.backup(isKept);
    await world.post(uniqueId, { name_first: 'Late' });
    await world.erase(uniqueId);
    await restore();
    const id = derivedContactId(world.teamId, uniqueId);
    expect((await loadLinks(world.database, world.teamId, id)).links).toHaveLength(2);
    expect(await world.eraseAgain()).toMatchObject([{ contact_id: id, counts }]);
    expect((await loadLinks(world.database, world.teamId, id)).links).toEqual([]);
    expect(await world.traces([uniqueId])).toEqual([]);
  });

  test('keeps a contact that was created later with the same id, and deletes links of before', async () => {
    await world.accept('early', 0, [mapping('e-1', uniqueId)]);
    await world.work();
    const restore = await world.backup();
    await world.post(uniqueId, { name_first: 'Late' });
    await world.erase(uniqueId);
    await restore();
    const { contact } = await world.post(uniqueId, { name_first: 'Again' });
    // The boundary: a contact that was created at the time of the erasure is another one.
    const atCreation = (entry: ErasureEntry) => ({ ...entry, erased_at: contact.inserted_at });
    expect(await world.eraseAgain({}, atCreation)).toMatchObject([{ counts: { chunks: 1, links: 1 } }]);
    expect((await loadContact(world.database, world.teamId, contact.id))?.contact.name_first).toBe('Again');
    expect((await loadLinks(world.database, world.teamId, contact.id)).links).toEqual([]);
  });

  test('keeps a link of a chunk that was accepted after the erasure', async () => {
    await world.fill(1);
    const restore = await world.backup();
    await world.erase();
    await restore();
    await world.accept('again', 0, [account('n-1', marks.present)]);
    await world.work();
    expect(await world.eraseAgain()).toMatchObject([{ counts: { contacts: 1, links: 3 } }]);
    const { links } = await loadLinks(world.database, world.teamId, world.contactId);
    expect(links.map(({ account_number }) => account_number)).toEqual(['n-1']);
  });

  test('frees the values of a contact that no chunk names', async () => {
    await world.post('former-7781');
    await world.rename('former-7781', 'present-7781');
    const restore = await world.backup();
    await world.erase('present-7781');
    await restore();
    const lines: string[] = [];
    const onProgress = (text: string) => void lines.push(text);
    const counts = { contacts: 1, identities: 2, directory_entries: 1 };
    expect(await world.eraseAgain({ onProgress })).toMatchObject([{ counts }]);
    expect(lines.slice(0, 3)).toEqual([
      `team ${world.teamId}: 1 erasures in the list`,
      '0 chunks of 0 batches searched',
      '0 chunks of 0 batches searched',
    ]);
    expect(await world.traces(['former-7781', 'present-7781'])).toEqual([]);
    for (const value of ['former-7781', 'present-7781']) {
      expect((await world.post(value)).contact.id).toBe(derivedContactId(world.teamId, value));
    }
  });

  test('is resumed when it was interrupted, after any write', async () => {
    await world.fill(3);
    const restore = await world.backup();
    await world.erase();
    await restore();
    const killed = new Error('killed');
    let runs = 0;
    for (; runs < 100; runs++) {
      const repeated = await world.eraseAgain({ database: world.dying(killed) }).catch((error) => {
        if (error !== killed) throw error;
      });
      if (!repeated) continue;
      expect(repeated).toMatchObject([
        { contact_id: world.contactId, counts: { contacts: 1, journeys: 2, identities: 2 } },
      ]);
      break;
    }
    expect(runs).toBeGreaterThan(5);
    expect(await world.traces()).toEqual([]);
  });
});

/** Without payloads, which get a new id when they are written again. */
const keysOf = (items: Map<string, string>) => [...items.keys()].filter((key) => !key.includes('#U#')).sort();

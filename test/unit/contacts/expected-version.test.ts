import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Problem } from '../../../lib/domain/values/problem.ts';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import { bound, type Database, StoreUnavailable } from '../../../lib/store/table/database.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { serviceOn, updateContact, upsertContact } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';

const database: Database = new ModelDatabase();
const dependencies = serviceOn(database);

async function storedContact() {
  const team = randomUUID();
  const { contact, version } = await upsertContact(dependencies, team, record({ unique_id: 'a', name_first: 'Jana' }));
  return { team, id: contact.id, version };
}

const expecting = (version: number) => (current: number) => current === version;

/** The first write takes effect, another may follow, and the caller is told that its write failed. */
const losingFirstAnswer = (between: () => Promise<unknown> = async () => {}): Database => {
  let isFirst = true;
  return {
    ...bound(database),
    write: async (writes, options) => {
      const written = await database.write(writes);
      if (!isFirst) return written;
      isFirst = false;
      await between();
      options?.onResend?.();
      return written.map(() => false);
    },
  };
};

test('an update whose answer was lost does not refuse the version that it wrote itself', async () => {
  const { team, id, version } = await storedContact();
  const losing = serviceOn(losingFirstAnswer());
  const updated = await updateContact(
    losing,
    team,
    id,
    record({ unique_id: 'a', name_first: 'Eva' }),
    expecting(version),
  );
  expect(updated).toMatchObject({ contact: { name_first: 'Eva' }, version: version + 1 });
  expect((await loadContact(database, team, id))?.version).toBe(version + 1);
});

test('an update whose answer was lost before another update is unavailable, because it may have written', async () => {
  const { team, id, version } = await storedContact();
  const other = () => updateContact(dependencies, team, id, record({ unique_id: 'a', city: 'Pisek' }));
  const losing = serviceOn(losingFirstAnswer(other));
  const change = record({ unique_id: 'a', name_first: 'Eva' });
  const update = updateContact(losing, team, id, change, expecting(version));
  await expect(update).rejects.toBeInstanceOf(StoreUnavailable);
  const stored = await loadContact(database, team, id);
  expect(stored).toMatchObject({ version: version + 2, contact: { name_first: 'Eva', city: 'Pisek' } });
});

test('two clients with a thousand edits each of one contact lose no update', async () => {
  const edits = 1000;
  // With pauses by the clock, one client could finish while the other still waits for its first retry.
  const model = { ...serviceOn(new ModelDatabase()), pause: async () => setImmediate() };
  const team = randomUUID();
  const { contact } = await upsertContact(model, team, record({ unique_id: 'a' }));
  const client = async (field: string) => {
    let refused = 0;
    for (let edit = 0; edit < edits; ) {
      const read = await loadContact(model.database, team, contact.id);
      if (Math.random() < 0.5) await setImmediate();
      const count = (name: string) => Number(read?.contact.meta_public?.[name] ?? 0) + 1;
      const change = record({ unique_id: 'a', meta_public: { [field]: count(field), total: count('total') } });
      const outcome = await updateContact(model, team, contact.id, change, expecting(read!.version)).catch(codeOf);
      if (outcome === 'precondition_failed') refused++;
      else edit++;
    }
    return refused;
  };
  const refused = await Promise.all([client('a'), client('b')]);
  expect((await loadContact(model.database, team, contact.id))?.contact.meta_public).toEqual({
    a: edits,
    b: edits,
    total: 2 * edits,
  });
  // The two were in each other's way, or this would prove nothing.
  expect(refused[0]! + refused[1]!).toBeGreaterThan(100);
});

function codeOf(error: unknown): string {
  if (error instanceof Problem) return error.code;
  throw error;
}

import { beforeEach, expect, test } from 'vitest';
import { contactIds } from '../../../bin/admin/auditing.ts';
import type { AuditEntry } from '../../../lib/domain/access/audit.ts';
import { auditEntries } from '../../../lib/store/access/audit.ts';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import { listErasureRequests } from '../../../lib/store/erasure/erasure-requests.ts';
import { bound, type Database, StoreUnavailable, type Write } from '../../../lib/store/table/database.ts';
import { erasureRequestsPartition } from '../../../lib/store/table/keys.ts';
import { isEnd, marks, PersonWorld } from '../../support/operations/person-world.ts';

/** What the function does with `DELETE /v1/contacts/:id`. */

const start = Date.now();
let world: PersonWorld;
let seconds: number;
/** Later than everything that the world has written. */
const now = () => start + 60_000 + seconds * 1000;
const run = (changes = {}) => world.eraseRequested({ now, ...changes });
const contact = (id = world.contactId) => loadContact(world.database, world.teamId, id);
const requests = () => listErasureRequests(world.database);

beforeEach(async () => {
  seconds = 0;
  world = await PersonWorld.open();
  await world.fill(5);
});

test('a requested erasure is completed by one run, and leaves nothing of the person', async () => {
  await world.drop('contacts/people.ndjson', [JSON.stringify({ unique_id: marks.present, name_last: marks.typed })]);
  await world.requestErasure(world.contactId, now);
  expect(JSON.stringify(await requests())).not.toMatch(new RegExp(Object.values(marks).join('|')));
  const database = world.justBefore(isEnd, async () => {
    expect(await contact()).toBeUndefined();
    // While it runs, a repeated request changes nothing.
    await world.requestErasure(world.contactId, now);
  });
  expect(await run({ database })).toEqual({ erased: 1, postponed: 0, failed: 0, late: 0 });
  expect(await requests()).toEqual([]);
  await expect(world.requestErasure(world.contactId, now)).rejects.toMatchObject({ code: 'not_found' });

  const entries: AuditEntry[] = [];
  const until = new Date(now()).toISOString();
  for await (const entry of auditEntries(world.database, [world.teamId], {}, until)) entries.push(entry);
  const ids = { act_id: entries[0]?.ids.act_id, contact_id: world.contactId };
  const entry = { who: 'the-client', what: 'contact erase', team_id: world.teamId, ids };
  expect(entries).toMatchObject([
    { ...entry, outcome: 'done' },
    { ...entry, outcome: 'begun' },
  ]);
  const traces = await world.traces();
  expect(traces.filter((key) => !key.startsWith('AUDIT#'))).toEqual([]);
  expect(await world.traces(Object.values(marks))).toEqual(traces);
});

test('a run that dies anywhere is completed by later ones', async () => {
  await world.requestErasure(world.contactId, now);
  let deaths = 0;
  for (let runs = 0; (await requests()).length > 0 && runs < 200; runs++) {
    // Later than the claim of the run that died.
    seconds += 1000;
    const database = dyingAfter(1 + (runs % 4));
    await run({ database }).catch((error) => {
      expect(error).toBe(killed);
      deaths += 1;
    });
  }
  expect(deaths).toBeGreaterThan(5);
  expect(await requests()).toEqual([]);
  expect((await world.traces()).filter((key) => !key.startsWith('AUDIT#'))).toEqual([]);
});

test('a claimed request is left to the run that claimed it, and an erasure that fails does not delay the next one', async () => {
  const { contact: other } = await world.post('other-2');
  await world.requestErasure(world.contactId, now);
  seconds = 1;
  await world.requestErasure(other.id, now);
  seconds = 86_402;
  expect(await run({ hasTime: () => false })).toEqual({ erased: 0, postponed: 0, failed: 0, late: 2 });
  seconds = 1;
  const failures: object[] = [];
  // biome-ignore lint/correctness/useYield: it fails before
  const list = async function* (): AsyncGenerator<never> {
    throw new StoreUnavailable('S3');
  };
  const files = { list };
  const failing = { files, onFailure: (_: unknown, ids: object) => failures.push(ids) };
  expect(await run(failing)).toMatchObject({ failed: 2 });
  const ids = { team_id: world.teamId };
  expect(failures).toEqual([world.contactId, other.id].map((contact_id) => ({ ...ids, contact_id })));
  let erasedByAnother = 0;
  await run({
    files: {
      list: async function* (prefix: string) {
        // Another run, while this one works the first request.
        erasedByAnother += (await run()).erased;
        yield* world.files.list(prefix);
      },
    },
  });
  expect(erasedByAnother).toBe(1);
});

test('a run that fails after its claim has ended leaves the request to the run that has claimed it since', async () => {
  await world.requestErasure(world.contactId, now);
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let other: Promise<unknown> | undefined;
  const heldUp = async function* (prefix: string) {
    begun.resolve();
    await end.promise;
    yield* world.files.list(prefix);
  };
  // biome-ignore lint/correctness/useYield: it fails before
  const list = async function* (): AsyncGenerator<never> {
    seconds = 1000;
    other = run({ files: { ...world.files, list: heldUp } });
    await begun.promise;
    throw new StoreUnavailable('S3');
  };
  expect(await run({ files: { list }, onFailure: () => {} })).toMatchObject({ failed: 1 });
  expect((await requests())[0]?.leased_until).toBeDefined();
  end.resolve();
  expect(await other).toMatchObject({ erased: 1 });
});

test('an erasure that a command runs at the same time is left to it, and is no failure', async () => {
  await world.requestErasure(world.contactId, now);
  let isErased = false;
  const list = async function* (prefix: string) {
    if (!isErased) await world.erase();
    isErased = true;
    yield* world.files.list(prefix);
  };
  expect(await run({ files: { ...world.files, list } })).toEqual({ erased: 0, postponed: 1, failed: 0, late: 0 });
  seconds = 60;
  expect(await run()).toMatchObject({ erased: 1 });
  expect(await requests()).toEqual([]);
});

test('an erasure waits for a file that is not imported yet and names the person, without an end', async () => {
  const file = 'contacts/late.ndjson';
  await world.put(file, [JSON.stringify({ unique_id: marks.present, city: 'Zaphodine City' })]);
  await world.requestErasure(world.contactId, now);
  for (; seconds < 3600; seconds += 600) expect(await run()).toMatchObject({ postponed: 1 });
  expect(await contact()).toBeDefined();
  await world.readFile(file);
  seconds = 86_400 + 3600;
  expect(await run()).toMatchObject({ erased: 1, late: 1 });
  expect(await contact()).toBeUndefined();
  expect((await world.traces()).filter((key) => !key.startsWith('AUDIT#'))).toEqual([]);
});

test('a run whose time is over ends, and the next one does not read the files again that were searched', async () => {
  for (const name of ['a', 'b', 'c', 'd']) await world.drop(`contacts/${name}.csv`, ['unique_id,city', 'other-1,Brno']);
  await world.requestErasure(world.contactId, now);
  const reads: string[] = [];
  const files = {
    list: (prefix: string) => world.files.list(prefix),
    read: (key: string, version: string) => {
      reads.push(key);
      // Each file takes a minute.
      seconds += 60;
      return world.files.read(key, version);
    },
  };
  const until = seconds + 150;
  expect(await run({ files, hasTime: () => seconds < until })).toMatchObject({ postponed: 1 });
  expect(new Set(reads).size).toBe(3);
  reads.length = 0;
  await run({ files: { ...files, write: () => {}, remove: () => {} } });
  expect(reads.filter((key) => /[ab]\.csv$/.test(key))).toEqual([]);
});

test('a unique_id that is posted again during the erasure makes a contact with the same id, which can be erased too', async () => {
  const { contact: first } = await world.post('other-3');
  await world.requestErasure(first.id, now);
  const again = async () => {
    const { contact: second } = await world.post('other-3', { city: 'Brno' });
    expect(second).toMatchObject({ id: first.id, name_first: null });
  };
  await run({ database: world.justBefore(isEnd, again) });
  expect(await run()).toMatchObject({ erased: 0 });
  expect((await contact(first.id))?.contact).toMatchObject({ city: 'Brno' });

  await world.requestErasure(first.id, now);
  const third = async () => {
    await world.post('other-3');
    await world.requestErasure(first.id, now);
    await world.requestErasure(first.id, now);
  };
  expect(await run({ database: world.justBefore(isEnd, third) })).toMatchObject({ erased: 1 });
  // The next run is a minute later.
  seconds = 60;
  expect(await run()).toMatchObject({ erased: 1 });
  expect(await contact(first.id)).toBeUndefined();
  expect(await requests()).toEqual([]);
});

test('an erasure that a command begins anew and does not complete is completed by the next run', async () => {
  const { contact: first } = await world.post('other-3');
  await world.requestErasure(first.id, now);
  let isAgain = false;
  const transact: Database['transact'] = async (writes, ...options) => {
    const isDone = await world.database.transact(writes, ...options);
    if (isAgain || !writes.some(isEnd)) return isDone;
    isAgain = true;
    await world.post('other-3');
    await expect(world.erase('other-3', { database: world.dying(killed) })).rejects.toBe(killed);
    return isDone;
  };
  expect(await run({ database: { ...bound(world.database), transact } })).toMatchObject({ erased: 0, postponed: 1 });
  seconds = 60;
  expect(await run()).toMatchObject({ erased: 1 });
  expect([await contact(first.id), await requests()]).toEqual([undefined, []]);
  expect([...(await world.items()).keys()].filter((key) => key.endsWith('ERASURE'))).toEqual([]);
});

test('a request that comes while the one before it ends is kept, and the new contact is erased', async () => {
  const { contact: first } = await world.post('other-4');
  await world.requestErasure(first.id, now);
  const again = async () => {
    await world.post('other-4');
    await world.requestErasure(first.id, now);
  };
  const isEndOfRequest = (write: Write) => write.kind === 'delete' && write.key.pk === erasureRequestsPartition;
  await run({ database: world.justBefore(isEndOfRequest, again) });
  expect(await requests()).toHaveLength(1);
  expect(await contact(first.id)).toBeDefined();
  // The next run is a minute later.
  seconds = 60;
  expect(await run()).toMatchObject({ erased: 1 });
  expect([await contact(first.id), await requests()]).toEqual([undefined, []]);
});

test('a contact that is renamed before its erasure begins is erased, and no other one that gets its value', async () => {
  await world.requestErasure(world.contactId, now);
  await world.rename(marks.present, 'cif-third-7781');
  const { contact: another } = await world.post(marks.present);
  for (seconds of [0, 60]) await run();
  expect(await contact()).toBeUndefined();
  expect(await contact(another.id)).toBeDefined();
  expect(await requests()).toEqual([]);
  // Its state, which names the person, is deleted at its end only.
  expect([...(await world.items()).keys()].filter((key) => key.endsWith('ERASURE'))).toEqual([]);
  expect(await contactIds(world.database, world.teamId, marks.present)).toEqual({ contact_id: another.id });
});

test('of two requests at the same time one is kept, and the audit log says of the other that it was not', async () => {
  await Promise.all([world.requestErasure(), world.requestErasure()]);
  const [kept] = await requests();
  const outcomes: string[] = [];
  for await (const { ids, outcome } of auditEntries(world.database, [world.teamId], {}, new Date().toISOString())) {
    outcomes.push(`${ids.act_id === kept?.act_id ? 'kept' : 'other'} ${outcome}`);
  }
  expect(outcomes.sort()).toEqual(['kept begun', 'other begun', 'other conflict']);
});

const killed = new Error('killed');

/** Each transaction and write counts. When the process is dead, nothing else happens. */
function dyingAfter(writes: number): Database {
  let left = writes;
  const alive = async <T>(write: () => Promise<T>): Promise<T> => {
    if (left-- <= 0) throw killed;
    return write();
  };
  return {
    ...bound(world.database),
    write: (...args) => alive(() => world.database.write(...args)),
    transact: (...args) => alive(() => world.database.transact(...args)),
  };
}

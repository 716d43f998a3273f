import { beforeEach, describe, expect, test } from 'vitest';
import { removeInOrder } from '../../../bin/admin/operations/imports/remove.ts';
import { batchStatusOf } from '../../../lib/domain/imports/batch-status.ts';
import { redriveChunk } from '../../../lib/operations/imports/redrive.ts';
import { readBatch } from '../../../lib/operations/imports/status.ts';
import { loadAccounts, loadLinks } from '../../../lib/store/accounts/accounts.ts';
import { loadBatch } from '../../../lib/store/imports/claims.ts';
import { loadFailed } from '../../../lib/store/imports/import-work.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { identityKey } from '../../../lib/store/table/keys.ts';
import { account, isEnd, mapping, marks, PersonWorld } from '../../support/operations/person-world.ts';

const header = 'account_number,contact.unique_id,product.code,product.type';
const rows = [`f-1,${marks.present},CHK,checking`, 'f-2,other-1,CHK,checking', `f-3,${marks.present},CHK,nonsense`];
const counts = {
  contacts: 1,
  directory_entries: 1,
  identities: 2,
  links: 4,
  journeys: 2,
  actions: 2,
  responses: 1,
  identity_attempts: 1,
};

let world: PersonWorld;
beforeEach(async () => {
  world = await PersonWorld.open();
});

const load = async () => {
  await world.drop('accounts/nightly.csv', [header, ...rows, 'f-4,other-2,CHK,nonsense']);
  await world.drop('contacts/people.ndjson', [
    JSON.stringify({ unique_id: marks.present, name_last: marks.typed }),
    JSON.stringify({ unique_id: 'other-1' }),
  ]);
  await world.accept('open', 0, [mapping('p-4', marks.present), account('a-3', 'other-3')]);
};

describe('the erasure of a person', () => {
  test('leaves nothing of the person, and nobody else is touched', async () => {
    world = await PersonWorld.open({ engine: true });
    await world.fill(300);
    await load();
    const before = await world.items();
    expect((await world.traces()).length).toBeGreaterThan(12);
    const receipt = await world.erase();
    expect(receipt).toMatchObject({ contact_id: world.contactId, counts });
    expect(receipt.counts).toMatchObject({ chunks: 5, chunk_records: 6, files: 4, file_rows: 4 });
    expect(await world.traces()).toEqual([]);
    const identities = [marks.former, marks.present].map((value) => identityKey(world.teamId, value));
    expect(await world.database.get(identities)).toEqual([undefined, undefined]);

    const after = await world.items();
    const isKept = (key: string) => /#C#| ACCOUNT$| PRODUCT#| BATCH$| FILE$/.test(key);
    const ofOthers = [...before].filter(([key, text]) => isKept(key) && !isOfPerson(text));
    expect(ofOthers.length).toBeGreaterThan(900);
    expect(ofOthers.filter(([key, text]) => after.get(key) !== text)).toEqual([]);
    const accounts = await loadAccounts(world.database, world.teamId, ['p-1', 'p-2', 'f-1', 'a-0']);
    expect(accounts.every((each) => each !== undefined)).toBe(true);
    const texts = [...world.texts()].map(([path, text]) => [path.slice(world.folder.length + 38), text]);
    expect(texts).toContainEqual([
      'accounts/nightly.csv.remaining',
      `${header}\n${rows[1]}\nf-4,other-2,CHK,nonsense\n`,
    ]);
    expect(texts).toContainEqual(['contacts/people.ndjson.remaining', '{"unique_id":"other-1"}\n']);
    expect(texts.find(([name]) => name === 'accounts/nightly.csv.rejected.csv')?.[1]).toContain('f-4,other-2');
  });

  const isOfPerson = (text: string) =>
    [...Object.values(marks), world.contactId, world.journey.slug].some((mark) => text.includes(mark)) ||
    text.includes(derivedContactId(world.teamId, marks.present));

  test('lets chunks be applied without the person, and their counts add up', async () => {
    await world.fill(5);
    await load();
    await world.erase();
    const [failed] = await loadFailed(world.database, world.teamId);
    await redriveChunk(world.imports(), failed!);
    await world.work();
    expect(await world.traces()).toEqual([]);
    for (const batchId of ['before', 'after', 'open']) {
      const status = batchStatusOf(batchId, (await loadBatch(world.database, world.teamId, batchId)).chunks)!;
      const { accepted, applied, unchanged, superseded, rejected } = status.records;
      expect([status.status, applied + unchanged + superseded + rejected]).toEqual(['completed', accepted]);
    }
    expect(
      (await loadLinks(world.database, world.teamId, derivedContactId(world.teamId, marks.present))).links,
    ).toEqual([]);
    expect((await loadAccounts(world.database, world.teamId, ['a-3']))[0]).toBeDefined();
  });

  test('takes what is left of removed links, also from records that are not applied yet', async () => {
    await world.fill(1);
    const dependencies = { ...world.imports(), wait: () => world.work() };
    const removal = { contact_id: world.contactId };
    await removeInOrder(dependencies, world.teamId, 'remove-1', [{ account_number: 'p-1', removal }]);
    let now = Date.now();
    const wait = async () => {
      now += 61_000;
    };
    const late = { ...dependencies, now: () => now, wait };
    const open = await removeInOrder(late, world.teamId, 'remove-2', [{ account_number: 'p-2', removal }]);
    expect(open.status).toBe('processing');
    const receipt = await world.erase();
    expect(receipt.counts).toMatchObject({ links: 3, chunks: 5, chunk_records: 6 });
    await world.work();
    expect(await world.traces()).toEqual([]);
    expect((await readBatch(world, world.teamId, 'remove-2')).records).toMatchObject({ accepted: 1, unchanged: 1 });
  });

  test('finds nothing the second time', async () => {
    await world.fill(2);
    await world.erase();
    for (const person of [undefined, 'nobody']) {
      const { contact_id, counts } = await world.erase(person);
      expect({ contact_id, counts }).toEqual({ contact_id: null, counts: {} });
    }
    expect(await world.traces()).toEqual([]);
  });

  test('is resumed when it was broken off, after whatever write', async () => {
    await world.fill(3);
    await load();
    let runs = 0;
    const killed = new Error('killed');
    for (; runs < 200; runs++) {
      const result = await world.erase(marks.present, { database: world.dying(killed) }).catch((error) => {
        if (error !== killed) throw error;
      });
      if (!result) continue;
      expect(result.counts).toMatchObject({ ...counts, chunks: 5, chunk_records: 6 });
      break;
    }
    expect(runs).toBeGreaterThan(10);
    expect(await world.traces()).toEqual([]);
  });

  test('is not undone by a worker that had read the records before', async () => {
    await world.fill(3);
    await world.accept('open', 0, [mapping('p-4', marks.present), account('p-5', marks.present)]);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let reached = () => {};
    const reading = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const slow: Database = {
      ...bound(world.database),
      write: async (writes) => {
        if (writes.some((each) => each.kind === 'insert' && each.item.sk.startsWith('ACCOUNT#'))) {
          reached();
          await held;
        }
        return world.database.write(writes);
      },
    };
    const working = world.work(slow);
    await reading;
    const finishWork = async () => {
      release();
      await working;
    };
    await world.erase(marks.present, { wait: finishWork });
    expect(await world.traces()).toEqual([]);
    const { chunks } = await loadBatch(world.database, world.teamId, 'open');
    expect(chunks.map(({ status }) => status)).toEqual(['completed']);
    const { links } = await loadLinks(world.database, world.teamId, derivedContactId(world.teamId, marks.present));
    expect(links).toEqual([]);
  });

  test('does not keep the value from naming a new contact, which keeps what is its own', async () => {
    await world.fill(2);
    let again: Awaited<ReturnType<typeof world.post>> | undefined;
    const add = async () => {
      again = await world.post(marks.present, { city: 'Oslo' });
      await world.accept('new', 0, [account('n-1', marks.present)]);
      await world.work();
    };
    await world.erase(marks.present, { database: world.justBefore(isEnd, add) });
    expect(again).toMatchObject({ created: true, contact: { name_first: null, unique_id: marks.present } });
    expect(again!.contact.id).toBe(derivedContactId(world.teamId, marks.present));
    const { exists, links } = await loadLinks(world.database, world.teamId, again!.contact.id);
    expect([exists, links.map(({ account_number }) => account_number)]).toEqual([true, ['n-1']]);
    expect(await world.post(marks.former)).toMatchObject({ created: true, contact: { id: world.contactId } });
  });
});

test('an export holds everything, and says where records and rows are', async () => {
  await world.fill(3);
  await load();
  const document = await world.export();
  expect(document).toMatchObject({
    contact: { unique_id: marks.present, name_first: marks.name, meta_private: { k: marks.name } },
    former_unique_ids: [{ unique_id: marks.former }],
    journeys: [
      { id: world.journey.id, actions: [{ kind: 'viewed' }], answers: [{ answer: 'accepted' }] },
      { id: world.accountJourney.id, actions: [{ kind: 'viewed' }], answers: [] },
    ],
    responses: [{ typed_name: marks.typed }],
    identity_attempts: { count: 2 },
  });
  expect(document.links.map(({ account_number }) => account_number)).toEqual(['a-0', 'f-1', 'p-1', 'p-2']);
  expect(document.accounts.map(({ account_number }) => account_number)).toEqual(['a-0', 'f-1', 'p-1', 'p-2']);
  expect(
    document.chunk_records
      .map(({ batch_id }) => batch_id)
      .filter((id) => !id.startsWith('drop-'))
      .sort(),
  ).toEqual(['after', 'after', 'before', 'before', 'open']);
  expect(document.file_rows.map(({ line }) => line)).toEqual([2, 4, 1, 2]);
  expect(JSON.stringify(document)).not.toContain(world.journey.slug);
});

test('many persons are erased, and an interrupted run is resumed with all its counts', async () => {
  const persons = ['ann', 'bob', 'carl'];
  for (const person of [...persons, 'dora']) await world.post(person);
  await world.drop('contacts/both.csv', ['unique_id', 'ann', 'bob', 'dora']);
  const database = world.justBefore(isEnd, () => Promise.reject(new Error('interrupted')));
  await expect(world.eraseList(persons, { database })).rejects.toThrow('interrupted');
  const receipt = await world.eraseList([...persons, 'nobody']);
  expect(receipt).toMatchObject({ persons: 4, counts: { contacts: 3, files: 2, file_rows: 2 } });
  expect([...receipt.contact_ids].sort()).toEqual(persons.map((each) => derivedContactId(world.teamId, each)).sort());
  expect(await world.traces(persons)).toEqual([]);
  expect(await world.traces(['dora'])).not.toEqual([]);
  const { contact_ids, counts } = await world.eraseList(persons);
  expect({ contact_ids, counts }).toEqual({ contact_ids: [], counts: {} });
});

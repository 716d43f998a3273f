import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { accountRecord } from '../../lib/domain/account.ts';
import { contactAccounts } from '../../lib/operations/contact-accounts.ts';
import { upsertContact } from '../../lib/operations/contacts/upsert.ts';
import { acceptBatch } from '../../lib/operations/imports/accept.ts';
import type { ImportDependencies } from '../../lib/operations/imports/dependencies.ts';
import { readBatch } from '../../lib/operations/imports/status.ts';
import { workChunk } from '../../lib/operations/imports/work.ts';
import type { Database } from '../../lib/store/database.ts';
import type { Consumed } from '../../lib/store/dynamodb.ts';
import { derivedContactId, payloadKey } from '../../lib/store/keys.ts';
import { ProductCatalogue, ProductRegister } from '../../lib/store/products.ts';
import { contactDependencies, record as contactRecord } from '../support/contacts.ts';
import { freshTable, reportsCapacity } from '../support/engine.ts';
import { ModelQueue } from '../support/model-queue.ts';

/**
 * What imports and reads of accounts may cost, in capacity units as the engine counts them. A write unit is 1 KB of an
 * item, twice that in a transaction; a read unit is 4 KB, read strongly. The records here make items below 1 KB.
 *
 * A change that costs more fails here. To raise a budget, change its number in the same commit, and say there what the
 * service gets for it: a write unit more for each record makes a bank's first load half as dear again.
 */
const budgets = {
  newRecord: { write: 2, read: 2 },
  unchangedRecord: { write: 0, read: 2 },
  /**
   * Of a chunk, beside its payload. Writes: the claim and its entry among the open ones (4, a transaction), the note of
   * the hand-over (1), claim and import state at the start (4), claim, import state and the entry at the end (6).
   * Reads: the claim at acceptance, claim and import state at the start.
   */
  chunk: { write: 15, read: 3 },
  /** Of the first record that names a code: looked for, and made. */
  newProduct: { write: 1, read: 1 },
  /** The links, then the accounts with the revision of the products; and products that are not known under it yet. */
  contactAccounts: { roundTrips: 2, first: 3 },
};

const teamId = randomUUID();
let consumed: Consumed[];
let database: Database;
let queue: ModelQueue;
let dependencies: ImportDependencies;
beforeEach(async () => {
  consumed = [];
  queue = new ModelQueue(Date.now);
  ({ database } = await freshTable({ onConsumed: (each) => consumed.push(each) }));
  const products = new ProductRegister(database);
  dependencies = { database, queue, products, now: Date.now, newId: randomUUID };
});

const units = () => ({
  write: consumed.reduce((sum, each) => sum + each.writeUnits, 0),
  read: consumed.reduce((sum, each) => sum + each.readUnits, 0),
});

const records = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) =>
    accountRecord.parse({
      account_number: `40012${String(from + n).padStart(7, '0')}`,
      contact: { unique_id: `customer-${from + n}`, role: 'primary' },
      product: { code: 'CHK', type: 'checking', name: 'Everyday Checking' },
      nickname: 'Everyday',
      balance: '1234.56',
      opened_date: '2019-04-01',
      routing_number: '121000248',
      meta_public: { branch: { name: 'North', id: 7 }, tier: 2 },
      meta_private: { crm: `crm-${from + n}` },
    }),
  );

/** Writes and reads of the stored records themselves. */
async function payloadUnits(payloads: readonly string[]) {
  const keys = payloads.map((payloadId) => payloadKey(teamId, payloadId, 0));
  // An item's size is that of its names and values; the time to live is a number of ten digits, 6 bytes.
  const named = 'pk'.length + 'sk'.length + 'data'.length + 'expires_at'.length + 6;
  const sizes = (await database.get(keys)).map((item) => {
    const { pk, sk } = item!;
    const data = item!.data as Uint8Array;
    return named + pk.length + sk.length + data.byteLength;
  });
  const sum = (unit: number) => sizes.reduce((total, size) => total + Math.ceil(size / unit), 0);
  return { write: sum(1024), read: sum(4096) };
}

/** Imports the records from `from` on, and tells what that cost beside the payloads. */
async function imported({ from, chunks, size }: { from: number; chunks: number; size: number }) {
  consumed.length = 0;
  const batch_id = randomUUID();
  for (let chunk_index = 0; chunk_index < chunks; chunk_index++) {
    const part = records(from + chunk_index * size, size);
    await acceptBatch(dependencies, teamId, { type: 'account', batch_id, chunk_index, records: part });
  }
  const payloads: string[] = [];
  for (let message = queue.receive(); message; message = queue.receive()) {
    payloads.push(message.body.payload_id);
    await workChunk(dependencies, message.body);
    queue.delete(message.receipt);
  }
  const total = units();
  const payload = await payloadUnits(payloads);
  const { records: counts } = await readBatch({ database }, teamId, batch_id);
  return { counts, write: total.write - payload.write, read: total.read - payload.read, payload };
}

const { newRecord, unchangedRecord, chunk, newProduct } = budgets;

const isCounted = await reportsCapacity();

describe.runIf(isCounted).each([
  { chunks: 1, size: 100 },
  { chunks: 10, size: 10 },
])('an import of $chunks chunks of $size records', ({ chunks, size }) => {
  const count = chunks * size;

  test('writes a new account and its link, and reads each once', async () => {
    const { write, read, counts } = await imported({ from: 0, chunks, size });
    expect(counts.applied).toBe(count);
    expect((write - newProduct.write - chunks * chunk.write) / count).toBeLessThanOrEqual(newRecord.write);
    expect((read - newProduct.read - chunks * chunk.read) / count).toBeLessThanOrEqual(newRecord.read);
  });

  test('writes nothing for an unchanged record, and reads its account and link', async () => {
    await imported({ from: 0, chunks: 1, size: count });
    const { write, read, counts } = await imported({ from: 0, chunks, size });
    expect(counts.unchanged).toBe(count);
    expect(write - chunks * chunk.write).toBeLessThanOrEqual(count * unchangedRecord.write);
    expect((read - chunks * chunk.read) / count).toBeLessThanOrEqual(unchangedRecord.read);
  });
});

describe.runIf(isCounted)('one record more', () => {
  test('costs no more in a large chunk than in a small one', async () => {
    const known = await imported({ from: 0, chunks: 1, size: 1 });
    const small = await imported({ from: 1000, chunks: 1, size: 10 });
    const large = await imported({ from: 2000, chunks: 1, size: 210 });
    expect(known.counts.applied).toBe(1);
    expect((large.write - small.write) / 200).toBeLessThanOrEqual(newRecord.write);
    expect((large.read - small.read) / 200).toBeLessThanOrEqual(newRecord.read);
    const same = [
      await imported({ from: 1000, chunks: 1, size: 10 }),
      await imported({ from: 2000, chunks: 1, size: 210 }),
    ] as const;
    expect(same[1].write - same[0].write).toBe(200 * unchangedRecord.write);
    expect((same[1].read - same[0].read) / 200).toBeLessThanOrEqual(unchangedRecord.read);
  });
});

describe.runIf(isCounted)('a chunk', () => {
  test.each([1, 50, 500])('of %i unchanged records costs its constant and its compressed payload', async (size) => {
    await imported({ from: 0, chunks: 1, size });
    const { write, read, payload } = await imported({ from: 0, chunks: 1, size });
    expect(write).toBeLessThanOrEqual(chunk.write);
    expect(read - size * unchangedRecord.read).toBeLessThanOrEqual(chunk.read);
    // A tenth of a write unit for each record, and never less than one.
    expect(payload.write).toBeLessThanOrEqual(Math.ceil(size / 10));
  });
});

describe("a contact's accounts", () => {
  /** How often somebody waited for the table: calls that are under way together count as one. */
  function waiting(inner: Database): { database: Database; roundTrips: () => number } {
    let underWay = 0;
    let roundTrips = 0;
    const counted = async <T>(call: Promise<T>): Promise<T> => {
      if (underWay++ === 0) roundTrips++;
      return call.finally(() => underWay--);
    };
    return {
      database: {
        get: (keys) => counted(inner.get(keys)),
        query: (input) => counted(inner.query(input)),
        write: (writes) => counted(inner.write(writes)),
        transact: (writes) => counted(inner.transact(writes)),
      },
      roundTrips: () => roundTrips,
    };
  }

  test.each([3, 150])('take two round trips, and one for new products, also when there are %i', async (count) => {
    const unique_id = 'customer';
    await upsertContact(contactDependencies(database), teamId, contactRecord({ unique_id }));
    const owned = records(0, count).map((each) => ({ ...each, link: { unique_id } }));
    await acceptBatch(dependencies, teamId, { type: 'account', batch_id: 'b', chunk_index: 0, records: owned });
    await workChunk(dependencies, queue.receive()!.body);

    const contactId = derivedContactId(teamId, unique_id);
    const observed = waiting(database);
    const catalogue = new ProductCatalogue(observed.database);
    const { roundTrips, first } = budgets.contactAccounts;
    for (const allowed of [first, roundTrips]) {
      consumed.length = 0;
      const before = observed.roundTrips();
      const accounts = await contactAccounts({ database: observed.database, catalogue }, teamId, contactId);
      expect(accounts).toHaveLength(count);
      expect(observed.roundTrips() - before).toBeLessThanOrEqual(allowed);
      expect(consumed).toHaveLength(allowed - 1 + Math.ceil((count + 1) / 100));
    }
  });
});

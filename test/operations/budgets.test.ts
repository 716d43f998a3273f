import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { contactAccounts } from '../../lib/operations/contact-accounts.ts';
import { upsertContact } from '../../lib/operations/contacts/upsert.ts';
import type { ImportDependencies } from '../../lib/operations/imports/dependencies.ts';
import { readBatch } from '../../lib/operations/imports/status.ts';
import type { Database } from '../../lib/store/database.ts';
import type { Consumed } from '../../lib/store/dynamodb.ts';
import { derivedContactId, payloadKey } from '../../lib/store/keys.ts';
import { ProductCache } from '../../lib/store/products.ts';
import { contactDependencies, record as contactRecord } from '../support/contacts.ts';
import { freshTable, reportsCapacity } from '../support/engine.ts';
import { importDependencies, openChunks, postBatch, workAll } from '../support/import-operations.ts';

/**
 * What imports and reads of accounts may cost, in capacity units as the engine counts them. A write unit is 1 KB of an
 * item, twice that in a transaction; a read unit is 4 KB, read strongly. The records here make items below 1 KB.
 *
 * A change that costs more fails here. To raise a budget, change its number in the same commit and give the reason in the
 * commit message: one more write unit for each record makes a bank's first load half as expensive again.
 */
const budgets = {
  newRecord: { write: 2, read: 2 },
  unchangedRecord: { write: 0, read: 2 },
  /**
   * Of a chunk that is accepted and worked by itself, beside its payload. Writes: the batch's entry (1), counter, claim
   * and entry among the open chunks in a transaction (6), the start of work (1), claim, import state and the entry at
   * the end in a transaction (6). Reads: claim and counter at acceptance (2), state and open chunks in one query (1).
   */
  chunk: { write: 14, read: 3 },
  /** Of the first chunk of a batch: its place in the team's list of batches, an entry of the index. */
  newBatch: { write: 1 },
  /** Of each of many chunks that are worked in one go: the start is written with the close of the one before. */
  drainedChunk: { write: 13.2, read: 2.1 },
  /** Of each chunk of one large request: they share counter and entry of the batch, and nothing is read for each. */
  uploadedChunk: { write: 10.5, read: 0.2 },
  /** Of the first record that names a code: looked for, and made. */
  newProduct: { write: 1, read: 1 },
  /** The links, then the accounts with the revision of the products; and products that are not known under it yet. */
  contactAccounts: { roundTrips: 2, first: 3 },
};

const teamId = randomUUID();
let consumed: Consumed[];
let database: Database;
let dependencies: ImportDependencies;
beforeEach(async () => {
  consumed = [];
  ({ database } = await freshTable({ onConsumed: (each) => consumed.push(each) }));
  dependencies = importDependencies(database);
});

const units = () => ({
  write: consumed.reduce((sum, each) => sum + each.writeUnits, 0),
  read: consumed.reduce((sum, each) => sum + each.readUnits, 0),
});

const records = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    account_number: `40012${String(from + n).padStart(7, '0')}`,
    contact: { unique_id: `customer-${from + n}`, role: 'primary' },
    product: { code: 'CHK', type: 'checking', name: 'Everyday Checking' },
    nickname: 'Everyday',
    balance: '1234.56',
    opened_date: '2019-04-01',
    routing_number: '121000248',
    meta_public: { branch: { name: 'North', id: 7 }, tier: 2 },
    meta_private: { crm: `crm-${from + n}` },
  }));

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

type Import = { from: number; chunks: number; size: number };

/** What it costs to have the records imported by `accept` and `work`, beside the payloads. */
async function costOf(send: (batchId: string) => Promise<string[]>) {
  consumed.length = 0;
  const batchId = randomUUID();
  const payloads = await send(batchId);
  const total = units();
  const payload = await payloadUnits(payloads);
  const { records: counts } = await readBatch({ database }, teamId, batchId);
  return { counts, write: total.write - payload.write, read: total.read - payload.read, payload };
}

/** Names of the payloads that are to be worked, without a trace in what was consumed. */
async function openPayloads(): Promise<string[]> {
  const before = consumed.length;
  const open = await openChunks(database, teamId);
  consumed.length = before;
  return open.map(({ payload_id }) => payload_id);
}

/** Each chunk is applied before the next is accepted. */
const imported = ({ from, chunks, size }: Import) =>
  costOf(async (batch_id) => {
    const payloads: string[] = [];
    for (let chunk_index = 0; chunk_index < chunks; chunk_index++) {
      await postBatch(dependencies, teamId, {
        batch_id,
        chunk_index,
        records: records(from + chunk_index * size, size),
      });
      payloads.push(...(await openPayloads()));
      await workAll(dependencies, teamId);
    }
    return payloads;
  });

/** All chunks are accepted, then applied in one invocation. */
const drained = ({ from, chunks, size }: Import) =>
  costOf(async (batch_id) => {
    for (let chunk_index = 0; chunk_index < chunks; chunk_index++) {
      await postBatch(dependencies, teamId, {
        batch_id,
        chunk_index,
        records: records(from + chunk_index * size, size),
      });
    }
    const payloads = await openPayloads();
    await workAll(dependencies, teamId);
    return payloads;
  });

/** One request without chunk_index. */
const uploaded = (from: number, count: number) =>
  costOf(async (batch_id) => {
    await postBatch(dependencies, teamId, { batch_id, records: records(from, count) });
    const payloads = await openPayloads();
    await workAll(dependencies, teamId);
    return payloads;
  });

const { newRecord, unchangedRecord, chunk, newBatch, drainedChunk, uploadedChunk, newProduct } = budgets;

const isCounted = await reportsCapacity();

describe.runIf(isCounted).each([
  { chunks: 1, size: 100 },
  { chunks: 10, size: 10 },
])('an import of $chunks chunks of $size records', ({ chunks, size }) => {
  const count = chunks * size;

  test('writes a new account and its link, and reads each once', async () => {
    const { write, read, counts } = await imported({ from: 0, chunks, size });
    expect(counts.applied).toBe(count);
    expect((write - newProduct.write - newBatch.write - chunks * chunk.write) / count).toBeLessThanOrEqual(
      newRecord.write,
    );
    expect((read - newProduct.read - chunks * chunk.read) / count).toBeLessThanOrEqual(newRecord.read);
  });

  test('writes nothing for an unchanged record, and reads its account and link', async () => {
    await imported({ from: 0, chunks: 1, size: count });
    const { write, read, counts } = await imported({ from: 0, chunks, size });
    expect(counts.unchanged).toBe(count);
    expect(write - newBatch.write - chunks * chunk.write).toBeLessThanOrEqual(count * unchangedRecord.write);
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
    expect(write - newBatch.write).toBeLessThanOrEqual(chunk.write);
    expect(read - size * unchangedRecord.read).toBeLessThanOrEqual(chunk.read);
    // A tenth of a write unit for each record, and never less than one.
    expect(payload.write).toBeLessThanOrEqual(Math.ceil(size / 10));
  });
});

describe.runIf(isCounted)('many chunks of unchanged records', () => {
  test('cost less each when they are worked in one go', async () => {
    await imported({ from: 0, chunks: 1, size: 30 });
    const cost = await drained({ from: 0, chunks: 30, size: 1 });
    expect(cost.counts.unchanged).toBe(30);
    expect(cost.write / 30).toBeLessThanOrEqual(drainedChunk.write);
    expect(cost.read / 30 - unchangedRecord.read).toBeLessThanOrEqual(drainedChunk.read);
  });

  test('cost still less each when they come in one request', async () => {
    await imported({ from: 0, chunks: 10, size: 500 });
    const cost = await uploaded(0, 5000);
    expect(cost.counts.unchanged).toBe(5000);
    expect(cost.write / 10).toBeLessThanOrEqual(uploadedChunk.write);
    expect((cost.read - 5000 * unchangedRecord.read) / 10).toBeLessThanOrEqual(uploadedChunk.read);
  });
});

describe("a contact's accounts", () => {
  /** The number of round trips: parallel calls count as one. */
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
    await postBatch(dependencies, teamId, {
      records: records(0, count).map((each) => ({ ...each, contact: { unique_id } })),
    });
    await workAll(dependencies, teamId);

    const contactId = derivedContactId(teamId, unique_id);
    const observed = waiting(database);
    const productCache = new ProductCache(observed.database);
    const { roundTrips, first } = budgets.contactAccounts;
    for (const allowed of [first, roundTrips]) {
      consumed.length = 0;
      const before = observed.roundTrips();
      const accounts = await contactAccounts({ database: observed.database, productCache }, teamId, contactId);
      expect(accounts).toHaveLength(count);
      expect(observed.roundTrips() - before).toBeLessThanOrEqual(allowed);
      expect(consumed).toHaveLength(allowed - 1 + Math.ceil((count + 1) / 100));
    }
  });
});

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { contactAccountsTrips, importUnits } from '../../../bench/cost/units.ts';
import { contactAccounts } from '../../../lib/operations/accounts/contact-accounts.ts';
import { readBatch } from '../../../lib/operations/imports/status.ts';
import { ProductCache } from '../../../lib/store/accounts/products.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import type { Consumed } from '../../../lib/store/table/dynamodb.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { payloadKey } from '../../../lib/store/table/keys.ts';
import { freshTable, reportsCapacity } from '../../support/engine/engine.ts';
import { itemSize } from '../../support/engine/item-size.ts';
import { countingRoundTrips } from '../../support/engine/round-trips.ts';
import { openChunks, postBatch, workAll } from '../../support/operations/import-operations.ts';
import { serviceOn, type TestedService, upsertContact } from '../../support/operations/operations.ts';
import { record as contactRecord } from '../../support/samples/contacts.ts';

const teamId = randomUUID();
let consumed: Consumed[];
let database: Database;
let dependencies: TestedService;
beforeEach(async () => {
  consumed = [];
  ({ database } = await freshTable({ onConsumed: (each) => consumed.push(each) }));
  dependencies = serviceOn(database);
});

const units = () => ({
  write: consumed.reduce((sum, each) => sum + each.writeUnits, 0),
  read: consumed.reduce((sum, each) => sum + each.readUnits, 0),
});

const records = (from: number, count: number, balance = '1234.56') =>
  Array.from({ length: count }, (_, n) => ({
    account_number: `40012${String(from + n).padStart(7, '0')}`,
    contact: { unique_id: `customer-${from + n}`, role: 'primary' },
    product: { code: 'CHK', type: 'checking', name: 'Everyday Checking' },
    nickname: 'Everyday',
    balance,
    opened_date: '2019-04-01',
    routing_number: '121000248',
    meta_public: { branch: { name: 'North', id: 7 }, tier: 2 },
    meta_private: { crm: `crm-${from + n}` },
  }));

/** Writes and reads of the stored records themselves. */
async function payloadUnits(payloads: readonly string[]) {
  const keys = payloads.map((payloadId) => payloadKey(teamId, payloadId, 0));
  const sizes = (await database.get(keys)).map((item) => itemSize(item!));
  const sum = (unit: number) => sizes.reduce((total, size) => total + Math.ceil(size / unit), 0);
  return { write: sum(1024), read: sum(4096) };
}

type Import = { from: number; chunks: number; size: number; balance?: string };

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
const imported = ({ from, chunks, size, balance }: Import) =>
  costOf(async (batch_id) => {
    const payloads: string[] = [];
    for (let chunk_index = 0; chunk_index < chunks; chunk_index++) {
      await postBatch(dependencies, teamId, {
        batch_id,
        chunk_index,
        records: records(from + chunk_index * size, size, balance),
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

const { newRecord, changedRecord, unchangedRecord, chunk, newBatch, drainedChunk, uploadedChunk, newProduct } =
  importUnits;

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

  test('writes only the account of a record with another balance', async () => {
    await imported({ from: 0, chunks: 1, size: count });
    const { write, read, counts } = await imported({ from: 0, chunks, size, balance: '99.00' });
    expect(counts.applied).toBe(count);
    expect((write - newBatch.write - chunks * chunk.write) / count).toBeLessThanOrEqual(changedRecord.write);
    expect((read - chunks * chunk.read) / count).toBeLessThanOrEqual(changedRecord.read);
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
  test.each([3, 150])('take two round trips, and one for new products, also when there are %i', async (count) => {
    const unique_id = 'customer';
    await upsertContact(serviceOn(database), teamId, contactRecord({ unique_id }));
    await postBatch(dependencies, teamId, {
      records: records(0, count).map((each) => ({ ...each, contact: { unique_id } })),
    });
    await workAll(dependencies, teamId);

    const contactId = derivedContactId(teamId, unique_id);
    const observed = countingRoundTrips(database);
    const productCache = new ProductCache(observed.database);
    const { trips, first } = contactAccountsTrips;
    for (const allowed of [first, trips]) {
      consumed.length = 0;
      const before = observed.roundTrips();
      const accounts = await contactAccounts({ database: observed.database, productCache }, teamId, contactId);
      expect(accounts).toHaveLength(count);
      expect(observed.roundTrips() - before).toBeLessThanOrEqual(allowed);
      expect(consumed).toHaveLength(allowed - 1 + Math.ceil((count + 1) / 100));
    }
  });
});

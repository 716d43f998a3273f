import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { accountRecord } from '../../lib/domain/account.ts';
import { acceptBatch } from '../../lib/operations/imports/accept.ts';
import { readBatch } from '../../lib/operations/imports/status.ts';
import { workChunk } from '../../lib/operations/imports/work.ts';
import { loadAccounts, loadLinks } from '../../lib/store/accounts.ts';
import { StoreUnavailable } from '../../lib/store/database.ts';
import { DynamoDatabase } from '../../lib/store/dynamodb.ts';
import { derivedContactId } from '../../lib/store/keys.ts';
import { ProductRegister } from '../../lib/store/products.ts';
import { engineClient, freshTable } from '../support/engine.ts';
import { ModelQueue } from '../support/model-queue.ts';
import { throttlingProxy } from '../support/throttling-proxy.ts';

let proxy: Awaited<ReturnType<typeof throttlingProxy>>;

beforeAll(async () => {
  proxy = await throttlingProxy(inject('dynamodbEndpoint'));
});
afterAll(() => proxy.stop());

describe('a store that throttles one write, and one read, in three', () => {
  it('loses nothing of an import and doubles nothing', async () => {
    const { database: direct, tableName } = await freshTable();
    const database = new DynamoDatabase({ tableName, client: engineClient(proxy.endpoint), backoff: () => 1 });
    const teamId = crypto.randomUUID();
    const queue = new ModelQueue(Date.now);
    const dependencies = {
      database,
      queue,
      products: new ProductRegister(database),
      now: Date.now,
      newId: () => crypto.randomUUID(),
    };
    const records = Array.from({ length: 200 }, (_, i) =>
      accountRecord.parse({
        account_number: `${i}`,
        contact: { unique_id: `c${i % 20}` },
        product: { code: `P${i % 3}`, type: 'loan' },
      }),
    );
    for (const chunk_index of [0, 1]) {
      await acceptBatch(dependencies, teamId, { type: 'account', batch_id: 'b', chunk_index, records });
      const message = queue.receive()!;
      await workChunk(dependencies, message.body);
      queue.delete(message.receipt);
    }
    expect(proxy.refused()).toBeGreaterThan(200);
    expect(await readBatch({ database: direct }, teamId, 'b')).toMatchObject({
      status: 'completed',
      records: { accepted: 400, applied: 200, unchanged: 200, superseded: 0, rejected: 0 },
    });
    const accounts = await loadAccounts(
      direct,
      teamId,
      records.map((record) => record.account_number),
    );
    expect(accounts.map((account) => account?.product_code)).toEqual(records.map((_, i) => `P${i % 3}`));
    expect((await loadLinks(direct, teamId, derivedContactId(teamId, 'c7'))).links).toHaveLength(10);
  });
});

describe('a store that is away', () => {
  it('is told as unavailable after a bounded number of rounds', async () => {
    const client = engineClient('http://127.0.0.1:1');
    const rounds: number[] = [];
    const backoff = (round: number) => {
      rounds.push(round);
      return 0;
    };
    const database = new DynamoDatabase({ tableName: 'none', client, backoff });
    await expect(database.get([{ pk: 'a', sk: 'b' }])).rejects.toThrow(StoreUnavailable);
    expect(rounds).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readBatch } from '../../../lib/operations/imports/status.ts';
import { loadAccounts, loadLinks } from '../../../lib/store/accounts/accounts.ts';
import { DynamoDatabase } from '../../../lib/store/table/dynamodb.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { type FaultProxy, faultProxy } from '../../support/aws/fault-proxy.ts';
import { engineClient, freshTable } from '../../support/engine/engine.ts';
import { oneIn } from '../../support/one-in.ts';
import { postBatch, workAll } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';

let proxy: FaultProxy;
let refused = 0;
const isThird = oneIn(3);
function throttles(part: unknown): boolean {
  const isThrottled = isThird(part);
  if (isThrottled) refused += 1;
  return isThrottled;
}

beforeAll(async () => {
  proxy = await faultProxy(inject('dynamodbEndpoint'), () => ({ throttles }));
});
afterAll(() => proxy.stop());

describe('a store that throttles one write, and one read, in three', () => {
  it('loses nothing of an import and doubles nothing', async () => {
    const { database: direct, tableName } = await freshTable();
    const retryLimits = { rounds: 8, milliseconds: 60_000, quota: 100 };
    const client = engineClient(proxy.endpoint);
    const database = new DynamoDatabase({ tableName, client, backoff: () => 1, retryLimits });
    const teamId = crypto.randomUUID();
    const dependencies = serviceOn(database);
    const records = Array.from({ length: 200 }, (_, i) => ({
      account_number: `${i}`,
      contact: { unique_id: `c${i % 20}` },
      product: { code: `P${i % 3}`, type: 'loan' },
    }));
    for (const chunk_index of [0, 1]) {
      await postBatch(dependencies, teamId, { batch_id: 'b', chunk_index, records });
      await workAll(dependencies, teamId);
    }
    expect(refused).toBeGreaterThan(200);
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

import { beforeAll, beforeEach, expect, test } from 'vitest';
import { maxOpenChunks } from '../../../lib/domain/imports/chunk.ts';
import { importStateKey, orderCounterKey } from '../../../lib/store/table/keys.ts';
import { openChunks } from '../../support/operations/import-operations.ts';
import { Bank } from '../../support/service/imports.ts';
import { service, type TestService } from '../../support/service/service.ts';

/** The limit of open chunks of a team (contract, section 5), as a client sees it. */
let api: TestService;
let bank: Bank;
beforeAll(async () => {
  api = await service();
});
beforeEach(async () => {
  bank = await Bank.open(api);
});

const records = [{ account_number: '1', product: { code: 'CHK', type: 'checking' } }];
const chunk = { batch_id: 'b', chunk_index: 0, records };

const insert = async (item: { pk: string; sk: string } & Record<string, string | number>) =>
  expect(await api.database.write([{ kind: 'insert', item }])).toEqual([true]);

/** Sets the number of open chunks of the team. */
const fill = (last_order: number) => insert({ ...orderCounterKey(bank.team.teamId), last_order, left_seen: 0 });
/** Sets the numbers of begun and applied chunks. */
const setWorked = (begun: number, left: number) =>
  insert({ ...importStateKey(bank.team.teamId), begun, left, failed: 0, renames: 0, version: 1 });

test('a team with 10,000 open chunks, and no other, is told to wait until there is room, and nothing is stored', async () => {
  expect(maxOpenChunks).toBe(10_000);
  await fill(10_000);
  const refused = await bank.post(chunk);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(refused.body).toEqual({
    error: 'too_many_requests',
    message: expect.any(String),
    request_id: refused.headers.get('x-request-id'),
  });
  expect((await bank.status('b')).status).toBe(404);
  expect((await bank.get('/v1/batches')).body).toMatchObject({ batches: [], has_more: false });
  expect(await openChunks(api.database, bank.team.teamId)).toEqual([]);
  const key = orderCounterKey(bank.team.teamId);
  expect(await api.database.get([key])).toEqual([{ ...key, last_order: 10_000, left_seen: 0 }]);

  const other = await Bank.open(api);
  expect((await other.post(chunk)).status).toBe(202);
  await setWorked(10_000, 10_000);
  const accepted = await bank.post(chunk);
  expect(accepted.status).toBe(202);
  expect(accepted.body).toMatchObject({ batch_id: 'b', chunk_index: 0, records: 1, duplicate: false });
  expect(await bank.settled('b')).toMatchObject({ status: 'completed', records: { accepted: 1, applied: 1 } });
});

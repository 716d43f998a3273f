import type { Context, SQSEvent } from 'aws-lambda';
import { expect, inject, test, vi } from 'vitest';
import { readBatch } from '../../../lib/operations/imports/status.ts';
import { freshTable, localCredentials, localRegion } from '../../support/engine/engine.ts';
import { openChunks, postBatch } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';

/** The worker of imports as Lambda calls it. It needs no queue, because it works everything. */
const defective = 'DEFECT';
vi.mock('../../../lib/domain/accounts/account.ts', async (load) => {
  const real = await load<typeof import('../../../lib/domain/accounts/account.ts')>();
  const mergeAccount: typeof real.mergeAccount = (stored, input) => {
    if (input.product.code === defective) throw new TypeError('a defect');
    return real.mergeAccount(stored, input);
  };
  return { ...real, mergeAccount };
});

test('a record with which the code fails is rejected alone, and logged without its values; no message fails', async () => {
  const { database, tableName } = await freshTable();
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    ISSUER: 'https://api.example.com',
    QUEUE_URL: 'http://127.0.0.1:9/imports',
    AWS_ENDPOINT_URL_DYNAMODB: inject('dynamodbEndpoint'),
    AWS_REGION: localRegion,
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  });
  const writes = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockReturnValue(true));
  const { handler } = await import('../../../functions/imports/worker.ts');
  const send = (teamId: string, codes: readonly string[]) => {
    const records = codes.map((code, n) => ({ account_number: `700${n}`, product: { code, type: 'loan' } }));
    return postBatch(serviceOn(database), teamId, { batch_id: 'b', chunk_index: 0, records });
  };
  const work = (team_id: string) => {
    const record = {
      messageId: 'm',
      receiptHandle: 'r',
      body: JSON.stringify({ work: 'imports', team_id }),
      attributes: {},
    };
    const clock = { getRemainingTimeInMillis: () => 60_000 } as Context;
    return handler({ Records: [record] } as unknown as SQSEvent, clock);
  };
  const [teamId, neighbour] = [crypto.randomUUID(), crypto.randomUUID()];
  await send(teamId, ['C', defective, 'C']);
  await send(neighbour, ['C']);

  for (const team of [teamId, neighbour]) {
    expect(await work(team)).toEqual({ batchItemFailures: [] });
    expect(await openChunks(database, team)).toEqual([]);
  }
  const { status, records, errors } = await readBatch({ database }, teamId, 'b');
  expect([status, records]).toMatchObject(['completed', { applied: 2, rejected: 1 }]);
  expect(errors).toEqual([{ chunk: 0, record: 1, message: expect.stringContaining('internal error') }]);
  expect((await readBatch({ database }, neighbour, 'b')).records).toMatchObject({ applied: 1, rejected: 0 });
  const lines = writes.flatMap(({ mock }) => mock.calls.map(([line]) => String(line)));
  const said = lines.filter((line) => line.includes('a record was rejected: the code failed on it'));
  expect(said).toEqual([expect.stringContaining(`"team_id":"${teamId}"`)]);
  expect(said[0]).toContain('TypeError');
  expect(said[0]).not.toContain('7001');
});

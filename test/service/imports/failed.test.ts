import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { StoreUnavailable } from '../../../lib/store/table/database.ts';
import { DynamoDatabase } from '../../../lib/store/table/dynamodb.ts';
import { failNextChunk, postBatch } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { admin, adminJson } from '../../support/service/admin.ts';
import { service, type TestTeam } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

const api = await service();
let team: TestTeam;
beforeEach(async () => {
  team = await api.newTeam();
});

const record = { account_number: '1', contact: { unique_id: 'c1' }, product: { code: 'P', type: 'checking' } };

/** A failed chunk. Its wake was sent to a queue without a reader. */
async function failedChunk(batch_id: string, chunk_index?: number, of = team): Promise<void> {
  const dependencies = serviceOn(api.database);
  const index = chunk_index === undefined ? {} : { chunk_index };
  await postBatch(dependencies, of.teamId, { batch_id, ...index, records: [record] });
  await failNextChunk(dependencies, of.teamId, 'its stored records cannot be read');
}

const statusOf = async (batch: string) =>
  (await api.request('GET', `/v1/batches/${batch}`, { token: team.token })).body;

const completed = (batch: string) =>
  until(
    'the batch is completed',
    () => statusOf(batch),
    ({ status }) => status === 'completed',
  );

const failed = (verb: string, ...args: string[]) => adminJson('failed', verb, ...args);
const list = async () => (await failed('list', '--team', team.teamId)).value;
const one = (batch: string, chunk: number) => ['--team', team.teamId, '--batch', batch, '--chunk', String(chunk)];

describe('failed list', () => {
  test('names the failed chunks of a team, oldest first, and why they failed', async () => {
    const other = await api.newTeam();
    await failedChunk('b', 7);
    await failedChunk('a', 0);
    await failedChunk('a', 0, other);
    const entry = {
      team_id: team.teamId,
      records: 1,
      attempts: 1,
      failure: 'its stored records cannot be read',
      accepted_at: expect.stringMatching(/^\d{4}-.*Z$/),
      client_id: null,
    };
    const expected = [
      { ...entry, batch_id: 'b', chunk: 7 },
      { ...entry, batch_id: 'a', chunk: 0 },
    ];
    expect(await list()).toEqual(expected);
    const everything = (await failed('list')).value;
    expect(everything).toEqual(expect.arrayContaining([...expected, { ...expected[1], team_id: other.teamId }]));
  });

  test('is shown to people as a table, or a line when there are none', async () => {
    expect((await admin(['failed', 'list', '--team', team.teamId])).stdout).toBe('There are no failed chunks.\n');
    await failedChunk('b', 7);
    const { stdout } = await admin(['failed', 'list', '--team', team.teamId]);
    expect(stdout).toMatch(/^TEAM +BATCH +CHUNK +RECORDS +ATTEMPTS +ACCEPTED +CLIENT +FAILURE\n/);
    expect(stdout).toContain(`${team.teamId}  "b"    7      1        1`);
  });
});

describe('failed redrive', () => {
  test('prints the next command with the batch id as one word', async () => {
    await failedChunk("x$(id)'y", 0);
    const { stdout } = await admin(['failed', 'redrive', '--team', team.teamId, '--all']);
    expect(stdout).toContain(`batch show 'x$(id)'\\''y' --team ${team.teamId} --watch`);
  });

  test('puts one chunk back among the open ones, and it is completed', async () => {
    await failedChunk('one', 0);
    await failedChunk('one', 1);
    const { status, value } = await failed('redrive', ...one('one', 1));
    expect(status).toBe(0);
    expect(value).toMatchObject([{ batch_id: 'one', chunk: 1 }]);
    const failedAndDone = { status: 'failed', chunks: { completed: 1, failed: 1 } };
    await expect.poll(() => statusOf('one')).toMatchObject(failedAndDone);
    expect(await list()).toMatchObject([{ chunk: 0 }]);
  });

  test('puts back all of a team, or all of a batch', async () => {
    for (const batch of ['x', 'y', 'z']) await failedChunk(batch, 0);
    const ofBatch = await failed('redrive', '--team', team.teamId, '--batch', 'x', '--all');
    expect(ofBatch.value).toMatchObject([{ batch_id: 'x' }]);
    await completed('x');
    const ofTeam = await failed('redrive', '--team', team.teamId, '--all');
    expect(ofTeam.value).toMatchObject([{ batch_id: 'y' }, { batch_id: 'z' }]);
    expect((await completed('z')).records).toMatchObject({ accepted: 1, unchanged: 1 });
    expect(await list()).toEqual([]);
    expect(await failed('redrive', '--team', team.teamId, '--all')).toEqual({ status: 0, value: [] });
  });
});

describe('failed discard', () => {
  test('gives one chunk up, or all', async () => {
    await failedChunk('gone', 0);
    await failedChunk('gone', 1);
    const { status, value } = await failed('discard', ...one('gone', 0));
    expect(status).toBe(0);
    expect(value).toMatchObject([{ batch_id: 'gone', chunk: 0 }]);
    expect(await list()).toMatchObject([{ batch_id: 'gone', chunk: 1 }]);
    expect((await statusOf('gone')).chunks).toEqual({
      accepted: 1,
      completed: 0,
      failed: 1,
      failed_indexes: [1],
      discarded: 1,
    });
    await failed('discard', '--team', team.teamId, '--all');
    expect(await list()).toEqual([]);
  });
});

test('failed discard --all fails in an outage, and does not say that there was nothing to discard', async () => {
  await failedChunk('b', 0);
  const away = vi.spyOn(DynamoDatabase.prototype, 'transact').mockRejectedValue(new StoreUnavailable('a test'));
  const refused = await failed('discard', '--team', team.teamId, '--all').finally(() => away.mockRestore());
  expect(refused).toMatchObject({ status: 1, value: { error: 'unavailable' } });
  expect(await list()).toHaveLength(1);
});

describe.each(['redrive', 'discard'])('failed %s', (verb) => {
  test('wants one chunk by its full name, or all', async () => {
    await failedChunk('b', 0);
    const incomplete = [
      [],
      ['--team', team.teamId],
      ['--team', team.teamId, '--batch', 'b'],
      ['--batch', 'b', '--chunk', '0'],
      [...one('b', 0), '--all'],
      ['--team', team.teamId, '--batch', 'b', '--chunk', 'first'],
      ['--team', team.teamId, '--batch', 'b', '--chunk', '-1'],
    ];
    for (const args of incomplete) {
      expect(await failed(verb, ...args)).toMatchObject({ status: 1, value: { error: 'invalid_arguments' } });
    }
    expect(await list()).toHaveLength(1);
  });

  test('says when there is no such failed chunk', async () => {
    await failedChunk('b', 0);
    for (const args of [one('b', 1), one('c', 0), ['--team', randomUUID(), '--all']]) {
      expect(await failed(verb, ...args)).toMatchObject({ status: 1, value: { error: 'not_found' } });
    }
  });

  test('does not choose among several uploads of one batch', async () => {
    await failedChunk('b');
    await failedChunk('b');
    expect(await failed(verb, ...one('b', 0))).toMatchObject({ status: 1, value: { error: 'ambiguous' } });
    expect((await failed(verb, '--team', team.teamId, '--batch', 'b', '--all')).value).toHaveLength(2);
  });
});

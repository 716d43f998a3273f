import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { batchText, batchView, progressText } from '../../../bin/admin/imports/batch-view.ts';
import { type Chunk, type ImportState, newImportState } from '../../../lib/domain/imports/chunk.ts';
import { postBatch } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { admin, adminJson } from '../../support/service/admin.ts';
import { service, type TestService, type TestTeam } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

const record = { account_number: '1', contact: { unique_id: 'c1' }, product: { code: 'P', type: 'checking' } };
const now = Date.parse('2026-01-01T01:00:00.000Z');
const chunk = (index: number, change: Partial<Chunk> = {}): Chunk => ({
  team_id: 'team',
  batch_id: 'nightly',
  claim: `CHUNK#${index}`,
  index,
  status: 'open',
  order: index + 1,
  payload_id: 'p',
  parts: 1,
  records: 500,
  accepted_at: '2026-01-01T00:00:00.000Z',
  accepted_after: 0,
  ...change,
});
const completed = (index: number, change: Partial<Chunk> = {}): Chunk =>
  chunk(index, {
    status: 'completed',
    counts: { applied: 400, unchanged: 100, superseded: 0, rejected: 0 },
    closed_at: '2026-01-01T00:01:40.000Z',
    ...change,
  });
const failed = (index: number) => chunk(index, { status: 'failed', attempts: 5, failure: 'it broke' });
const viewAt = (state: Partial<ImportState>, ...chunks: Chunk[]) =>
  batchView('nightly', { chunks, head: {}, state: { ...newImportState, ...state } }, now)!;
const view = (...chunks: Chunk[]) => viewAt({}, ...chunks);

describe('the view of a batch', () => {
  test.each<[string, Chunk, object]>([
    [
      'a chunk that nothing has begun waits',
      chunk(0),
      { state: 'waiting', age_seconds: 3600, duration_seconds: null, counts: null },
    ],
    [
      'one that was completed has a duration and no age',
      completed(0),
      { state: 'completed', age_seconds: null, duration_seconds: 100 },
    ],
    ['one that failed says why', failed(0), { state: 'failed', failure: 'it broke', closed_at: null }],
    ['a discarded one is shown', chunk(0, { status: 'discarded' }), { state: 'discarded' }],
    ['a cancelled one is shown', chunk(0, { status: 'cancelled' }), { state: 'cancelled', attempts: 0 }],
    [
      'one from a clock that is ahead is not of negative age',
      chunk(0, { accepted_at: '2027-01-01T00:00:00.000Z' }),
      { age_seconds: 0 },
    ],
  ])('%s', (_, of, expected) => {
    expect(view(of).chunks).toMatchObject([expected]);
  });

  test('shows the attempts of the chunk that was begun last, and which were begun before', () => {
    const state = { begun: 2, attempt: { order: 2, count: 3 } };
    expect(viewAt(state, chunk(0), chunk(1), chunk(2)).chunks).toMatchObject([
      { state: 'working', attempts: 0 },
      { state: 'working', attempts: 3 },
      { state: 'waiting', attempts: 0 },
    ]);
  });

  test('is undefined without chunks', () => {
    expect(batchView('nightly', { chunks: [], head: {}, state: newImportState }, now)).toBeUndefined();
  });

  test('puts neighbours that stand alike on one line', () => {
    const rejected = completed(3, {
      rejections: [
        { record: 7, message: 'is too large' },
        { record: 9, message: 'is too large' },
      ],
    });
    const text = batchText(
      view(completed(0), completed(1), completed(2), rejected, failed(4), failed(5), chunk(6), chunk(7)),
    );
    const lines = text
      .split('\n')
      .slice(7)
      .map((line) => line.replace(/ {2,}/g, '|'));
    expect(lines).toEqual([
      'CHUNKS|STATE|RECORDS|APPLIED|UNCHANGED|SUPERSEDED|REJECTED|ATTEMPTS|AGE|DURATION|CLIENT|FAILURE',
      '0–2|completed|1,500|1,200|300|0|0|0|100 s',
      '3|completed|500|400|100|0|0|0|100 s|record 7: is too large (and 1 more)',
      '4–5|failed|1,000|5|60 min|it broke',
      '6–7|waiting|1,000|0|60 min',
    ]);
    expect(text).toContain('chunks    4 completed, 2 waiting, 2 failed');
    expect(text).toContain('records   4,000 accepted, 1,600 applied, 400 unchanged, 0 superseded, 0 rejected');
  });

  test('says in a line how far the batch is', () => {
    expect(progressText(view(completed(0), failed(1), chunk(2)))).toBe(
      '"nightly" processing: 1 of 3 chunks completed, 1 failed, 500 of 1,500 records',
    );
  });
});

describe('batch show', () => {
  let api: TestService;
  let team: TestTeam;
  beforeAll(async () => {
    api = await service();
    team = await api.newTeam();
  });

  async function sent(of: TestTeam, chunks: number): Promise<string> {
    const batch_id = randomUUID();
    for (let chunk_index = 0; chunk_index < chunks; chunk_index++) {
      const body = { type: 'accounts', batch_id, chunk_index, records: [record] };
      expect((await api.request('POST', '/v1/batches', { token: of.token, body })).status).toBe(202);
    }
    return batch_id;
  }

  test('finds the batch whoever sent it, and with --watch stays until it is done', async () => {
    const batch = await sent(team, 3);
    const { status, stdout, stderr } = await admin(['batch', 'show', batch, '--watch', '--json']);
    expect([status, stderr]).toEqual([0, '']);
    const lines = stdout.trim().split('\n');
    expect(new Set(lines).size).toBe(lines.length);
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({
      team_id: team.teamId,
      batch: { batch_id: batch, status: 'completed', records: { accepted: 3, applied: 1, unchanged: 2 } },
      chunks: [0, 1, 2].map((index) => ({ chunk: index, state: 'completed', failure: null })),
    });
    const text = await admin(['batch', 'show', batch, '--team', team.teamId, '--watch']);
    expect(text.stderr).toMatch(/completed: 3 of 3 chunks completed, 3 of 3 records\n$/);
    expect(text.stdout).toMatch(/^batch +"[0-9a-f-]{36}"\n(?:.*\n)*duration +\d+ s\n/);
    expect((await admin(['batch', 'show', batch, '--team', team.teamId])).stdout).toBe(text.stdout);
  });

  test('asks for the team where several have a batch of that name', async () => {
    const other = await api.newTeam();
    const batch_id = `shared-${randomUUID()}`;
    for (const { token } of [team, other]) {
      await api.request('POST', '/v1/batches', { token, body: { type: 'accounts', batch_id, records: [record] } });
    }
    expect(await adminJson('batch', 'show', batch_id)).toMatchObject({ status: 1, value: { error: 'ambiguous' } });
    expect((await adminJson('batch', 'show', batch_id, '--team', other.teamId)).value).toMatchObject({
      team_id: other.teamId,
      chunks: [{ client_id: other.clientId }],
    });
  });

  test.each([
    ['an unknown batch', ['no-such-batch']],
    ['an unknown team', ['no-such-batch', '--team', randomUUID()]],
  ])('says so of %s', async (_, args) => {
    expect(await adminJson('batch', 'show', ...args)).toMatchObject({ status: 1, value: { error: 'not_found' } });
  });
});

describe('batch list', () => {
  test("shows a team's batches, the newest first, as many as were asked for", async () => {
    const api = await service();
    const { teamId } = await api.newTeam();
    expect((await admin(['batch', 'list', '--team', teamId])).stdout).toBe('The team has no batches.\n');
    // No sweep of the service applies what is accepted later.
    const later = Date.now() + 3_600_000;
    for (const [at, batch_id] of ['a', 'b', 'c'].entries()) {
      const dependencies = serviceOn(api.database, { now: () => later + at });
      await postBatch(dependencies, teamId, { batch_id, records: [record] });
    }
    const listed = async (...args: string[]) => (await adminJson('batch', 'list', '--team', teamId, ...args)).value;
    expect(await listed()).toMatchObject([
      { batch_id: 'c', status: 'processing', chunks: { accepted: 1 }, records: { accepted: 1 } },
      { batch_id: 'b' },
      { batch_id: 'a' },
    ]);
    expect((await listed('--limit', '2')).map(({ batch_id }: { batch_id: string }) => batch_id)).toEqual(['c', 'b']);
    expect((await listed('--limit', '10001')).error).toBe('invalid_arguments');
    const { stdout } = await admin(['batch', 'list', '--team', teamId]);
    expect(stdout).toMatch(/^BATCH +STATUS +CHUNKS +RECORDS +APPLIED .*\n"c" +processing +1 +1 /);
  });

  test('names the clients that sent each batch', async () => {
    const api = await service();
    const { teamId, token, clientId } = await api.newTeam();
    await api.request('POST', '/v1/batches', {
      token,
      body: { type: 'accounts', batch_id: 'sent', records: [record] },
    });
    await postBatch(serviceOn(api.database), teamId, { batch_id: 'dropped', records: [record] });
    const { value } = await adminJson('batch', 'list', '--team', teamId);
    const sent = value.map(({ batch_id, client_ids }: Record<string, unknown>) => [batch_id, client_ids]).sort();
    expect(sent).toEqual([
      ['dropped', []],
      ['sent', [clientId]],
    ]);
    expect((await admin(['batch', 'list', '--team', teamId])).stdout).toMatch(new RegExp(`"sent".* ${clientId}\n`));
  });
});

describe('batch cancel', () => {
  let api: TestService;
  let team: TestTeam;
  beforeEach(async () => {
    api = await service();
    team = await api.newTeam();
  });
  const post = (chunk_index: number, records: object[] = [record]) =>
    api.request('POST', '/v1/batches', {
      token: team.token,
      body: { type: 'accounts', batch_id: 'b', chunk_index, records },
    });
  const statusOf = async () => (await api.request('GET', '/v1/batches/b', { token: team.token })).body;
  const completed = (count: number) =>
    until(
      'the batch is completed',
      statusOf,
      ({ chunks, status }) => chunks.completed === count && status === 'completed',
    );

  test('cancels the chunks that no worker has begun, lets the others be, and the pair is accepted anew', async () => {
    await post(0);
    await completed(1);
    // No wake is sent for these chunks, so they are still waiting.
    for (const chunk_index of [1, 2]) {
      await postBatch(serviceOn(api.database), team.teamId, { batch_id: 'b', chunk_index, records: [record] });
    }
    const { status, value } = await adminJson('batch', 'cancel', 'b', '--team', team.teamId, '--yes');
    expect([status, value]).toEqual([0, { batch_id: 'b', team_id: team.teamId, cancelled: 2, left: 1 }]);
    expect(await statusOf()).toMatchObject({
      status: 'completed',
      chunks: { accepted: 3, completed: 1, failed: 0, cancelled: 2 },
      records: { accepted: 3, applied: 1 },
      completed_at: expect.any(String),
    });
    const again = await adminJson('batch', 'cancel', 'b', '--team', team.teamId, '--yes');
    expect(again.value).toMatchObject({ cancelled: 0, left: 3 });

    const anew = await post(2, [{ ...record, nickname: 'new' }, record]);
    expect(anew.body).toMatchObject({ duplicate: false, records: 2 });
    expect(anew.body).not.toHaveProperty('same_records');
    expect(await completed(2)).toMatchObject({
      chunks: { accepted: 3, completed: 2, failed: 0, cancelled: 1 },
      records: { accepted: 4, applied: 2, unchanged: 1 },
    });
    expect((await post(2)).body).toMatchObject({ duplicate: true, records: 2, same_records: false });
  });
});

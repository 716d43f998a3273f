import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { logBytes } from '../../../bench/cost/units.ts';
import { type LogLine, logLines } from '../../support/http/log-lines.ts';
import { startService, type TestTeam } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

/** Seconds. */
const lifetime = 1234;

/** Files that come into the drop box at the start, because it takes seconds until one is read. */
const secret = 'a-name-of-a-person';
const files: [status: string, content: string, metrics: object][] = [
  ['completed', 'unique_id,birthdate\n1,\n2,\n3,\n4,31.12.2024\n', { files_completed: 1, rows_rejected_percent: 25 }],
  ['failed', 'unique_id,birthdate\n5,31.12.2024\n', { files_failed: 1, rows_rejected_percent: 100 }],
  ['refused', 'no column of a contact\n1\n', { files_failed: 1 }],
];

/** A service that writes its metrics as the deployed functions do, and everything that it can log. */
let api: Awaited<ReturnType<typeof startService>>;
let team: TestTeam;

beforeAll(async () => {
  const settings = { LOG_LEVEL: 'DEBUG', METRICS_NAMESPACE: 'Test', TOKEN_LIFETIME_SECONDS: String(lifetime) };
  api = await startService({ environment: { DYNAMODB_ENDPOINT: inject('dynamodbEndpoint'), ...settings } });
  team = await api.newTeam();
  const folder = join(api.local.drop_box_folder, team.teamId, 'contacts');
  mkdirSync(folder, { recursive: true });
  for (const [status, content] of files) writeFileSync(join(folder, `${secret}-${status}.csv`), content);
});
afterAll(() => api.process.stop());

const lineWith = async (isMeant: (line: LogLine) => boolean) =>
  (await until('the line is in the log', () => logLines(api.process.output()).find(isMeant)))!;

/** The names of the metrics in a line, and the names of their dimensions. */
const declared = ({ _aws }: LogLine) => {
  const [{ Namespace, Dimensions, Metrics }, ...others] = (
    _aws as {
      CloudWatchMetrics: [{ Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }];
    }
  ).CloudWatchMetrics;
  expect([Namespace, others]).toEqual(['Test', []]);
  return {
    dimensions: Dimensions,
    metrics: Metrics.map(({ Name }) => Name).filter((name) => name !== 'cold_starts'),
  };
};

/** With what CloudWatch adds to each line. */
const bytesOf = (line: LogLine): number => Buffer.byteLength(JSON.stringify(line)) + 26;

const request = async (path: string, token: string | undefined) => {
  const response = await api.request('GET', path, token === undefined ? {} : { token });
  const id = response.headers.get('x-request-id');
  return { id, line: await lineWith(({ message, requestId }) => message === 'request' && requestId === id) };
};

describe('the line of a request', () => {
  test('counts it by its route, with its latency', async () => {
    const { line } = await request('/v1/templates', team.token);
    expect(declared(line)).toEqual({ dimensions: [['service', 'route']], metrics: ['latency'] });
    expect(line).toMatchObject({ service: 'onboarding', route: 'list-templates', latency: expect.any(Number) });
    expect(bytesOf(line)).toBeLessThanOrEqual(logBytes.request);
  });

  test('counts an error by its code too, and names the team without a dimension for it', async () => {
    const { line } = await request(`/v1/contacts/${crypto.randomUUID()}`, team.token);
    const dimensions = [
      ['service', 'route'],
      ['service', 'code'],
    ];
    expect(declared(line)).toEqual({ dimensions, metrics: ['latency', 'errors'] });
    expect(line).toMatchObject({ code: 'not_found', errors: 1, team_id: team.teamId });
  });

  test('counts an error in the format of OAuth by its status', async () => {
    await api.request('POST', '/oauth2/token', {
      body: { grant_type: 'client_credentials', client_id: crypto.randomUUID(), client_secret: 'wrong' },
    });
    const line = await lineWith(({ message, route, status }) => {
      return message === 'request' && route === 'create-token' && status === 401;
    });
    expect(line).toMatchObject({ code: 'http_401', errors: 1 });
  });

  test.each(['/v1/contacts', '/oauth2/token'])('counts a 405 at %s by its code', async (path) => {
    const response = await api.request('DELETE', path);
    const requestId = response.headers.get('x-request-id');
    const line = await lineWith((each) => each.message === 'request' && each.requestId === requestId);
    expect(line).toMatchObject({ status: 405, code: 'method_not_allowed', errors: 1 });
  });
});

describe('the line of the import worker', () => {
  test('counts the records by outcome, and names the request that accepted them', async () => {
    const records = ['1', '2'].map((account_number) => ({ account_number, product: { code: 'C', type: 'loan' } }));
    const body = { type: 'account', batch_id: 'b', chunk_index: 0, records };
    const accepted = await api.request('POST', '/v1/batches', { token: team.token, body });
    expect(accepted.status).toBe(202);
    const requestId = accepted.headers.get('x-request-id');
    const line = await lineWith((each) => each.message === 'chunks were worked' && each.requestId === requestId);
    expect(declared(line).dimensions).toEqual([['service', 'function']]);
    expect(line).toMatchObject({
      team_id: team.teamId,
      function: 'import-worker',
      wakes: 1,
      chunks_completed: 1,
      records_applied: 2,
      records_unchanged: 0,
      records_superseded: 0,
      records_rejected: 0,
    });
    expect(bytesOf(line)).toBeLessThanOrEqual(logBytes.wake);
  });
});

describe('the line of the drop-box reader', () => {
  test.each(files)('says what became of the file: %s', async (status, _, metrics) => {
    const line = await lineWith((each) => each.status === status && 'file_id' in each);
    expect(declared(line)).toEqual({ dimensions: [['service', 'function']], metrics: Object.keys(metrics) });
    expect(line).toMatchObject({ team_id: team.teamId, function: 'drop-box-reader', type: 'contacts', ...metrics });
    expect(JSON.stringify(line)).not.toContain(secret);
  });
});

test('the line of the sweeper has what waits, also if nothing does', async () => {
  const line = await lineWith(({ message }) => message === 'a sweep ended');
  expect(declared(line).metrics).toEqual([
    'chunks_failed',
    'teams_late',
    'teams_woken',
    'oldest_open_chunk',
    'files_missing',
    'files_unexpected',
    'webhooks_failing',
    'oldest_webhook_event',
    'targeting_stopped',
    'oldest_mark',
    'oldest_message',
  ]);
  expect(line).toMatchObject({ function: 'sweeper', chunks_failed: 0, teams_late: 0 });
  expect(bytesOf(line)).toBeLessThanOrEqual(logBytes.sweep);
});

test('a token lives as long as the deployment says, and neither it nor a secret is ever logged', async () => {
  const { client_id, client_secret } = api.local;
  const body = { grant_type: 'client_credentials', client_id, client_secret };
  const answer = await api.request('POST', '/oauth2/token', { body });
  expect(answer.body.expires_in).toBe(lifetime);
  const token: string = answer.body.access_token;
  expect((await api.request('GET', '/v1/contacts', { token })).status).toBe(200);
  await api.request('POST', '/oauth2/token', { body: { ...body, client_secret: 'wrong-secret' } });
  await api.request('GET', `/v1/contacts?access_token=${token}`);
  await api.request('POST', `/oauth2/token?${new URLSearchParams(body)}`);
  await lineWith(({ message }) => message === 'client revoked: its credentials were sent in a URL');
  // The text that it prints at the start is not a log line.
  const lines = api.process
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  for (const told of [client_secret, 'wrong-secret', token, token.split('.')[2]!]) {
    expect(lines.filter((line) => line.includes(told))).toEqual([]);
  }
});

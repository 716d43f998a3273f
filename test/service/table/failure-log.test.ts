import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { contactKey } from '../../../lib/store/table/keys.ts';
import { type Fault, faultProxy, type ProxiedRequest, storeError } from '../../support/aws/fault-proxy.ts';
import { type LogLine, logLines } from '../../support/http/log-lines.ts';
import { startService, type TestResponse, type TestTeam } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

/** A service whose table and queue fail as the test says, with its log. */
let api: Awaited<ReturnType<typeof startService>>;
let team: TestTeam;
let contactId: string;
let tableFault: (request: ProxiedRequest) => Fault | undefined = () => undefined;
let queueFault: Fault = { lost: 'before' };
const stops: (() => unknown)[] = [];

/** A secret value in every request of this file that can contain it. */
const secret = 'a-value-of-somebody';

beforeAll(async () => {
  const store = await faultProxy(inject('dynamodbEndpoint'), (request) => tableFault(request));
  const queue = await faultProxy(store.endpoint, () => queueFault);
  stops.push(store.stop, queue.stop);
  api = await startService({
    environment: {
      DYNAMODB_ENDPOINT: inject('dynamodbEndpoint'),
      FUNCTIONS_DYNAMODB_ENDPOINT: store.endpoint,
      FUNCTIONS_SQS_ENDPOINT: queue.endpoint,
      LOG_LEVEL: 'INFO',
    },
  });
  stops.unshift(api.process.stop);
  team = await api.newTeam();
  const created = await request('POST', '/v1/contacts', { unique_id: secret });
  contactId = created.body.id;
});
afterAll(async () => {
  for (const stop of stops) await stop();
});
beforeEach(() => {
  tableFault = () => undefined;
});

const request = (method: string, path: string, body?: object): Promise<TestResponse> =>
  api.request(method, path, { token: team.token, ...(body ? { body } : {}) });

/** The lines of one request, once its last one is written. */
function linesOf(response: TestResponse): Promise<LogLine[]> {
  const requestId = response.headers.get('x-request-id');
  return until(
    'the request is in the log',
    () => logLines(api.process.output()).filter((line) => line.requestId === requestId),
    (lines) => lines.some(({ message }) => message === 'request'),
  );
}

const show = () => request('GET', `/v1/contacts/${contactId}?${secret}=${secret}`);
const write = () => request('POST', '/v1/contacts', { unique_id: `${secret}-2`, first_name: secret });
/** A response without an error of its own, in which each statement has this one. */
const statementsFail =
  (Code: string) =>
  ({ operation, body }: ProxiedRequest): Fault | undefined => {
    if (operation !== 'BatchExecuteStatement') return undefined;
    const Responses = (body.Statements as unknown[]).map(() => ({ Error: { Code, Message: secret } }));
    return { status: 200, body: JSON.stringify({ Responses }) };
  };

type Failure = {
  what: string;
  fault: (request: ProxiedRequest) => Fault | undefined;
  run: () => Promise<TestResponse>;
  status: number;
  line: object;
};

const failures: Failure[] = [
  {
    what: 'a table that is away',
    fault: () => ({ lost: 'before' }),
    run: show,
    status: 503,
    line: {
      code: 'unavailable',
      reason: 'the get on the table failed after all retries',
      cause: { code: 'ECONNRESET' },
    },
  },
  {
    what: 'a table that throttles',
    fault: () => storeError('ProvisionedThroughputExceededException'),
    run: show,
    status: 503,
    line: { code: 'unavailable', cause: { error: 'ProvisionedThroughputExceededException' } },
  },
  {
    what: 'a table that denies a request',
    fault: () => storeError('AccessDeniedException'),
    run: show,
    status: 500,
    line: { code: 'internal_error', reason: 'unexpected error', cause: { error: 'AccessDeniedException' } },
  },
  {
    what: 'a table that denies a statement of a batch',
    fault: statementsFail('AccessDenied'),
    run: write,
    status: 500,
    line: { code: 'internal_error', cause: { error: 'WriteRefused', code: 'AccessDenied' } },
  },
  {
    what: 'a table that throttles a statement of a batch',
    fault: statementsFail('ThrottlingError'),
    run: write,
    status: 503,
    line: { code: 'unavailable', cause: { error: 'LeftUndone', code: 'ThrottlingError' } },
  },
  {
    what: 'a stored contact that cannot be read',
    fault: () => undefined,
    run: async () => {
      const key = contactKey(team.teamId, contactId);
      await api.database.write([{ kind: 'update', key, set: { data: `{${secret}` }, expect: {} }]);
      return show();
    },
    status: 500,
    line: { code: 'internal_error', reason: 'a stored contact is invalid: data' },
  },
];

describe('the log says why a request failed', () => {
  test.each(failures)('for $what, without a value of the request', async ({ fault, run, status, line }) => {
    tableFault = fault;
    const response = await run();
    expect(response.status).toBe(status);
    const [failed, outcome, ...others] = await linesOf(response);
    const isShown = failed?.route === 'get-contact';
    const ids = {
      client_id: team.clientId,
      team_id: team.teamId,
      ...(isShown ? { contact_id: contactId } : {}),
    };
    expect(failed).toMatchObject({ level: 'ERROR', message: 'request failed', error: 'Problem', ...ids, ...line });
    expect(outcome).toMatchObject({ level: 'INFO', message: 'request', status, code: response.body.error, ...ids });
    expect(others).toEqual([]);
    expect(JSON.stringify([failed, outcome])).not.toContain(secret);
  });

  test('and whom the token names, where the table fails before it is known whether the client is revoked', async () => {
    const other = await api.newTeam();
    tableFault = () => storeError('AccessDeniedException');
    const response = await api.request('GET', '/v1/templates', { token: other.token });
    expect(response.status).toBe(500);
    const { clientId: client_id, teamId: team_id } = other;
    for (const line of await linesOf(response)) expect(line).toMatchObject({ client_id, team_id });
  });

  test.each<[string, Fault, object]>([
    [
      'is away',
      { lost: 'before' },
      { code: 'unavailable', reason: 'a wake could not be sent to the queue', cause: { code: 'ECONNRESET' } },
    ],
    [
      'denies it',
      { status: 400, body: JSON.stringify({ __type: 'AccessDeniedException', message: secret }) },
      { error: 'AccessDeniedException' },
    ],
    [
      'is not there',
      { status: 400, body: JSON.stringify({ __type: 'com.amazonaws.sqs#QueueDoesNotExist', message: secret }) },
      { error: 'QueueDoesNotExist' },
    ],
  ])('a wake is lost: the queue %s', async (_, fault, line) => {
    queueFault = fault;
    const before = api.process.output().length;
    const records = [{ account_number: secret, contact: { unique_id: secret }, product: { code: 'C', type: 'loan' } }];
    const sent = async () => {
      const from = api.process.output().length;
      const response = await request('POST', '/v1/batches', { type: 'account', batch_id: secret, records });
      expect(response.status).toBe(202);
      await linesOf(response);
      // Those of other teams fail too.
      return logLines(api.process.output().slice(from)).find(
        ({ message, team_id }) => message.startsWith('a wake could not be sent') && team_id === team.teamId,
      );
    };
    // A wake may take a second. On a machine that stalls, its attempts can take longer, and what is logged is that.
    const isInTime = (found: unknown) => !JSON.stringify(found).includes('AbortError');
    const lost = await until('a wake fails in time', sent, (found) => !found || isInTime(found));
    const lines = logLines(api.process.output().slice(before));
    expect(lost).toMatchObject({ level: 'WARN', team_id: team.teamId, ...line });
    expect(JSON.stringify(lines)).not.toContain(secret);
  });
});

describe('the line of a request', () => {
  const id = crypto.randomUUID();
  // The ids of the other routes are tested in test/unit/http/same-site.test.ts.
  test.each<[path: string, ids: object]>([
    [`/v1/contacts/${id.toUpperCase()}`, { contact_id: id }],
    [`/v1/journeys/${id}/responses`, { journey_id: id }],
    [`/v1/engagement-channels/${id}/content-containers/search?email=${secret}`, { channel_id: id }],
  ])('of %s names client, team and object', async (path, ids) => {
    const lines = await linesOf(await request('GET', path));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ status: 404, client_id: team.clientId, team_id: team.teamId, ...ids });
  });

  test.each([`/v1/contacts/${secret}`, `/v1/batches/${secret}`, `/v1/batches/${id}`, `/v1/journeys?contact_id=${id}`])(
    'of %s has none of the text of the caller',
    async (path) => {
      const text = JSON.stringify(await linesOf(await request('GET', path)));
      expect(text).not.toContain(secret);
      expect(text).not.toContain(id);
    },
  );

  test('of a request with an invalid token names nobody', async () => {
    const lines = await linesOf(await api.request('GET', `/v1/contacts/${id}`, { token: `${team.token}x` }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ status: 401, code: 'invalid_token', contact_id: id });
    expect(Object.keys(lines[0]!)).not.toContain('client_id');
  });
});

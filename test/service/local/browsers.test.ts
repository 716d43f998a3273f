import { Agent, request as requestTo } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { startEngine } from '../../../bin/local/storage/engine.ts';
import { service, type TestService } from '../../support/service/service.ts';

let api: TestService;
beforeAll(async () => {
  api = await service();
});

type Sent = { method?: string; path?: string; headers?: Record<string, string>; body?: string; agent?: Agent };

/** `fetch` sets no `Host` and no `Origin`. */
function send(endpoint: string, { method = 'POST', path = '/', headers = {}, body = '', agent }: Sent) {
  return new Promise<{ status: number; headers: object; body: string }>((resolve, reject) => {
    const request = requestTo(new URL(path, endpoint), { method, headers, ...(agent && { agent }) });
    request.on('error', reject).on('response', (response) => {
      response.toArray().then((parts: Buffer[]) => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, body: Buffer.concat(parts).toString() });
      }, reject);
    });
    request.end(body);
  });
}

const signedAs = (service: string) => ({
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-date': '20260101T000000Z',
  authorization: `AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`,
});
const listTables: Sent = {
  headers: { ...signedAs('dynamodb'), 'x-amz-target': 'DynamoDB_20120810.ListTables' },
  body: '{}',
};
const listQueues: Sent = { headers: { ...signedAs('sqs'), 'x-amz-target': 'AmazonSQS.ListQueues' }, body: '{}' };
const getFile: Sent = { method: 'GET', path: '/drop-box/none.csv' };
const putFile: Sent = { method: 'PUT', path: '/drop-box/.no-name' };

const parts = [
  { part: 'database', endpoint: () => api.local.dynamodb_endpoint, sent: listTables, status: 200 },
  { part: 'queue', endpoint: () => api.local.sqs_endpoint, sent: listQueues, status: 200 },
  { part: 'drop box', endpoint: () => api.local.drop_box_endpoint, sent: getFile, status: 404 },
  { part: 'drop box, for files', endpoint: () => api.local.drop_box_endpoint, sent: putFile, status: 400 },
];

describe.each(parts)('the embedded $part', ({ endpoint, sent, status }) => {
  const sendWith = (headers: Record<string, string>, rest: Sent = {}) =>
    send(endpoint(), { ...sent, ...rest, headers: { ...sent.headers, ...headers } });

  it('answers programs, by either name of this machine', async () => {
    const { port } = new URL(endpoint());
    expect((await sendWith({})).status).toBe(status);
    expect((await sendWith({ host: `localhost:${port}` })).status).toBe(status);
  });

  it.each([
    { origin: 'https://page.example' },
    { origin: 'null' },
    { host: 'page.example' },
    { host: 'page.example:8000' },
    { 'sec-fetch-site': 'cross-site' },
  ])('refuses a page in a browser: %o', async (headers) => {
    const refused = await sendWith(headers as Record<string, string>);
    expect(refused.status).toBe(403);
    expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('refuses the question whether a page may send a request', async () => {
    const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-amz-target' };
    const refused = await sendWith({ origin: 'https://page.example', ...preflight }, { method: 'OPTIONS', body: '' });
    expect(refused.status).toBe(403);
    expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('refuses it also on a connection that has carried a request of a program', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const first = await send(endpoint(), { ...sent, agent });
    const second = await sendWith({ origin: 'https://page.example' }, { agent });
    agent.destroy();
    expect([first.status, second.status]).toEqual([status, 403]);
  });
});

it.runIf(process.platform === 'linux')('the database itself listens where no page finds it', async () => {
  const engine = await startEngine();
  const { hostname, port } = new URL(engine.endpoint);
  expect(hostname).toMatch(/^127\.\d+\.\d+\.\d+$/);
  expect(hostname).not.toBe('127.0.0.1');
  // Another program may have the same port at the address that a page would try.
  const server = (url: string) =>
    fetch(url).then(
      ({ headers }) => headers.get('server'),
      () => 'nobody',
    );
  expect(await server(engine.endpoint)).toMatch(/^Dynoxide/);
  expect(await server(`http://127.0.0.1:${port}`)).not.toMatch(/^Dynoxide/);
  await engine.stop();
});

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureSigningKey } from '../../bin/local/first-start.ts';
import { invokeFunction as invoke } from '../../bin/local/functions.ts';
import { createRouter, httpEvent, responseOf, targetOf } from '../../bin/local/payload.ts';
import type { TeamFeature } from '../../lib/domain/team.ts';
import { defaultRoute, docsRoutes, routes } from '../../lib/routes.ts';
import { guardTable } from '../../lib/runtime/table.ts';
import { temporaryDirectory } from '../support/process.ts';
import type { TestRequest, TestTeam } from '../support/service.ts';
import { newCredential, newTeam } from '../support/teams.ts';
import { freshTable } from './model-engine.ts';

/**
 * Replaces `test/support/service.ts` for mutants of operations: the functions of the endpoints in this process, with the
 * table of the model. Nothing runs in the background, so records of batches are accepted and not applied.
 */
const baseUrl = 'http://localhost:3000';
const socket = { remoteAddress: '127.0.0.1', localPort: 3000 };
const seconds = 30;

async function start() {
  const { database } = await freshTable();
  guardTable(() => database);
  const signingKeys = pathToFileURL(join(temporaryDirectory(), 'signing-keys.json')).href;
  Object.assign(process.env, {
    ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' },
    ...{ TABLE_NAME: 'model', ISSUER: baseUrl, SIGNING_KEYS: signingKeys, LOG_LEVEL: 'SILENT' },
    FRAME_ANCESTORS: '*',
    START_PAGE: '/docs',
    QUEUE_URL: `${baseUrl}/no-queue`,
  });
  const route = createRouter([...routes, ...docsRoutes], defaultRoute.id);
  await ensureSigningKey(database, signingKeys, (event) => invoke('rotate-signing-key', event, seconds));

  async function request(method: string, path: string, { body, token, headers = {} }: TestRequest = {}) {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const url = new URL(path, baseUrl);
    const sent = Object.entries({
      host: url.host,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    });
    const target = targetOf(url.pathname + url.search)!;
    const match = route(method, target.segments);
    const headersDistinct = Object.fromEntries(sent.map(([name, value]) => [name.toLowerCase(), [value]]));
    const message = { method, socket, httpVersion: '1.1', headersDistinct };
    const facts = { target, match, requestId: crypto.randomUUID() };
    const bytes = Buffer.from(body === undefined ? '' : isRaw ? body : JSON.stringify(body));
    const event = httpEvent(message, { ...facts, body: bytes });
    const response = responseOf(await invoke(match.id, event, seconds));
    const received = response.headers;
    const text = method === 'HEAD' ? '' : response.body.toString();
    const isJson = /\bjson\b/.test(received.get('content-type') ?? '');
    const parsed = text === '' ? undefined : isJson ? JSON.parse(text) : text;
    return { status: response.status, headers: received, body: parsed };
  }

  async function tokenFor(clientId: string, clientSecret: string): Promise<string> {
    const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    return (await request('POST', '/oauth2/token', { body })).body.access_token;
  }

  async function newTestTeam(features?: readonly TeamFeature[]): Promise<TestTeam> {
    const teamId = await newTeam(database, features);
    const { clientId, clientSecret } = await newCredential(database, teamId);
    return { teamId, clientId, clientSecret, token: await tokenFor(clientId, clientSecret) };
  }

  return { baseUrl, local: { base_url: baseUrl }, database, request, tokenFor, newTeam: newTestTeam };
}

let shared: ReturnType<typeof start> | undefined;

export function service() {
  shared ??= start();
  return shared;
}

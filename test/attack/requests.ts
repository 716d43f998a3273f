import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Attack, attack, must } from './attack.ts';
import { jsonHeaders, patience, refused } from './refusals.ts';
import type { World } from './world.ts';

export function headers(world: World): Attack[] {
  const { ours, send, baseUrl } = world;
  const group = 'headers';
  const body = JSON.stringify({ unique_id: `h-${randomUUID()}` });
  const authorization: [string, string] = ['authorization', `Bearer ${ours.token}`];
  const post = (name: string, extra: [string, string][], statuses: number[], payload: string | Uint8Array = body) =>
    attack(group, name, async () =>
      refused(
        await send({ method: 'POST', target: '/v1/contacts', headers: [authorization, ...extra], body: payload }),
        statuses,
      ),
    );
  const json: [string, string] = ['content-type', 'application/json'];
  return [
    ...[
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
      'text/json-but-not',
      '/',
      'x',
    ].map((type) => post(`content-type ${type}`, [['content-type', type]], [415])),
    ...['gzip', 'br', 'deflate', 'zstd'].map((encoding) =>
      post(`content-encoding ${encoding}`, [json, ['content-encoding', encoding]], [415], gzipSync(body)),
    ),
    ...['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'].map((name) =>
      attack(group, `${name} overrides nothing`, async () => {
        const { status } = await send({
          target: `/v1/contacts/${ours.contactId}`,
          headers: [authorization, [name, 'DELETE']],
        });
        must(status === 200, `status ${status}`);
      }),
    ),
    ...(
      [
        ['host', 'attacker.example'],
        ['x-forwarded-host', 'attacker.example'],
        ['forwarded', 'host=attacker.example'],
        ['x-forwarded-proto', 'gopher'],
      ] as [string, string][]
    ).map(([name, value]) =>
      attack(group, `${name} changes no URL`, async () => {
        const sent = await send({
          ...{ method: 'POST', target: `/v1/templates/${ours.templateId}/journeys` },
          headers: [authorization, json, [name, value]],
          body: JSON.stringify({ contact: { id: ours.contactId } }),
        });
        must(sent.status === 200 && sent.json.web_client_url.startsWith(`${baseUrl}/j/`), 'it does', sent.text);
      }),
    ),
    attack(group, 'a request id of the caller’s is not ours', async () => {
      const answer = await send({ target: '/v1/contacts/x', headers: [authorization, ['x-request-id', 'attacker']] });
      must(
        answer.headers['x-request-id'] !== 'attacker' && !answer.text.includes('attacker'),
        'it is taken',
        answer.text,
      );
    }),
    ...['X-Original-URL', 'X-Rewrite-URL'].map((name) =>
      attack(group, `${name} leads nowhere else`, async () => {
        const answer = await send({
          target: '/v1/nothing',
          headers: [authorization, [name, `/v1/contacts/${ours.contactId}`]],
        });
        refused(answer, [404]);
      }),
    ),
  ];
}

export function paths(world: World): Attack[] {
  const { ours, send, call } = world;
  const id = ours.contactId;
  const group = 'paths';
  const odd = [
    ...[
      '//v1/contacts',
      '/v1//contacts',
      '/v1/contacts/',
      '/V1/CONTACTS',
      '/v1/contacts;x=1',
      '/v1/contacts%00',
      '/v1/contacts%20',
    ],
    ...[
      `/v1/contacts/..%2f${id}`,
      `/v1/contacts/%2e%2e/templates`,
      '/v1/x/../contacts',
      '/v1/./contacts',
      `/v1/contacts/${id}%2faccounts`,
    ],
    ...[
      `/v1/contacts/${id}/`,
      `/v1/contacts/${id};x`,
      `/v1/contacts/${id}.json`,
      `/v1/contacts/${id}%00`,
      `/v1/contacts/${id}%0d%0aX:1`,
      `/v1/contacts/${id}/accounts/x`,
    ],
    ...[
      '/v1/contacts/%c0%ae%c0%ae',
      '/v1/contacts/%ff',
      '/v1/contacts/%',
      '/v1/contacts/%zz',
      '/v1/contacts/*',
      '/v1/contacts/.',
      '/v1/contacts/..',
      '/v1/contacts/null',
    ],
    ...[
      `/v1/contacts/${'a'.repeat(7000)}`,
      '/.git/config',
      '/.env',
      '/local.json',
      '/signing-keys.json',
      '/v1/admin',
      '/v1',
      '/docs/..%2f..%2fpackage.json',
      '/docs/%2e%2e%2fpackage.json',
    ],
    ...[
      '/actuator/health',
      '/server-status',
      '/debug',
      '/graphql',
      '/v2/contacts',
      '/v1/teams',
      '/v1/clients',
      '/metrics',
      '/openapi.yaml',
      '/..%2f..%2fetc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
    ],
  ];
  return [
    ...odd.map((target) =>
      attack(group, target.slice(0, 60), async () => refused(await call('GET', target), [400, 404, 405])),
    ),
    ...['TRACE', 'PROPFIND', 'DELETE', 'OPTIONS', 'LOCK', 'PURGE'].map((method) =>
      attack('methods', method, async () => {
        const answer = await send({ method, target: `/v1/contacts/${id}`, headers: jsonHeaders(world) });
        refused(answer, [400, 404, 405]);
        must(answer.headers['access-control-allow-origin'] === undefined, 'other sites may call', answer.headers);
      }),
    ),
  ];
}

export function queries(world: World): Attack[] {
  const { call, ours } = world;
  const search = `/v1/engagement-channels/${ours.channelId}/content-containers/search`;
  const bad = [
    ...[
      'limit=0',
      'limit=-1',
      'limit=101',
      'limit=1e1',
      'limit=1.5',
      'limit=x',
      'limit=',
      'limit=%31%00',
      'limit=99999999999999999999',
      'limit=NaN',
      'limit=1&limit=2',
    ],
    ...[
      'offset=-1',
      'offset=x',
      'offset=1e999',
      'sort_column=secret',
      'sort_column=meta_private',
      'sort_column=',
      'sort_direction=ASC',
      'sort_direction=',
    ],
    ...[
      'cursor=',
      'cursor=x',
      'cursor=..',
      'cursor=%00',
      `cursor=${'A'.repeat(6000)}`,
      `cursor=${Buffer.from('["","inserted_at","asc",100,0,null,""]').toString('base64url')}`,
    ],
  ].map((query) => `/v1/contacts?${query}`);
  const lookups = [
    '',
    '?',
    '?x=1',
    '?email=a&email=b',
    '?email=a&unique_id=b',
    '?meta_private=x',
    '?meta_private[]=x',
    '?meta_private[a=x',
    '?meta_private[a]b=x',
    '?meta_public[a]=1&meta_public[b]=2',
    '?EMAIL=a',
    '?team_id=x',
    '?secret=x',
  ].map((query) => search + query);
  const journeys = [
    '',
    '?contact_id=',
    '?contact_id=x',
    `?contact_id=${ours.contactId}x`,
    `?contact_id[]=${ours.contactId}`,
    '?contact_id=%00',
  ].map((query) => `/v1/journeys${query}`);
  return [
    ...[...bad, ...lookups, ...journeys].map((target) =>
      attack('queries', target.slice(0, 80), async () => refused(await call('GET', target), [400])),
    ),
    attack('queries', 'a thousand parameters', async () => {
      const query = Array.from({ length: 500 }, (_, at) => `x${at}=${at}`).join('&');
      const { status, milliseconds } = await call('GET', `/v1/contacts?${query}`);
      must(status === 200 && milliseconds < patience, `status ${status} after ${milliseconds} ms`);
    }),
    ...['%', '\\', '"', '\u0001', 'A', '{{', '.*', '(a+)+$'].map((term) =>
      attack('queries', `a search for ${JSON.stringify(term)} is one for these characters`, async () => {
        const { status, milliseconds } = await call(
          'GET',
          `/v1/contacts?search=${encodeURIComponent(term.repeat(100))}`,
        );
        must(status === 200 && milliseconds < patience, `status ${status} after ${milliseconds} ms`);
      }),
    ),
  ];
}

import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holds, matches, same } from './expect.ts';
import { eventually, type Json } from './http.ts';
import { check, needsMessages } from './suite.ts';
import { ask, form, grant, refuse, secretOf } from './tokens.ts';

const allScopes = [
  ...[
    'accounts:read',
    'campaigns:read',
    'channels:read',
    'contacts:erase',
    'contacts:private',
    'contacts:read',
    'contacts:write',
  ],
  ...['events:read', 'imports:read', 'imports:write', 'journeys:read', 'journeys:write'],
  'webhooks:write',
];

check('Contract 2: without --scope a client has all scopes; the answer names what the token holds', async (world) => {
  const { team } = await world.content();
  const { body } = await ask(team, 200, form({ ...grant, ...secretOf(team.credential) }));
  const held = body.scope.split(' ');
  for (const scope of allScopes) holds(held.includes(scope), `${scope} is not in ${body.scope}`);
  const less = await ask(
    team,
    200,
    form({ ...grant, ...secretOf(team.credential), scope: 'contacts:read accounts:read' }),
  );
  same(less.body.scope.split(' ').sort(), ['accounts:read', 'contacts:read'], 'scope');
});

check('Contract 2: client create --scope limits a client; what is not granted is invalid_scope', async (world) => {
  const { team } = await world.content();
  const credential = await world.client(team, '--scope', 'contacts:read', '--scope', 'accounts:read');
  const { body } = await ask(team, 200, form({ ...grant, ...secretOf(credential) }));
  same(body.scope.split(' ').sort(), ['accounts:read', 'contacts:read'], 'scope');
  for (const scope of ['contacts:write', 'contacts:read contacts:write', 'contacts:read everything']) {
    await refuse(team, 400, 'invalid_scope', form({ ...grant, ...secretOf(credential), scope }));
  }
});

const u = '00000000-0000-4000-8000-000000000000';
/** Each endpoint with a token, and the scopes that it needs. */
export const needed: [scopes: string[], request: `${string} /${string}`, body?: object][] = [
  [['contacts:read'], 'GET /v1/contacts'],
  [['contacts:read'], `GET /v1/contacts/${u}`],
  [['contacts:write'], 'POST /v1/contacts', {}],
  [['contacts:write'], `PUT /v1/contacts/${u}`, {}],
  [['contacts:write'], `PATCH /v1/contacts/${u}`, {}],
  [['contacts:write', 'journeys:write'], 'POST /v1/contacts', { unique_id: 'x', journey: { template_id: u } }],
  [
    ['contacts:write', 'journeys:write'],
    'POST /v1/contacts',
    { contacts: [{ unique_id: 'x', journey: { template_id: u } }] },
  ],
  [['contacts:write'], `POST /v1/contacts/${u}/opt-outs`, { channel: 'email' }],
  [['contacts:write'], `POST /v1/contacts/${u}/verifications`, { channel: 'email' }],
  [['contacts:erase'], `DELETE /v1/contacts/${u}`],
  [['accounts:read'], `GET /v1/contacts/${u}/accounts`],
  [['imports:write'], 'POST /v1/batches', {}],
  [['imports:read'], 'GET /v1/batches'],
  [['imports:read'], `GET /v1/batches/${u}`],
  [['journeys:write'], `POST /v1/templates/${u}/journeys`, { contact: { id: u } }],
  [['journeys:write', 'contacts:write'], `POST /v1/templates/${u}/journeys`, { contact: { unique_id: 'x' } }],
  [['journeys:write'], `PUT /v1/templates/${u}/journeys/${u}`, {}],
  [['journeys:write'], `POST /v1/journeys/${u}/cancel`],
  [['journeys:read'], `GET /v1/journeys?contact_id=${u}`],
  [['journeys:read'], `GET /v1/journeys/${u}/responses`],
  [['journeys:read'], `GET /v1/journeys/${u}/messages`],
  [['events:read'], 'GET /v1/events'],
  [['webhooks:write'], 'GET /v1/webhooks'],
  [['webhooks:write'], 'POST /v1/webhooks', {}],
  [['webhooks:write'], `GET /v1/webhooks/${u}`],
  [['webhooks:write'], `DELETE /v1/webhooks/${u}`],
  [['webhooks:write'], `POST /v1/webhooks/${u}/rotate`],
  [['webhooks:write'], `POST /v1/webhooks/${u}/test`],
  [['campaigns:read'], 'GET /v1/templates'],
  [['campaigns:read'], `GET /v1/templates/${u}`],
  [['journeys:read'], `GET /v1/journeys?template_id=${u}`],
  [['journeys:read'], `GET /v1/templates/${u}/responses`],
  [['campaigns:read'], `GET /v1/templates/${u}/results`],
  [['campaigns:read'], `GET /v1/templates/${u}/template_messages`],
  [['campaigns:read'], `GET /v1/templates/${u}/template_pages`],
  [['campaigns:read'], 'GET /v1/objectives'],
  [['campaigns:read'], 'GET /v1/engagement-channels'],
  [['channels:read'], `GET /v1/engagement-channels/${u}/content-containers/search?email=a`],
  [
    ['channels:read', 'contacts:private'],
    `GET /v1/engagement-channels/${u}/content-containers/search?meta_private[a]=a`,
  ],
];
for (const [scopes, request, body] of needed) {
  check(
    `Contract 2: ${request.replaceAll(u, ':id')} ${body ? JSON.stringify(body).replaceAll(u, ':id') : ''} needs ${scopes.join(' and ')}, else 403`,
    async (world) => {
      if (/\/(?:opt-outs|verifications|messages)$/.test(request)) await needsMessages(world);
      const { team } = await world.content();
      for (const missing of scopes) {
        const response = await team.call(
          403,
          request,
          body,
          await team.only(...allScopes.filter((scope) => scope !== missing)),
        );
        same(response.body.error, 'insufficient_scope', `the error without ${missing}`);
        const challenge = response.headers.get('www-authenticate');
        matches(challenge, /^Bearer error="insufficient_scope", scope="/, 'WWW-Authenticate');
        holds(challenge!.includes(missing), `WWW-Authenticate does not name ${missing}: ${challenge}`);
      }
      const only = await fetch(`${team.baseUrl}${request.split(/ (.*)/)[1]}`, {
        ...{
          method: request.split(' ')[0]!,
          headers: { 'content-type': 'application/json', ...(await team.only(...scopes)) },
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      holds(only.status !== 403, `with ${scopes.join(' and ')} alone it is 403: ${await only.text()}`);
    },
  );
}

check(
  'Contract 2: without contacts:private meta_private has no key in any answer; search passes it over; writing is allowed',
  async (world) => {
    const { team, ids } = await world.content();
    const mark = `p${randomUUID()}`;
    const { contact } = await team.journey(ids.short, { meta_private: { a: mark }, name_last: `l${mark}` });
    const less = await team.only(...allScopes.filter((scope) => scope !== 'contacts:private'));
    await eventually(async () => same((await team.get(`/v1/contacts?search=l${mark}`)).contacts.length, 1, 'found'));
    const lacks = (what: string, each: Json) => holds(!('meta_private' in each), `meta_private is in ${what}`);
    lacks('GET', await team.get(`/v1/contacts/${contact.id}`, less));
    lacks('the list', (await team.get(`/v1/contacts?search=l${mark}`, less)).contacts[0]);
    lacks('a journey', (await team.get(`/v1/journeys?contact_id=${contact.id}`, less))[0].contact);
    const put = await team.call(200, `PUT /v1/contacts/${contact.id}`, { meta_private: { b: 1 } }, less);
    lacks('PUT', put.body);
    same((await team.get(`/v1/contacts/${contact.id}`)).meta_private, { a: mark, b: 1 }, 'meta_private');
    const { contacts } = await team.get(`/v1/contacts?search=${mark.slice(1)}`, less);
    same(contacts.length, 1, 'contacts that the search finds by name_last');
    await team.call(200, `PUT /v1/contacts/${contact.id}`, { name_last: 'gone' });
    await eventually(async () =>
      same((await team.get(`/v1/contacts?search=${mark}`, less)).contacts, [], 'found by meta_private'),
    );
  },
);

check(
  'Contract 1: scopes are looked at right after the token; authentication before the body and the path’s object',
  async (world) => {
    const { team } = await world.content();
    await team.open(401, 'POST /v1/contacts', '{');
    await team.open(401, `GET /v1/contacts/${u}`);
    await team.call(403, 'POST /v1/contacts', '{', await team.only('contacts:read'));
    await team.call(403, 'POST /v1/batches', 'x', {
      ...(await team.only('contacts:read')),
      'content-type': 'text/plain',
    });
  },
);

type Claims = Record<string, unknown>;
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
function assertion(key: KeyObject, kid: string, claims: Claims, alg = 'ES256'): string {
  const text = `${part({ alg, kid, typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

check(
  'Contract 2: private_key_jwt: a client with public keys authenticates by an assertion, each jti once',
  async (world) => {
    const { team } = await world.content();
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const folder = mkdtempSync(join(tmpdir(), 'acceptance-'));
    const file = join(folder, 'keys.json');
    writeFileSync(
      file,
      JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256', use: 'sig' }] }),
    );
    const { client_id, ...made } = await world.client(team, '--jwks', file);
    rmSync(folder, { recursive: true });
    holds(!made.client_secret, 'the client has a secret');
    same((await world.tryAdmin(['client', 'rotate', client_id])).status, 1, 'the exit status of client rotate');
    const { body: metadata } = await team.open(200, 'GET /.well-known/oauth-authorization-server');
    const now = Math.floor(Date.now() / 1000);
    const right = (): Claims => ({
      iss: client_id,
      sub: client_id,
      aud: metadata.issuer,
      iat: now,
      exp: now + 120,
      jti: randomUUID(),
    });
    const sent = (claims: Claims, key = privateKey) =>
      form({
        ...grant,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion(key, 'k1', claims),
      });
    const once = right();
    const { body } = await ask(team, 200, sent(once));
    await team.call(200, 'GET /v1/objectives', undefined, { authorization: `Bearer ${body.access_token}` });
    await refuse(team, 401, 'invalid_client', sent(once));
    for (const aud of [metadata.token_endpoint, [metadata.issuer]]) await ask(team, 200, sent({ ...right(), aud }));
    const wrong: Claims[] = [
      { iss: 'x' },
      { sub: 'x' },
      ...['https://other.example', [], [metadata.issuer, metadata.token_endpoint], `${metadata.issuer}/`].map(
        (aud) => ({
          aud,
        }),
      ),
      { exp: now + 400 },
      { exp: now - 120 },
      { jti: undefined },
      { exp: undefined },
    ];
    for (const claims of wrong) await refuse(team, 401, 'invalid_client', sent({ ...right(), ...claims }));
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    await refuse(team, 401, 'invalid_client', sent(right(), other));
  },
);

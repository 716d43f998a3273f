import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { has, holds, keys, matches, NotChecked, same } from './expect.ts';
import { type Body, eventually, type Headed, type Json, type Response } from './http.ts';
import { check, shortCheck } from './suite.ts';
import type { Credential, Team } from './world.ts';

const grant = { grant_type: 'client_credentials' };
const form = (fields: object) => new URLSearchParams(fields as Record<string, string>);
const basic = ({ client_id, client_secret }: Credential): Headed => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString('base64')}`,
});
const secretOf = ({ client_id, client_secret }: Credential) => ({ client_id, client_secret });

async function ask(team: Team, status: number, body: Body, headers: Headed = {}, query = ''): Promise<Response> {
  const response = await team.open(status, `POST /oauth2/token${query}`, body, headers);
  same(response.headers.get('cache-control'), 'no-store', 'Cache-Control');
  return response;
}
const refuse = async (team: Team, status: number, error: string, body: Body, headers: Headed = {}, query = '') => {
  const response = await ask(team, status, body, headers, query);
  same(response.body.error, error, 'the error');
  matches(response.body.error_description, /./, 'error_description');
  if (status === 401) matches(response.headers.get('www-authenticate'), /^Basic/, 'WWW-Authenticate');
};
const works = async (team: Team, credential: Credential) => {
  const response = await fetch(`${team.baseUrl}/oauth2/token`, {
    method: 'POST',
    body: form({ ...grant, ...secretOf(credential) }),
  });
  return response.status === 200;
};

shortCheck('Specification, POST /oauth2/token: id and secret in the body or in Basic auth', async (world) => {
  const team = await world.team();
  const own = secretOf(team.credential);
  for (const [body, headers] of [
    [form({ ...grant, ...own }), {}],
    [{ ...grant, ...own }, {}],
    [form(grant), basic(team.credential)],
    [grant, basic(team.credential)],
  ] as [Body, Headed][]) {
    const response = await ask(team, 200, body, headers);
    keys(response.body, ['access_token', 'token_type', 'expires_in', 'scope'], 'the answer');
    has(response.body, { token_type: 'Bearer' }, 'the answer');
    holds(Number.isInteger(response.body.expires_in) && response.body.expires_in > 0, 'expires_in');
    await team.call(200, 'GET /v1/objectives', undefined, { authorization: `Bearer ${response.body.access_token}` });
  }
});

check('Contract 2: errors as RFC 6749 §5.2', async (world) => {
  const team = await world.team();
  const own = secretOf(team.credential);
  await refuse(team, 400, 'unsupported_grant_type', form({ ...own, grant_type: 'password' }));
  await refuse(team, 401, 'invalid_client', form({ ...grant, ...own, client_secret: 'wrong' }));
  await refuse(team, 401, 'invalid_client', form({ ...grant, ...own, client_id: randomUUID() }));
  await refuse(team, 401, 'invalid_client', form({ ...grant, client_id: 'x', client_secret: own.client_secret }));
  await refuse(team, 400, 'invalid_scope', form({ ...grant, ...own, scope: 'everything' }));
  await refuse(team, 400, 'invalid_request', form(own));
  await refuse(team, 400, 'invalid_request', form({ ...grant, ...own }), basic(team.credential));
  await refuse(team, 400, 'invalid_request', '{"grant_type":');
  await refuse(team, 400, 'invalid_request', '[]');
  same(await works(team, team.credential), true, 'the client works after wrong guesses');
});

check('Contract 1: a body over 16 KB at the token endpoint is 413, another type 415', async (world) => {
  const team = await world.team();
  await ask(team, 413, form({ ...grant, ...secretOf(team.credential), more: 'x'.repeat(17_000) }));
  await ask(team, 415, 'grant_type=client_credentials', { 'content-type': 'text/plain' });
});

for (const [how, sent] of [
  ['both in the query', (own: Credential) => [`?${form({ ...grant, ...secretOf(own) })}`, undefined]],
  [
    'the secret in the query, the id in the body',
    (own: Credential) => [
      `?${form({ client_secret: own.client_secret })}`,
      form({ ...grant, client_id: own.client_id }),
    ],
  ],
] as [string, (own: Credential) => [string, Body]][]) {
  check(
    `Specification, Authentication 2: credentials in the query string are revoked at once (${how})`,
    async (world) => {
      const { team } = await world.content();
      const credential = await world.client(team);
      const token = await team.tokenOf(credential);
      const [query, body] = sent(credential);
      await refuse(team, 400, 'invalid_request', body, {}, query);
      await refuse(team, 401, 'invalid_client', form({ ...grant, ...secretOf(credential) }));
      const stopped = () => team.call(401, 'GET /v1/objectives', undefined, { authorization: `Bearer ${token}` });
      await eventually(stopped, 30);
    },
  );
}

check(
  'Contract 2: whatever the method, credentials in the query string are revoked if the secret is right',
  async (world) => {
    const { team } = await world.content();
    const credential = await world.client(team);
    await team.open(400, `GET /oauth2/token?${form(secretOf(credential))}`);
    same(await works(team, credential), false, 'the client works');
  },
);

check('Contract 2: a wrong secret in the query string must not revoke; the answer is the same', async (world) => {
  const { team } = await world.content();
  const query = `?${form({ ...grant, client_id: team.credential.client_id, client_secret: 'wrong' })}`;
  await refuse(team, 400, 'invalid_request', undefined, {}, query);
  await team.open(400, `GET /oauth2/token${query}`);
  same(await works(team, team.credential), true, 'the client works');
});

check('Contract 9: client revoke: no token, and the tokens it holds stop working within 30 seconds', async (world) => {
  const { team } = await world.content();
  const credential = await world.client(team);
  const token = await team.tokenOf(credential);
  await team.call(200, 'GET /v1/objectives', undefined, { authorization: `Bearer ${token}` });
  await world.admin(['client', 'revoke', credential.client_id, '--yes']);
  await refuse(team, 401, 'invalid_client', form({ ...grant, ...secretOf(credential) }));
  await eventually(() => team.call(401, 'GET /v1/objectives', undefined, { authorization: `Bearer ${token}` }), 30);
});

check('Contract 2: two secrets may be live during a rotation', async (world) => {
  const { team } = await world.content();
  const credential = await world.client(team);
  const rotated = await world.admin(['client', 'rotate', credential.client_id]);
  same(rotated.client_id, credential.client_id, 'client_id');
  holds(rotated.client_secret !== credential.client_secret, 'the secret is the same');
  same([await works(team, credential), await works(team, rotated)], [true, true], 'both secrets work');
  holds(Buffer.from(rotated.client_secret, 'base64url').length >= 32, 'the secret has fewer than 256 bits');
});

check('Contract 2: access tokens are signed JWTs with the claims of RFC 9068', async (world) => {
  const team = await world.team();
  const token = await team.token();
  const [head, claims] = token.split('.').map((part) => (part ? JSON.parse(tryJson(part)) : {}));
  matches(head.alg, /^(ES|RS|PS|Ed)/, 'alg, which is asymmetric');
  const { body } = await team.open(200, 'GET /.well-known/jwks.json');
  holds(
    body.keys.some(({ kid }: Json) => kid === head.kid),
    'its kid is not in the JWKS',
  );
  for (const claim of ['iss', 'aud', 'sub', 'client_id', 'exp', 'iat', 'jti'])
    holds(claim in claims, `no claim ${claim}`);
  same(claims.client_id, team.credential.client_id, 'client_id');
  holds(JSON.stringify(claims).includes(team.credential.team_id!), 'the team is not in the claims');
});
const tryJson = (part: string): string => {
  const text = Buffer.from(part, 'base64url').toString();
  return text.startsWith('{') ? text : '{}';
};

shortCheck(
  'Specification, Errors: 401 {"error":"invalid_token"} if the token is missing, malformed, altered or unknown',
  async (world) => {
    const team = await world.team();
    const token = await team.token();
    const [head, claims, signature] = token.split('.') as [string, string, string];
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const altered = Buffer.from(claims, 'base64url')
      .toString()
      .replace(/"exp":\d+/, '"exp":9999999999');
    const bad = [
      ...[
        'Bearer',
        'Bearer x',
        `Bearer ${token}x`,
        `Basic ${token}`,
        `Bearer ${head}.${claims}.`,
        `Bearer ${none}.${claims}.`,
      ],
      `Bearer ${head}.${Buffer.from(altered).toString('base64url')}.${signature}`,
    ];
    for (const authorization of bad) {
      const { headers } = await team.open(401, 'GET /v1/contacts', undefined, { authorization });
      if (authorization.startsWith('Bearer '))
        same(headers.get('www-authenticate'), 'Bearer error="invalid_token"', 'WWW-Authenticate');
    }
    const { headers } = await team.open(401, 'GET /v1/contacts');
    same(headers.get('www-authenticate'), 'Bearer', 'WWW-Authenticate without credentials');
    await team.open(401, `GET /v1/contacts?access_token=${token}`);
  },
);

check('Specification, Authentication 4: an expired token gives 401 invalid_token', async (world) => {
  const team = await world.team();
  const { body } = await ask(team, 200, form({ ...grant, ...secretOf(team.credential) }));
  if (body.expires_in > 10) throw new NotChecked(`a token lives for ${body.expires_in} seconds`);
  await new Promise((resolve) => setTimeout(resolve, body.expires_in * 1000 + 1000));
  await team.open(401, 'GET /v1/contacts', undefined, { authorization: `Bearer ${body.access_token}` });
});

check('Contract 2: the lifetime of a token is 3600 seconds by default', async (world) => {
  const team = await world.team();
  const { body } = await ask(team, 200, form({ ...grant, ...secretOf(team.credential) }));
  if (process.env.TOKEN_LIFETIME_SECONDS) throw new NotChecked('TOKEN_LIFETIME_SECONDS is set');
  same(body.expires_in, 3600, 'expires_in');
});

const allScopes = [
  ...['accounts:read', 'campaigns:read', 'channels:read', 'contacts:private', 'contacts:read', 'contacts:write'],
  ...['imports:read', 'imports:write', 'journeys:read', 'journeys:write'],
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
  await refuse(team, 400, 'invalid_scope', form({ ...grant, ...secretOf(credential), scope: 'contacts:write' }));
});

const u = '00000000-0000-4000-8000-000000000000';
const needed: [scopes: string[], request: `${string} /${string}`, body?: object][] = [
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
  [['accounts:read'], `GET /v1/contacts/${u}/accounts`],
  [['imports:write'], 'POST /v1/batches', {}],
  [['imports:read'], 'GET /v1/batches'],
  [['imports:read'], `GET /v1/batches/${u}`],
  [['journeys:write'], `POST /v1/templates/${u}/journeys`, { contact: { id: u } }],
  [['journeys:write', 'contacts:write'], `POST /v1/templates/${u}/journeys`, { contact: { unique_id: 'x' } }],
  [['journeys:write'], `PUT /v1/templates/${u}/journeys/${u}`, {}],
  [['journeys:read'], `GET /v1/journeys?contact_id=${u}`],
  [['journeys:read'], `GET /v1/journeys/${u}/responses`],
  [['campaigns:read'], 'GET /v1/templates'],
  [['campaigns:read'], `GET /v1/templates/${u}`],
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
    await ask(team, 200, sent({ ...right(), aud: metadata.token_endpoint }));
    const wrong: Claims[] = [
      { iss: 'x' },
      { sub: 'x' },
      { aud: 'https://other.example' },
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

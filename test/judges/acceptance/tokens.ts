import { randomUUID } from 'node:crypto';
import { has, holds, keys, matches, NotChecked, same } from './expect.ts';
import { type Body, eventually, type Headed, type Json, type Response } from './http.ts';
import { check, shortCheck } from './suite.ts';
import type { Credential, Team } from './world.ts';

export const grant = { grant_type: 'client_credentials' };
export const form = (fields: object) => new URLSearchParams(fields as Record<string, string>);
const basic = ({ client_id, client_secret }: Credential): Headed => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString('base64')}`,
});
export const secretOf = ({ client_id, client_secret }: Credential) => ({ client_id, client_secret });

export async function ask(team: Team, status: number, body: Body, headers: Headed = {}, query = ''): Promise<Response> {
  const response = await team.open(status, `POST /oauth2/token${query}`, body, headers);
  same(response.headers.get('cache-control'), 'no-store', 'Cache-Control');
  return response;
}
export const refuse = async (
  team: Team,
  status: number,
  error: string,
  body: Body,
  headers: Headed = {},
  query = '',
) => {
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

check(
  'Contract 2: known parameters may be there once; others are ignored; names that begin with scope[ are 400',
  async (world) => {
    const team = await world.team();
    const sent = form({ ...grant, ...secretOf(team.credential) });
    await ask(team, 200, new URLSearchParams(`${sent}&foo=1&foo=2&scopes[]=x`));
    for (const more of [
      'scope=contacts:read&scope=contacts:read',
      'client_id=x',
      'scope[]=contacts:read',
      'scope[0]=x',
    ])
      await refuse(team, 400, 'invalid_request', new URLSearchParams(`${sent}&${more}`));
    await refuse(team, 400, 'invalid_request', {
      ...grant,
      ...secretOf(team.credential),
      'scope[]': ['contacts:read'],
    });
    const json = JSON.stringify({ ...grant, ...secretOf(team.credential) }).slice(0, -1);
    await ask(team, 200, `${json},"foo":1,"foo":2}`);
    await refuse(team, 400, 'invalid_request', `${json},"scope":"contacts:read","scope":""}`);
  },
);

check('Contract 1: a body over 16 KB at the token endpoint is 413, another type 415', async (world) => {
  const team = await world.team();
  await ask(team, 413, form({ ...grant, ...secretOf(team.credential), more: 'x'.repeat(17_000) }));
  const { message } = (await ask(team, 415, 'grant_type=client_credentials', { 'content-type': 'text/plain' })).body;
  for (const name of ['Content-Type', 'application/json', 'application/x-www-form-urlencoded'])
    holds(message.includes(name), `the message of a 415 does not name ${name}`);
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
  const credential = await world.client(team);
  const query = `?${form({ ...grant, client_id: credential.client_id, client_secret: 'wrong' })}`;
  await refuse(team, 400, 'invalid_request', undefined, {}, query);
  await team.open(400, `GET /oauth2/token${query}`);
  same(await works(team, credential), true, 'the client works');
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

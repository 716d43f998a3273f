import { createHmac, generateKeyPairSync, randomUUID, sign as signBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportSPKI, importJWK, SignJWT } from 'jose';
import { revokeClient } from '../../../lib/operations/access/clients.ts';
import type { Route } from '../../../lib/route.ts';
import { routes } from '../../../lib/routes.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { type Area, type Attack, must } from './attack.ts';
import type { Received, Sent } from './send.ts';
import type { World } from './world.ts';

/** Every invalid token gets the same 401 at every endpoint. */
export const tokens: Area = async (world) => {
  const forged = [
    ...(await unsigned(world)),
    ...signedByOthers(world),
    ...(await signedByUs(world)),
    ...altered(world),
  ];
  return [
    ...forged.flatMap(([group, name, token]) =>
      refusedEverywhere(world, group, name, [['authorization', `Bearer ${token}`]]),
    ),
    ...elsewhere(world).flatMap(([name, headers, query, body]) =>
      refusedEverywhere(world, 'not in the header', name, headers, query, body),
    ),
    ...schemes(world).flatMap(([name, headers]) => refusedEverywhere(world, 'the header’s form', name, headers)),
    await fetched(world),
    ...(await revoked(world)),
  ];
};

type Forged = [group: string, name: string, token: string];

function refusal({ status, text, headers }: Received): void {
  must(status === 401, `status ${status}`, text);
  must(text === '{"error":"invalid_token"}', 'another body', text);
  must(/^Bearer/.test(String(headers['www-authenticate'])), 'no challenge', headers);
}

const protectedRoutes = (routes as readonly Route[]).filter(({ access }) => access === 'bearer');

/** Each attack is sent to all endpoints. */
function refusedEverywhere(
  { send }: World,
  group: string,
  name: string,
  headers: readonly (readonly [string, string])[],
  query = '',
  body = '{}',
): Attack[] {
  return protectedRoutes.flatMap(({ path, methods }) =>
    methods.map((method): Attack => {
      const target = path.replace(/\{\w+\}/g, randomUUID()) + query;
      const sends: Sent =
        method === 'GET'
          ? { method, target, headers }
          : { method, target, body, headers: [...headers, ['content-type', 'application/json']] };
      return { group, name: `${name}, ${method} ${path}`, run: async () => refusal(await send(sends)) };
    }),
  );
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const partsOf = (token: string) => {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const json = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  return { header, payload, signature, protectedHeader: json(header), claims: json(payload) };
};

/** Tokens without a signature, or signed with the public key as a shared secret. */
async function unsigned({ ours, theirs, send }: World): Promise<Forged[]> {
  const { protectedHeader, claims, signature } = partsOf(ours.token);
  const { keys } = (await send({ target: '/.well-known/jwks.json' })).json;
  const [jwk] = keys;
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(jwk.x, 'base64url'), Buffer.from(jwk.y, 'base64url')]);
  const pem = await exportSPKI((await importJWK(jwk, 'ES256')) as Parameters<typeof exportSPKI>[0]);
  const secrets: [string, string | Buffer][] = [
    ['its JWK', JSON.stringify(jwk)],
    ['its PEM', pem],
    ['its PEM without the last line break', pem.trimEnd()],
    ['its point', point],
    ['its kid', jwk.kid],
    ['nothing', ''],
    ['"secret"', 'secret'],
  ];
  const stolen = { ...claims, team_id: theirs.teamId };
  return [
    ...['none', 'None', 'NONE', 'nOnE', '', null, 0, ['none'], ['ES256']].flatMap((alg): Forged[] =>
      ['', signature].map((end) => {
        return [
          'no signature',
          `alg ${JSON.stringify(alg)}${end ? ' with a signature' : ''}`,
          `${encoded({ ...protectedHeader, alg })}.${encoded(stolen)}.${end}`,
        ];
      }),
    ),
    ...(['256', '384', '512'] as const).flatMap((size) =>
      secrets.map(([what, secret]): Forged => {
        const text = `${encoded({ ...protectedHeader, alg: `HS${size}` })}.${encoded(claims)}`;
        return [
          'the public key as a secret',
          `HS${size} with ${what}`,
          `${text}.${createHmac(`sha${size}`, secret).update(text).digest('base64url')}`,
        ];
      }),
    ),
  ];
}

/** Keys of the attacker, named in the header in different ways. Signed without the library, which rejects some headers. */
function signedByOthers({ ours }: World): Forged[] {
  const { protectedHeader, payload } = partsOf(ours.token);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const own = { ...publicKey.export({ format: 'jwk' }), kid: 'attacker', alg: 'ES256', use: 'sig' };
  const sign = (header: object): string => {
    const text = `${encoded({ ...protectedHeader, ...header })}.${payload}`;
    const signature = signBytes('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  };
  const headers: [string, object][] = [
    ['our kid', {}],
    ['an unknown kid', { kid: randomUUID() }],
    ['no kid', { kid: undefined }],
    ['an empty kid', { kid: '' }],
    ['a kid that is a path', { kid: '../../../../dev/null' }],
    ['a kid that is an address', { kid: 'https://attacker.example/key' }],
    ['a kid of the prototype', { kid: '__proto__' }],
    ['a kid that is a query', { kid: "' OR '1'='1" }],
    ['a kid that is a number', { kid: 0 }],
    ['a kid that is an object', { kid: { $ne: null } }],
    ['a kid that is an array', { kid: [protectedHeader.kid] }],
    ['a jwk', { jwk: own, kid: 'attacker' }],
    ['a jwk and our kid', { jwk: own }],
    ['a chain of certificates', { x5c: ['MIIB'] }],
    ['b64', { b64: false, crit: ['b64'] }],
    ['an unknown crit', { crit: ['exp'], exp: 1 }],
    ['zip', { zip: 'DEF' }],
  ];
  return headers.map(([name, header]): Forged => ['another key', name, sign(header)]);
}

/** Signed with the service's key and wrong in one claim, so that only the check of that claim can reject it. */
async function signedByUs({ ours, theirs, signingKey }: World): Promise<Forged[]> {
  const { protectedHeader, claims } = partsOf(ours.token);
  const { jwk, kid } = await signingKey();
  const key = await importJWK(jwk, 'ES256');
  const sign = (change: object, header: object = {}) =>
    new SignJWT(JSON.parse(JSON.stringify({ ...claims, ...change })))
      .setProtectedHeader({ ...protectedHeader, kid, ...header })
      .sign(key);
  const now = Math.floor(Date.now() / 1000);
  const changes: [string, object, object?][] = [
    ['expired a second ago', { exp: now - 1 }],
    ['expired long ago', { iat: 1, exp: 2 }],
    ['no exp', { exp: undefined }],
    ['exp as text', { exp: String(claims.exp) }],
    ['not valid yet', { nbf: now + 3600 }],
    ['no iat', { iat: undefined }],
    ['iat as text', { iat: 'now' }],
    ['another issuer', { iss: 'https://attacker.example' }],
    ['an issuer that begins as ours', { iss: `${claims.iss}.attacker.example` }],
    ['no issuer', { iss: undefined }],
    ['another audience', { aud: 'https://attacker.example' }],
    ['no audience', { aud: undefined }],
    ['audiences without ours', { aud: ['a', 'b'] }],
    ['no sub', { sub: undefined }],
    ['no jti', { jti: undefined }],
    ['no client', { client_id: undefined }],
    ['an unknown client', { client_id: randomUUID() }],
    ['a client of the prototype', { client_id: '__proto__' }],
    ['another team', { team_id: theirs.teamId }],
    ['another client of another team', { client_id: theirs.clientId }],
    ['no team', { team_id: undefined }],
    ['a team that is an object', { team_id: { $ne: null } }],
    ['the type of an id token', {}, { typ: 'JWT' }],
    ['no type', {}, { typ: undefined }],
    ['the type of a logout token', {}, { typ: 'logout+jwt' }],
  ];
  return Promise.all(
    changes.map(
      async ([name, change, header]): Promise<Forged> => ['one wrong claim', name, await sign(change, header)],
    ),
  );
}

/** The token with a character changed or missing, truncated, or with its parts rearranged. */
function altered({ ours, theirs }: World): Forged[] {
  const { token } = ours;
  const [header = '', payload = '', signature = ''] = token.split('.');
  const other = partsOf(theirs.token);
  // Four bits of the last character of a signature are unused.
  const places = [...Array(token.length - 1).keys()].filter((at) => token[at] !== '.');
  return [
    ...places.map(
      (at): Forged => [
        'one character',
        `changed at ${at}`,
        `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`,
      ],
    ),
    ...places.map((at): Forged => ['cut off', `after ${at}`, token.slice(0, at)]),
    ['put together', 'their payload under our signature', `${header}.${other.payload}.${signature}`],
    ['put together', 'our payload under their signature', `${header}.${payload}.${other.signature}`],
    ['put together', 'a fourth part', `${token}.${signature}`],
    ['put together', 'five parts', `${token}.${signature}.${signature}`],
    ['put together', 'no payload', `${header}..${signature}`],
    ['put together', 'an empty signature', `${header}.${payload}.`],
    ['put together', 'a signature of zeros', `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`],
    ['put together', 'a signature in DER', `${header}.${payload}.MEUCIQDF`],
    ['put together', 'padding', `${token}==`],
    ['put together', 'twice', `${token}${token}`],
  ];
}

type Elsewhere = [name: string, headers: [string, string][], query?: string, body?: string];
function elsewhere({ ours: { token } }: World): Elsewhere[] {
  const basic = Buffer.from(`:${token}`).toString('base64');
  return [
    ...['access_token', 'token', 'authorization', 'bearer', 'Authorization', 'jwt'].map((name): Elsewhere => {
      return [
        `in the query as ${name}`,
        [],
        `?${name}=${name.toLowerCase() === 'authorization' ? 'Bearer%20' : ''}${token}`,
      ];
    }),
    ['in the body', [], '', JSON.stringify({ access_token: token })],
    ['in a cookie', [['cookie', `access_token=${token}; authorization=Bearer ${token}`]]],
    ['in X-Authorization', [['x-authorization', `Bearer ${token}`]]],
    ['in X-Forwarded-Authorization', [['x-forwarded-authorization', `Bearer ${token}`]]],
    ['in Proxy-Authorization', [['proxy-authorization', `Bearer ${token}`]]],
    ['as a password', [['authorization', `Basic ${basic}`]]],
  ];
}

const schemes = ({ ours: { token } }: World): [string, [string, string][]][] =>
  [
    ...['', 'Bearer', 'Bearer ', token, `Basic ${token}`, `Token ${token}`, `JWT ${token}`, `Bearer:${token}`],
    ...[`Bearer ${token} x`, `Bearer ${token}, Bearer ${token}`, `Bearer "${token}"`, `Bearer\t${token}`],
    ...[
      `Bearer ${'a'.repeat(7000)}`,
      `Bearer ${'.'.repeat(4000)}`,
      `xBearer ${token}`,
      'Bearer null',
      'Bearer undefined',
    ],
  ].map((value) => [value.replaceAll(token, 'TOKEN').slice(0, 40), [['authorization', value]]]);

/** A header with the URL of a key must not make the service fetch it. */
async function fetched(world: World): Promise<Attack> {
  const run = async () => {
    let visits = 0;
    const server = createServer((_, response) => {
      visits++;
      response.end('{"keys":[]}');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
    const { claims } = partsOf(world.ours.token);
    try {
      for (const header of [{ jku: address }, { x5u: address }, { kid: address }, { jku: address, kid: 'attacker' }]) {
        const token = `${encoded({ alg: 'ES256', typ: 'at+jwt', ...header })}.${encoded({ ...claims, iss: address })}.AAAA`;
        refusal(await world.send({ target: '/v1/contacts', headers: [['authorization', `Bearer ${token}`]] }));
      }
      must(visits === 0, 'the service fetched the attacker’s key');
    } finally {
      server.close();
    }
  };
  return { group: 'another key', name: 'jku and x5u are not followed', run };
}

/** A token of a client that was revoked before the service saw the token. */
async function revoked({ newClient, ours, send, database }: World): Promise<Attack[]> {
  const client = await newClient(ours.teamId);
  await revokeClient(serviceOn(database), client.clientId, 'administrator');
  return protectedRoutes.slice(0, 3).map(
    ({ path }): Attack => ({
      group: 'a revoked client',
      name: path,
      run: async () =>
        refusal(await send({ target: '/v1/contacts', headers: [['authorization', `Bearer ${client.token}`]] })),
    }),
  );
}

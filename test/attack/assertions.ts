import { createHmac, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { clientKeysOf } from '../../bin/admin/client-keys.ts';
import { createKeyClient } from '../../bin/admin/operations/clients.ts';
import { newSecret } from '../../lib/auth/secrets.ts';
import { type Attack, must } from './attack.ts';
import type { Received } from './send.ts';
import type { World } from './world.ts';

export const dependencies = ({ database }: World) => ({
  database,
  now: Date.now,
  newId: () => randomUUID(),
  newSecret,
});

export const askFor = (world: World, fields: Record<string, string>): Promise<Received> =>
  world.send({
    method: 'POST',
    target: '/oauth2/token',
    headers: [['content-type', 'application/x-www-form-urlencoded']],
    body: new URLSearchParams({ grant_type: 'client_credentials', ...fields }).toString(),
  });

const jwtBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An invalid assertion never gives a token, and a valid one gives a token once. */
export async function assertions(world: World): Promise<Attack[]> {
  const { ours, theirs, baseUrl } = world;
  const newPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const register = async (teamId: string, key: KeyObject) => {
    const keys = clientKeysOf({ keys: [key.export({ format: 'jwk' })] });
    return (await createKeyClient(dependencies(world), teamId, keys)).client_id;
  };
  const [own, other] = [newPair(), newPair()];
  const [client, victim] = [await register(ours.teamId, own.publicKey), await register(theirs.teamId, other.publicKey)];
  const now = () => Math.floor(Date.now() / 1000);
  const claims = (changes: object = {}) =>
    JSON.parse(
      JSON.stringify({ iss: victim, sub: victim, aud: baseUrl, exp: now() + 240, jti: randomUUID(), ...changes }),
    );
  const sign = (changes: object, header: object = {}, key = own.privateKey) =>
    new SignJWT(claims(changes)).setProtectedHeader({ alg: 'ES256', ...header }).sign(key);
  const send = (assertion: string, more: Record<string, string> = {}) =>
    askFor(world, { client_assertion_type: jwtBearer, client_assertion: assertion, ...more });

  const publicJwk = other.publicKey.export({ format: 'jwk' });
  const hmac = (size: number, secret: string | Buffer) => {
    const text = `${encoded({ alg: `HS${size}` })}.${encoded(claims())}`;
    return `${text}.${createHmac(`sha${size}`, secret).update(text).digest('base64url')}`;
  };
  const secrets = [
    other.publicKey.export({ type: 'spki', format: 'pem' }),
    other.publicKey.export({ type: 'spki', format: 'der' }),
    JSON.stringify(publicJwk),
    '',
  ];
  const right = (changes: object) => sign(changes, {}, other.privateKey);
  /** Each is made when it is sent, because the attacks before it can take longer than it is valid. */
  const forged: [string, () => string | Promise<string>, Record<string, string>?][] = [
    ...['none', 'None', 'NONE', '', 'ES256'].map((alg): [string, () => string] => [
      `alg ${alg} without a signature`,
      () => `${encoded({ alg })}.${encoded(claims())}.`,
    ]),
    ...[256, 384, 512].flatMap((size) =>
      secrets.map((secret, at): [string, () => string] => [
        `HS${size} with public text ${at}`,
        () => hmac(size, secret),
      ]),
    ),
    ['our key for their client', () => sign({})],
    ['our key and client, their subject', () => sign({ iss: client })],
    ['our key and subject, their issuer', () => sign({ sub: client })],
    ['our key in the header', () => sign({}, { jwk: own.publicKey.export({ format: 'jwk' }) })],
    ['our client_id beside their assertion', () => right({}), { client_id: client }],
    ['another audience', () => right({ aud: 'https://attacker.example' })],
    ['another audience too', () => right({ aud: [baseUrl, 'https://attacker.example'] })],
    ['no audience', () => right({ aud: undefined })],
    ['no jti', () => right({ jti: undefined })],
    ['no expiry', () => right({ exp: undefined })],
    ['an expiry in an hour', () => right({ exp: now() + 3600 })],
    ['an expiry that is past', () => right({ exp: now() - 60 })],
    ['an expiry that is infinite', () => right({ exp: 1e300 })],
    ['another type', () => right({}), { client_assertion_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' }],
    ['an access token as an assertion', () => ours.token],
  ];
  const group = 'a forged assertion';
  const refused = ({ status, json, text }: Received) =>
    must(status === 401 && json?.error === 'invalid_client', `status ${status}`, text);
  return [
    ...forged.map(
      ([name, assertion, more]): Attack => ({
        group,
        name,
        run: async () => refused(await send(await assertion(), more)),
      }),
    ),
    {
      group,
      name: 'the same one again, later and ten times at once',
      run: async () => {
        const assertion = await right({});
        const answers = await Promise.all(Array.from({ length: 10 }, () => send(assertion)));
        must(answers.filter(({ status }) => status === 200).length === 1, 'it counted more or less than once');
        refused(await send(assertion));
      },
    },
    ...['GET', 'POST'].map(
      (method): Attack => ({
        group,
        name: `a forged one in the URL of a ${method} request revokes nobody`,
        run: async () => {
          const forgery = await sign({});
          const { status } = await world.send({ method, target: `/oauth2/token?client_assertion=${forgery}` });
          must(status === 400, `status ${status}`);
          must((await send(await right({}))).status === 200, 'their client is revoked');
        },
      }),
    ),
    {
      group,
      name: 'a valid one in the URL, and then in a body',
      run: async () => {
        const exposed = await register(ours.teamId, own.publicKey);
        const assertion = await sign({ iss: exposed, sub: exposed });
        await world.send({ method: 'GET', target: `/oauth2/token?client_assertion=${assertion}` });
        refused(await send(assertion));
      },
    },
    {
      group,
      name: 'an assertion where an access token is needed',
      run: async () => {
        const { status, text } = await world.call('GET', '/v1/contacts', undefined, await right({}));
        must(status === 401, `status ${status}`, text);
      },
    },
  ];
}

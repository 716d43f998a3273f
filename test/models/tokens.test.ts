import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { clientKeysOf } from '../../bin/admin/client-keys.ts';
import { rotateClient, setClientKeys } from '../../bin/admin/operations/clients.ts';
import { hashSecret } from '../../lib/auth/secrets.ts';
import { createSigner, type KeyPair, newKeyPair } from '../../lib/auth/tokens.ts';
import { createVerifier } from '../../lib/auth/verifier.ts';
import { newClient } from '../../lib/domain/client.ts';
import { Problem } from '../../lib/domain/problem.ts';
import type { PrivateKey } from '../../lib/domain/signing-key.ts';
import { revokeClient, revokeExposed } from '../../lib/operations/clients.ts';
import { type IssuedToken, issueToken, type TokenDenial } from '../../lib/operations/issue-token.ts';
import { RotationUnderWay, rotateSigningKey } from '../../lib/operations/rotate-signing-key.ts';
import { insertClient, loadClient } from '../../lib/store/clients.ts';
import { loadPublicKeys } from '../../lib/store/signing-keys.ts';
import { tokenAudit } from '../support/audit.ts';
import { ModelDatabase } from '../support/model-database.ts';
import { type Dependencies, testModel } from './run.ts';
import type { Session } from './session.ts';
import { begin, lastCalls, type TokenCall, type TokenResult, tokenCalls, tokenModel } from './tokens.ts';

const issuer = 'https://api.example.com';
const [teamId, secretsId, keysId] = [0, 1, 2].map((n) => `8f3c1a52-7f0e-4b5d-9a63-00000000000${n}`) as [
  string,
  string,
  string,
];
const lifetimeSeconds = 3600;
/** Milliseconds that a wait lasts while other calls are in progress. */
const maxPause = 10_000;

/** Made once, because making a key and signing take longer than a whole run. */
const signingKeys: KeyPair[] = await Promise.all(Array.from({ length: 8 }, newKeyPair));
const clientKeys = [0, 1].map(() => generateKeyPairSync('ec', { namedCurve: 'P-256' }));
const registered = clientKeys.map(({ publicKey }) => clientKeysOf({ keys: [publicKey.export({ format: 'jwk' })] }));
const claims = { iss: keysId, sub: keysId, aud: issuer, exp: begin / 1000 + 300 };
const assertions = await Promise.all(
  clientKeys.map(({ privateKey }) =>
    Promise.all(
      [0, 1].map((jti) =>
        new SignJWT({ ...claims, jti: `${jti}` }).setProtectedHeader({ alg: 'ES256' }).sign(privateKey),
      ),
    ),
  ),
);

/** Two clients, the signing keys, and two instances of the functions with their caches. */
class Installation {
  readonly database = new ModelDatabase();
  readonly #kept: { rotationId: string; key: PrivateKey }[] = [];
  readonly #secrets = ['s0'];
  readonly #tokens: { token: string; client: 'secrets' | 'keys' }[] = [];
  /** Calls that have begun and not ended, without those that only wait. */
  #inProgress = 0;
  #made = 0;
  #pairs = 0;
  #instances: { sign: ReturnType<typeof createSigner>; verify: ReturnType<typeof createVerifier> }[] | undefined;

  static async open(): Promise<Installation> {
    const installation = new Installation();
    const { database } = installation;
    await insertClient(database, newClient(secretsId, teamId, hashSecret('s0'), begin));
    await insertClient(database, newClient(keysId, teamId, registered[0]!, begin));
    await installation.#rotateSigningKey({ database, now: () => begin }, 'first');
    return installation;
  }

  /** The reads of the caches are not interleaved with other calls, because concurrent callers share them. */
  #instance(number: number, session: Session) {
    const { database } = this;
    const now = () => session.clock++;
    this.#instances ??= [0, 1].map(() => ({
      sign: createSigner({ now, readKeys: async () => this.#kept.slice(0, 2).map(({ key }) => key) }),
      verify: createVerifier({
        ...{ issuer, now, loadKeys: () => loadPublicKeys(database) },
        loadClient: (id) => loadClient(database, id),
      }),
    }));
    return this.#instances[number]!;
  }

  #rotateSigningKey(dependencies: Pick<Dependencies, 'database' | 'now'>, rotation: string): Promise<void> {
    const keep = async (key: PrivateKey, rotationId: string) => {
      if (this.#kept.some((each) => each.rotationId === rotationId)) return false;
      this.#kept.unshift({ rotationId, key });
      return true;
    };
    const newPair = async () => signingKeys[this.#pairs++ % signingKeys.length]!;
    const settings = { newKeyPair: newPair, keep, tokenLifetimeSeconds: lifetimeSeconds };
    return rotateSigningKey({ ...dependencies, ...settings }, rotation);
  }

  send = async (call: TokenCall, dependencies: Dependencies, session: Session): Promise<TokenResult> => {
    const from = session.clock;
    if (call.kind === 'wait') {
      // A function takes at most half a minute.
      session.clock += this.#inProgress > 0 ? Math.min(call.milliseconds, maxPause) : call.milliseconds;
      return { from, to: session.clock, isDone: true };
    }
    this.#inProgress += 1;
    const result = await this.#send(call, dependencies, session).finally(() => {
      this.#inProgress -= 1;
    });
    return { from, to: session.clock, ...result };
  };

  async #send(
    call: Exclude<TokenCall, { kind: 'wait' }>,
    dependencies: Dependencies,
    session: Session,
  ): Promise<Omit<TokenResult, 'from' | 'to'>> {
    const { sign } = this.#instance(0, session);
    const settings = { issuer, lifetimeSeconds, sign, ...tokenAudit(() => {}), newSecret: () => `s${++this.#made}` };
    const full = { ...dependencies, ...settings };
    const secretOf = (place: number) => this.#secrets.at(-1 - place) ?? 'wrong';
    const issued = (answer: IssuedToken | TokenDenial, client: 'secrets' | 'keys') => {
      if (typeof answer === 'string') return { isDone: false };
      this.#tokens.push({ token: answer.token, client });
      return { isDone: true };
    };
    switch (call.kind) {
      case 'issue': {
        const secret = secretOf(call.secret);
        const answer = await issueToken(full, { clientId: secretsId, clientSecret: secret });
        return { ...issued(answer, 'secrets'), secret };
      }
      case 'assert': {
        const assertion = assertions[call.key]![call.jti]!;
        return issued(await issueToken(full, { assertion, clientId: undefined }), 'keys');
      }
      case 'rotate': {
        const credential = await rotateClient(full, secretsId).catch(unless('validation_failed'));
        if (credential) this.#secrets.push(credential.client_secret);
        return { isDone: !!credential, ...(credential ? { secret: credential.client_secret } : {}) };
      }
      case 'revoke':
        await revokeClient(full, secretsId, 'administrator');
        return { isDone: true };
      case 'expose': {
        const secret = secretOf(call.secret);
        const sent = { clientIds: [secretsId], secrets: [secret], assertions: [] };
        return { isDone: (await revokeExposed(full, sent)).length > 0, secret };
      }
      case 'set keys':
        await setClientKeys(full, keysId, registered[call.key]!);
        return { isDone: true };
      case 'rotate signing key': {
        const isDone = await this.#rotateSigningKey(dependencies, call.rotation).then(
          () => true,
          (error: unknown) => {
            if (error instanceof RotationUnderWay) return false;
            throw error;
          },
        );
        return { isDone };
      }
      case 'use': {
        const used = this.#tokens.at(-1 - call.token);
        if (!used) return { isDone: false };
        const { verify } = this.#instance(call.instance, session);
        const isDone = !!(await verify(`Bearer ${used.token}`).catch(unless('invalid_token')));
        const { exp } = JSON.parse(Buffer.from(used.token.split('.')[1]!, 'base64url').toString());
        return { isDone, client: used.client, expires: exp * 1000 };
      }
    }
  }
}

const unless = (code: string) => (error: unknown) => {
  if (error instanceof Problem && error.code === code) return undefined;
  throw error;
};

testModel(
  'concurrent requests for tokens, rotations and revocations have results that one order explains',
  'tokens.test.ts',
  {
    model: tokenModel,
    calls: tokenCalls,
    open: () => Installation.open(),
    last: lastCalls,
    // A revocation can come between a rotation whose response was lost and its retry, which is then refused.
    repeated: (call, result) => (call.kind === 'rotate' && !('error' in result) && !result.isDone ? call : undefined),
    maxCalls: 12,
    runs: 200,
  },
);

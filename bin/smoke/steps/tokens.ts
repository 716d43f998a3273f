import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { clientJwks } from '../../../lib/domain/client-key.ts';
import { timestamp } from '../../../lib/domain/timestamp.ts';
import { auditEntries } from '../../../lib/store/audit.ts';
import { loadClient } from '../../../lib/store/clients.ts';
import { loadPublicKeys } from '../../../lib/store/signing-keys.ts';
import { expect } from '../failure.ts';
import type { Step, Uses } from '../step.ts';
import type { World } from '../world.ts';

const createToken = 'create-token';
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const rotations = ['DescribeSecret', 'PutSecretValue', 'UpdateSecretVersionStage'] as const;
const grant = { grant_type: 'client_credentials' };
/** What every token needs. */
const issues: Uses = { Read: ['BatchGetItem', 'CLIENT#*'], Record: [], Sign: [] };
const storesUse: Uses = { Write: ['PartiQLUpdate', 'CLIENT#*'] };

export const tokenSteps: readonly Step[] = [
  {
    name: 'issue a token for a secret',
    function: createToken,
    uses: { ...issues, ...storesUse },
    async run(world) {
      const client = await world.newClient();
      const token = await world.tokenOf(client);
      await world.call('get-template', { ...template(world), headers: { authorization: `Bearer ${token}` } });
      // The last use and the entry of the audit log are written beside the response.
      const stored = await loadClient(world.installation.database, client.client_id);
      expect(stored?.last_used_on, 'the last use of the client was not stored', createToken);
      await expectEntry(world, client.client_id, 'token issued');
    },
  },
  {
    name: 'issue a token for a signed assertion',
    function: createToken,
    uses: { ...issues, Write: ['PartiQLInsert', 'CLIENT#*'] },
    async run(world) {
      const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
      const { keys } = clientJwks.parse({ keys: [{ ...(await exportJWK(publicKey)), kid: 'smoke' }] });
      const clientId = await world.newKeyClient(keys[0]!);
      const { body: metadata } = await world.call('get-oauth-metadata');
      const assertion = await new SignJWT({ jti: randomUUID() })
        .setProtectedHeader({ alg: 'ES256', kid: 'smoke' })
        .setIssuer(clientId)
        .setSubject(clientId)
        .setAudience(metadata.issuer)
        .setExpirationTime('1m')
        .sign(privateKey);
      const fields = { ...grant, client_assertion_type: assertionType, client_assertion: assertion };
      await world.call(createToken, { body: new URLSearchParams(fields) });
    },
  },
  {
    name: 'refuse a wrong secret',
    function: createToken,
    uses: { Read: ['BatchGetItem', 'CLIENT#*'], Record: [] },
    async run(world) {
      const { client_id } = await world.newClient();
      const body = new URLSearchParams({ ...grant, client_id, client_secret: 'wrong' });
      await world.call(createToken, { body, status: 401 });
      await expectEntry(world, client_id, 'token refused');
    },
  },
  {
    name: 'revoke a client whose secret was in a URL',
    function: createToken,
    uses: { Read: ['BatchGetItem', 'CLIENT#*'], Record: [], Write: ['PartiQLUpdate', 'CLIENT#*'] },
    async run(world) {
      const client = await world.newClient();
      const { client_id, client_secret } = client;
      await world.call(createToken, {
        query: { client_id, client_secret },
        body: new URLSearchParams(grant),
        status: 400,
      });
      const stored = await loadClient(world.installation.database, client_id);
      expect(stored?.revoked_at, 'the client is not revoked', createToken);
      await expectEntry(world, client_id, 'token revoked');
    },
  },
];

/** The last step: a function that read the keys before can reject a token that the new key signs. */
export const rotationSteps: readonly Step[] = [
  {
    name: 'rotate the signing key',
    function: 'rotate-signing-key',
    uses: { Query: [], Write: ['PartiQLInsert', 'PartiQLUpdate'], Rotate: [...rotations] },
    skip: ({ reach }) => (reach.rotate ? undefined : 'only with --rotate'),
    async run(world) {
      const { database } = world.installation;
      const before = await loadPublicKeys(database);
      await world.reach.rotate!();
      const after = await loadPublicKeys(database);
      expect(after.length === before.length + 1, 'the new key was not published', 'rotate-signing-key');
      const open = after.filter(({ needed_until }) => needed_until === undefined);
      expect(open.length === 1, 'the earlier key was not given an end', 'rotate-signing-key');
    },
  },
];

const template = ({ content }: World) => ({ params: { id: content.ids.open } });

/** @throws StepFailure unless the audit log has such an entry of the client */
async function expectEntry({ installation, teamId }: World, clientId: string, what: string): Promise<void> {
  for await (const entry of auditEntries(installation.database, [teamId], {}, timestamp(Date.now()))) {
    if (entry.who === clientId && entry.what === what) return;
  }
  expect(false, `the audit log has no entry "${what}"`, createToken);
}

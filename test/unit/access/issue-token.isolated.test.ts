import { beforeEach, describe, expect, test, vi } from 'vitest';
import { hashSecret, isSecretOf, newSecret } from '../../../lib/auth/secrets.ts';
import { newClient } from '../../../lib/domain/access/client.ts';
import { allScopes } from '../../../lib/domain/access/scope.ts';
import { type IssuedToken, issueToken, type TokenDenial } from '../../../lib/operations/access/issue-token.ts';
import { insertClient } from '../../../lib/store/access/clients.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { tokenAudit } from '../../support/operations/audit.ts';
import { serviceOn } from '../../support/operations/operations.ts';

vi.mock('../../../lib/auth/secrets.ts', { spy: true });

const now = Date.parse('2026-03-01T12:00:00.900Z');
const clientId = '8a6e0804-2bd0-4672-b79d-d97027f9071a';
const teamId = 'c56a4180-65aa-42ec-a945-5fd21dec0538';
const secret = newSecret();
const client = newClient(clientId, teamId, hashSecret(secret), now);

let database: ModelDatabase;
beforeEach(async () => {
  database = new ModelDatabase();
  vi.mocked(isSecretOf).mockClear();
  await insertClient(database, client);
});

const issue = (given: { clientId: string; clientSecret: string }, at = now) =>
  issueToken(
    {
      ...serviceOn(database, { now: () => at, newId: () => 'fresh-id', baseUrl: 'https://api.example.com' }),
      lifetimeSeconds: 900,
      sign: async (claims) => JSON.stringify(claims),
      ...tokenAudit(),
    },
    given,
  );

const claimsOf = (issued: IssuedToken | TokenDenial) => {
  if (typeof issued === 'string') throw new Error(issued);
  return JSON.parse(issued.token);
};

describe('a token', () => {
  test('says who may use it, where, and for how long', async () => {
    expect(claimsOf(await issue({ clientId, clientSecret: secret }))).toEqual({
      iss: 'https://api.example.com',
      aud: 'https://api.example.com',
      sub: clientId,
      client_id: clientId,
      team_id: teamId,
      scope: allScopes.join(' '),
      iat: 1772366400,
      exp: 1772367300,
      jti: 'fresh-id',
    });
  });

  test('is refused to an unknown client by the same comparison as to a wrong secret', async () => {
    expect(await issue({ clientId, clientSecret: 'wrong' })).toBe('invalid_client');
    expect(await issue({ clientId: clientId.replace('8', '9'), clientSecret: secret })).toBe('invalid_client');
    expect(await issue({ clientId: 'no id', clientSecret: secret })).toBe('invalid_client');
    expect(vi.mocked(isSecretOf).mock.calls.map(([hashes]) => hashes.length)).toEqual([1, 0, 0]);
  });
});

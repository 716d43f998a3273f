import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { allScopes } from '../../lib/domain/scope.ts';
import { limitedToken } from '../support/clients.ts';
import { service, type TestTeam } from '../support/service.ts';

const api = await service();
let team: TestTeam;
/** Of a client that may not read `meta_private`. */
let token: string;
beforeAll(async () => {
  team = await api.newTeam();
  token = await limitedToken(api, team.teamId, ...allScopes.filter((scope) => scope !== 'contacts:private'));
});

describe('the limit of meta_private without contacts:private', () => {
  /** The limit of 16 KB is for all of `meta_private`, so it could tell how much of it is stored. */
  test.each([10_000, 16_000, 16_300])(
    'does not show how long the stored values are, for %i characters',
    async (length) => {
      const stored = [undefined, { kept: 'x' }, { kept: 'x'.repeat(8000), limit: 'x' }, { limit: 'x'.repeat(16_000) }];
      const shown = [];
      for (const meta_private of stored) {
        const own = randomUUID();
        await api.request('POST', '/v1/contacts', { token: team.token, body: { unique_id: own, meta_private } });
        const sent = { unique_id: own, meta_private: { limit: 'y'.repeat(length) } };
        const contacts = [sent, { unique_id: randomUUID(), birthdate: 'bad' }];
        const batch = await api.request('POST', '/v1/contacts', { token, body: { contacts } });
        const single = await api.request('POST', '/v1/contacts', { token, body: sent });
        shown.push([batch.status, batch.body.details, single.status]);
        const { body } = await api.request('POST', '/v1/contacts', { token: team.token, body: { unique_id: own } });
        const { kept } = (meta_private ?? {}) as { kept?: string };
        expect(body.meta_private).toEqual({ ...(kept && { kept }), limit: sent.meta_private.limit });
      }
      expect(shown).toEqual(stored.map(() => [422, [expect.objectContaining({ path: '/contacts/1/birthdate' })], 200]));
    },
  );

  test('is for what was written without the scope, and is named', async () => {
    const own = randomUUID();
    const write = (key: string, as: string, length = 9000) =>
      api.request('POST', '/v1/contacts', {
        token: as,
        body: { unique_id: own, meta_private: { [key]: 'x'.repeat(length) } },
      });
    expect((await write('a', token)).status).toBe(201);
    const refused = await write('b', token);
    expect([refused.status, refused.body.details]).toEqual([
      422,
      [{ path: '/meta_private', message: expect.stringContaining('written without contacts:private') }],
    ]);
    expect((await write('a', token, 12_000)).status).toBe(200);
    expect((await write('b', team.token)).status).toBe(422);
    // Written by a client that may read it, it no longer counts for the others.
    expect((await write('a', team.token, 4000)).status).toBe(200);
    expect((await write('b', token, 16_000)).status).toBe(200);
  });
});

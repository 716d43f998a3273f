import { describe, expect, test } from 'vitest';
import { newSecret } from '../../../lib/auth/secrets.ts';
import { loadClient } from '../../../lib/store/access/clients.ts';
import { service, type TestResponse, type TestTeam } from '../../support/service/service.ts';
import { basicOf, credentials, expectRefusal, grant, post, postForm } from './token-requests.ts';

const api = await service();
/** A team whose client is never revoked by a test. */
const team = await api.newTeam();

describe('credentials in the address', () => {
  const queryOf = (fields: Record<string, string>) => `?${new URLSearchParams(fields)}`;
  const stateOf = async ({ clientId }: TestTeam) => (await loadClient(api.database, clientId))?.revoked_by;

  test.each<[what: string, send: (exposed: TestTeam) => Promise<TestResponse>]>([
    ['with everything in it', (exposed) => post({}, queryOf({ ...grant, ...credentials(exposed) }))],
    [
      'beside a good body',
      (exposed) => postForm({ ...grant, ...credentials(exposed) }, {}, queryOf(credentials(exposed))),
    ],
    ['beside a body that is broken', (exposed) => post({ body: '{' }, queryOf(credentials(exposed)))],
    [
      'as the secret alone, its client in a form',
      (exposed) => postForm({ client_id: exposed.clientId }, {}, queryOf({ client_secret: exposed.clientSecret })),
    ],
    [
      'as the secret alone, its client by Basic',
      (exposed) =>
        postForm(
          grant,
          { authorization: basicOf(exposed.clientId, 'x') },
          queryOf({ client_secret: exposed.clientSecret }),
        ),
    ],
    [
      'after a wrong secret',
      (exposed) => post({}, `?client_secret=x&client_id=${exposed.clientId}&client_secret=${exposed.clientSecret}`),
    ],
    [
      'with its names encoded',
      (exposed) => post({}, `?client%5Fid=${exposed.clientId}&client%5Fsecret=${exposed.clientSecret}`),
    ],
  ])('%s revoke the client for good', async (_, send) => {
    const exposed = await api.newTeam();
    expectRefusal(await send(exposed), 400, 'invalid_request');
    expect(await stateOf(exposed)).toBe('query_string');
    expectRefusal(await postForm({ ...grant, ...credentials(exposed) }), 401, 'invalid_client');
    expect((await api.request('GET', '/v1/contacts', { token: exposed.token })).status).toBe(401);
  });

  test.each(['GET', 'HEAD', 'DELETE'])(
    'of a %s request revoke the client, too, and a wrong secret does not',
    async (method) => {
      const exposed = await api.newTeam();
      const wrong = { ...credentials(exposed), client_secret: newSecret() };
      const refused = await api.request(method, `/oauth2/token${queryOf(wrong)}`);
      expect(await stateOf(exposed)).toBeNull();
      const answer = await api.request(method, `/oauth2/token${queryOf(credentials(exposed))}`);
      expect(await stateOf(exposed)).toBe('query_string');
      expect([answer.status, answer.body]).toEqual([refused.status, refused.body]);
      expect([...answer.headers.keys()]).toEqual([...refused.headers.keys()]);
      if (method === 'HEAD') expect([answer.status, answer.body]).toEqual([400, undefined]);
      else expectRefusal(answer, 400, 'invalid_request');
    },
  );

  test('beside a body that is too large revoke the client, too', async () => {
    const exposed = await api.newTeam();
    const body = { x: 'x'.repeat(16 * 1024) };
    expectRefusal(await post({ body }, queryOf(credentials(exposed))), 400, 'invalid_request');
    expect(await stateOf(exposed)).toBe('query_string');
  });

  test.each([
    [3, 'query_string'],
    [4, null],
  ])('are compared with four secrets at most: after %i wrong ones the client is %s', async (wrong, revoked) => {
    const exposed = await api.newTeam();
    const secrets = [...Array.from({ length: wrong }, newSecret), exposed.clientSecret];
    const query = new URLSearchParams(secrets.map((secret): [string, string] => ['client_secret', secret]));
    expectRefusal(await post({}, `?client_id=${exposed.clientId}&${query}`), 400, 'invalid_request');
    expect(await stateOf(exposed)).toBe(revoked);
  });

  test('are refused where only the id is there, and nobody is revoked for that', async () => {
    expectRefusal(
      await postForm({ ...grant, ...credentials(team) }, {}, queryOf({ client_id: team.clientId })),
      400,
      'invalid_request',
    );
    expect(await stateOf(team)).toBeNull();
  });
});

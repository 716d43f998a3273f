import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { admin, adminJson } from '../../support/service/admin.ts';
import { service } from '../../support/service/service.ts';

const api = await service();

test('requests lists what a client was answered in error, newest first, with ids and codes and nothing that it sent', async () => {
  const [team, other] = [await api.newTeam(), await api.newTeam()];
  const of = ['--team', team.teamId, '--client', team.clientId];
  const empty = await admin(['requests', ...of]);
  expect([empty.status, empty.stdout]).toEqual([0, 'The client had no failed requests in the last day.\n']);
  const contact = randomUUID();
  const { token } = team;
  await api.request('POST', '/v1/contacts', { token, body: { unique_id: 'ann', birthdate: 'secret-value' } });
  await api.request('POST', '/v1/contacts', { token, body: { unique_id: 'bob' } });
  const last = await api.request('GET', `/v1/contacts/${contact}?secret-query=1`, { token });
  await api.request('GET', `/v1/contacts/${contact}`, { token: other.token });

  const { status, value } = await adminJson('requests', ...of);
  expect(status).toBe(0);
  const at = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(value).toMatchObject([
    { at, method: 'GET', route: 'get-contact', path: '/v1/contacts/{id}', status: 404, code: 'not_found' },
    { at, method: 'POST', path: '/v1/contacts', status: 422, code: 'validation_failed' },
  ]);
  expect(value[0].request_id).toBe(last.headers.get('x-request-id'));
  expect(JSON.stringify(value)).not.toMatch(/secret|ann/);
  const { stdout } = await admin(['requests', ...of]);
  expect(stdout).toMatch(
    /^TIME +METHOD +ROUTE +STATUS +CODE +REQUEST ID\n.* GET +\/v1\/contacts\/\{id\} +404 +not_found /,
  );
  // The client of another team does not exist.
  const foreign = await adminJson('requests', '--team', other.teamId, '--client', team.clientId);
  expect(foreign).toMatchObject({ status: 1, value: { error: 'not_found', details: [{ path: '--client' }] } });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '../support/service.ts';

/** Seconds; long enough for the first call with a token on a machine that is busy with other tests. */
const lifetime = 6;

let api: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  api = await startService({ environment: { TOKEN_LIFETIME_SECONDS: String(lifetime), LOG_LEVEL: 'DEBUG' } });
});
afterAll(() => api.process.stop());

test('a token lives as long as the deployment says, and neither it nor a secret is ever logged', {
  timeout: 30_000,
}, async () => {
  const { client_id, client_secret } = api.local;
  const body = { grant_type: 'client_credentials', client_id, client_secret };
  const answer = await api.request('POST', '/oauth2/token', { body });
  expect(answer.body.expires_in).toBe(lifetime);
  const token: string = answer.body.access_token;
  expect((await api.request('GET', '/v1/contacts', { token })).status).toBe(200);

  await api.request('POST', '/oauth2/token', { body: { ...body, client_secret: 'wrong-secret' } });
  await api.request('GET', `/v1/contacts?access_token=${token}`);
  await sleep(lifetime * 1000);
  expect((await api.request('GET', '/v1/contacts', { token })).status).toBe(401);

  await api.request('POST', `/oauth2/token?${new URLSearchParams(body)}`);
  const log = api.process.output();
  expect(log).toContain('"client revoked: its credentials were sent in a URL"');
  expect(log).toContain('"status":401');
  // The text that it prints at the start is not a log line.
  const lines = log.split('\n').filter((line) => line.startsWith('{'));
  expect(lines.length).toBeGreaterThan(5);
  for (const told of [client_secret, 'wrong-secret', token, token.split('.')[2]!]) {
    expect(lines.filter((line) => line.includes(told))).toEqual([]);
  }
});

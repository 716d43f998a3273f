import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startReceiver } from '../../support/http/webhook-receiver.ts';
import { startService, type TestTeam } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

test('fifty receivers that take nine seconds delay no webhook of another team', async () => {
  const api = await startService();
  onTestFinished(() => api.process.kill('SIGKILL'));
  const [slow, other] = [await api.newTeam(), await api.newTeam()];
  const subscribe = (team: TestTeam, url: string) =>
    api.request('POST', '/v1/webhooks', { token: team.token, body: { url, types: ['contact.created'] } });
  const upsert = (team: TestTeam, contacts: object[]) =>
    api.request('POST', '/v1/contacts', { token: team.token, body: { contacts } });
  const slowReceiver = await startReceiver(() => sleep(9000, 204));
  const ordinary = await startReceiver();
  for (let count = 0; count < 50; count++) await subscribe(slow, slowReceiver.url);
  await subscribe(other, ordinary.url);
  await upsert(
    slow,
    Array.from({ length: 100 }, (_, n) => ({ unique_id: `slow-${n}` })),
  );
  await until('all are busy', () => slowReceiver.received.length >= 400);
  const waits: number[] = [];
  for (let round = 0; round < 4; round++) {
    const began = performance.now();
    await upsert(other, [{ unique_id: `ordinary-${round}` }]);
    await until('it is sent', () => ordinary.received.length > round);
    waits.push((performance.now() - began) / 1000);
  }
  // The first one can come while every function waits for its first response of nine seconds.
  expect(Math.max(...waits)).toBeLessThan(15);
  expect(Math.min(...waits)).toBeLessThan(5);
}, 180_000);

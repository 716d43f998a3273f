import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import type { ServiceEvent } from '../../lib/domain/event.ts';
import { service, type TestService, type TestTeam } from '../support/service.ts';

let api: TestService;
let team: TestTeam;
let other: TestTeam;
beforeAll(async () => {
  api = await service();
  [team, other] = await Promise.all([api.newTeam(), api.newTeam()]);
});

const get = (query = '', as = team) => api.request('GET', `/v1/events${query}`, { token: as.token });
const post = (fields: object, as = team) => api.request('POST', '/v1/contacts', { token: as.token, body: fields });

/** Reads until there are so many events: readers find them within 20 seconds (contract, section 12). */
async function eventually(count: number, as = team, type = ''): Promise<ServiceEvent[]> {
  for (let waited = 0; waited < 20_000; waited += 100) {
    const { body } = await get(type === '' ? '' : `?type=${type}`, as);
    if (body.events.length >= count) return body.events;
    await sleep(100);
  }
  throw new Error('the events did not come within 20 seconds');
}

test('what is written through the API is told to the team that it belongs to, without the data of the person', async () => {
  const created = await post({ unique_id: 'secret-7781', name_first: 'Zaphodine' });
  await post({ unique_id: 'secret-7781', name_first: 'Zaphod' });
  await post({ unique_id: 'theirs' }, other);
  const events = await eventually(2);
  expect(events.map(({ type }) => type)).toEqual(['contact.created', 'contact.updated']);
  expect(events[0]).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    type: 'contact.created',
    at: created.body.inserted_at,
    team_id: team.teamId,
    contact_id: created.body.id,
  });
  expect(JSON.stringify(events)).not.toMatch(/secret|Zaphod/);
  expect(await eventually(1, other)).toMatchObject([{ type: 'contact.created', team_id: other.teamId }]);
});

test('the answer has a cursor, always', async () => {
  const { body } = await get('', await api.newTeam());
  expect(body).toEqual({ events: [], has_more: false, next_cursor: expect.any(String) });
});

test('type can be repeated, and name all types with the same first word', async () => {
  const own = await api.newTeam();
  await post({ unique_id: 'a' }, own);
  await eventually(1, own);
  const typed = async (query: string) => (await get(query, own)).body.events.length;
  expect(await typed('?type=journey.created&type=contact.created')).toBe(1);
  expect(await typed('?type=journey.*')).toBe(0);
  expect(await typed('?type=contact.*')).toBe(1);
});

test.each([
  ['?type=contact.sung', ['type']],
  ['?type=contact.created&type=contact.sung', ['type']],
  ['?type=contact', ['type']],
  ['?type=', ['type']],
  ['?type=*', ['type']],
  ['?limit=0', ['limit']],
  ['?limit=1001', ['limit']],
  ['?limit=1&limit=2', ['limit']],
  ['?since=yesterday', ['since']],
  ['?cursor=x', ['cursor']],
  ['?cursor=x&limit=0&type=sung', ['cursor', 'limit', 'type']],
])('%s is 400, with every error', async (query, paths) => {
  const { status, body } = await get(query);
  expect([status, body.error]).toEqual([400, 'invalid_request']);
  expect(body.details.map(({ path }: { path: string }) => path).sort()).toEqual(paths);
});

test('a cursor of another team is 400', async () => {
  const { next_cursor } = (await get()).body;
  expect((await get(`?cursor=${next_cursor}`)).status).toBe(200);
  expect(await get(`?cursor=${next_cursor}`, other)).toMatchObject({
    status: 400,
    body: { details: [{ path: 'cursor' }] },
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { maxAttempts } from '../../../lib/domain/journeys/identity-attempts.ts';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import { loadAttempts, saveAttempts } from '../../../lib/store/journeys/identity-checks.ts';
import { putContent } from '../../support/operations/content.ts';
import { adminJson } from '../../support/service/admin.ts';
import {
  closed,
  cookieOf,
  identityRequests,
  known,
  open,
  pageOf,
  right,
  wrong,
} from '../../support/service/identity-requests.ts';

const { api, team, journey, get, post } = await identityRequests();

describe('a proof', () => {
  const isOpen = async (path: string, proof: string) => {
    const { status, body } = await get(path, `identity=${proof}`);
    expect(status).toBe(200);
    return body.includes('Annabel');
  };

  test('ends when the journey gets a new URL', async () => {
    const { path, id } = await journey(closed);
    const proof = cookieOf(await post(path, right)).slice('identity='.length);
    const { value } = await adminJson('journey', 'reissue', '--team', team.teamId, '--journey', id);
    expect(await isOpen(`/j/${value.slug}`, proof)).toBe(false);
  });

  test('does not count for another journey of the contact, or another contact, or another team', async () => {
    const own = await journey(closed);
    const proof = cookieOf(await post(own.path, right)).slice('identity='.length);
    expect(await isOpen((await journey(closed)).path, proof)).toBe(false);
    const sibling = await journey(open, {}, team, own.unique_id);
    expect((await get(sibling.path, `identity=${proof}`)).body).toContain('Your limit is ••• now.');
    const other = await api.newTeam();
    const renewed = { ...closed, id: randomUUID(), template_pages: [pageOf({ content: '{{name_first}}' })] };
    await putContent(api.database, other.teamId, { templates: [renewed] });
    expect(await isOpen((await journey(renewed, known, other)).path, proof)).toBe(false);
  });
});

test('a form from elsewhere is refused', async () => {
  const { path } = await journey(closed);
  const refused = await post(path, right, { 'sec-fetch-site': 'same-site' });
  expect([refused.status, refused.headers.get('set-cookie')]).toEqual([403, null]);
});

test('a proof ends once the contact is locked, while a pause leaves it', async () => {
  const isOpen = async (url: string, cookie: string) => (await get(url, cookie)).body.includes('Annabel');
  const { path, contact_id } = await journey(closed);
  const cookie = cookieOf(await post(path, right));
  for (let done = 0; done < 5; done++) await post(path, wrong);
  expect((await post(path, right)).status).toBe(429);
  expect(await isOpen(path, cookie)).toBe(true);
  const stored = await loadAttempts(api.database, team.teamId, contact_id);
  const { contact } = (await loadContact(api.database, team.teamId, contact_id))!;
  await saveAttempts(api.database, team.teamId, contact, { count: maxAttempts, pausedUntil: null }, stored);
  expect(await isOpen(path, cookie)).toBe(false);
  const body = { type: 'page_viewed', page_id: closed.template_pages[0]!.page.id };
  expect((await api.request('POST', `${path}/actions`, { body, headers: { cookie } })).status).toBe(403);
});

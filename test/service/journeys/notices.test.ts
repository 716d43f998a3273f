import { beforeAll, describe, expect, test } from 'vitest';
import { putContent } from '../../support/operations/content.ts';
import { channelBank } from '../../support/service/channel-requests.ts';
import { type TestPage, testPage } from '../../support/service/journeys.ts';
import { service } from '../../support/service/service.ts';

const api = await service();

const look = {
  theme: { palette: { primary: '#6b2d5c' } },
  support_owner_options: { text: 'On weekdays from 8 to 18.', phone: '+1 555 010 0199', email: 'help@bank.example' },
};
const draft = testPage('view', { content_block_status: 'draft' });
const notLive = testPage('view', { is_live: false });
const archived = testPage('view', { is_archived: true });
const others = [draft, notLive, archived];

type Row = {
  notice: string;
  status: number;
  title: string;
  /** Of the template, after the journey has begun. */
  changes?: Record<string, unknown>;
  pages?: readonly TestPage[];
  path?: (slug: string) => string;
};
const missing = 'This page is no longer part of it';
const closed = 'This page is not open at the moment';
const rows: readonly Row[] = [
  { notice: 'expired', status: 410, title: 'This invitation has expired', changes: { journey_duration_hours: 0 } },
  { notice: 'archived', status: 410, title: 'This has come to an end', changes: { is_archived: true } },
  { notice: 'muted', status: 404, title: closed, changes: { is_muted: true } },
  { notice: 'a draft', status: 404, title: closed, changes: { status: 'draft' } },
  { notice: 'without a page that is live', status: 404, title: closed, pages: [notLive] },
  { notice: 'an unknown page', status: 404, title: missing, path: (slug) => `/j/${slug}?page=${crypto.randomUUID()}` },
  { notice: 'a page that is no id', status: 404, title: missing, path: (slug) => `/j/${slug}?page='"><script>` },
  { notice: 'a draft page', status: 404, title: missing, path: (slug) => `/j/${slug}?page=${draft.id}` },
  { notice: 'a page that is not live', status: 404, title: missing, path: (slug) => `/j/${slug}?page=${notLive.id}` },
  { notice: 'an archived page', status: 404, title: missing, path: (slug) => `/j/${slug}?page=${archived.id}` },
  {
    notice: 'the identity check of an unknown page',
    status: 404,
    title: missing,
    path: (slug) => `/j/${slug}/identity?page=${crypto.randomUUID()}`,
  },
  {
    notice: 'the identity check of an expired journey',
    status: 410,
    title: 'This invitation has expired',
    changes: { journey_duration_hours: 0 },
    path: (slug) => `/j/${slug}/identity`,
  },
];

const get = (path: string, headers: Record<string, string> = {}) => api.request('GET', path, { headers });
const start = { place: 'of a journey', path: (slug: string) => `/j/${slug}` };

describe.each([
  ['of a campaign', {}],
  ['of a campaign that asks for a proof of identity', { is_auth_required: true }],
])('a notice %s', (_, template) => {
  const slugs = new Map<Row, string>();

  // All campaigns change before anything of them is shown, because what is shown is cached for some seconds.
  beforeAll(async () => {
    const { teamId, token } = await api.newTeam();
    const contact = { unique_id: 'c', name_first: 'Jana', birthdate: '1985-03-27', post_code: '94110' };
    const campaigns = rows.map(({ pages = [testPage('view'), ...others] }) => ({
      ...{ id: crypto.randomUUID(), name: 'Secret offer', status: 'live', ...look, ...template },
      template_pages: pages.map((page, order) => ({ order, page })),
    }));
    await putContent(api.database, teamId, { templates: campaigns });
    for (const [at, { id }] of campaigns.entries()) {
      const { body } = await api.request('POST', `/v1/templates/${id}/journeys`, { token, body: { contact } });
      slugs.set(rows[at]!, body.slug);
    }
    const templates = campaigns.map((each, at) => ({ ...each, ...rows[at]!.changes }));
    await putContent(api.database, teamId, { templates });
  });

  test.each(rows)('($notice) has the name, the colors and the contact of the bank', async (row) => {
    const { status, title, path = start.path } = row;
    const { status: given, body } = await get(path(slugs.get(row)!), { 'accept-language': 'de' });
    expect(given).toBe(status);
    expect(body).toContain('<html lang="en" dir="ltr">');
    expect(body).toContain(`<h1>${title}</h1>`);
    expect(body).toContain(`<title>${title} · Test`);
    expect(body).toContain('--primary:#6b2d5c');
    expect(body).toMatch(/<h2>How to reach Test.*On weekdays from 8 to 18\..*tel:\+15550100199.*help@bank\.example/s);
    expect(body).not.toMatch(/Secret offer|Jana|<script/);
    expect(body.includes(`href="/j/${slugs.get(row)}"`)).toBe(title === missing);
  });
});

test.each([
  ['a journey', () => `/j/${'A'.repeat(24)}`, 'We cannot find this page'],
  ['a page of a journey', () => `/j/${'A'.repeat(24)}?page=${crypto.randomUUID()}`, 'We cannot find this page'],
  ['an identity check', () => `/j/${'A'.repeat(24)}/identity`, 'We cannot find this page'],
  ['content of a channel', (channel: string) => `/c/${channel}/short`, 'There is nothing to show here'],
])('a notice on %s that does not exist names nobody', async (_, pathOf, title) => {
  const { channelId } = await channelBank();
  const { status, body, headers } = await get(pathOf(channelId));
  expect(status).toBe(404);
  expect(body).toContain(`<h1>${title}</h1>`);
  expect(body).toContain('--primary:#1f4e79');
  expect(body).not.toMatch(/class="(?:brand|reach)"/);
  expect(headers.get('vary')).toContain('accept-language');
});

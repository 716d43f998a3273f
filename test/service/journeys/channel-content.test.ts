import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { contentReference, defaultReference } from '../../../lib/auth/content-reference.ts';
import { contentCachedFor } from '../../../lib/store/campaigns/content.ts';
import { adminJson } from '../../support/service/admin.ts';
import {
  act,
  channel,
  channelBank,
  form,
  get,
  neighbours,
  pagesOf,
  secretOf,
} from '../../support/service/channel-requests.ts';
import { embedding } from '../../support/service/channels.ts';
import { service } from '../../support/service/service.ts';

const api = await service();
const bank = await channelBank();

describe('GET /c/:channel_id/:reference', () => {
  test('shows the content that the search found, with what is public of the contact', async () => {
    const jana = await bank.person({
      name_first: '<b>Jana</b>',
      meta_public: { branch: 'Mill Street' },
      meta_private: { pin: 'private pin' },
      birthdate: '1985-03-27',
    });
    const { Elsewhere } = await neighbours(jana.path);
    expect((await get(Elsewhere!)).body).toContain('Elsewhere ••••••');
    const { status, headers, body } = await get(jana.path);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain('Dear &lt;b&gt;Jana&lt;/b&gt; of Mill Street:</p>');
    expect(body).not.toContain('private pin');
    expect(body).toContain(`<form class="completion" method="post" action="${jana.path}/actions" target="_self">`);
    expect(body).toContain('.box{width:480px;height:300px}');
  });

  test('is private, and allows its own style and script, the sites of the channel to frame it, and nothing else', async () => {
    const { headers } = await get((await bank.person()).path);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors https:\/\/online\.bank\.example https:\/\/\*\.branch\.example:8443$/,
    );
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-robots-tag')).toMatch(/^noindex/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.has('x-frame-options')).toBe(false);
    expect(headers.has('set-cookie')).toBe(false);
  });

  test('leads within the frame to what else there is, and out of it to the journey alone', async () => {
    const { path, journeyUrl } = await bank.person();
    const { body } = await get(path);
    expect(Object.keys(await neighbours(path))).toEqual(['Agree &amp; go', 'Look', 'Elsewhere']);
    expect(body.match(/aria-current="page">([^<]*)/)[1]).toBe('Agree &amp; go');
    expect(body).toContain(`<a class="whole" href="${journeyUrl}" rel="noopener noreferrer">`);
    const slug = journeyUrl.split('/').at(-1)!;
    expect(body.split(slug)).toHaveLength(2);
  });

  test('has no navigation in a channel that shows none', async () => {
    const plain = await embedding(api, pagesOf);
    const { path, journeyUrl } = await plain.person();
    const { body } = await get(path);
    expect(body).not.toContain('<nav');
    expect(body).not.toContain(journeyUrl);
  });

  test('gives nothing of the contact in a campaign that is shown only to who proved to be it', async () => {
    const guarded = await embedding(api, pagesOf, channel, { is_auth_required: true });
    const { path } = await guarded.person({ name_first: 'Jana', meta_public: { branch: 'Mill' } });
    expect((await get(path)).body).toContain('Dear ••• of •••:');
  });

  test('records no view by itself, nor by following the address of its image', async () => {
    const person = await bank.person();
    await get(person.path);
    await get(`${person.path}/viewed.gif`);
    await get(`${person.path}/viewed.gif`, { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' });
    expect((await bank.analytics(person)).pages_viewed).toEqual([]);
    const image = await get(`${person.path}/viewed.gif`, {
      'sec-fetch-dest': 'image',
      'sec-fetch-site': 'same-origin',
    });
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/gif']);
    expect((await bank.analytics(person)).pages_viewed).toEqual([bank.pages[1]!.id]);
  });
});

test('the search follows a change of the unique_id', async () => {
  const [from, to] = [crypto.randomUUID(), crypto.randomUUID()];
  await bank.person({ unique_id: from });
  const { journeyUrl } = await bank.search(from);
  await adminJson('contact', 'change-unique-id', '--team', bank.teamId, '--from', from, '--to', to);
  expect((await bank.search(from)).journeyUrl).toBeNull();
  expect((await bank.search(to)).journeyUrl).toBe(journeyUrl);
});

describe('the default content', () => {
  test('is what its own address shows, the same for everybody, and may be kept for a minute', async () => {
    const { path, journeyUrl } = await bank.search('nobody');
    expect(journeyUrl).toBeNull();
    const { status, headers, body } = await get(path);
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=60']);
    expect(body).toContain('For  everybody');
    expect(body).not.toMatch(/<script|<nav|<form/);
    expect(headers.get('content-security-policy')).toContain("script-src 'none'");
    expect((await get(path)).body).toBe(body);
  });

  test('of a channel without any is a quiet box with the name of the institution', async () => {
    const plain = await embedding(api, pagesOf);
    const { path } = await plain.search('nobody');
    const { status, headers, body } = await get(path);
    expect(status).toBe(200);
    expect(body).toContain('<p class="neutral">Test</p>');
    // The local service allows every site to frame content by default.
    expect(headers.get('content-security-policy')).toMatch(/frame-ancestors \*$/);
  });

  const gone: [reason: string, template: object][] = [
    ['archived', { is_archived: true }],
    ['muted', { is_muted: true }],
    ['no part of channels any more', { is_cce_enabled: false }],
    ['expired', { journey_duration_hours: 0 }],
    ['without the page', { template_pages: [] }],
  ];
  test(`stands in once the campaign is ${gone.map(([reason]) => reason).join(', or ')}; nothing is recorded then`, async () => {
    const people = await Promise.all(
      gone.map(async ([, template]) => {
        const changed = await embedding(api, pagesOf, channel);
        const person = await changed.person({ name_first: 'Jana' });
        await get(person.path);
        await changed.put({ template });
        return person;
      }),
    );
    await sleep(contentCachedFor);
    for (const { path } of people) {
      const { status, headers, body } = await get(path);
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(body).toContain('For  everybody');
      expect((await act(path, 'page_viewed')).status).toBe(404);
      const back = await form(path, { type: 'page_viewed' });
      expect([back.status, back.headers.get('location')]).toEqual([303, path]);
    }
  });

  test('stands in for content that was never there', async () => {
    const { channelId, teamId } = bank;
    const { contactId } = await bank.person();
    const place = { channelId, contactId, journeyId: crypto.randomUUID(), containerId: crypto.randomUUID() };
    for (const made of [place, { ...place, contactId: crypto.randomUUID() }]) {
      const { status, body } = await get(`/c/${channelId}/${contentReference(teamId, await secretOf(bank), made)}`);
      expect([status, body.includes('For  everybody')]).toEqual([200, true]);
    }
  });
});

describe('a reference that does not open', () => {
  test('is the same 404 for all reasons, in words, in every frame', async () => {
    const other = await embedding(api, pagesOf, channel);
    const [{ path }, foreign] = [await bank.person(), await other.person()];
    const reference = path.split('/').at(-1)!;
    const [team = '', version = '', sealed = ''] = reference.split('.');
    const unknownTeam = Buffer.from(crypto.randomUUID()).toString('base64url');
    const wrong = [
      'short',
      `${reference}A`,
      `${reference}.x`,
      `${team}.${version}.${sealed.slice(1)}A`,
      `${team}.${Number(version) + 1}.${sealed}`,
      `${team}.${sealed}`,
      `${team}.`,
      `${unknownTeam}.${version}.${sealed}`,
      foreign.path.split('/').at(-1)!,
      defaultReference(bank.teamId, await secretOf(bank), other.channelId),
      contentReference(crypto.randomUUID(), [{ id: 1, secret: '' }], {
        ...{ channelId: bank.channelId, contactId: crypto.randomUUID() },
        ...{ journeyId: crypto.randomUUID(), containerId: crypto.randomUUID() },
      }),
    ].map((each) => `/c/${bank.channelId}/${each}`);
    const addresses = [...wrong, `/c/${other.channelId}/${reference}`, `/c/channel/${reference}`];
    const answers = await Promise.all(addresses.map((address) => get(address)));
    for (const { status, headers, body } of answers) {
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors \*$/);
      expect(body).toBe(answers[0]!.body);
    }
    expect(answers[0]!.body).toContain('There is nothing to show here');
    for (const address of addresses) expect((await act(address, 'page_viewed')).status).toBe(404);
  });
});

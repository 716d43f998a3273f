import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { localInstallation } from '../../../bin/admin/installation.ts';
import {
  applyJournal,
  importSuppressions,
  listSuppressions,
  removeSuppression,
} from '../../../bin/admin/operations/suppression/suppression.ts';
import { addressHash } from '../../../lib/auth/address-hash.ts';
import { type MailLink, sealMailLink } from '../../../lib/auth/mail-links.ts';
import { leaveByContact } from '../../../lib/operations/contacts/leave.ts';
import { suppress } from '../../../lib/operations/suppression/suppress.ts';
import { ContentCache } from '../../../lib/store/campaigns/content.ts';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import { StoreUnavailable } from '../../../lib/store/table/database.ts';
import { contactKey, suppressedKey } from '../../../lib/store/table/keys.ts';
import { environmentOf, importCommand } from '../../support/import-command/support.ts';
import { adminJson } from '../../support/service/admin.ts';
import { temporaryDirectory } from '../../support/service/process.ts';
import { service, type TestTeam } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

const api = await service();
const folder = dirname(api.local.drop_box_folder);
const secret = readFileSync(api.local.messages_secret_file, 'utf8');
const email = 'ann@example.com';

let team: TestTeam;
let id: string;
beforeEach(async () => {
  team = await api.newTeam();
  id = (await post({ unique_id: 'ann', email, email_opted_in: true, email_verified: true })).body.id;
});

const request = (method: string, path: string, body?: object | string) =>
  api.request(method, path, { token: team.token, ...(body === undefined ? {} : { body }) });
const post = (body: object) => request('POST', '/v1/contacts', body);
const optedIn = async (of = id) => (await request('GET', `/v1/contacts/${of}`)).body.email_opted_in;
const optOut = (of = id) => request('POST', `/v1/contacts/${of}/opt-outs`, { channel: 'email' });

function link(changes: Partial<MailLink> = {}, using = secret): string {
  const hash = addressHash(secret, team.teamId, email)!;
  const of = { purpose: 'unsubscribe', teamId: team.teamId, contactId: id, hash, messageId: randomUUID() } as const;
  return `/m/${sealMailLink(using, { ...of, templateId: '', language: '', ...changes })}`;
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const press = (path: string, act: string, headers: Record<string, string> = {}) =>
  api.request('POST', path, { headers: { ...form, ...headers }, body: `act=${act}` });

const events = async () => {
  const { body } = await request('GET', '/v1/events?type=contact.*&limit=1000');
  return body.events.map(({ type, channel }: { type: string; channel?: string }) => [type, channel]);
};

const journal = () => {
  const of = join(folder, 'messages', 'suppression', team.teamId);
  return readdirSync(of).map((file) => JSON.parse(readFileSync(join(of, file), 'utf8')));
};

describe('POST /v1/contacts/:id/opt-outs', () => {
  test('opts the contact out, is told, and can be repeated', async () => {
    expect((await optOut()).status).toBe(204);
    expect((await optOut()).status).toBe(204);
    expect(await optedIn()).toBe(false);
    await until('told', events, (all) => all.some(([type]: string[]) => type === 'contact.unsubscribed'));
    expect((await events()).filter(([type]: string[]) => type === 'contact.unsubscribed')).toEqual([
      ['contact.unsubscribed', 'email'],
    ]);
  });

  test('is in the journal, without the address, before it is acknowledged', async () => {
    await optOut();
    const hash = addressHash(secret, team.teamId, email);
    expect(journal()).toMatchObject([
      { change: 'added', for: 'marketing', reason: 'unsubscribed', hash, contact_id: id },
    ]);
    expect(JSON.stringify(journal())).not.toContain('ann');
  });

  test('is of no contact but those of the team, and of no other channel', async () => {
    const other = await api.newTeam();
    const path = `/v1/contacts/${id}/opt-outs`;
    expect((await api.request('POST', path, { token: other.token, body: { channel: 'email' } })).status).toBe(404);
    expect((await optOut(randomUUID())).status).toBe(404);
    const { status, body } = await request('POST', path, { channel: 'sms' });
    expect([status, body.details[0].path]).toEqual([422, '/channel']);
    expect(await optedIn()).toBe(true);
  });
});

describe('after somebody has left', () => {
  const rows = (text: string) => {
    const file = join(temporaryDirectory(), 'people.csv');
    writeFileSync(file, text);
    return file;
  };
  const says = { unique_id: 'ann', email_opted_in: true };
  const ways: [string, () => Promise<unknown>][] = [
    ['a contact', () => post(says)],
    ['the deprecated flag', () => post({ unique_id: 'ann', unsubscribe_email: false })],
    ['flags that contradict each other', () => post({ ...says, unsubscribe_email: true })],
    [
      'flags that contradict each other the other way',
      () => post({ unique_id: 'ann', email_opted_in: false, unsubscribe_email: false }),
    ],
    ['a new address', () => post({ ...says, email: 'new@example.com' })],
    ['a batch', () => post({ contacts: [says, { unique_id: 'bea' }] })],
    ['two records of a batch', () => post({ contacts: [{ unique_id: 'ann', name_first: 'A' }, says] })],
    ['PUT', () => request('PUT', `/v1/contacts/${id}`, { email_opted_in: true })],
    ['PATCH', () => request('PATCH', `/v1/contacts/${id}`, { unsubscribe_email: false })],
    [
      'the importer',
      () => importCommand(environmentOf(api, team), 'contacts', rows('unique_id,email_opted_in\nann,true\n')),
    ],
  ];

  test.each(ways)('%s does not opt the contact in', async (_, say) => {
    await optOut();
    await say();
    expect(await optedIn()).toBe(false);
  });

  test('the answer shows it, in a batch too', async () => {
    await optOut();
    expect((await post(says)).body).toMatchObject({ email_opted_in: false, unsubscribe_email: true });
    expect((await post({ contacts: [says] })).body.existing_contacts).toMatchObject([{ email_opted_in: false }]);
  });

  test('another contact of the address keeps its flag until it is written', async () => {
    const { body } = await post({ unique_id: 'bob', email: ' ANN@example.com ', email_opted_in: true });
    await optOut();
    expect(await optedIn(body.id)).toBe(true);
    expect((await post({ unique_id: 'bob', name_first: 'Bob' })).body.email_opted_in).toBe(false);
    expect((await post({ unique_id: 'new', email, email_opted_in: true })).body.email_opted_in).toBe(false);
    expect((await post({ unique_id: 'far', email: 'b@example.com', email_opted_in: true })).body.email_opted_in).toBe(
      true,
    );
  });

  test('a dropped file opts nobody in, and its report has a notice', async () => {
    await optOut();
    const file = join(api.local.drop_box_folder, team.teamId, 'contacts', 'nightly.csv');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'unique_id,email,email_opted_in\nbea,bea@example.com,true\nann,,true\n');
    const report = () => {
      try {
        return JSON.parse(readFileSync(`${file}.report.json`, 'utf8'));
      } catch {
        return undefined;
      }
    };
    const done = await until(
      'the report',
      async () => report(),
      (found) => found !== undefined,
    );
    expect(done.notices).toMatchObject([{ kind: 'left', count: 1, first_rows: [3] }]);
    expect(await optedIn()).toBe(false);
  });

  test('the importer says so', async () => {
    await optOut();
    const file = rows('unique_id,email_opted_in\nann,true\n');
    const { stdout } = await importCommand(environmentOf(api, team), 'contacts', file, '--json');
    expect(JSON.parse(stdout).notices).toMatchObject([{ kind: 'left', count: 1, first_rows: [2] }]);
  });
});

describe('the link of a message', () => {
  test('shows a page, and a GET or a HEAD changes nothing', async () => {
    const path = link();
    const page = await api.request('GET', path);
    expect([page.status, page.body]).toEqual([200, expect.stringContaining('a••••@e••••.com')]);
    expect(page.body).not.toContain(email);
    expect((await api.request('HEAD', path)).status).toBe(200);
    expect(await optedIn()).toBe(true);
  });

  test('unsubscribes with one press, and another takes it back', async () => {
    const path = link();
    expect((await press(path, 'unsubscribe')).body).toContain('You are unsubscribed');
    expect(await optedIn()).toBe(false);
    expect((await press(path, 'resubscribe')).body).toContain('You are subscribed again');
    expect(await optedIn()).toBe(true);
    expect((await post({ unique_id: 'ann', email_opted_in: true })).body.email_opted_in).toBe(true);
    const told = await until('told', events, (all) => all.some(([type]: string[]) => type === 'contact.resubscribed'));
    expect(told).toEqual(
      expect.arrayContaining([
        ['contact.unsubscribed', 'email'],
        ['contact.resubscribed', 'email'],
      ]),
    );
  });

  test.each([
    ['one click', { ...form, origin: 'https://mail.example' }, 'List-Unsubscribe=One-Click'],
    [
      'multipart',
      { 'content-type': 'multipart/form-data; boundary=b', 'sec-fetch-site': 'cross-site' },
      '--b\r\n\r\nx\r\n--b--',
    ],
    ['JSON', { 'content-type': 'application/json' }, '{"a":'],
    ['no body', {}, ''],
    ['a form of another site', { ...form, 'sec-fetch-site': 'cross-site' }, 'act=unsubscribe'],
    ['much', { 'content-type': 'text/plain' }, 'x'.repeat(40_000)],
  ])('unsubscribes with any body: %s', async (_, headers, body) => {
    expect((await api.request('POST', link(), { headers, body })).status).toBe(200);
    expect(await optedIn()).toBe(false);
  });

  test('comes back only by its own page', async () => {
    const path = link();
    await press(path, 'unsubscribe');
    expect((await press(path, 'resubscribe', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await press(path, 'resubscribe', { origin: 'https://mail.example' })).status).toBe(403);
    expect(await optedIn()).toBe(false);
  });

  test('works for a contact that is gone: its address is listed', async () => {
    expect((await press(link({ contactId: randomUUID() }), 'unsubscribe')).status).toBe(200);
    expect((await post({ unique_id: 'next', email, email_opted_in: true })).body.email_opted_in).toBe(false);
  });

  test('forged, cut, or sealed with another secret is none', async () => {
    const path = link();
    const end = path.length - 8;
    const other = `${path.slice(0, end)}${path[end] === 'A' ? 'B' : 'A'}${path.slice(end + 1)}`;
    const strange = link({}, Buffer.alloc(32, 7).toString('base64url'));
    for (const each of [other, path.slice(0, -9), strange, '/m/x', `${path}x`]) {
      expect((await api.request('GET', each)).status).toBe(404);
      expect((await press(each, 'unsubscribe')).status).toBe(404);
    }
    expect(await optedIn()).toBe(true);
    expect((await api.request('GET', `${path}.`)).status).toBe(200);
  });

  test('of another team changes nothing in this one', async () => {
    const other = await api.newTeam();
    await press(link({ teamId: other.teamId }), 'unsubscribe');
    expect(await optedIn()).toBe(true);
  });

  test.each(['es', 'fr', 'de', 'cs', 'ar'])('has a page in the language %s, without a script', async (language) => {
    const { body: text } = await api.request('GET', link({ language }));
    expect(text).toContain(`lang="${language}"`);
    expect(text).not.toContain('<script');
    expect(text).not.toContain('Unsubscribe');
  });
});

describe('POST /v1/contacts/:id/verifications', () => {
  const ask = (of = id) => request('POST', `/v1/contacts/${of}/verifications`, { channel: 'email' });
  const verified = async () => (await request('GET', `/v1/contacts/${id}`)).body.email_verified;
  /** The link that was sent last. */
  const sent = async () => {
    const stored = await loadContact(api.database, team.teamId, id);
    const { id: messageId, hash } = stored!.verifications.at(-1)!;
    return link({ purpose: 'verify', messageId, hash });
  };
  beforeEach(() => post({ unique_id: 'ann', email_verified: false }));

  test('sends a link whose button verifies the address once', async () => {
    expect(await ask()).toMatchObject({ status: 202 });
    const path = await sent();
    expect((await api.request('GET', path)).body).toContain('a••••@e••••.com');
    expect((await api.request('POST', path, { body: '' })).status).toBe(200);
    expect(await verified()).toBe(false);
    expect((await press(path, 'verify', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await press(path, 'verify')).status).toBe(200);
    expect(await verified()).toBe(true);
    const told = await until('told', events, (all) => all.some(([type]: string[]) => type === 'contact.verified'));
    expect(told).toContainEqual(['contact.verified', 'email']);
    await post({ unique_id: 'ann', email_verified: false });
    expect((await press(path, 'verify')).status).toBe(410);
    expect(await verified()).toBe(false);
  });

  test('verifies no other address than that on file', async () => {
    await ask();
    const path = await sent();
    await post({ unique_id: 'ann', email: 'other@example.com' });
    expect((await press(path, 'verify')).status).toBe(410);
    expect(await verified()).toBe(false);
  });

  test('is limited to three in 24 hours for a contact, and for an address', async () => {
    const bob = (await post({ unique_id: 'bob', email })).body.id;
    expect([(await ask()).status, (await ask()).status, (await ask(bob)).status]).toEqual([202, 202, 202]);
    const { status, headers } = await ask(bob);
    expect([status, Number(headers.get('retry-after')) > 80_000]).toEqual([429, true]);
    expect((await ask()).status).toBe(429);
    await post({ unique_id: 'ann', email: 'other@example.com' });
    expect((await ask()).status).toBe(202);
    expect((await ask()).status).toBe(429);
  });

  test('needs an address', async () => {
    const { id: none } = (await post({ unique_id: 'none' })).body;
    expect((await ask(none)).status).toBe(422);
    expect((await ask(randomUUID())).status).toBe(404);
  });
});

describe('consent is evidence', () => {
  test('each change is kept, with its source and the text of the page', async () => {
    const path = link();
    await press(path, 'unsubscribe');
    await post({ contacts: [{ unique_id: 'ann', email_verified: false }] });
    const { value } = await adminJson('contact', 'export', '--team', team.teamId, '--unique-id', 'ann');
    const by = { kind: 'client', id: team.clientId };
    expect(value.consent).toMatchObject([
      { field: 'email_opted_in', from: null, to: true, by },
      { field: 'email_verified', from: null, to: true, by },
      {
        field: 'email_opted_in',
        from: true,
        to: false,
        by: { kind: 'link' },
        text: expect.stringContaining('Unsubscribe'),
      },
      { field: 'email_verified', from: true, to: false, by: { kind: 'batch' } },
    ]);
    expect(value.left_at).toMatch(/Z$/);
  });

  test('and more changes than a contact holds are kept beside it', async () => {
    for (let n = 0; n < 24; n++) {
      await post({ unique_id: 'ann', email_verified: n % 2 === 1, email_opted_in: n % 2 === 1 });
    }
    const { value } = await adminJson('contact', 'export', '--team', team.teamId, '--unique-id', 'ann');
    expect(value.consent).toHaveLength(50);
    const times = value.consent.map(({ at }: { at: string }) => at);
    expect(times).toEqual(times.toSorted());
  });
});

describe('the list of addresses', () => {
  const access = async () => ({
    ...{ database: api.database, now: Date.now, newId: randomUUID, newSecret: () => '', newSlug: () => '' },
    ...{ pause: async () => {}, wait: async () => {}, content: new ContentCache(api.database, Date.now) },
    ...(await localInstallation(inject('serviceDirectory')).suppression())!,
  });
  const entries = async () => {
    const found = [];
    for await (const entry of listSuppressions(api.database, team.teamId)) found.push(entry);
    return found;
  };

  test('outlives an erasure, which lists the address', async () => {
    const erase = ['contact', 'erase', '--team', team.teamId, '--unique-id', 'ann', '--yes'];
    expect((await adminJson(...erase)).status).toBe(0);
    expect(await entries()).toMatchObject([{ channel: 'email', for: 'marketing', reason: 'erased' }]);
    expect(journal()).toMatchObject([{ change: 'added', reason: 'erased' }]);
    expect((await post({ unique_id: 'ann', email, email_opted_in: true })).body.email_opted_in).toBe(false);
  });

  test('is imported, and what is no address is counted', async () => {
    const lines = ['Ann@Example.com', 'bob@example.com', 'bob@EXAMPLE.com ', 'nobody', '@', ''];
    const result = await importSuppressions(await access(), team.teamId, lines);
    expect(result).toEqual({ added: 2, known: 0, invalid: [4, 5, 6] });
    expect(await importSuppressions(await access(), team.teamId, lines)).toMatchObject({ added: 0, known: 2 });
    expect((await post({ unique_id: 'ann', name_first: 'Ann' })).body.email_opted_in).toBe(false);
  });

  test('gives an address back with its contacts, and opts nobody in', async () => {
    await optOut();
    const given = await removeSuppression(await access(), team.teamId, ' Ann@example.com');
    expect(given).toEqual({ removed: true, contact_ids: [id] });
    expect(await entries()).toEqual([]);
    expect(await optedIn()).toBe(false);
    expect((await post({ unique_id: 'ann', email_opted_in: true })).body.email_opted_in).toBe(true);
  });

  test('is restored from the journal: who left has left, and who came back has not', async () => {
    const path = link();
    const bob = (await post({ unique_id: 'bob', email: 'bob@example.com', email_opted_in: true })).body.id;
    await press(path, 'unsubscribe');
    await press(path, 'resubscribe');
    const items = [contactKey(team.teamId, id), contactKey(team.teamId, bob)];
    const [before, atBackup] = await api.database.get(items);
    await optOut(bob);
    const hash = addressHash(secret, team.teamId, 'bob@example.com')!;
    const { pk, sk, left_at, ...rest } = atBackup!;
    const now = await loadContact(api.database, team.teamId, bob);
    const set = { ...rest, left_at: undefined, version: now!.version + 1 };
    await api.database.transact([
      { kind: 'delete', key: suppressedKey(team.teamId, hash), expect: {} },
      { kind: 'update', key: { pk, sk }, set, expect: { version: now!.version } },
    ]);
    expect(await optedIn(bob)).toBe(true);
    expect(await applyJournal(await access(), team.teamId)).toBe(3);
    expect(await optedIn(bob)).toBe(false);
    expect((await post({ unique_id: 'bob', email_opted_in: true })).body.email_opted_in).toBe(false);
    expect(await api.database.get([items[0]!])).toEqual([before]);
  });

  test('contact show tells when somebody left, and why nothing is sent', async () => {
    await optOut();
    const { value } = await adminJson('contact', 'show', '--team', team.teamId, '--unique-id', 'ann');
    expect(value).toMatchObject({
      left_at: expect.stringMatching(/Z$/),
      suppression: [{ for: 'marketing', reason: 'unsubscribed' }],
      consent: [{ field: 'email_opted_in' }, { field: 'email_verified' }, { field: 'email_opted_in', to: false }],
    });
  });
});

test('nothing is acknowledged, and nothing has changed, while the journal cannot be written', async () => {
  const service = {
    ...{ database: api.database, now: Date.now, newId: randomUUID, newSecret: () => '', newSlug: () => '' },
    ...{ pause: async () => {}, wait: async () => {}, content: new ContentCache(api.database, Date.now) },
    messages: { secret: async () => secret },
    journal: {
      add: () => Promise.reject(new StoreUnavailable('the journal is down')),
      entries: async function* () {},
    },
  };
  const act = { source: { kind: 'client', id: team.clientId } } as const;
  const hash = addressHash(secret, team.teamId, email)!;
  const acts = [
    () => leaveByContact(service, team.teamId, id, act),
    () => leaveByContact(service, team.teamId, randomUUID(), { ...act, hash }),
    () => suppress(service, team.teamId, hash, { scope: 'all', reason: 'complaint' }),
  ];
  for (const each of acts) await expect(each()).rejects.toThrow('the journal is down');
  expect(await optedIn()).toBe(true);
  expect((await post({ unique_id: 'ann', email_opted_in: true })).body.email_opted_in).toBe(true);
});

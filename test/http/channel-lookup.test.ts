import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { readJson } from '../../lib/domain/json.ts';
import { contactKey, lookupPartition } from '../../lib/store/keys.ts';
import { adminJson } from '../support/admin.ts';
import { filled, type Institution, institution, shownAt, slugOf } from '../support/channel-lookup.ts';
import { putContent } from '../support/content.ts';
import { service } from '../support/service.ts';

const declared = ['email', 'phone_mobile', 'meta_private[core_id]', 'meta_private[a][b]'];
const api = await service();

describe.each([
  ['of fields that are declared, by their indexes', declared],
  ['of fields that are not declared, by the directory', []],
])('a lookup %s', (_, fields) => {
  let bank: Institution;
  let ada: { id: string };
  const shared = {
    email: 'twins@example.com',
    name_last: 'Twin',
    phone_mobile: '5550100002',
    sms_verified: false,
    meta_private: { core_id: 'C-2', a: { b: 'same' } },
  };
  beforeAll(async () => {
    bank = await institution(fields);
    const { journey } = bank;
    ada = await bank.post({
      unique_id: 'ada & co',
      email: 'Ada+1@example.com',
      name_last: 'Lovelace',
      phone_mobile: '(555) 010-0001',
      sms_verified: true,
      meta_private: { core_id: 'C-1', a: { b: 'deep' }, big: readJson('12345678901234567') },
      meta_public: { 'x.y': 'dotted' },
      journey,
    });
    for (const unique_id of ['twin-1', 'twin-2']) await bank.post({ unique_id, ...shared, journey });
    await bank.post({ unique_id: 'blank', journey });
  });

  // How values are compared is tested in test/domain/lookup.test.ts.
  const cases: [field: string, one: string, several: string | undefined, none: string][] = [
    ['unique_id', 'ada %26 co', undefined, 'Ada %26 co'],
    ['email', 'Ada%2B1@example.com', 'twins@example.com', 'ada%2B1@example.com'],
    ['phone_mobile', '5550100001', '%2B1 (555) 010-0002', '5550100003'],
    ['name_last', 'Lovelace', 'Twin', 'lovelace'],
    ['sms_verified', 'true', 'false', 'TRUE'],
    ['meta_private[core_id]', 'C-1', 'C-2', 'C-3'],
    ['meta_private[a][b]', 'deep', 'same', 'other'],
    ['meta_private[big]', '12345678901234567', undefined, '12345678901234568'],
    ['meta_public[x][y]', 'dotted', undefined, 'Dotted'],
  ];

  test.each(cases)('by %s finds the one contact that matches, else the default', async (field, one, several, none) => {
    const { status, body } = await bank.ask(`?${field}=${one}`);
    expect(status).toBe(200);
    const [slug] = await slugOf(bank, ada.id);
    expect(body).toEqual({
      _type: 'content_container_reference',
      journey_url: `${api.baseUrl}/j/${slug}`,
      url: expect.any(String),
    });
    expect(await shownAt(bank, bank.channel, body.url)).toMatchObject({
      channelId: bank.channel,
      contactId: ada.id,
      containerId: bank.first.content_containers[0]!.id,
    });
    for (const value of several === undefined ? [none] : [none, several]) {
      const other = await bank.ask(`?${field}=${value}`);
      expect(other).toMatchObject({ status: 200, body: { journey_url: null } });
      expect(await shownAt(bank, bank.channel, other.body.url)).toBe('default');
    }
  });

  test.each(['email', 'meta_private[core_id]', 'sms_verified'])('by %s never matches what is unset', async (field) => {
    for (const value of ['', 'null']) expect((await bank.ask(`?${field}=${value}`)).body.journey_url).toBeNull();
  });

  test('follows a change, and a value that is cleared', async () => {
    const [core_id, later] = [randomUUID(), randomUUID()];
    const { id } = await bank.post({ unique_id: core_id, meta_private: { core_id }, journey: bank.journey });
    const found = async (value: string) =>
      (await bank.ask(`?meta_private[core_id]=${value}`)).body.journey_url !== null;
    const change = (body: object) => api.request('PATCH', `/v1/contacts/${id}`, { token: bank.token, body });
    expect(await found(core_id)).toBe(true);
    await change({ meta_private: { core_id: later } });
    expect([await found(core_id), await found(later)]).toEqual([false, true]);
    await change({ meta_private: { core_id: null } });
    expect([await found(core_id), await found(later)]).toEqual([false, false]);
  });

  test('finds contacts of a batch', async () => {
    const emails = [randomUUID(), randomUUID()];
    await bank.post({ contacts: emails.map((email) => ({ email, journey: bank.journey })) });
    for (const email of emails) expect((await bank.ask(`?email=${email}`)).body.journey_url).not.toBeNull();
  });
});

describe('a lookup', () => {
  let bank: Institution;
  let found: { id: string; unique_id: string };
  beforeAll(async () => {
    bank = await institution(['email']);
    found = await bank.post({ unique_id: 'found', email: 'found@example.com', journey: bank.journey });
  });

  test('by id finds the contact, and takes what is no id for no contact', async () => {
    for (const id of [found.id, found.id.toUpperCase()]) {
      expect((await bank.ask(`?id=${id}`)).body.journey_url).not.toBeNull();
    }
    for (const id of [randomUUID(), 'x', 'x'.repeat(4000)]) {
      expect((await bank.ask(`?id=${id}`)).body.journey_url).toBeNull();
    }
  });

  test('takes a comma in a value for what it is, and brackets however they are encoded', async () => {
    await bank.post({ unique_id: 'a,b', meta_private: { key: 'v' }, journey: bank.journey });
    for (const query of ['?unique_id=a,b', '?meta_private%5Bkey%5D=v']) {
      expect((await bank.ask(query)).body.journey_url).not.toBeNull();
    }
  });

  test('by unique_id follows a change of it', async () => {
    const [from, to] = [randomUUID(), randomUUID()];
    const { id } = await bank.post({ unique_id: from, email: `${from}@example.com`, journey: bank.journey });
    await adminJson('contact', 'change-unique-id', '--team', bank.teamId, '--from', from, '--to', to);
    expect((await bank.ask(`?unique_id=${from}`)).body.journey_url).toBeNull();
    for (const query of [`?unique_id=${to}`, `?email=${from}@example.com`]) {
      const { body } = await bank.ask(query);
      expect(await shownAt(bank, bank.channel, body.url)).toMatchObject({ contactId: id });
    }
  });

  test('holds index entries to the contact: stale ones neither match nor hide the one that does', async () => {
    const { teamId } = bank;
    const email = `${randomUUID()}@example.com`;
    const stale = await Promise.all(
      Array.from({ length: 7 }, (_, n) => bank.post({ unique_id: `${email}-${n}`, journey: bank.journey })),
    );
    const set = { lookup_1: lookupPartition(teamId, 'email', email) };
    const entries = stale.map(({ id }) => ({ kind: 'update' as const, key: contactKey(teamId, id), set, expect: {} }));
    expect(await api.database.write(entries)).not.toContain(false);
    expect((await bank.ask(`?email=${email}`)).body.journey_url).toBeNull();
    const { id } = await bank.post({ unique_id: email, email, journey: bank.journey });
    const { body } = await bank.ask(`?email=${email}`);
    expect(await shownAt(bank, bank.channel, body.url)).toMatchObject({ contactId: id });
  });

  test('of a field that was declared after the contacts were written answers before and after it is filled in', async () => {
    const late = await institution();
    const core_id = randomUUID();
    await late.post({ unique_id: 'early', meta_private: { core_id }, journey: late.journey });
    const found = async () => (await late.ask(`?meta_private[core_id]=${core_id}`)).body.journey_url !== null;
    expect(await found()).toBe(true);
    const channel = { id: late.channel, name: 'Web', lookup_fields: ['meta_private[core_id]'] };
    await putContent(api.database, late.teamId, { engagement_channels: [channel] });
    expect(await found()).toBe(true);
    expect(await filled(late)).toBe(1);
    expect(await found()).toBe(true);
    expect(await filled(late)).toBe(0);
  });
});

describe('the address', () => {
  let bank: Institution;
  beforeAll(async () => {
    bank = await institution(['email']);
    // Too long to be part of a random id by chance.
    for (const name of ['ylva-nordmann', 'bob']) {
      await bank.post({ unique_id: name, email: `${name}@example.com`, journey: bank.journey });
    }
    await bank.post({ unique_id: 'no journey' });
  });

  test('of default content is the same for all of the channel, and another for another channel', async () => {
    const queries = ['?unique_id=nobody', '?email=nobody', '?unique_id=no journey', '?sms_verified=true'];
    const urls = await Promise.all(queries.map(async (query) => (await bank.ask(query)).body.url));
    expect(new Set(urls).size).toBe(1);
    const { body } = await bank.ask(queries[0]!, bank.otherChannel);
    const referenceOf = (url: string) => url.split('/').at(-1);
    expect(referenceOf(body.url)).not.toBe(referenceOf(urls[0]));
    expect(await shownAt(bank, bank.otherChannel, body.url)).toBe('default');
  });

  test('holds no personal data, nor anything else of the contact', async () => {
    const { body } = await bank.ask('?email=ylva-nordmann@example.com');
    const { contactId } = (await shownAt(bank, bank.channel, body.url)) as { contactId: string };
    const [, sealed] = body.url.split('/').at(-1).split('.');
    for (const text of [body.url, Buffer.from(sealed, 'base64url').toString('latin1')]) {
      for (const known of ['ylva-nordmann', 'example.com', contactId]) expect(text).not.toContain(known);
    }
  });
});

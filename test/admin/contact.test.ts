import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { admin, adminJson } from '../support/admin.ts';
import { putContent } from '../support/content.ts';
import { Bank } from '../support/imports.ts';
import { service } from '../support/service.ts';

const api = await service();
let bank: Bank;
beforeEach(async () => {
  bank = await Bank.open(api);
});

const change = (from: string, to: string) =>
  adminJson('contact', 'change-unique-id', '--team', bank.team.teamId, '--from', from, '--to', to);

const call = (method: string, path: string, body: object) =>
  api.request(method, path, { token: bank.team.token, body });
const post = (body: object) => call('POST', '/v1/contacts', body);

const account = (account_number: string, unique_id: string, role?: string) => ({
  account_number,
  contact: { unique_id, ...(role === undefined ? {} : { role }) },
  product: { code: 'CHK', type: 'checking' },
});
const rolesOf = async (contactId: string) => (await bank.accounts(contactId)).map(({ role }: { role: string }) => role);

describe('contact change-unique-id', () => {
  test('prints the contact’s id and its new unique_id', async () => {
    const id = await bank.contact('a');
    expect(await change('a', 'b')).toEqual({ status: 0, value: { id, unique_id: 'b' } });
    const plain = await admin(['contact', 'change-unique-id', '--team', bank.team.teamId, '--from', 'b', '--to', 'c']);
    expect(plain).toEqual({ status: 0, stdout: `id         ${id}\nunique_id  c\n`, stderr: '' });
  });

  test('lets the new unique_id find the contact, one by one, in a batch, by its id and as an email', async () => {
    const id = await bank.contact('a');
    await change('a', 'ann@example.com');
    const found = { status: 200, body: { id, unique_id: 'ann@example.com' } };
    expect(await post({ unique_id: 'ann@example.com', city: 'Oslo' })).toMatchObject(found);
    expect(await post({ email: 'ann@example.com' })).toMatchObject(found);
    expect(await call('PUT', `/v1/contacts/${id}`, { unique_id: 'ann@example.com' })).toMatchObject(found);
    const batch = await post({ contacts: [{ unique_id: 'ann@example.com', city: 'Bergen' }] });
    expect(batch.body).toMatchObject({ new_contacts: [], existing_contacts: [{ id, city: 'Bergen' }] });
    expect((await call('PUT', `/v1/contacts/${id}`, { unique_id: 'a' })).status).toBe(422);
  });

  test('brings along the accounts that were linked to the new unique_id before it named a contact', async () => {
    const id = await bank.contact('a');
    await bank.apply(account('1', 'b', 'early'));
    await change('a', 'b');
    expect(await rolesOf(id)).toEqual(['early']);
  });

  test('leaves the contact its journeys, which the new unique_id finds and the old one does not', async () => {
    const template = { id: randomUUID(), name: 'Welcome' };
    await putContent(api.database, bank.team.teamId, { templates: [template] });
    const start = (unique_id: string) =>
      call('POST', `/v1/templates/${template.id}/journeys`, { contact: { unique_id } });
    const id = await bank.contact('a');
    const started = await start('a');
    await change('a', 'b');
    const { body: journeys } = await bank.get(`/v1/journeys?contact_id=${id}`);
    expect(journeys).toMatchObject([{ id: started.body.id, slug: started.body.slug, contact: { unique_id: 'b' } }]);
    expect(await start('b')).toMatchObject({ status: 200, body: { id: started.body.id } });
    const posted = await post({ unique_id: 'b', journey: { template_id: template.id } });
    expect(posted).toMatchObject({ status: 200, body: { id } });
    expect((await bank.get(`/v1/journeys?contact_id=${id}`)).body).toHaveLength(1);
    const another = await start('a');
    expect(another.status).toBe(201);
    expect(another.body.id).not.toBe(started.body.id);
  });

  test.each([
    ['a contact that is not there', 'nobody', 'b', 'not_found', '--from'],
    ['the same value', 'a', 'a', 'validation_failed', '--to'],
    ['a blank value', 'a', ' ', 'validation_failed', '--to'],
    ['a value of more than 1,024 bytes', 'a', 'é'.repeat(513), 'validation_failed', '--to'],
  ])('refuses %s', async (_, from, to, error, path) => {
    await bank.contact('a');
    expect(await change(from, to)).toMatchObject({ status: 1, value: { error, details: [{ path }] } });
  });

  test('refuses a team that is not there, and sees no other team’s contacts', async () => {
    const stranger = await Bank.open(api);
    await stranger.contact('a');
    expect(await change('a', 'b')).toMatchObject({ status: 1, value: { error: 'not_found' } });
    const elsewhere = ['contact', 'change-unique-id', '--team', randomUUID(), '--from', 'a', '--to', 'b'];
    expect(await adminJson(...elsewhere)).toMatchObject({ status: 1, value: { details: [{ path: '--team' }] } });
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { putContent } from '../../support/operations/content.ts';
import { service } from '../../support/service/service.ts';

const template = randomUUID();
const api = await service();
const { teamId, token } = await api.newTeam();
await putContent(api.database, teamId, { templates: [{ id: template, name: 'Any' }] });
const send = (method: string, path: string, body: object) => api.request(method, path, { body, token });
const contact = (await send('POST', '/v1/contacts', { unique_id: 'known' })).body.id;

const addresses: Record<string, () => string> = {
  contacts: () => '/v1/contacts',
  contact: () => `/v1/contacts/${contact}`,
  journeys: () => `/v1/templates/${template}/journeys`,
};

describe('a deprecated field', () => {
  test.each([
    ['alone', 'POST', 'contacts', { unique_id: 'a', unsubscribe_email: true }, 201],
    [
      'beside the one that replaces it',
      'POST',
      'contacts',
      { unique_id: 'a', sms_opted_in: true, unsubscribe_sms: false },
      200,
    ],
    ['as null', 'POST', 'contacts', { unique_id: 'a', unsubscribe_sms: null }, 200],
    [
      'in any contact of a batch',
      'POST',
      'contacts',
      { contacts: [{ unique_id: 'a' }, { unique_id: 'b', unsubscribe_sms: true }] },
      200,
    ],
    ['in a PUT', 'PUT', 'contact', { unsubscribe_email: false }, 200],
    ['in a PATCH', 'PATCH', 'contact', { unsubscribe_email: false }, 200],
    ['in the contact of a journey', 'POST', 'journeys', { contact: { unique_id: 'c', unsubscribe_sms: true } }, 201],
    ['in a request that is refused', 'POST', 'contacts', { unsubscribe_email: 'yes' }, 422],
  ])('%s is announced by its answer (RFC 9745)', async (_, method, address, body, status) => {
    const answer = await send(method, addresses[address]!(), body);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('deprecation')).toMatch(/^@[1-9]\d*$/);
    expect(answer.headers.get('link')).toMatch(/^<[^>]*\/openapi\.json>; rel="deprecation"; type="application\/json"$/);
  });

  test('is explained where the answer leads', async () => {
    const { body } = await api.request('GET', '/openapi.json');
    expect(body.info.description).toContain('`unsubscribe_email`');
    expect(body.components.schemas.ContactInput.properties.unsubscribe_email.deprecated).toBe(true);
  });

  test.each([
    ['what replaces it', 'POST', 'contacts', { unique_id: 'd', email_opted_in: true }],
    ['its name within metadata', 'POST', 'contacts', { unique_id: 'd', meta_public: { unsubscribe_email: true } }],
    [
      'its name beside the contact of a journey',
      'POST',
      'journeys',
      { contact: { unique_id: 'd' }, unsubscribe_sms: true },
    ],
  ])('is not announced for %s', async (_, method, address, body) => {
    const { headers } = await send(method, addresses[address]!(), body);
    expect([headers.get('deprecation'), headers.get('link')]).toEqual([null, null]);
  });
});

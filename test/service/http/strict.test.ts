import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { allContracts } from '../../../functions/contracts.ts';
import { isStrict } from '../../../lib/http/strict.ts';
import { eventOf } from '../../support/http/event.ts';
import { putContent } from '../../support/operations/content.ts';
import { service } from '../../support/service/service.ts';

const contracts = await allContracts();

const template = randomUUID();
const api = await service();
const { teamId, token } = await api.newTeam();
await putContent(api.database, teamId, {
  objectives: [{ id: randomUUID(), key: 'debit_card' }],
  templates: [{ id: template, name: 'Any' }],
});
const send = (method: string, path: string, body: object, prefer = 'handling=strict') =>
  api.request(method, path, { body, token, headers: { prefer } });
const known = (await send('POST', '/v1/contacts', { unique_id: 'known' })).body.id;
const journeys = `/v1/templates/${template}/journeys`;
const { id: journey, slug } = (await send('POST', journeys, { contact: { id: known } })).body;

const record = (fields: object) => ({ account_number: '1', product: { code: 'P', type: 'loan' }, ...fields });
const batch = (fields: object, body: object = {}) => ({ type: 'accounts', records: [record(fields)], ...body });

/** The requests to each endpoint with a body: unknown fields, values that cannot be used, and what each path is. */
const cases: [id: string, method: string, path: string, body: object, paths: string[]][] = [
  ['upsert-contacts', 'POST', '/v1/contacts', { unique_id: 'a', first_name: 'x' }, ['/first_name']],
  ['upsert-contacts', 'POST', '/v1/contacts', { email: 'a' }, ['/email']],
  [
    'upsert-contacts',
    'POST',
    '/v1/contacts',
    { ...{ unique_id: 'a', timezone: 'Nowhere/None', phone_home: '(12) 34', phone_work: 'x', city: 5 }, extra: 1 },
    ['/city', '/extra', '/phone_home', '/phone_work', '/timezone'],
  ],
  [
    'upsert-contacts',
    'POST',
    '/v1/contacts',
    {
      contacts: [
        { unique_id: 'a', x: 1 },
        { city: 5, 'a/b': 1 },
      ],
      contact: [],
    },
    ['/contact', '/contacts/0/x', '/contacts/1/a~1b', '/contacts/1/city', '/contacts/1/unique_id'],
  ],
  [
    'upsert-contacts',
    'POST',
    '/v1/contacts',
    { unique_id: 'a', journey: { template_id: template, name: 'x' } },
    ['/journey/name'],
  ],
  [
    'update-contact',
    'PUT',
    `/v1/contacts/${known}`,
    { timezone: '+02:00', nickname: null },
    ['/nickname', '/timezone'],
  ],
  ['update-contact', 'PATCH', `/v1/contacts/${known}`, { email: 'x', unique_id: 'y' }, ['/email', '/unique_id']],
  [
    'create-journey',
    'POST',
    journeys,
    { contact: { unique_id: 'j', email: 'x', colour: 1 }, nam: 'x', owner_id: 5 },
    ['/contact/colour', '/contact/email', '/nam', '/owner_id'],
  ],
  ['create-journey', 'POST', journeys, { contact: { id: known, crm_owner: 'jd' } }, ['/contact/crm_owner']],
  [
    'confirm-journey',
    'PUT',
    `${journeys}/${journey}`,
    { is_completion_confirmed: 1, confirmed: true },
    ['/confirmed', '/is_completion_confirmed'],
  ],
  ['opt-out', 'POST', `/v1/contacts/${known}/opt-outs`, { channel: 'email', chanel: 'x' }, ['/chanel']],
  ['verify-contact', 'POST', `/v1/contacts/${known}/verifications`, { channel: 'email', to: 'x' }, ['/to']],
  ['create-webhook', 'POST', '/v1/webhooks', { url: 'https://a.example/', type: ['x'] }, ['/type']],
  [
    'create-batch',
    'POST',
    '/v1/batches',
    batch(
      { contact: { id: 'x' }, 'contact.rol': 'x', 'product.sort': 1, meta_public: { any: { thing: 1 } }, balnce: 'x' },
      { batch: 'b', type: 'x' },
    ),
    [
      '/batch',
      '/records/0/balnce',
      '/records/0/contact.rol',
      '/records/0/contact/id',
      '/records/0/product.sort',
      '/type',
    ],
  ],
];

describe('a strict request', () => {
  test.each(cases)('%s: %s %s with %j', async (_id, method, path, body, paths) => {
    const refused = await send(method, path, body);
    expect([refused.status, refused.headers.get('preference-applied')]).toEqual([422, 'handling=strict']);
    const sorted = refused.body.details.map((each: { path: string }) => each.path).sort();
    expect(sorted).toEqual(paths);
  });

  test('without fields that have no use has no such header, and one with many names ten', async () => {
    const [none, many] = await Promise.all([
      send('POST', '/v1/contacts', { unique_id: 'n', name_first: 'Ann' }, 'handling=lenient'),
      send(
        'POST',
        '/v1/contacts',
        { contacts: Array.from({ length: 500 }, (_, n) => ({ unique_id: `n${n}`, x: n })) },
        'x',
      ),
    ]);
    expect([none.status, none.headers.get('unused-fields')]).toEqual([201, null]);
    expect(many.status).toBe(200);
    const first = Array.from({ length: 10 }, (_, n) => `/contacts/${n}/x`);
    expect(many.headers.get('unused-fields')).toBe(first.join(', '));
  });

  test.each([
    ['né, "x"\r\nset-cookie: a=b', '/n%C3%A9%2C%20%22x%22%0D%0Aset-cookie:%20a=b'],
    ['a/b~c%', '/a~1b~0c%25'],
    ['\ud83d', '/%EF%BF%BD'],
    ['x'.repeat(5000), `/${'x'.repeat(63)}`],
    ['', '/'],
  ])('names a field as it can stand in a header: %j', async (name, header) => {
    const { status, headers } = await send('POST', '/v1/contacts', { unique_id: 'h', [name]: 1 }, 'handling=lenient');
    expect([status < 300, headers.get('unused-fields')]).toEqual([true, header]);
  });

  test('to a page names unknown fields too, also within answers', async () => {
    const action = { type: 'page_viewed', page_id: 'x', extra: 1, answers: [{ block_id: 'b', anser: 'accepted' }] };
    const { status, headers, body } = await send('POST', `/j/${slug}/actions`, action);
    expect([status, headers.get('preference-applied')]).toEqual([422, 'handling=strict']);
    expect(body.details.map((each: { path: string }) => each.path)).toEqual(['/extra', '/answers/0/anser']);
  });

  test('is tried at every endpoint with a body', () => {
    const withBody = contracts.filter(({ body }) => body !== undefined).map(({ id }) => id);
    expect([...new Set(cases.map(([id]) => id))].sort()).toEqual(withBody.sort());
  });

  test.each<[string, string, object, number]>([
    [
      'POST',
      '/v1/contacts',
      { unique_id: 's', email: 'a@b', timezone: 'Europe/Prague', phone_home: '12345', debit_card: true },
      201,
    ],
    ['POST', '/v1/contacts', { unique_id: 't', email: '', timezone: '', phone_home: ' ', 'meta_public.a.b': 1 }, 201],
    ['POST', '/v1/contacts', { contacts: [{ unique_id: 's', debit_card: '2026-01-01' }] }, 200],
    ['POST', journeys, { contact: { id: known, updated_at: 'x' }, name: null }, 200],
    ['POST', '/v1/batches', batch({ 'contact.unique_id': 's', 'meta_private.a': { b: 1 } }), 202],
  ])('that is right is answered as any: %s %s %j', async (method, path, body, status) => {
    const right = await send(method, path, body);
    expect([right.status, right.headers.get('preference-applied')]).toEqual([status, 'handling=strict']);
  });

  test('takes a returned contact back, and suggests what a misspelled field means', async () => {
    const { body } = await api.request('GET', `/v1/contacts/${known}`, { token });
    expect((await send('PUT', `/v1/contacts/${known}`, body)).status).toBe(200);
    const { details } = (await send('POST', '/v1/contacts', { unique_id: 'a', first_name: 'x' })).body;
    expect(details[0].message).toBe('is not a known field: did you mean name_first?');
  });

  test('without a body, or without the preference, is as any other', async () => {
    const listed = await api.request('GET', '/v1/contacts?x=1', { token, headers: { prefer: 'handling=strict' } });
    const lenient = await send('POST', '/v1/contacts', { unique_id: 'a', email: 'x', y: 1 }, 'handling=lenient');
    for (const { status, headers } of [listed, lenient]) {
      expect([status < 300, headers.get('preference-applied')]).toEqual([true, null]);
    }
  });

  test.each(cases)(
    'names in its header what it would refuse, if it is not strict: %s: %s %s with %j',
    async (...each) => {
      const [, method, path, body, paths] = each;
      const lenient = await send(method, path, body, 'handling=lenient');
      const errors = (lenient.body?.details ?? []).map((error: { path: string }) => error.path);
      const named = lenient.headers.get('unused-fields')?.split(', ') ?? [];
      // A contact without an address of its own has nothing to verify: an error of no field.
      expect([...named, ...errors.filter((path: string) => path !== '')].sort()).toEqual(paths);
    },
  );
});

test.each([
  ['handling=strict', true],
  ['respond-async, HANDLING = "Strict"; x=1, wait=10', true],
  ['foo="a, handling=lenient", handling=strict', true],
  ['return=minimal,handling=strict', true],
  ['handling=strict, handling=lenient', true],
  ['handling=lenient, handling=strict', false],
  ['foo; handling=strict', false],
  ['foo="x, handling=strict"', false],
  ['foo="x, handling=strict', false],
  ['handling', false],
  ['handling, handling=strict', false],
  ['handling=stricter', false],
  ['xhandling=strict', false],
  ['', false],
])('Prefer: %s is strict: %s', (prefer, expected) => {
  expect(isStrict(eventOf({ headers: { prefer } }))).toBe(expected);
});

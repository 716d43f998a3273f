import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { putContent } from '../../support/operations/content.ts';
import { service } from '../../support/service/service.ts';

/** Requests that are valid by the document are accepted, and invalid ones are rejected. */
const template = crypto.randomUUID();

const api = await service();
const team = await api.newTeam();
await putContent(api.database, team.teamId, { templates: [{ id: template, name: 'Judged' }] });
const ajv = new Ajv2020({ strict: false, validateSchema: false });
addFormats.default(ajv);
ajv.addSchema((await api.request('GET', '/openapi.json')).body, 'document');

const isValid = (path: string, body: object, type = 'application/json'): boolean => {
  const content = `content/${type.replaceAll('/', '~1')}`;
  const place = `/paths/${path.replaceAll('/', '~1')}/post/requestBody/${content}/schema`;
  return ajv.validate({ $ref: `document#${encodeURI(place)}` }, body);
};

async function agree(path: string, body: object, expected: boolean): Promise<void> {
  const url = path.replace('{template_id}', template);
  const { status } = await api.request('POST', url, { body, token: team.token });
  expect({ inDocument: isValid(path, body), inService: status < 300 }).toEqual({
    inDocument: expected,
    inService: expected,
  });
}

const contact = (fields: object) => ({ unique_id: 'judged', ...fields });
const contacts = (count: number) => Array.from({ length: count }, (_, at) => contact({ unique_id: `judged-${at}` }));

describe('a body for contacts', () => {
  test.each([
    ['a batch of 500', { contacts: contacts(500) }, true],
    ['a batch of none', { contacts: [] }, true],
    ['a batch of 501', { contacts: contacts(501) }, false],
    ['a batch that is no array', { contacts: 5 }, false],
    ['a batch that is null', contact({ contacts: null }), false],
    ['a batch beside a unique_id', contact({ contacts: [] }), false],
    ['a batch beside an email of null', { contacts: [], email: null }, false],
    ['a batch beside a field that means nothing there', { contacts: [], city: 5 }, true],
    ['a phone with punctuation', contact({ phone_home: '+49 (30) 90-18' }), true],
    ['a blank phone', contact({ phone_home: ' ' }), true],
    ['a phone with letters', contact({ phone_home: '555 CALL' }), false],
    ['a phone without digits', contact({ phone_home: '+' }), false],
    ['a leap day', contact({ birthdate: '2000-02-29' }), true],
    ['a leap day of no leap year', contact({ birthdate: '1900-02-29' }), false],
    ['a text of 1,024 characters', contact({ city: '😀'.repeat(1024) }), true],
    ['a text of 1,025 characters', contact({ city: 'x'.repeat(1025) }), false],
  ])('with %s', (_case, body, expected) => agree('/v1/contacts', body, expected));
});

describe('a body that names nobody', () => {
  test.each([
    ['neither', {}, false],
    ['a blank unique_id', { unique_id: ' ' }, false],
    ['a blank unique_id and an email', { unique_id: '', email: 'judged@example.com' }, true],
    ['an email of null', { email: null }, false],
  ])('is refused as a contact, in a batch and for a journey: %s', async (_case, body, expected) => {
    await agree('/v1/contacts', body, expected);
    await agree('/v1/contacts', { contacts: [body] }, expected);
    await agree('/v1/templates/{template_id}/journeys', { contact: { ...body, city: 'Duluth' } }, expected);
  });
});

describe('a chunk', () => {
  const records = (count: number) =>
    Array.from({ length: count }, () => ({ account_number: '1', contact: { unique_id: 'c' } }));
  test.each([
    ['without batch_id', { chunk_index: 0, records: records(1) }, false],
    ['with a batch_id of null', { chunk_index: 0, batch_id: null, records: records(1) }, false],
    ['with an empty batch_id', { chunk_index: 0, batch_id: '', records: records(1) }, false],
    ['with more records than one chunk holds', { chunk_index: 1, batch_id: 'judged', records: records(501) }, false],
    ['with its batch_id', { chunk_index: 2, batch_id: crypto.randomUUID(), records: records(500) }, true],
    ['of null beside many records', { chunk_index: null, batch_id: null, records: records(501) }, true],
    [
      'with a chunk_count',
      { chunk_index: 0, chunk_count: 1, batch_id: crypto.randomUUID(), records: records(1) },
      true,
    ],
    ['with a chunk_count and no chunk_index', { chunk_count: 1, batch_id: 'judged', records: records(1) }, false],
    [
      'with a chunk_count beside a chunk_index of null',
      { chunk_count: 1, chunk_index: null, batch_id: 'judged', records: records(1) },
      false,
    ],
    ['with a chunk_count of null', { chunk_count: null, records: records(1) }, true],
  ])('%s', (_case, fields, expected) => agree('/v1/batches', { type: 'account', ...fields }, expected));
});

describe('a record', () => {
  const product = { code: 'P', type: 'checking' };
  test.each([
    ['of a number alone', {}, false],
    ['that maps a contact', { contact: { unique_id: 'c', role: 'joint' } }, true],
    ['that maps a contact by a dotted key', { 'contact.unique_id': 'c' }, true],
    ['that maps no contact', { contact: null }, false],
    ['that maps a blank contact', { contact: { unique_id: ' ' } }, false],
    ['that maps a contact and sets a field', { contact: { unique_id: 'c' }, nickname: 'n' }, false],
    ['with a product by dotted keys', { 'product.code': 'P', 'product.type': 'checking' }, true],
    ['with a product and no contact', { product }, true],
    ['that maps a contact and sets a field of a product', { 'contact.unique_id': 'c', 'product.name': 'n' }, false],
    ['with a blank number', { account_number: ' ', product }, false],
    ['with a number between spaces', { account_number: ' 1 ', product }, true],
    ['with a blank product code', { product: { ...product, code: '\t' } }, false],
    ['with a blank product code as a dotted key', { 'product.code': ' ', 'product.type': 'checking' }, false],
  ])('%s', (_case, fields, expected) => {
    return agree('/v1/batches', { type: 'account', records: [{ account_number: 'judged', ...fields }] }, expected);
  });
});

describe('a record with a dotted key', () => {
  const product = { code: 'P', type: 'checking' };
  test.each([
    ['the same field in its object', { unique_id: 'c', role: 'joint' }, false],
    ['other fields in its object', { unique_id: 'c' }, true],
  ])('beside %s', (_case, contact, expected) => {
    const record = { account_number: 'judged', product, contact, 'contact.role': 'joint' };
    return agree('/v1/batches', { type: 'account', records: [record] }, expected);
  });
});

describe('a body for batches', () => {
  test.each([
    ['a date', { opened_date: '2024-02-29' }, true],
    ['a time without seconds or offset', { opened_date: '2024-02-29 23:59' }, true],
    ['a time with an offset and a fraction', { opened_date: '2024-02-29T23:59:60,123+0530' }, true],
    ['a day that is none', { opened_date: '2023-02-29T00:00:00Z' }, false],
    ['an hour that is none', { opened_date: '2023-02-28T24:00:00Z' }, false],
    ['an empty date', { opened_date: '' }, false],
    ['a decimal as text', { balance: '-12.50e2' }, true],
    ['a decimal in words', { balance: 'plenty' }, false],
    ['a decimal of 129 digits', { balance: '1'.repeat(129) }, false],
    ['a whole number beyond a double', { number_transactions_last_30_days: 2 ** 53 }, false],
    ['an unlisted classification', { product: { code: 'P', type: 'loan', standardized_type: null } }, false],
  ])('with %s', (_case, fields, expected) => {
    const record = { account_number: 'judged', product: { code: 'P', type: 'checking' }, ...fields };
    return agree('/v1/batches', { type: 'account', records: [record] }, expected);
  });
});

describe('a body for a journey', () => {
  test.each([
    ['a contact', { contact: contact({}) }, true],
    ['a contact whose id of null means nothing beside others', { contact: contact({ id: null }) }, true],
    ['a contact named by what is no text', { contact: { id: 5 } }, false],
    ['no contact', {}, false],
  ])('with %s', (_case, body, expected) => agree('/v1/templates/{template_id}/journeys', body, expected));
});

test('a body for a token may hold credentials of null, which count as absent', async () => {
  const body = { grant_type: 'client_credentials', client_id: null, client_secret: null };
  expect(isValid('/oauth2/token', body, 'application/x-www-form-urlencoded')).toBe(true);
  const headers = { authorization: `Basic ${btoa(`${team.clientId}:${team.clientSecret}`)}` };
  expect((await api.request('POST', '/oauth2/token', { body, headers })).status).toBe(200);
});

import { expect, test } from 'vitest';
import {
  declaredField,
  declaredLookup,
  declaredLookups,
  fitSlots,
  isMatch,
  lookupField,
  lookupFieldName,
  requestedLookup,
} from '../../../lib/domain/contacts/lookup.ts';
import { type ErrorDetail, Problem } from '../../../lib/domain/values/problem.ts';
import { contactOf } from '../../support/samples/samples.ts';

test.each([
  ['email', 'email'],
  ['id', 'id'],
  ['unsubscribe_sms', 'unsubscribe_sms'],
  ['meta_private[core_id]', 'meta_private[core_id]'],
  ['meta_public[a][b][0]', 'meta_public[a.b.0]'],
  ['meta_private[a.b]', 'meta_private[a.b]'],
  ['meta_private[ a\n]', 'meta_private[ a\n]'],
])('%j names the field %j', (text, name) => {
  const field = lookupField(text);
  expect(typeof field === 'object' && lookupFieldName(field)).toBe(name);
});

test.each(['', 'Email', 'email ', 'email[a]', 'completions', 'data', '__proto__', 'journey', 'meta_private.a', '[a]'])(
  '%j is not a field',
  (text) => {
    expect(lookupField(text)).toBe('is not a field of a contact');
  },
);

test.each([
  'meta_private',
  'meta_private[]',
  'meta_private[a',
  'meta_private[a][]',
  'meta_private[][a]',
  'meta_private[a]b',
])('%j lacks a key', (text) => {
  expect(lookupField(text)).toBe('requires a key, as in meta_private[key]');
});

const requested = (...parameters: [string, string][]) => {
  try {
    return requestedLookup(parameters);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { code: error.code, details: error.details };
  }
};

test('a request looks up one field', () => {
  expect(requested(['email', 'a@x'])).toEqual({ field: { name: 'email' }, value: 'a@x' });
});

const only = 'must be the only query parameter, and sent only once';
test.each<[parameters: [string, string][], details: ErrorDetail[]]>([
  [[], [{ path: '', message: 'requires a query parameter: a field of a contact' }]],
  [[['nickname', 'x']], [{ path: 'nickname', message: 'is not a field of a contact' }]],
  [
    [
      ['email', 'a'],
      ['email', 'a'],
    ],
    [{ path: 'email', message: only }],
  ],
  [
    [
      ['email', 'a'],
      ['city', 'b'],
    ],
    [
      { path: 'email', message: only },
      { path: 'city', message: only },
    ],
  ],
])('a request with the parameters %j is an error', (parameters, details) => {
  expect(requested(...parameters)).toEqual({ code: 'invalid_request', details });
});

test('several parameters are named, each once, up to the limit of faults', () => {
  const pairs = Array.from({ length: 300 }, (_, n): [string, string] => [`p${n % 150}`, 'x']);
  expect(requested(...pairs)).toHaveProperty('details.length', 100);
});

const contact = contactOf({
  ...{
    id: 'i',
    updated_at: '2026-02-01T00:00:00.000000Z',
    email: 'Ann@x',
    phone_mobile: '15551234567',
    phone_work: '6581234567',
  },
  ...{ email_opted_in: true, sms_opted_in: false, meta_public: { 'a.b': 1.5, flag: false, none: null } },
});
test.each<[name: string, value: string, expected: boolean]>([
  ['id', 'i', true],
  ['id', 'I', true],
  ['unique_id', 'u', true],
  ['unique_id', 'U', false],
  ['email', 'Ann@x', true],
  ['email', 'ann@x', false],
  ['inserted_at', '2026-01-01T00:00:00.000000Z', true],
  ['updated_at', '2026-02-01T00:00:00.000000Z', true],
  ['phone_mobile', '(555) 123-4567', true],
  ['phone_mobile', '005551234567', false],
  ['phone_mobile', 'call', false],
  ['phone_work', '6581234567', true],
  ['phone_work', '+65 8123 4567', true],
  ['phone_work', '16581234567', false],
  ['phone_home', '', false],
  ['email_opted_in', 'true', true],
  ['unsubscribe_email', 'false', true],
  ['unsubscribe_sms', 'true', true],
  ['email_verified', 'null', false],
  ['meta_public[a][b]', '1.5', true],
  ['meta_public[flag]', 'false', true],
  ['meta_public[none]', 'null', false],
  ['meta_public[constructor]', String(Object), false],
  ['meta_private[a]', '1', false],
  ['city', 'undefined', false],
])('the contact matches %s=%s: %s', (name, value, expected) => {
  const lookup = requestedLookup([[name, value]]);
  expect(isMatch(contact, lookup)).toBe(expected);
});

const direct = 'must not be declared: id and unique_id can always be looked up';
test.each([
  ['id', direct],
  ['unique_id', direct],
  ['nickname', 'is not a field of a contact'],
  ['meta_private', 'requires a key, as in meta_private[key]'],
  [5, 'must be a string'],
  ['email', undefined],
])('%s declared has the error: %s', (name, message) => {
  expect(declaredField().safeParse(name).error?.issues[0]?.message).toBe(message);
});

test('a stored declaration has a slot from 1 to 4', () => {
  for (const slot of [1, 2, 3, 4] as const) {
    expect(declaredLookup.parse(declaration(slot, 'email'))).toEqual(declaration(slot, 'email'));
  }
  expect(declaredLookup.safeParse({ ...declaration(1, 'email'), slot: 5 }).success).toBe(false);
});

test('four fields fit, however often and in whichever way each is named', () => {
  const four = ['email', 'meta_private[a][b]', 'meta_private[a.b]', 'phone_mobile', 'email', 'city'];
  expect(fitSlots(four)).toBe(true);
  expect(fitSlots([...four, 'nickname'])).toBe(true);
  expect(fitSlots([...four, 'state'])).toBe(false);
});

const [before, now] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];
const declaration = (slot: 1 | 2 | 3 | 4, field: string, filled = true) => ({
  slot,
  field,
  filled,
  declared_at: before,
});

test('a field that stays declared keeps its slot; a new one takes a free slot and is yet to be filled', () => {
  const stored = [declaration(1, 'email'), declaration(2, 'city'), declaration(3, 'state', false)];
  expect(declaredLookups(stored, ['state', 'meta_private[a][b]', 'email'], now)).toEqual([
    declaration(1, 'email'),
    { slot: 2, field: 'meta_private[a.b]', filled: false, declared_at: now },
    declaration(3, 'state', false),
  ]);
});

test('a field that was given up and is declared again is filled in again', () => {
  const none = declaredLookups([declaration(1, 'email')], [], now);
  expect(none).toEqual([]);
  expect(declaredLookups(none, ['email'], now)).toEqual([{ slot: 1, field: 'email', filled: false, declared_at: now }]);
});

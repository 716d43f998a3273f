import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Contact, flagFields, isSameDetails } from '../../../lib/domain/contacts/contact.ts';
import { type ContactChange, type InvalidContact, parsedContact } from '../../../lib/domain/contacts/contact-record.ts';
import { applyUpsert, applyUpserts, type UpsertContext } from '../../../lib/domain/contacts/contact-upsert.ts';
import { completed, completionTime, exactInstant } from '../../../lib/domain/contacts/objective.ts';
import { type JsonObject, parseJson } from '../../../lib/domain/values/json.ts';
import { serializeDetails, storedContact } from '../../../lib/store/contacts/contacts.ts';
import { contactOf } from '../../support/samples/samples.ts';

const schema = parsedContact(() => []);
const change = (record: object) => schema.parse(record) as ContactChange;
const context: UpsertContext = { id: 'id', uniqueId: 'u', now: '2025-01-01T00:00:00.000000Z', objectives: [] };
const later = { ...context, now: '2026-01-01T00:00:00.000000Z' };
const contact = (details: Partial<Contact>) =>
  contactOf({ inserted_at: context.now, updated_at: context.now, ...details });
/** The contact in an item with this text. */
const parsed = (data: string): Contact =>
  storedContact({ pk: '#id', sk: '', unique_id: 'u', inserted_at: '', updated_at: '', version: 1, data })!.contact;
const updated = (stored: Partial<Contact>, record: object) =>
  applyUpsert(contact(stored), change(record), later).contact;

describe('a new contact', () => {
  test('has every field null that was not sent', () => {
    const { contact: made, created, changed } = applyUpsert(undefined, change({ name_first: 'Ann' }), context);
    expect(made).toEqual(contact({ name_first: 'Ann' }));
    expect({ created, changed }).toEqual({ created: true, changed: true });
  });

  test('has unsent flags null even when it comes with an address', () => {
    const { contact: made } = applyUpsert(undefined, change({ email: 'e', phone_mobile: '5551234567' }), context);
    for (const flag of flagFields) expect(made[flag]).toBeNull();
  });
});

describe('an upsert', () => {
  test('sets what is sent, keeps what is absent, clears what is null', () => {
    const stored = { name_first: 'Ann', city: 'Oslo', email_opted_in: true, meta_private: { a: 1 } };
    expect(updated(stored, { name_first: 'Eve', city: null, email_opted_in: null })).toMatchObject({
      name_first: 'Eve',
      city: null,
      email_opted_in: null,
    });
    expect(updated(stored, { name_last: 'Lee' })).toMatchObject({ ...stored, name_last: 'Lee' });
  });

  test('that changes nothing says so, and leaves updated_at', () => {
    const stored = contact({ name_first: 'Ann', meta_public: { a: 1 } });
    const same = applyUpsert(stored, change({ name_first: 'Ann', city: null, meta_public: { a: 1.0 } }), later);
    expect(same).toEqual({ contact: stored, created: false, changed: false, errors: [] });
  });

  test('that changes something sets updated_at and leaves inserted_at, id and unique_id', () => {
    const { contact: changed } = applyUpsert(contact({}), change({ unique_id: 'other', name_first: 'x' }), later);
    expect(changed).toMatchObject({ id: 'id', unique_id: 'u', inserted_at: context.now, updated_at: later.now });
  });

  test('keeps an empty string apart from null, but for an email, which it clears', () => {
    expect(updated({ city: 'c' }, { city: '' }).city).toBe('');
    expect(updated({ email: 'e' }, { email: '' }).email).toBeNull();
  });

  test('a contact field of the same name wins over an objective', () => {
    const keys = ['city', 'email_verified', 'unsubscribe_sms', 'id', 'journey', 'meta_public'];
    const objectives = keys.map((key) => ({ id: key, key }));
    const flags = { email_verified: true, unsubscribe_sms: true };
    const record = { city: 'done', ...flags, id: 'done', journey: {}, meta_public: {} };
    expect(applyUpsert(contact({}), change(record), { ...later, objectives }).contact.completions).toEqual({});
  });
});

describe('a deprecated flag that contradicts the new one', () => {
  test.each<[stored: boolean | null, sent: (boolean | null)[], expected: boolean | null]>([
    [true, [true, true], false],
    [false, [false, false], true],
    [true, [false, false], false],
    [false, [true, true], true],
    [null, [true, true], true],
    [null, [null, true], false],
    [true, [null, false], null],
    [true, [true, null], true],
    [null, [true, null], true],
  ])('over %j: opted in and unsubscribed %j come to %j', (stored, [optedIn, unsubscribed], expected) => {
    for (const kind of ['email', 'sms'] as const) {
      const sent = { [`${kind}_opted_in`]: optedIn, [`unsubscribe_${kind}`]: unsubscribed };
      expect(updated({ [`${kind}_opted_in`]: stored }, sent)[`${kind}_opted_in`]).toBe(expected);
    }
  });
});

test('a phone that is returned and sent back stays, and only in its own field', () => {
  for (const phone of ['6581234567', '0065', '16581234567', '123']) {
    const stored = contact({ phone_home: phone, phone_mobile: phone, sms_verified: true });
    const sent = change({ phone_home: phone, phone_mobile: ` ${phone}` });
    expect(applyUpsert(stored, sent, later)).toMatchObject({ contact: stored, changed: false });
  }
  expect(updated({ phone_work: '6581234567' }, { phone_home: '6581234567' }).phone_home).toBe('16581234567');
  expect(updated({ phone_home: '6581234567' }, { phone_home: '16581234567' }).phone_home).toBe('16581234567');
});

describe('metadata in dotted keys of the contact', () => {
  const stored = { meta_public: { 'car.make': 'A', color: 'red' } };
  test.each<[string, object, object | null]>([
    ['is the same as the nested form', { 'meta_public.car': { make: 'B' } }, { 'car.make': 'B', color: 'red' }],
    ['may go deeper', { 'meta_public.car.year': 1 }, { 'car.year': 1, color: 'red' }],
    ['removes a key with null', { 'meta_public.car': null }, { color: 'red' }],
    ['joins the object', { meta_public: { color: 'blue' }, 'meta_public.car': 1 }, { car: 1, color: 'blue' }],
    ['counts after null for the object', { 'meta_public.a': 1, meta_public: null }, { a: 1 }],
    ['counts after null also if it sets nothing', { 'meta_public.color': null, meta_public: null }, null],
  ])('%s', (_, sent, expected) => {
    expect(updated(stored, sent).meta_public).toEqual(expected);
  });

  test('are no keys of objectives', () => {
    const objectives = [{ id: 'o', key: 'meta_public.done' }];
    const sent = change({ 'meta_public.done': true });
    expect(applyUpsert(contact({}), sent, { ...later, objectives }).contact.completions).toEqual({});
  });

  test.each<[sent: object, paths: string[]]>([
    [{ 'meta_private.a': 1, meta_private: { a: 1 } }, ['/meta_private.a']],
    [{ 'meta_private.a.b': 1, meta_private: { a: { b: 1 } } }, ['/meta_private.a.b']],
    [{ 'meta_private.a': '\ud800', meta_private: 'x' }, ['/meta_private']],
    [{ 'meta_public.a': '\ud800' }, ['/meta_public.a']],
  ])('%j has errors at %j', (sent, paths) => {
    expect((schema.parse(sent) as InvalidContact).errors.map(({ path }) => path)).toEqual(paths);
  });
});

describe('the flags that speak of the address on file', () => {
  const verified = { email: 'a@x', email_verified: true, email_authorized: true, email_opted_in: true };

  test.each([
    ['a different email', { email: 'b@x' }, { email_verified: false, email_authorized: false, email_opted_in: true }],
    ['an email in other case', { email: 'A@x' }, { email_verified: false, email_authorized: false }],
    [
      'an email cleared',
      { email: null },
      { email: null, email_verified: false, email_authorized: false, email_opted_in: true },
    ],
    ['the same email', { email: 'a@x' }, verified],
    ['no email', { name_first: 'x' }, verified],
    ['a flag sent with it', { email: 'b@x', email_verified: true }, { email_verified: true, email_authorized: false }],
    [
      'a flag sent with it as null',
      { email: 'b@x', email_verified: null },
      { email_verified: null, email_authorized: false },
    ],
    ['another phone', { phone_mobile: '5551234567' }, verified],
  ])('after %s', (_, record, expected) => {
    expect(updated(verified, record)).toMatchObject(expected);
  });

  test('withdraw only what was true', () => {
    expect(updated({ email: 'a', email_verified: null, email_authorized: false }, { email: 'b' })).toMatchObject({
      email_verified: null,
      email_authorized: false,
    });
  });

  test('for sms follow phone_mobile, compared as it is stored', () => {
    const sms = { phone_mobile: '15551234567', sms_verified: true, sms_authorized: true, sms_opted_in: true };
    expect(updated(sms, { phone_mobile: '(555) 123-4567' })).toMatchObject(sms);
    expect(updated(sms, { phone_home: '5550000000', phone_work: null })).toMatchObject(sms);
    expect(updated(sms, { phone_mobile: '5550000000' })).toMatchObject({
      sms_verified: false,
      sms_authorized: false,
      sms_opted_in: true,
    });
  });
});

describe('metadata over its limits only when merged', () => {
  const large = { a: 'x'.repeat(9_000) };

  test('is a fault at its field', () => {
    const stored = contact({ meta_public: large, meta_private: large });
    const record = { meta_public: { b: large.a }, meta_private: { b: large.a } };
    const message = 'must be at most 1000 keys and 16 KB of JSON when merged with the stored value';
    expect(applyUpsert(stored, change(record), later).errors).toEqual([
      { path: '/meta_public', message },
      { path: '/meta_private', message },
    ]);
  });

  test('is none of a record that leaves it alone', () => {
    const stored = contact({ meta_public: { a: large.a, b: large.a } });
    expect(applyUpsert(stored, change({ city: 'c' }), later).errors).toEqual([]);
  });

  test('is named at its record of several', () => {
    const { errors } = applyUpserts(
      contact({ meta_public: large }),
      [change({}), change({ meta_public: { b: large.a } })],
      later,
    );
    expect(errors.map((each) => each.map(({ path }) => path))).toEqual([[], ['/meta_public']]);
  });

  test('is none where it replaces what was there', () => {
    expect(applyUpsert(contact({ meta_public: large }), change({ meta_public: large }), later).errors).toEqual([]);
  });
});

const record = fc.record(
  {
    name_first: fc.option(fc.string({ maxLength: 3 })),
    email: fc.option(fc.constantFrom('a@x', 'b@x')),
    phone_mobile: fc.option(fc.constantFrom('5551234567', '+49301234', '')),
    email_verified: fc.option(fc.boolean()),
    email_opted_in: fc.option(fc.boolean()),
    unsubscribe_email: fc.option(fc.boolean()),
    sms_authorized: fc.option(fc.boolean()),
    meta_public: fc.option(
      fc.dictionary(fc.constantFrom('a', 'b', 'a.c'), fc.constantFrom(1, 'x', null, { c: 1 }, [2])),
    ),
    opened_app: fc.constantFrom(true, '2020-01-01', 'no', null),
  },
  { requiredKeys: [] },
);
/** If both flags are sent and contradict each other, what is stored decides: sent again, the other one counts. */
const consistent = record.filter(({ email_opted_in: now, unsubscribe_email: before }) => {
  return now === undefined || before === undefined || before === null || now === !before;
});
const known = { ...context, objectives: [{ id: 'o', key: 'opened_app' }] };

describe('the laws of upserts', () => {
  test('sending the same again changes nothing', () => {
    fc.assert(
      fc.property(record, consistent, (first, second) => {
        const stored = applyUpsert(undefined, change(first), known).contact;
        const once = applyUpsert(stored, change(second), { ...known, now: later.now }).contact;
        const twice = applyUpsert(once, change(second), { ...known, now: '2027-01-01T00:00:00.000000Z' });
        expect(twice).toEqual({ contact: once, created: false, changed: false, errors: [] });
      }),
    );
  });

  test('records of one batch come to what they come to one by one', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 4 }), (records) => {
        const together = applyUpserts(undefined, records.map(change), known);
        let oneByOne: Contact | undefined;
        for (const each of records) oneByOne = applyUpsert(oneByOne, change(each), known).contact;
        expect(together.contact).toEqual(oneByOne);
        expect(together).toMatchObject({ created: true, changed: true });
      }),
    );
  });

  test('records of a stored contact change it and do not create it', () => {
    const changed = applyUpserts(contact({}), [change({ name_first: 'Eve' })], later);
    expect(changed).toMatchObject({ created: false, changed: true });
  });

  test('records that cancel out change nothing', () => {
    const stored = contact({ name_first: 'Ann' });
    const changes = [change({ name_first: 'Eve' }), change({ name_first: 'Ann' })];
    expect(applyUpserts(stored, changes, later)).toMatchObject({ contact: stored, changed: false, created: false });
  });

  test('what is stored reads back, and equal details are equal text', () => {
    fc.assert(
      fc.property(record, (sent) => {
        const { contact: made } = applyUpsert(undefined, change(sent), known);
        const text = serializeDetails(made);
        expect(made).toMatchObject({ ...parsed(text), inserted_at: made.inserted_at, updated_at: made.updated_at });
        expect(isSameDetails(parsed(text), made)).toBe(true);
        expect(serializeDetails(parsed(text))).toBe(text);
      }),
    );
  });
});

const now = '2025-06-01T12:00:00.000000Z';

describe('the time of completion', () => {
  test.each([
    ...['true', '1', '1.0', '"true"', '"t"', '"1"', '"y"', '"yes"', '"complete"', '"completed"', '"done"'],
    ...['"TRUE"', '"Yes"', '"DoNe"'],
  ])('%s means the time of receipt', (value) => {
    expect(completionTime(parseJson(value), now)).toBe(now);
  });

  test.each([
    ['2024-02-29T13:45:00Z', '2024-02-29T13:45:00.000000Z'],
    ['2024-02-29t13:45:00z', '2024-02-29T13:45:00.000000Z'],
    ['2024-02-29T13:45Z', '2024-02-29T13:45:00.000000Z'],
    ['2024-02-29T13:45:00.5Z', '2024-02-29T13:45:00.500000Z'],
    ['2024-02-29T13:45:00,123456789Z', '2024-02-29T13:45:00.123456Z'],
    ['2024-02-29T00:45:00+02:00', '2024-02-28T22:45:00.000000Z'],
    ['2024-02-29T00:45:00-0330', '2024-02-29T04:15:00.000000Z'],
    ['2024-02-29T00:45:00+02', '2024-02-28T22:45:00.000000Z'],
    ['2024-02-29 13:45:00', '2024-02-29T13:45:00.000000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000000Z'],
    ['0050-01-01T00:00:00Z', '0050-01-01T00:00:00.000000Z'],
    ['2999-01-01T00:00:00Z', '2999-01-01T00:00:00.000000Z'],
  ])('is the timestamp %s, in UTC', (value, expected) => {
    expect(completionTime(value, now)).toBe(expected);
  });

  test('a date alone means midnight UTC', () => {
    expect(completionTime('2024-02-29', now)).toBe('2024-02-29T00:00:00.000000Z');
  });

  test.each([
    ...['false', '0', '2', '1.5', 'null', '""', '"no"', '" yes"', '"1.0"', '[]', '[true]', '{}', '{"done":true}'],
    ...['"2023-02-29"', '"2024-02-29T25:00:00Z"', '"0000-01-01T00:00:00+01:00"'],
  ])('%s does nothing', (value) => {
    expect(completionTime(parseJson(value), now)).toBeUndefined();
  });
});

test.each([
  ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.000000Z'],
  ['2024-01-01T00:00:00.5Z', '2024-01-01T00:00:00.500000Z'],
  ['2024-01-01T00:00:00.1234567Z', '2024-01-01T00:00:00.1234561Z'],
  ['2024-01-01T00:00:00,123456789Z', '2024-01-01T00:00:00.1234561Z'],
  ['2024-01-01T00:00:00.123456070Z', '2024-01-01T00:00:00.1234561Z'],
  ['2024-01-01T00:00:00.123456000Z', '2024-01-01T00:00:00.123456Z'],
  ['2024-01-01T00:00:00+01:00', undefined],
  ['2024-01-01', undefined],
  ['now', undefined],
])('the exact time of %s is %s', (value, expected) => {
  expect(exactInstant(value)).toBe(expected);
});

describe('completing objectives', () => {
  const objectives = [
    { id: 'own', key: 'opened_app' },
    { id: 'global', key: 'opened_app' },
    { id: 'other', key: 'constructor' },
  ];
  const fields = (text: string) => parseJson(text) as JsonObject;

  test('a field named like a key completes every objective with that key', () => {
    expect(completed({}, fields('{"opened_app":"yes"}'), objectives, now)).toEqual({ own: now, global: now });
  });

  test('the first completion stands', () => {
    const stored = { own: '2020-01-01T00:00:00.000000Z' };
    expect(completed(stored, fields('{"opened_app":"2019-01-01"}'), objectives, now)).toEqual({
      own: '2020-01-01T00:00:00.000000Z',
      global: '2019-01-01T00:00:00.000000Z',
    });
  });

  test.each(['{"opened_app":false}', '{"opened_app":null}', '{"opened_app":"no"}', '{"OPENED_APP":true}', '{}'])(
    'nothing un-completes: %s',
    (text) => {
      const stored = { own: '2020-01-01T00:00:00.000000Z' };
      expect(completed(stored, fields(text), objectives, now)).toEqual(stored);
    },
  );

  test('a key that every object inherits is completed only when it is sent', () => {
    expect(completed({}, fields('{"a":1}'), objectives, now)).toEqual({});
    expect(completed({}, fields('{"constructor":true}'), objectives, now)).toEqual({ other: now });
  });
});

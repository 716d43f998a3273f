import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Contact, flagFields, inverse, textFields } from '../../../lib/domain/contacts/contact.ts';
import { contactListPages } from '../../../lib/domain/contacts/contact-list.ts';
import {
  directoryRow,
  directoryValue,
  FirstInOrder,
  folded,
  inOrder,
  isUpdatedSince,
  type Position,
  positionBy,
  rowContains,
  type SortColumn,
  sortColumns,
} from '../../../lib/domain/contacts/directory.ts';
import { contradictions, readCursor, writeCursor } from '../../../lib/domain/values/cursor.ts';
import { parseJson } from '../../../lib/domain/values/json.ts';
import type { Metadata } from '../../../lib/domain/values/metadata.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { contactOf } from '../../support/samples/samples.ts';

const [id, time] = ['0b9e3b1c-0000-5000-8000-000000000001', '2025-01-02T03:04:05.678901Z'];
const base = contactOf({ id, unique_id: 'U-1', inserted_at: time, updated_at: time });
const found = (contact: Partial<Contact>, search: string) =>
  directoryRow({ ...base, ...contact }).includes(folded(search));
const meta = (text: string) => parseJson(text) as Metadata;

describe('search', () => {
  test.each(textFields)('finds within %s', (field) => {
    expect(found({ [field]: 'Some Value' }, 'me va')).toBe(true);
    expect(found({ [field]: 'Some Value' }, 'SOME')).toBe(true);
    expect(found({}, 'me va')).toBe(false);
  });

  test.each([
    ['unique_id', { unique_id: 'Ref-77' }, 'ref-77'],
    ['birthdate', { birthdate: '1980-05-06' }, '1980-05'],
    ['a string of meta_public', { meta_public: meta('{"car.make":"Skoda"}') }, 'SKODA'],
    ['a string of meta_private', { meta_private: meta('{"a":"Needle"}') }, 'needle'],
    ['a number', { meta_public: meta('{"a":18.5}') }, '8.5'],
    ['a number that no double holds', { meta_public: meta('{"a":12345678901234567890}') }, '345678901234567890'],
    ['other scripts', { city: 'ΟΔΟΣ' }, 'οδος'],
    ['the last sigma of a word', { city: 'ΟΔΟΣ' }, 'οδοσ'],
    ['a term that ends within a word', { city: 'ΟΔΟΣΑ' }, 'οδος'],
    ['a dotted capital I by a plain one', { city: '\u0130STANBUL' }, 'istanbul'],
    ['a dotted capital I in two characters', { city: 'I\u0307STANBUL' }, 'istanbul'],
    ['a plain i by a dotted capital one', { city: 'istanbul' }, '\u0130STAN'],
    ['a composed letter by two characters', { city: 'Plze\u0148' }, 'ZEn\u030c'],
    ['a letter of two characters by a composed one', { meta_public: { a: 'Plzen\u030c' } }, 'ze\u0148'],
    ['the sign for Kelvin', { city: '3 \u212a' }, '3 k'],
    ['NUL', { city: 'a\u0000b' }, 'a\u0000B'],
  ])('finds %s', (_, contact, search) => {
    expect(found(contact, search)).toBe(true);
  });

  test.each([
    ['metadata keys', { meta_public: meta('{"needle":"x"}') }, 'needle'],
    ['booleans', { email_verified: true, meta_public: meta('{"a":true,"b":false}') }, 'true'],
    ['nulls', { meta_public: meta('{"a":null}') }, 'null'],
    ['ids', {}, '0b9e3b1c'],
    ['timestamps', {}, '2025'],
    ['completions', { completions: { needle: 'needle' } }, 'needle'],
    ['across fields', { name_first: 'Ann', name_last: 'Lee' }, 'annlee'],
    ['across fields with anything between', { name_first: 'Ann', name_last: 'Lee' }, 'annVLee'],
    ['across metadata values', { meta_public: meta('{"a":"x","b":"y"}') }, 'xOy'],
  ])('does not look into or reach %s', (_, contact, search) => {
    expect(found(contact, search)).toBe(false);
  });

  test('looks into meta_private only for whom may read it', () => {
    const contact = { ...base, meta_public: meta('{"a":"open"}'), meta_private: meta('{"b":"closed"}') };
    const finds = (row: string, text: string, withPrivate: boolean) => rowContains(row, { text, withPrivate });
    const row = directoryRow(contact);
    expect(['open', 'closed', 'u-1'].map((text) => finds(row, text, true))).toEqual([true, true, true]);
    expect(['open', 'closed', 'u-1'].map((text) => finds(row, text, false))).toEqual([true, false, true]);
  });

  test.each<[Partial<Contact>, string, boolean]>([
    [{ phone_home: '15551230000' }, '5123', true],
    [{ phone_mobile: '15551230000' }, '512-3', false],
    [{ phone_work: '15551230000' }, '12-30', false],
    [{ city: 'at 12-30' }, '12-30', true],
  ])('finds in %j the text %s: %s', (fields, text, expected) => {
    expect(rowContains(directoryRow({ ...base, ...fields }), { text, withPrivate: true })).toBe(expected);
  });

  test.each([
    ['2025-01-02T03:04:05.678900Z', true],
    ['2025-01-02T03:04:05.678901Z', true],
    ['2025-01-02T03:04:05.6789015Z', false],
    ['2025-01-02T03:04:05.678902Z', false],
  ])('a contact was updated since %s: %s', (time, expected) => {
    expect(isUpdatedSince(directoryRow(base), time)).toBe(expected);
  });

  test('matches no structure, whatever the term', () => {
    const capital = fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJMNOPTFV'), minLength: 1, maxLength: 3 });
    const fields = { unique_id: '1', email_verified: true, sms_verified: false, meta_public: meta('{"a":true}') };
    const contact = { ...base, ...fields };
    fc.assert(
      fc.property(capital, (term) => {
        expect(found(contact, term)).toBe(false);
      }),
    );
  });

  test('finds exactly what a field holds without regard to case', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', 'B', 'ς', 'Σ', 'σ', 'İ', 'ß', 'é', 'É', ' ', '1'),
      maxLength: 5,
    });
    fc.assert(
      fc.property(word, word, word, (first, last, term) => {
        fc.pre(term !== '');
        const expected = [first, last, base.unique_id].some((value) => folded(value).includes(folded(term)));
        expect(found({ name_first: first, name_last: last }, term)).toBe(expected);
      }),
    );
  });
});

describe('the order of a list', () => {
  const valueBy = (column: SortColumn, contact: Contact) =>
    positionBy(column)({ id: contact.id, insertedAt: contact.inserted_at, row: directoryRow(contact) }).value;

  test('can be by every scalar field, id and both timestamps', () => {
    const others = ['unique_id', 'unsubscribe_email', 'unsubscribe_sms', 'id', 'inserted_at', 'updated_at'];
    expect([...sortColumns].sort()).toEqual([...textFields, ...flagFields, ...others].sort());
  });

  const some = fc.option(fc.string({ maxLength: 5 }));
  const contacts = fc.record({
    ...Object.fromEntries(textFields.map((field) => [field, some])),
    ...Object.fromEntries(flagFields.map((field) => [field, fc.option(fc.boolean())])),
    unique_id: fc.string({ minLength: 1 }),
    meta_public: fc.option(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()))),
    updated_at: fc.nat({ max: 2 ** 41 }).map((time) => timestamp(time, time % 1000)),
  });

  test('looks at the value of the column, wherever it stands in the row', () => {
    fc.assert(
      fc.property(contacts, (fields) => {
        const contact = { ...base, ...fields } as Contact;
        for (const field of textFields) expect(valueBy(field, contact)).toBe(contact[field] && folded(contact[field]));
        for (const field of flagFields) expect(valueBy(field, contact)).toBe(letter(contact[field]));
        expect(valueBy('unique_id', contact)).toBe(folded(contact.unique_id));
        expect(valueBy('unsubscribe_email', contact)).toBe(letter(inverse(contact.email_opted_in)));
        expect(valueBy('unsubscribe_sms', contact)).toBe(letter(inverse(contact.sms_opted_in)));
        expect(valueBy('id', contact)).toBe(contact.id);
        expect(valueBy('inserted_at', contact)).toBe(contact.inserted_at);
      }),
    );
  });

  test.each<[SortColumn, string, Partial<Contact>]>([
    ['id', base.id, {}],
    ['inserted_at', base.inserted_at, {}],
    ['updated_at', base.updated_at, {}],
    ['city', 'Ostrava', { city: 'Ostrava' }],
    ['email_verified', 'true', { email_verified: true }],
    ['email_verified', 'false', { email_verified: false }],
    ['unsubscribe_sms', 'true', { sms_opted_in: false }],
    ['unsubscribe_email', 'false', { email_opted_in: true }],
  ])('has for the column %s with %s the value of the row', (column, text, fields) => {
    expect(directoryValue(column, text)).toBe(valueBy(column, { ...base, ...fields }));
  });

  test('has a letter of its own for a flag that is not set', () => {
    expect(directoryValue('email_verified', '')).toBe('N');
    expect(directoryValue('id', 'A')).toBe('A');
  });

  test('by updated_at is the order of time', () => {
    fc.assert(
      fc.property(contacts, contacts, (one, other) => {
        const [a, b] = [one, other].map((fields) => ({ ...base, ...fields }) as Contact) as [Contact, Contact];
        expect(valueBy('updated_at', a)! < valueBy('updated_at', b)!).toBe(a.updated_at < b.updated_at);
      }),
    );
  });

  test('a row from before a column was added reads as unset there', () => {
    const row = directoryRow({ ...base, meta_public: { a: 'x', b: 'y' } });
    const older = row.replace(/N(?=O|$)/, '');
    expect(positionBy('sms_authorized')({ id: '', insertedAt: '', row: older }).value).toBeNull();
    expect(positionBy('sms_authorized')({ id: '', insertedAt: '', row: older.replace(/O.*/, '') }).value).toBeNull();
  });

  test('keeps null apart from the empty string', () => {
    expect(valueBy('city', { ...base, city: '' })).toBe('');
    expect(valueBy('city', base)).toBeNull();
  });

  test('has unset values last in both directions, and ties by id', () => {
    const places: Position[] = [
      { value: null, id: 'b' },
      { value: 'x', id: 'd' },
      { value: 'x', id: 'c' },
      { value: '', id: 'e' },
      { value: null, id: 'a' },
      { value: 'y', id: 'f' },
    ];
    const ids = (direction: 'asc' | 'desc') =>
      [...places]
        .sort(inOrder(direction))
        .map(({ id }) => id)
        .join('');
    expect(ids('asc')).toBe('ecdfab');
    expect(ids('desc')).toBe('fcdeab');
  });

  const places = fc.uniqueArray(fc.record({ value: fc.option(fc.constantFrom('', 'a', 'b')), id: fc.string() }), {
    selector: ({ id }) => id,
    maxLength: 30,
  });
  const direction = fc.constantFrom('asc' as const, 'desc' as const);

  test('is kept by a page, whatever the order in which contacts come', () => {
    fc.assert(
      fc.property(places, direction, fc.nat({ max: 10 }), fc.nat({ max: 30 }), (all, way, count, start) => {
        const sorted = [...all].sort(inOrder(way));
        const after = sorted[start];
        const page = new FirstInOrder(count, way, after);
        for (const place of all) page.offer(place);
        expect(page.taken()).toEqual(sorted.slice(after ? start + 1 : 0).slice(0, count));
      }),
    );
  });

  test('is kept by a page that is sorted now and then, to bound its memory', () => {
    const page = new FirstInOrder(3, 'desc');
    for (let n = 0; n < 5_000; n++) page.offer({ value: String((n * 7919) % 5_000).padStart(4, '0'), id: String(n) });
    expect(page.taken().map(({ value }) => value)).toEqual(['4999', '4998', '4997']);
  });
});

const letter = (flag: boolean | null) => (flag === null ? null : flag ? 'T' : 'F');

const query = contactListPages.query.parse({
  ...{ search: 'Ann', updated_since: '2026-01-01T00:00:00.000000Z', limit: 5, offset: 10 },
  ...{ sort_column: 'name_last', sort_direction: 'desc' },
});
const cursor = { query, after: { value: null, id: 'x' } };

test('an empty request asks for twenty, from the start, in order of creation', () => {
  const first = { sort_column: 'inserted_at', sort_direction: 'asc', limit: 20, offset: 0 };
  expect(contactListPages.query.parse({})).toEqual({ unique_id: '', search: '', updated_since: '', ...first });
});

test.each(['asc', 'desc'] as const)('a cursor says what it was given for, %s', (sort_direction) => {
  const given = { ...cursor, query: { ...query, sort_direction } };
  expect(readCursor(contactListPages, writeCursor(given))).toEqual(given);
});

test.each([
  [{}, []],
  [{ unique_id: 'u', updated_since: '' }, ['unique_id', 'updated_since']],
  [{ unique_id: '', updated_since: query.updated_since }, []],
  [{ search: 'Ann', limit: 5 }, []],
  [{ search: 'ann' }, ['search']],
  [{ sort_direction: 'asc' as const, limit: 6, offset: 0 }, ['sort_direction', 'limit', 'offset']],
  [{ sort_column: 'name_first' as const, search: '' }, ['search', 'sort_column']],
])('a cursor contradicts %j at %j', (sent, expected) => {
  const message = 'must be the same as in the request that returned the cursor, or be left out';
  expect(contradictions(sent, query)).toEqual(expected.map((path) => ({ path, message })));
});

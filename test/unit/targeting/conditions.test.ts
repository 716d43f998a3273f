import { describe, expect, test } from 'vitest';
import { explain } from '../../../bin/admin/operations/targeting/explain-rule.ts';
import { type Operator, operatorsByKind, type ValueKind } from '../../../lib/domain/campaigns/targeting-rule.ts';
import type { Person } from '../../../lib/domain/targeting/person.ts';
import { parseJson } from '../../../lib/domain/values/json.ts';
import { id } from '../../support/samples/content-documents.ts';
import {
  accountWith,
  campaign,
  contextAt,
  groupOf,
  journeyOf,
  noon,
  personWith,
  ruleOf,
  templatesOf,
} from '../../support/samples/people.ts';

const day = (date: string) => `${date}T10:00:00Z`;

/** Whether the condition holds for the person, and, if it is about accounts, for the first account. */
function holds(person: Person, condition: object, context = noon): boolean {
  const [template] = templatesOf(campaign('A', groupOf(condition)), campaign('B')).filter(({ name }) => name === 'A');
  const { subjects } = explain(ruleOf(template!), person, context);
  const [answer] = subjects[0]!.groups[0]!.conditions;
  expect(answer!.holds).toBe(subjects[0]!.holds);
  return answer!.holds;
}

/** A value of the kind, where a rule finds it. `unset` is a person without it. */
const contactWith = (value: string | null) => personWith({ city: value });
const accountOf = (field: string) => (value: string | number | null) =>
  personWith({}, { accounts: [accountWith('1', { fields: { [field]: value } })] });
const metadataOf = (value: string | number | boolean | null) => personWith({ meta_public: { k: value } });
/** As the table returns it, with all digits. */
const digits = (text: string) => parseJson(text) as number;

type Row = [operator: Operator, value: unknown, found: unknown, expected: boolean];

/** A row for each operator: where it holds and where it does not. */
const text: Row[] = [
  ['is_set', undefined, 'Prague', true],
  ['is_set', undefined, null, false],
  ['is_not_set', undefined, 'Prague', false],
  ['is_not_set', undefined, null, true],
  ['equals', 'PRAGUE', 'prague', true],
  ['equals', 'ΟΔΟΣ', 'οδος', true],
  ['equals', 'Prague', 'Prague 1', false],
  ['equals', 'Prague', null, false],
  ['not_equals', 'Prague', 'prague', false],
  ['not_equals', 'Prague', 'Brno', true],
  ['not_equals', 'Prague', null, true],
  ['one_of', ['Brno', 'PRAGUE'], 'prague', true],
  ['one_of', ['Brno', 'Prague'], 'Pilsen', false],
  ['one_of', ['Brno', 'Prague'], null, false],
  ['none_of', ['Brno', 'PRAGUE'], 'prague', false],
  ['none_of', ['Brno', 'Prague'], 'Pilsen', true],
  ['none_of', ['Brno', 'Prague'], null, true],
  ['contains', 'AGU', 'Prague', true],
  ['contains', 'x', 'Prague', false],
  ['contains', 'x', null, false],
  ['not_contains', 'AGU', 'Prague', false],
  ['not_contains', 'x', 'Prague', true],
  ['not_contains', 'x', null, true],
  ['starts_with', 'pra', 'Prague', true],
  ['starts_with', 'rague', 'Prague', false],
  ['starts_with', 'pra', null, false],
];
/** Far beyond what a binary number can tell apart. */
const [large, larger] = ['9007199254740993000000.01', '9007199254740993000000.02'];
const number: Row[] = [
  ['is_set', undefined, '0', true],
  ['is_set', undefined, null, false],
  ['is_not_set', undefined, '0', false],
  ['is_not_set', undefined, null, true],
  ['equals', 12.5, '12.50', true],
  ['equals', '12.50', '+1.25e1', true],
  ['equals', 0, '-0.00', true],
  ['equals', large, larger, false],
  ['equals', digits(large!), large, true],
  ['equals', 1, null, false],
  ['not_equals', 12.5, '12.50', false],
  ['not_equals', large, larger, true],
  ['not_equals', 1, null, true],
  ['one_of', [1, '12.500'], '12.5', true],
  ['one_of', [1, 2], '3', false],
  ['one_of', [1, 2], null, false],
  ['none_of', [1, '12.500'], '12.5', false],
  ['none_of', [1, 2], '3', true],
  ['none_of', [1, 2], null, true],
  ['less_than', '0.3', '0.30000000000000000000001', false],
  ['less_than', larger, large, true],
  ['less_than', 1, '1', false],
  ['less_than', 100, '20', true],
  ['less_than', -5, '-20', true],
  ['less_than', 0, '0.001', false],
  ['less_than', 1, null, false],
  ['at_most', 1, '1.0', true],
  ['at_most', large, larger, false],
  ['at_most', 1, null, false],
  ['greater_than', large, larger, true],
  ['greater_than', 1, '1.00', false],
  ['greater_than', '-0.5', '-.25', true],
  ['greater_than', '1e3', '999', false],
  ['greater_than', 1, null, false],
  ['at_least', 1, '1.00', true],
  ['at_least', larger, large, false],
  ['at_least', 1, null, false],
];
const boolean: Row[] = [
  ['is_set', undefined, false, true],
  ['is_set', undefined, null, false],
  ['is_not_set', undefined, false, false],
  ['is_not_set', undefined, null, true],
  ['equals', true, true, true],
  ['equals', true, false, false],
  ['equals', false, null, false],
  ['not_equals', true, false, true],
  ['not_equals', true, true, false],
  ['not_equals', true, null, true],
];
/** Judged on 15 June 2026. */
const date: Row[] = [
  ['is_set', undefined, '2026-06-15', true],
  ['is_set', undefined, null, false],
  ['is_not_set', undefined, '2026-06-15', false],
  ['is_not_set', undefined, null, true],
  ['before', '2026-06-15', '2026-06-14', true],
  ['before', '2026-06-15', '2026-06-15', false],
  ['before', '2026-06-15', null, false],
  ['after', '2026-06-15', '2026-06-16T00:00:00Z', true],
  ['after', '2026-06-15', '2026-06-15T23:59:59Z', false],
  ['after', '2026-06-15', null, false],
  ['on', '2026-06-15', '2026-06-15T23:59:59.999999Z', true],
  ['on', '2026-06-15', '2026-06-15T23:30:00-01:00', false],
  ['on', '2026-06-15', null, false],
  ['within_last_days', 0, '2026-06-15', true],
  ['within_last_days', 0, '2026-06-14', false],
  ['within_last_days', 10, '2026-06-05', true],
  ['within_last_days', 10, '2026-06-04', false],
  ['within_last_days', 10, '2026-06-16', false],
  ['within_last_days', 10, null, false],
  ['more_than_days_ago', 10, '2026-06-04', true],
  ['more_than_days_ago', 10, '2026-06-05', false],
  ['more_than_days_ago', 0, '2026-06-15', false],
  ['more_than_days_ago', 10, null, false],
  ['within_next_days', 0, '2026-06-15', true],
  ['within_next_days', 10, '2026-06-25', true],
  ['within_next_days', 10, '2026-06-26', false],
  ['within_next_days', 10, '2026-06-14', false],
  ['within_next_days', 10, null, false],
];
const completedAt = (at: unknown) => personWith({ completions: at === null ? {} : { [id(900)]: day(String(at)) } });
const objective: Row[] = [
  ['is_set', undefined, '2026-06-01', true],
  ['is_set', undefined, null, false],
  ['is_not_set', undefined, '2026-06-01', false],
  ['is_not_set', undefined, null, true],
  ['is_completed', undefined, '2026-06-01', true],
  ['is_completed', undefined, null, false],
  ['is_not_completed', undefined, '2026-06-01', false],
  ['is_not_completed', undefined, null, true],
];
const journeyIn = (state: unknown) =>
  personWith({}, { journeys: state === null ? [] : [journeyOf('B', { state: state as 'open' })] });
const states = ['open', 'completed', 'cancelled', 'expired', null];
const journey: Row[] = [
  ...states.flatMap((state): Row[] => [
    ['is_set', undefined, state, state !== null],
    ['is_not_set', undefined, state, state === null],
    ['exists', undefined, state, state !== null],
    ['does_not_exist', undefined, state, state === null],
    ['is_completed', undefined, state, state === 'completed'],
    ['is_not_completed', undefined, state, state !== null && state !== 'completed'],
  ]),
];

const rows: Record<ValueKind, { field: string; rows: Row[]; person: (found: never) => Person }> = {
  text: { field: 'contact.city', rows: text, person: contactWith },
  number: { field: 'account.balance', rows: number, person: accountOf('balance') },
  boolean: {
    field: 'contact.email_opted_in',
    rows: boolean,
    person: (email_opted_in: boolean | null) => personWith({ email_opted_in }),
  },
  date: { field: 'account.opened_date', rows: date, person: accountOf('opened_date') },
  objective: { field: 'objective.app_login', rows: objective, person: completedAt },
  journey: { field: 'journey.B', rows: journey, person: journeyIn },
};

describe.each(Object.entries(rows))('a condition on a value of the kind %s', (kind, { field, rows, person }) => {
  test.each(rows)('%s %j of %j: %s', (operator, value, found, expected) => {
    expect(holds(person(found as never), { field, operator, value })).toBe(expected);
  });

  test('has rows for every operator, of which some hold and some do not', () => {
    for (const operator of operatorsByKind[kind as ValueKind]) {
      const outcomes = rows.filter(([own]) => own === operator).map(([, , , expected]) => expected);
      expect([operator, new Set(outcomes).size]).toEqual([operator, 2]);
    }
  });
});

describe('a value of metadata is compared as the kind of the value of the condition', () => {
  test.each(text)('text: %s %j of %j: %s', (operator, value, found, expected) => {
    expect(holds(metadataOf(found as string), { field: 'contact.meta_public.k', operator, value })).toBe(expected);
  });
  /** JSON has no plus before a number, and no point at its beginning. */
  const isJson = (value: unknown) => !/^"?(\+|-?\.)/.test(JSON.stringify(value ?? null));
  test.each(number.filter(([, value, found]) => isJson(value) && isJson(found)))(
    'number: %s %j of %j: %s',
    (operator, value, found, expected) => {
      const person = metadataOf(found === null ? null : digits(found as string));
      const plain = (each: unknown) => (typeof each === 'string' ? digits(each) : each);
      const wanted = Array.isArray(value) ? value.map(plain) : plain(value);
      expect(holds(person, { field: 'contact.meta_public.k', operator, value: wanted })).toBe(expected);
    },
  );
  test.each(boolean)('boolean: %s %j of %j: %s', (operator, value, found, expected) => {
    expect(holds(metadataOf(found as boolean), { field: 'contact.meta_public.k', operator, value })).toBe(expected);
  });
  test.each(date)('date: %s %j of %j: %s', (operator, value, found, expected) => {
    expect(holds(metadataOf(found as string), { field: 'contact.meta_public.k', operator, value })).toBe(expected);
  });

  test.each([
    ['a text and a number', 'equals', 5, '5', false],
    ['a number and a text', 'equals', '5', 5, false],
    ['a boolean and a text', 'equals', 'true', true, false],
    ['a text and a boolean', 'not_equals', true, 'true', true],
    ['a number and a text', 'not_equals', '5', 5, true],
    ['a list of numbers and a text', 'none_of', [5], '5', true],
    ['a list of texts and a number', 'one_of', ['5'], 5, false],
    ['a number, which contains no text', 'not_contains', '5', 5, true],
    ['a text, which is not greater', 'greater_than', 1, '5', false],
    ['a text that is no date', 'before', '2026-01-01', '1.2.2025', false],
    ['a number that is no date', 'more_than_days_ago', 1, 20250101, false],
    ['any kind, which is set', 'is_set', undefined, 5, true],
  ])('%s are of two kinds: only negative operators hold', (_what, operator, value, found, expected) => {
    expect(holds(metadataOf(found), { field: 'contact.meta_public.k', operator, value })).toBe(expected);
  });

  test('a key of an object that is no key of metadata is not set', () => {
    for (const key of ['constructor', '__proto__', 'toString']) {
      expect(holds(metadataOf('x'), { field: `contact.meta_public.${key}`, operator: 'is_set' })).toBe(false);
    }
  });
});

describe('a day is that of the time zone of the team', () => {
  const opened = (opened_date: string) => personWith({}, { accounts: [accountWith('1', { fields: { opened_date } })] });
  const condition = (operator: string, value: unknown) => ({ field: 'account.opened_date', operator, value });

  // In New York, clocks go forward on 8 March and back on 1 November 2026: these days have 23 and 25 hours.
  test.each([
    ['the last moment of a day', '2026-03-10T03:59:59Z', 'on', '2026-03-09', '2026-03-10T12:00:00Z'],
    ['the first moment of a day', '2026-03-10T04:00:00Z', 'on', '2026-03-10', '2026-03-10T12:00:00Z'],
    ['the day before, over a day of 23 hours', '2026-03-08T04:59:59Z', 'within_last_days', 1, '2026-03-08T05:00:00Z'],
    ['two days, of which one has 23 hours', '2026-03-07T05:00:00Z', 'within_last_days', 2, '2026-03-10T03:59:59Z'],
    ['three days, after one of 23 hours', '2026-03-07T04:59:59Z', 'more_than_days_ago', 2, '2026-03-09T04:00:00Z'],
    ['a day of 25 hours, at its end', '2026-11-02T04:59:59Z', 'within_last_days', 0, '2026-11-01T04:00:00Z'],
    ['a date alone, while it is another day in UTC', '2026-11-01', 'within_next_days', 0, '2026-11-02T04:30:00Z'],
  ])('%s', (_what, date, operator, value, now) => {
    const context = contextAt(now, { timeZone: 'America/New_York' });
    expect(holds(opened(date), condition(operator, value), context)).toBe(true);
  });

  test('and one day more or less is another', () => {
    const context = contextAt('2026-03-10T03:59:59Z', { timeZone: 'America/New_York' });
    expect(holds(opened('2026-03-07T05:00:00Z'), condition('within_last_days', 1), context)).toBe(false);
    expect(holds(opened('2026-03-07T05:00:00Z'), condition('more_than_days_ago', 2), context)).toBe(false);
    expect(holds(opened('2026-03-10'), condition('within_last_days', 1), context)).toBe(false);
    expect(holds(opened('2026-03-10'), condition('within_next_days', 1), context)).toBe(true);
  });

  test('and a time without an offset is in UTC', () => {
    expect(holds(opened('2026-06-15 23:59'), condition('on', '2026-06-15'))).toBe(true);
    const context = contextAt('2026-06-15T12:00:00Z', { timeZone: 'Asia/Tokyo' });
    expect(holds(opened('2026-06-15 23:59'), condition('on', '2026-06-16'), context)).toBe(true);
  });
});

test('a phone is found as people write it, and by the digits that are stored', () => {
  const person = personWith({ phone_mobile: '12025550123' });
  const equals = (value: string) => holds(person, { field: 'contact.phone_mobile', operator: 'equals', value });
  expect(['(202) 555-0123', '+1 202 555 0123', '12025550123', '2025550124'].map(equals)).toEqual([
    ...[true, true, true, false],
  ]);
});

test('every other field is found where it is stored', () => {
  const account = accountWith('40012', { role: 'Primary', fields: { number_transactions_last_30_days: 3 } });
  const person = personWith({ birthdate: '1990-01-31', sms_opted_in: false }, { accounts: [account] });
  const conditions = [
    { field: 'account.account_number', operator: 'equals', value: '40012' },
    { field: 'account.role', operator: 'equals', value: 'primary' },
    { field: 'account.number_transactions_last_30_days', operator: 'at_least', value: '3.0' },
    { field: 'product.code', operator: 'equals', value: 'p' },
    { field: 'product.standardized_type', operator: 'equals', value: 'unknown' },
    { field: 'product.name', operator: 'starts_with', value: 'Prod' },
    { field: 'contact.unique_id', operator: 'equals', value: 'c-1' },
    { field: 'contact.birthdate', operator: 'before', value: '2000-01-01' },
    { field: 'contact.unsubscribe_sms', operator: 'equals', value: true },
    { field: 'contact.inserted_at', operator: 'on', value: '2026-06-01' },
  ];
  expect(conditions.filter((condition) => !holds(person, condition))).toEqual([]);
  const unknown = personWith({}, { accounts: [accountWith('1', { product: undefined })] });
  expect(holds(unknown, { field: 'product.type', operator: 'is_set' })).toBe(false);
  expect(holds(unknown, { field: 'product.type', operator: 'not_equals', value: 'loan' })).toBe(true);
});

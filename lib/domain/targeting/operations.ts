import {
  type ConditionScalar,
  type ConditionValue,
  comparedAs,
  type FieldCondition,
  type Operator,
  type operatorsByKind,
  type RuleField,
  ruleField,
  type ValueKind,
} from '../campaigns/targeting-rule.ts';
import { normalizedPhone } from '../contacts/contact.ts';
import { folded } from '../contacts/directory.ts';
import { canonicalDecimal, compareDecimals } from '../values/decimal.ts';
import { isNumber } from '../values/fields.ts';
import { numberText, type RawNumber } from '../values/json.ts';
import { dayOf, daysBetween } from './calendar-day.ts';

/** The value of a field. `null` if it is not set. Of a journey: whether it is started or completed. */
export type Found = string | number | boolean | RawNumber | null;

/** The time at which a rule is judged. */
export type Moment = { today: string; timeZone: string };

/** A condition that is ready to be asked. */
export type ReadyCondition = { field: RuleField; holds(found: Found, moment: Moment): boolean };

/** Whether a value that is set, in the form of its kind, meets the condition. */
type Test = (value: string, moment: Moment) => boolean;
type MakeTest = (wanted: ConditionValue, field: RuleField) => Test;

/** These hold exactly where the other operator does not: for a value that is not set, or of another kind, too. */
const negatives = {
  text: { not_equals: 'equals', none_of: 'one_of', not_contains: 'contains' },
  number: { not_equals: 'equals', none_of: 'one_of' },
  boolean: { not_equals: 'equals' },
  date: {},
  objective: { is_not_completed: 'is_completed' },
  journey: { does_not_exist: 'exists' },
} as const;

type TestsOf<Kind extends ValueKind> = Record<
  Exclude<(typeof operatorsByKind)[Kind][number], keyof (typeof negatives)[Kind] | 'is_set' | 'is_not_set'>,
  MakeTest
>;

/** @param forms all forms of a value of the condition that are equal to it @param formOf the one in which it is compared */
const isAmong =
  (forms: (value: ConditionScalar, field: RuleField) => string[], formOf: (value: string) => string): MakeTest =>
  (wanted, field) => {
    const all = new Set([wanted].flat().flatMap((each) => forms(each, field)));
    return (value) => all.has(formOf(value));
  };
const isText = isAmong(
  (value, field) => textForms(value, field),
  (value) => value,
);
const isDecimal = isAmong((value) => [canonicalDecimal(decimalText(value))], canonicalDecimal);

const compares =
  (meets: (order: number) => boolean): MakeTest =>
  (wanted) => {
    const other = decimalText(wanted as ConditionScalar);
    return (value) => meets(compareDecimals(value, other));
  };

/** @param meets of the number of days from the date of the condition to that of the value */
const isDay =
  (meets: (order: number) => boolean): MakeTest =>
  (wanted) => {
    const other = String(wanted);
    return (day) => meets(day < other ? -1 : Number(day > other));
  };

/** @param meets of the number of days until the date, which is negative for a date that has passed, and of the days asked */
const isInDays =
  (meets: (days: number, asked: number) => boolean): MakeTest =>
  (wanted) =>
  (day, { today }) =>
    meets(daysBetween(today, day), Number(wanted));

const is =
  (state: string): MakeTest =>
  () =>
  (value) =>
    value === state;
const always: MakeTest = () => () => true;

/** What each operator means, by the kind of the value (contract, section 14, "Conditions"). */
const tests: { readonly [Kind in ValueKind]: TestsOf<Kind> } = {
  text: {
    equals: isText,
    one_of: isText,
    contains: (wanted) => (value) => value.includes(folded(String(wanted))),
    starts_with: (wanted) => (value) => value.startsWith(folded(String(wanted))),
  },
  number: {
    equals: isDecimal,
    one_of: isDecimal,
    less_than: compares((order) => order < 0),
    at_most: compares((order) => order <= 0),
    greater_than: compares((order) => order > 0),
    at_least: compares((order) => order >= 0),
  },
  boolean: { equals: (wanted) => (value) => value === String(wanted) },
  date: {
    before: isDay((order) => order < 0),
    after: isDay((order) => order > 0),
    on: isDay((order) => order === 0),
    within_last_days: isInDays((days, asked) => days <= 0 && -days <= asked),
    more_than_days_ago: isInDays((days, asked) => -days > asked),
    within_next_days: isInDays((days, asked) => days >= 0 && days <= asked),
  },
  objective: { is_completed: always },
  journey: { exists: always, is_completed: is('completed'), is_not_completed: is('started') },
};

/** Makes a condition ready. @throws Error if it does not have a field and an operator that the import accepts */
export function readyCondition({ field: name, operator, value }: FieldCondition): ReadyCondition {
  const field = ruleField(name);
  if (!field) throw new Error('a condition names no field');
  if (operator === 'is_set') return { field, holds: (found) => found !== null };
  if (operator === 'is_not_set') return { field, holds: (found) => found === null };
  const kind = comparedAs(field, operator, value);
  const positive = kind && (negatives[kind] as Partial<Record<Operator, string>>)[operator];
  const make = kind && (tests[kind] as Partial<Record<string, MakeTest>>)[positive ?? operator];
  if (!make) throw new Error('an operator does not fit the field of its condition');
  const test = make(value ?? '', field);
  return {
    field,
    holds(found, moment) {
      const form = found === null ? undefined : formOf(found, kind, field, moment);
      return (form !== undefined && test(form, moment)) === (positive === undefined);
    },
  };
}

/** The value in the form in which values of the kind are compared. `undefined` if it is of another kind. */
function formOf(
  found: NonNullable<Found>,
  kind: ValueKind,
  { kind: stored }: RuleField,
  { timeZone }: Moment,
): string | undefined {
  switch (kind) {
    case 'number':
      // Decimals of accounts are stored as text.
      return stored === 'metadata' && !isNumber(found) ? undefined : decimalText(found);
    case 'boolean':
      return typeof found === 'boolean' ? String(found) : undefined;
    case 'date':
      return typeof found === 'string' ? dayOf(found, timeZone) : undefined;
    case 'text':
      return typeof found === 'string' ? folded(found) : undefined;
    default:
      return String(found);
  }
}

const decimalText = (value: ConditionScalar): string => (isNumber(value) ? numberText(value) : String(value));

/** A phone also finds the digits that are stored for it (contract, section 3, "Phones"). */
const textForms = (value: ConditionScalar, { isPhone }: RuleField): string[] => {
  const text = String(value);
  const stored = isPhone ? normalizedPhone(text) : undefined;
  return stored ? [folded(text), stored] : [folded(text)];
};

import * as z from 'zod';
import { productTypes, standardizedTypes } from '../accounts/account-fields.ts';
import { decimal, isCalendarDate, isNumber, text } from '../values/fields.ts';
import { canonicalNumber, type JsonValue } from '../values/json.ts';
import { similarTo } from '../values/similar.ts';
import {
  type ConditionScalar,
  type ConditionValue,
  comparedAs,
  type FieldCondition,
  isListOperator,
  isOfAccount,
  isWithoutValue,
  kindsOf,
  type Operator,
  operators,
  operatorsByKind,
  type RuleField,
  ruleField,
  ruleFields,
  ruleLimits,
  type TargetingCondition,
  type TargetingGroup,
  type ValueKind,
} from './targeting-rule.ts';
import { anyJson, oneOf, optional, prose, shapeOf } from './values.ts';

/** The rules of templates in the document for `content import` (contract, section 14, "Rules" and "Conditions"). */

/** Most days in a condition on a date: a hundred years. */
const mostDays = 36_525;

const question = {
  field: optional(prose(), 'What is compared, such as `account.balance` or `contact.meta_public.branch`'),
  operator: optional(oneOf(operators as [Operator, ...Operator[]]), 'How it is compared'),
  value: optional(anyJson(), 'With what it is compared: a text, a number, `true` or `false`, a list, a date, or days'),
};
type Question = { field: string | null; operator: Operator | null; value: JsonValue };

const listOf = <Schema extends z.ZodType>(schema: Schema, most: number, what: string) =>
  z
    .array(schema, { error: ({ input }) => (input === undefined ? 'is required' : 'must be an array') })
    .min(1, `must have at least one ${what}`)
    .max(most, `must have at most ${most} ${what}s`);

const accountCondition = shapeOf(question)
  .superRefine((given, context) => {
    const { field } = given;
    const isOther = field !== null && ruleField(field) !== undefined && !isOfAccount(field);
    const errors = isOther ? [{ path: ['field'], message: notOfAccount }] : questionErrors(given);
    for (const error of errors) context.addIssue({ code: 'custom', ...error });
  })
  .transform(fieldConditionOf);
const notOfAccount = 'must be a field of the account or of its product, such as `product.type`';

const accountConditions = (description: string) =>
  optional(listOf(accountCondition, ruleLimits.conditions, 'condition'), description);

const condition = shapeOf({
  ...question,
  has_account: accountConditions('The contact has an account for which all of these conditions hold'),
  has_no_account: accountConditions('The contact has no account for which all of these conditions hold'),
})
  .superRefine((given, context) => {
    for (const error of conditionErrors(given)) context.addIssue({ code: 'custom', ...error });
  })
  .transform(({ has_account, has_no_account, ...own }): TargetingCondition => {
    if (has_account) return { has_account };
    return has_no_account ? { has_no_account } : fieldConditionOf(own);
  });

const group = shapeOf({
  name: optional(prose(), 'Name of the group, for people'),
  logical_operator: optional(
    oneOf(['AND', 'OR']),
    'Whether all conditions must hold (`AND`, the default) or one (`OR`)',
  ),
  conditions: listOf(condition, ruleLimits.conditions, 'condition').describe('What must hold'),
});

/** Groups of conditions. An empty list means the same as `null`: the template targets nobody. */
export const targetingGroups = () =>
  z
    .array(group, 'must be an array')
    .max(ruleLimits.groups, `must have at most ${ruleLimits.groups} groups`)
    .nullish()
    .transform((groups): TargetingGroup[] | null => (groups?.length ? groups : null))
    .describe('Whom targeting starts journeys for: groups of conditions. Without groups, nobody');

type MemberError = { path: PropertyKey[]; message: string };

/** A condition is a question about one field, or about all accounts. */
function conditionErrors({
  has_account,
  has_no_account,
  ...own
}: Question & { has_account: unknown; has_no_account: unknown }): MemberError[] {
  const given = Object.entries({ field: own.field, has_account, has_no_account }).flatMap(([name, value]) =>
    value === null ? [] : [name],
  );
  if (given.length > 1) return [{ path: [given[1]!], message: `must be left out beside \`${given[0]}\`` }];
  if (given[0] === undefined || given[0] === 'field') return questionErrors(own);
  const others = (['operator', 'value'] as const).filter((name) => own[name] !== null);
  return others.map((name) => ({ path: [name], message: `must be left out beside \`${given[0]}\`` }));
}

function questionErrors({ field: name, operator, value }: Question): MemberError[] {
  const missing = Object.entries({ field: name, operator }).filter(([, each]) => each === null);
  if (missing.length > 0) return missing.map(([member]) => ({ path: [member], message: 'is required' }));
  const field = ruleField(name!);
  if (!field) return [{ path: ['field'], message: unknownField(name!) }];
  const fitting = kindsOf(field.kind).flatMap((kind): readonly Operator[] => operatorsByKind[kind]);
  if (!fitting.includes(operator!)) {
    const kinds = field.kind === 'metadata' ? 'metadata' : nouns[field.kind];
    const message = `does not fit ${name}, which is ${kinds}: use one of ${[...new Set(fitting)].join(', ')}`;
    return [{ path: ['operator'], message }];
  }
  const message = valueError(field, operator!, value);
  if (message !== undefined) return [{ path: ['value'], message }];
  return [value].flat().flatMap((each, index) => {
    const error = isWithoutValue(operator!) ? undefined : scalarError(field, operator!, each);
    return error === undefined ? [] : [{ path: Array.isArray(value) ? ['value', index] : ['value'], message: error }];
  });
}

const nouns: Readonly<Record<ValueKind, string>> = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date',
  objective: 'an objective',
  journey: 'a journey',
};

const knownNames = Object.entries(ruleFields).flatMap(([subject, names]) =>
  Object.keys(names).map((name) => `${subject}.${name}`),
);

function unknownField(name: string): string {
  const meant = similarTo(name, knownNames);
  const hint =
    meant === undefined
      ? 'write contact.…, account.…, product.…, objective.<key> or journey.<template>'
      : `did you mean \`${meant}\`?`;
  return `is not a field that a rule can name: ${hint}`;
}

/** The error of the value as a whole. */
function valueError(field: RuleField, operator: Operator, value: JsonValue): string | undefined {
  if (isWithoutValue(operator)) return value === null ? undefined : `must be left out: \`${operator}\` takes no value`;
  if (value === null) return 'is required';
  if (isListOperator(operator)) {
    if (!Array.isArray(value) || value.length === 0) return 'must be a list with at least one value';
  } else if (Array.isArray(value)) return 'must be one value; for a list, use `one_of` or `none_of`';
  const kind = comparedAs(field, operator, value as ConditionValue);
  if (!kind || !(operatorsByKind[kind] as readonly Operator[]).includes(operator)) {
    const fitting = kindsOf(field.kind).filter((each) =>
      (operatorsByKind[each] as readonly Operator[]).includes(operator),
    );
    return `must be ${fitting.map((each) => nouns[each]).join(' or ')}, because of the operator \`${operator}\``;
  }
  return undefined;
}

const countsDays: ReadonlySet<Operator> = new Set(['within_last_days', 'more_than_days_ago', 'within_next_days']);

function scalarError(field: RuleField, operator: Operator, value: JsonValue): string | undefined {
  if (countsDays.has(operator)) {
    const isDays = Number.isInteger(value) && Number(value) >= 0 && Number(value) <= mostDays;
    return isDays ? undefined : `must be a whole number of days from 0 to ${mostDays}`;
  }
  switch (comparedAs(field, operator, value as ConditionScalar)) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'date':
      return typeof value === 'string' && isCalendarDate(value) ? undefined : 'must be a date, such as 2027-01-31';
    case 'number':
      if (field.kind === 'metadata') return isNumber(value) ? undefined : 'must be a number';
      return decimal().safeParse(value).success ? undefined : 'must be a number, such as 1000 or "1000.50"';
    default:
      return textError(field, operator, value);
  }
}

/** The fields that have only these values. */
const listed: Readonly<Record<string, readonly string[]>> = {
  type: productTypes,
  standardized_type: standardizedTypes,
};
const isEquality = (operator: Operator): boolean => operator.endsWith('equals') || isListOperator(operator);

function textError(field: RuleField, operator: Operator, value: JsonValue): string | undefined {
  if (typeof value !== 'string') return 'must be a text, in quotes';
  if (value === '') return 'must not be empty: to ask for what is not set, use `is_not_set`';
  const { error } = text().safeParse(value);
  if (error) return error.issues[0]!.message;
  const values = field.subject === 'product' && isEquality(operator) ? listed[field.name] : undefined;
  if (!values || values.includes(value.toLowerCase())) return undefined;
  const meant = similarTo(value, values);
  return `must be one of ${values.join(', ')}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

/** The condition as it is stored: numbers in their shortest notation that keeps all digits. */
function fieldConditionOf({ field, operator, value }: Question): FieldCondition {
  const own = { field: field!, operator: operator! };
  return value === null ? own : { ...own, value: canonicalValue(value as ConditionValue) };
}

const canonicalValue = (value: ConditionValue): ConditionValue =>
  Array.isArray(value) ? value.map(canonicalScalar) : canonicalScalar(value);
const canonicalScalar = (value: ConditionScalar): ConditionScalar => (isNumber(value) ? canonicalNumber(value) : value);

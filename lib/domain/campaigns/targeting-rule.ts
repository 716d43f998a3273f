import { accountFieldTable } from '../accounts/account-field-table.ts';
import { deprecatedFields, detailFields } from '../contacts/contact.ts';
import { canonicalText } from '../values/canonical-json.ts';
import { isNumber } from '../values/fields.ts';
import type { JsonValue, RawNumber } from '../values/json.ts';

/** The rule of a campaign, as it is stored: whom targeting starts a journey for (contract, section 14). */
export type TargetingGroup = {
  name: string | null;
  logical_operator: LogicalOperator | null;
  conditions: TargetingCondition[];
};
export type LogicalOperator = 'AND' | 'OR';
export type TargetingCondition = FieldCondition | AccountsCondition;
/** A question about one value. `value` is absent if the operator takes none. */
export type FieldCondition = { field: string; operator: Operator; value?: ConditionValue };
/** A question about all accounts of the contact: whether there is one for which all of these conditions hold. */
export type AccountsCondition = { has_account: FieldCondition[] } | { has_no_account: FieldCondition[] };
/** A number is kept with all its digits. */
export type ConditionScalar = string | number | boolean | RawNumber;
export type ConditionValue = ConditionScalar | ConditionScalar[];

export const ruleLimits = { groups: 10, conditions: 20, templates: 100 } as const;

export const accountPriorities = ['newest', 'oldest', 'highest_balance', 'primary'] as const;
export type AccountPriority = (typeof accountPriorities)[number];

const anyValue = ['is_set', 'is_not_set'] as const;
const inList = ['equals', 'not_equals', 'one_of', 'none_of'] as const;

/** The operators of each kind of value. docs/targeting.md has the same table. */
export const operatorsByKind = {
  text: [...anyValue, ...inList, 'contains', 'not_contains', 'starts_with'],
  number: [...anyValue, ...inList, 'less_than', 'at_most', 'greater_than', 'at_least'],
  boolean: [...anyValue, 'equals', 'not_equals'],
  date: [...anyValue, 'before', 'after', 'on', 'within_last_days', 'more_than_days_ago', 'within_next_days'],
  objective: [...anyValue, 'is_completed', 'is_not_completed'],
  journey: [...anyValue, 'exists', 'does_not_exist', 'is_completed', 'is_not_completed'],
} as const;
export type ValueKind = keyof typeof operatorsByKind;
export type Operator = (typeof operatorsByKind)[ValueKind][number];
export const operators = [...new Set<Operator>(Object.values(operatorsByKind).flat())];

/** A value of metadata is compared as the kind of the condition's value. */
export type FieldKind = ValueKind | 'metadata';
export const kindsOf = (kind: FieldKind): readonly ValueKind[] =>
  kind === 'metadata' ? ['text', 'number', 'boolean', 'date'] : [kind];

/** True for an operator that is asked without a value. */
export const isWithoutValue = (operator: Operator): boolean =>
  /^is_/.test(operator) || operator === 'exists' || operator === 'does_not_exist';

export const isListOperator = (operator: Operator): boolean => operator === 'one_of' || operator === 'none_of';

/**
 * As which kind of value a condition compares. `undefined` if its value is of no kind, or a list of several.
 * @param value absent for an operator without a value
 */
export function comparedAs(
  { kind }: RuleField,
  operator: Operator,
  value: ConditionValue | undefined,
): ValueKind | undefined {
  if (kind !== 'metadata') return kind;
  if (value === undefined) return 'text';
  if ((operatorsByKind.date as readonly Operator[]).includes(operator)) return 'date';
  const kinds = new Set(
    [value].flat().map((each) => (isNumber(each) ? 'number' : typeof each === 'string' ? 'text' : typeof each)),
  );
  const [only, ...others] = kinds as ReadonlySet<string>;
  return others.length === 0 && (only === 'text' || only === 'number' || only === 'boolean') ? only : undefined;
}

export type RuleField = {
  subject: 'contact' | 'account' | 'product' | 'objective' | 'journey';
  /** Of an objective, its key; of a journey, the id of its template; of metadata, `meta_public` or `meta_private`. */
  name: string;
  /** The key in metadata. */
  key?: string;
  kind: FieldKind;
  /** A text is compared with the digits that are stored, too. */
  isPhone?: true;
};

const kindOfStored = {
  text: 'text',
  phone: 'text',
  day: 'date',
  flag: 'boolean',
  date: 'date',
  decimal: 'number',
  integer: 'number',
} as const;

type Known = Readonly<Record<string, { kind: FieldKind; isPhone?: true }>>;
const knownOf = (fields: Readonly<Record<string, { kind: string }>>): Known =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, { kind }]) => kind in kindOfStored)
      .map(([name, { kind }]) => {
        const own: Known[string] = { kind: kindOfStored[kind as keyof typeof kindOfStored] };
        return [name, kind === 'phone' ? { ...own, isPhone: true as const } : own];
      }),
  );

/** The fields that a rule can name, without metadata, objectives and journeys. */
export const ruleFields: Readonly<Record<'contact' | 'account' | 'product', Known>> = {
  contact: {
    unique_id: { kind: 'text' },
    ...knownOf(detailFields),
    ...Object.fromEntries(Object.keys(deprecatedFields).map((name) => [name, { kind: 'boolean' } as const])),
    inserted_at: { kind: 'date' },
  },
  account: { account_number: { kind: 'text' }, ...knownOf(accountFieldTable), role: { kind: 'text' } },
  product: Object.fromEntries(
    ['code', 'type', 'standardized_type', 'name'].map((name) => [name, { kind: 'text' as const }]),
  ),
};

/** What the name of a field in a condition means; `undefined` if there is no such field. */
export function ruleField(field: string): RuleField | undefined {
  const dot = field.indexOf('.');
  const [subject, name] = [field.slice(0, Math.max(dot, 0)), field.slice(dot + 1)];
  if (name === '') return undefined;
  if (subject === 'objective' || subject === 'journey') return { subject, name, kind: subject };
  if (subject !== 'contact' && subject !== 'account' && subject !== 'product') return undefined;
  const [, metadata, key] = /^(meta_public|meta_private)\.(.+)$/s.exec(name) ?? [];
  if (metadata && key && subject !== 'product') return { subject, name: metadata, key, kind: 'metadata' };
  return Object.hasOwn(ruleFields[subject], name) ? { subject, name, ...ruleFields[subject][name]! } : undefined;
}

/** True if the field belongs to one account of the contact. */
export const isOfAccount = (field: string): boolean => /^(account|product)\./.test(field);

export const isFieldCondition = (condition: TargetingCondition): condition is FieldCondition => 'field' in condition;

/** The conditions on all accounts of the contact. */
export const innerConditions = (condition: AccountsCondition): FieldCondition[] =>
  'has_account' in condition ? condition.has_account : condition.has_no_account;

/** The conditions that speak of the contact, or of the account that is judged. */
export const ownConditions = (groups: readonly TargetingGroup[]): FieldCondition[] =>
  groups.flatMap(({ conditions }) => conditions.filter(isFieldCondition));

/** The names of all fields in the rule. */
export const fieldsNamed = (groups: readonly TargetingGroup[]): string[] => {
  const all = groups.flatMap(({ conditions }) => conditions);
  const fields = all.flatMap((each) => (isFieldCondition(each) ? [each] : innerConditions(each)));
  return [...new Set(fields.map(({ field }) => field))];
};

/** True if the rule is judged for each account of the contact, not for the contact as a whole. */
export const asksForAccount = (groups: readonly TargetingGroup[]): boolean =>
  ownConditions(groups).some(({ field }) => isOfAccount(field));

type Form = {
  targeting_groups: TargetingGroup[] | null;
  targeting_group_logical_operator: LogicalOperator | null;
  journey_creation_strategy: string | null;
};

/** What makes a rule another one: its groups, their operator, and the strategy. Equal forms are equal texts. */
export function ruleForm(template: Form): string {
  const { targeting_groups, targeting_group_logical_operator, journey_creation_strategy } = template;
  return canonicalText([
    (targeting_groups ?? null) as JsonValue,
    targeting_group_logical_operator ?? 'AND',
    journey_creation_strategy ?? 'ONE_FOR_ALL',
  ]);
}

/** Content that was stored by an earlier release does not have the field. */
export const hasRule = ({ targeting_groups: groups }: { targeting_groups?: TargetingGroup[] | null }): boolean =>
  (groups ?? []).length > 0;

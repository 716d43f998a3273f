import type { Objective } from '../campaigns/objective.ts';
import {
  type AccountsCondition,
  asksForAccount,
  type FieldCondition,
  fieldsNamed,
  innerConditions,
  isFieldCondition,
  type LogicalOperator,
  type RuleField,
  type TargetingCondition,
  type TargetingGroup,
} from '../campaigns/targeting-rule.ts';
import type { Template } from '../campaigns/template.ts';
import { deprecatedFields, inverse } from '../contacts/contact.ts';
import type { JsonScalar } from '../values/json.ts';
import type { Metadata } from '../values/metadata.ts';
import { dayAt, dayOf } from './calendar-day.ts';
import type { JudgingContext } from './judgement.ts';
import { type Found, type Moment, type ReadyCondition, readyCondition } from './operations.ts';
import type { Person, PersonAccount } from './person.ts';

/** A person as the rule of a template sees it. */
export type View = {
  template: Pick<Template, 'targeting_groups' | 'targeting_group_logical_operator'>;
  groups: readonly TargetingGroup[];
  person: Person;
  moment: Moment;
  objectives: readonly Objective[];
  /** The accounts that the rule is judged for, or asks about: those that are not closed, unless it names the closing. */
  accounts: readonly PersonAccount[];
  /** True if it is judged for each of these accounts, false if it is judged once, without one. */
  isOfAccounts: boolean;
  /** Answers about all accounts, which are the same for each account that the rule is judged for. */
  answers: Map<AccountsCondition, boolean>;
};

export function viewOf(template: View['template'], person: Person, { now, timeZone, content }: JudgingContext): View {
  const moment = { today: dayAt(now, timeZone), timeZone };
  const groups = template.targeting_groups ?? [];
  const { namesClosing, isOfAccounts } = traitsOf(groups);
  const accounts = namesClosing ? person.accounts : person.accounts.filter((each) => !isClosed(each, moment));
  return {
    ...{ template, groups, person, moment, accounts, isOfAccounts },
    objectives: content.objectives,
    answers: new Map(),
  };
}

/** Content does not change while it is cached, so the traits of a rule are found once, and its conditions made ready. */
const traits = new WeakMap<readonly TargetingGroup[], { namesClosing: boolean; isOfAccounts: boolean }>();
const ready = new WeakMap<FieldCondition, ReadyCondition>();

function traitsOf(groups: readonly TargetingGroup[]) {
  let own = traits.get(groups);
  if (!own) {
    own = { namesClosing: fieldsNamed(groups).includes('account.closed_date'), isOfAccounts: asksForAccount(groups) };
    traits.set(groups, own);
  }
  return own;
}

function readyOf(condition: FieldCondition): ReadyCondition {
  let own = ready.get(condition);
  if (!own) {
    own = readyCondition(condition);
    ready.set(condition, own);
  }
  return own;
}

/** True if the account was closed today or earlier. */
export function isClosed({ account }: PersonAccount, { today, timeZone }: Moment): boolean {
  const closed = account.fields.closed_date;
  const day = typeof closed === 'string' ? dayOf(closed, timeZone) : undefined;
  return day !== undefined && day <= today;
}

/** True if the rule holds for this account, or, without one, for the contact. */
export const ruleHolds = (view: View, account: PersonAccount | null): boolean =>
  holdsAs(view.template.targeting_group_logical_operator, view.groups, (group) => groupHolds(view, group, account));

export const groupHolds = (view: View, group: TargetingGroup, account: PersonAccount | null): boolean =>
  holdsAs(group.logical_operator, group.conditions, (each) => conditionHolds(view, each, account));

export function conditionHolds(view: View, condition: TargetingCondition, account: PersonAccount | null): boolean {
  if (isFieldCondition(condition)) {
    const { field, holds } = readyOf(condition);
    return holds(valueFound(view, field, account), view.moment);
  }
  let holds = view.answers.get(condition);
  if (holds === undefined) {
    holds = view.accounts.some((each) => isMeant(view, condition, each)) === 'has_account' in condition;
    view.answers.set(condition, holds);
  }
  return holds;
}

/** True if all conditions of the question about all accounts hold for this account. */
export const isMeant = (view: View, condition: AccountsCondition, account: PersonAccount): boolean =>
  innerConditions(condition).every((each) => conditionHolds(view, each, account));

/** Without an operator, all must hold. */
const holdsAs = <T>(operator: LogicalOperator | null, parts: readonly T[], holds: (part: T) => boolean): boolean =>
  operator === 'OR' ? parts.some(holds) : parts.every(holds);

/** The value that a condition on this field finds. */
export const foundBy = (view: View, condition: FieldCondition, account: PersonAccount | null): Found =>
  valueFound(view, readyOf(condition).field, account);

function valueFound(
  { person, objectives }: View,
  { subject, name, key }: RuleField,
  account: PersonAccount | null,
): Found {
  switch (subject) {
    case 'contact':
      return valueOfContact(person, name, key);
    case 'account':
      return account && valueOfAccount(account, name, key);
    case 'product':
      return account?.product?.[name as keyof PersonAccount['product'] & string] ?? null;
    case 'objective':
      return completionOf(person, objectives, name);
    case 'journey': {
      const journeys = person.journeys.filter(({ template_id }) => template_id === name);
      if (journeys.length === 0) return null;
      return journeys.some(({ state }) => state === 'completed') ? 'completed' : 'started';
    }
  }
}

type Fields = Readonly<Record<string, Metadata | JsonScalar | undefined>>;

function valueOfContact({ contact }: Person, name: string, key: string | undefined): Found {
  const fields = contact as unknown as Fields;
  if (key !== undefined) return valueIn(fields[name], key);
  const replacing = (deprecatedFields as Readonly<Record<string, string>>)[name];
  return replacing === undefined ? found(fields[name]) : inverse(found(fields[replacing]) as boolean | null);
}

function valueOfAccount({ account, link }: PersonAccount, name: string, key: string | undefined): Found {
  if (key !== undefined) return valueIn((account as unknown as Fields)[name], key);
  if (name === 'account_number') return link.account_number;
  return name === 'role' ? link.role : found((account.fields as Fields)[name]);
}

const valueIn = (metadata: Metadata | JsonScalar | undefined, key: string): Found => {
  const values = (metadata ?? {}) as Metadata;
  return Object.hasOwn(values, key) ? found(values[key]) : null;
};

const found = (value: Metadata | JsonScalar | undefined): Found => (value as JsonScalar | undefined) ?? null;

/** The time at which the contact completed an objective with this key: one of the team, or a global one. */
function completionOf({ contact: { completions } }: Person, objectives: readonly Objective[], key: string): Found {
  const ids = objectives.filter((each) => each.key === key).map(({ id }) => id);
  return (
    ids.map((id) => (Object.hasOwn(completions, id) ? completions[id]! : null)).find((time) => time !== null) ?? null
  );
}

import {
  type AccountsCondition,
  type FieldCondition,
  isFieldCondition,
  type LogicalOperator,
  type TargetingCondition,
  type TargetingGroup,
} from '../../../../lib/domain/campaigns/targeting-rule.ts';
import {
  conditionHolds,
  foundBy,
  groupHolds,
  isMeant,
  ruleHolds,
  type View,
  viewOf,
} from '../../../../lib/domain/targeting/evaluate.ts';
import { isSince, subjectsOf } from '../../../../lib/domain/targeting/judge.ts';
import type { JudgingContext } from '../../../../lib/domain/targeting/judgement.ts';
import type { Found } from '../../../../lib/domain/targeting/operations.ts';
import type { Person, PersonAccount } from '../../../../lib/domain/targeting/person.ts';
import type { Rule } from '../../../../lib/domain/targeting/rule.ts';

/** Why a rule holds for a person or not: every group and condition for each account, with the values found. */
export type RuleExplanation = {
  /** True if the rule is judged for each account of the contact, false if for the contact as a whole. */
  isOfAccounts: boolean;
  /** Empty if the rule is judged for accounts and the contact has none, or too many. */
  subjects: SubjectExplanation[];
  /** Accounts that are left out, because they are closed. */
  closed: PersonAccount[];
};
export type SubjectExplanation = {
  account: PersonAccount | null;
  holds: boolean;
  /** False if the account, or the contact, was stored before the rule went live in this form. */
  isSince: boolean;
  groups: GroupExplanation[];
};
export type GroupExplanation = {
  name: string | null;
  logical_operator: LogicalOperator;
  holds: boolean;
  conditions: ConditionExplanation[];
};
export type ConditionExplanation =
  | { holds: boolean; condition: FieldCondition; found: Found }
  /** `accounts`: those for which all of its conditions hold. */
  | { holds: boolean; condition: AccountsCondition; accounts: PersonAccount[] };

/** Explains what {@link judge} decides by, with the same evaluation. */
export function explain(
  { template, since }: Pick<Rule, 'template' | 'since'>,
  person: Person,
  context: JudgingContext,
): RuleExplanation {
  const view = viewOf(template, person, context);
  const subjects = person.tooManyAccounts ? [] : subjectsOf(view);
  return {
    isOfAccounts: view.isOfAccounts,
    subjects: subjects.map((account) => ({
      account,
      holds: ruleHolds(view, account),
      isSince: isSince({ since }, person, account),
      groups: view.groups.map((group) => explainedGroup(view, group, account)),
    })),
    closed: person.accounts.filter((each) => !view.accounts.includes(each)),
  };
}

const explainedGroup = (view: View, group: TargetingGroup, account: PersonAccount | null): GroupExplanation => ({
  name: group.name,
  logical_operator: group.logical_operator ?? 'AND',
  holds: groupHolds(view, group, account),
  conditions: group.conditions.map((each) => explainedCondition(view, each, account)),
});

function explainedCondition(
  view: View,
  condition: TargetingCondition,
  account: PersonAccount | null,
): ConditionExplanation {
  const holds = conditionHolds(view, condition, account);
  if (isFieldCondition(condition)) return { holds, condition, found: foundBy(view, condition, account) };
  return { holds, condition, accounts: view.accounts.filter((each) => isMeant(view, condition, each)) };
}

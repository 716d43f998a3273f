import * as z from 'zod';
import { type Brake, unusedBrake } from '../../domain/targeting/brake.ts';
import {
  all,
  type Database,
  type Expectation,
  type Item,
  type Upsert,
  versioned,
  type Write,
} from '../table/database.ts';
import { targetingPartition, targetingRuleKey, targetingStateKey, templateIdOfRule } from '../table/keys.ts';
import { itemReader, storedTime, storedVersion } from '../table/stored-item.ts';

/** The rule of a template: the form in which it is live, and its brake. */
export type StoredRule = {
  template_id: string;
  /** Differs in another form of the rule. */
  revision: string;
  /** When it went live in this form: it is for what was stored first since then. */
  since: string;
  live: boolean;
  /** The fields that it names. */
  inputs: readonly string[];
  brake: Brake;
  /** 0 if it is not stored yet. */
  version: number;
};

/** What is known of the team as a whole. */
export type TargetingState = {
  /** The day of the team's time zone on which everybody was judged last. */
  judged_on: string | null;
  /** The number of contacts, and when they were counted. */
  contacts: number | null;
  counted_at: string | null;
  /** Contacts with so many accounts that they are not targeted, when everybody was judged last. */
  too_many_accounts: number;
  version: number;
};

const ruleItem = itemReader(
  'targeting rule',
  z.object({
    revision: z.string(),
    since: storedTime,
    live: z.boolean(),
    inputs: z.array(z.string()),
    day: z.string(),
    started: z.int(),
    permitted: z.int(),
    permitted_until: storedTime.nullable(),
    stopped_at: storedTime.nullable(),
    version: storedVersion,
  }),
);

const stateItem = itemReader(
  'state of targeting',
  z.object({
    judged_on: z.string().nullable(),
    contacts: z.int().nullable(),
    counted_at: storedTime.nullable(),
    too_many_accounts: z.int(),
    version: storedVersion,
  }),
);
const noState: TargetingState = {
  ...{ judged_on: null, contacts: null, counted_at: null, too_many_accounts: 0, version: 0 },
};

function ruleOf(item: Item): StoredRule {
  const { revision, since, live, inputs, version, ...brake } = ruleItem(item);
  return { template_id: templateIdOfRule(item), revision, since, live, inputs, brake, version };
}

export type Targeting = { rules: StoredRule[]; state: TargetingState };

/** The rules of the team and its state: one query. */
export async function loadTargeting(database: Database, teamId: string): Promise<Targeting> {
  const items = await all(database, { pk: targetingPartition(teamId) });
  const isState = ({ sk }: Item) => sk === targetingStateKey(teamId).sk;
  const state = items.find(isState);
  return { rules: items.filter((item) => !isState(item)).map(ruleOf), state: state ? stateItem(state) : noState };
}

export const newRule = (template_id: string): StoredRule => ({
  ...{ template_id, revision: '', since: '', live: false, inputs: [], brake: unusedBrake, version: 0 },
});

const formOf = ({ revision, since, live }: StoredRule): Expectation => ({ revision, since, live });

/** Writes the form of the rule, on the condition that it is still the one that was read. Its brake can change meanwhile. */
export function formWrite(teamId: string, rule: StoredRule, before: StoredRule): Upsert {
  const { template_id, inputs, brake } = rule;
  const key = targetingRuleKey(teamId, template_id);
  const set = { ...formOf(rule), inputs };
  return before.version === 0
    ? { kind: 'insert', item: { ...key, ...set, ...brake, version: 1 } }
    : { kind: 'update', key, set, expect: formOf(before) };
}

/** Writes the brake of the rule, on the condition that both are still as they were read. */
export function brakeWrite(teamId: string, rule: StoredRule, { version }: StoredRule): Upsert {
  return versioned(targetingRuleKey(teamId, rule.template_id), version, rule.brake, formOf(rule));
}

/**
 * Counts starts of the day, if both are as they were read but for what others have counted, and the brake has started at
 * most so many.
 */
export function startsAddition(teamId: string, rule: StoredRule, starts: number, atMost: number): Write {
  const { day, permitted_until, stopped_at } = rule.brake;
  const expect = { ...formOf(rule), day, permitted_until, stopped_at };
  const key = targetingRuleKey(teamId, rule.template_id);
  return { kind: 'add', key, add: { started: starts, version: 1 }, only: { expect, atMost: { started: atMost } } };
}

/** The condition that the brake has stopped as it was read, and was not resumed since. */
export const stoppedCheck = (teamId: string, { template_id, brake }: StoredRule): Write => ({
  ...{ kind: 'check', key: targetingRuleKey(teamId, template_id) },
  expect: { stopped_at: brake.stopped_at },
});

/** The condition that the rule is live in the form that was read. */
export const ruleCheck = (teamId: string, rule: StoredRule): Write => ({
  ...{ kind: 'check', key: targetingRuleKey(teamId, rule.template_id) },
  expect: formOf(rule),
});

export const stateWrite = (teamId: string, { version, ...state }: TargetingState): Upsert =>
  versioned(targetingStateKey(teamId), version, state);

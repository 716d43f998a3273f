import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explain } from '../../../bin/admin/operations/targeting/explain-rule.ts';
import { ruleLimits } from '../../../lib/domain/campaigns/targeting-rule.ts';
import { judge } from '../../../lib/domain/targeting/judge.ts';
import type { PersonAccount } from '../../../lib/domain/targeting/person.ts';
import { accountWith, campaign, noon, personWith, ruleOf, templatesOf } from '../../support/samples/people.ts';

/**
 * A rule as logic: its conditions are facts that are true or false of the contact (`c0` to `c2`) and of each account
 * (`a0` to `a2`). The naive evaluation below knows nothing of fields, operators or values.
 */
type Fact = { of: 'contact' | 'account'; name: string };
type Condition = Fact | { has: Fact[] } | { hasNo: Fact[] };
type Group = { or: boolean | null; conditions: Condition[] };
type Logic = { or: boolean | null; groups: Group[] };
type Facts = ReadonlySet<string>;

const names = ['0', '1', '2'];
const contactFact = fc.constantFrom(...names).map((name): Fact => ({ of: 'contact', name }));
const accountFact = fc.constantFrom(...names).map((name): Fact => ({ of: 'account', name }));
const accountFacts = fc.array(accountFact, { minLength: 1, maxLength: 3 });
const condition = fc.oneof<fc.Arbitrary<Condition>[]>(
  contactFact,
  accountFact,
  accountFacts.map((has) => ({ has })),
  accountFacts.map((hasNo) => ({ hasNo })),
);
const or = fc.constantFrom(true, false, null);
const group = fc.record({ or, conditions: fc.array(condition, { minLength: 1, maxLength: 4 }) });
const logic: fc.Arbitrary<Logic> = fc
  .record({ or, groups: fc.array(group, { minLength: 1, maxLength: ruleLimits.groups }) })
  .filter((rule) => isAboutAccount(rule) || !rule.groups.some((each) => each.conditions.some((one) => 'has' in one)));
const facts = fc.uniqueArray(fc.constantFrom(...names)).map((own): Facts => new Set(own));

const isAboutAccount = ({ groups }: Logic): boolean =>
  groups.some(({ conditions }) => conditions.some((each) => 'of' in each && each.of === 'account'));

/** The naive evaluation: for which of the accounts, or for the contact, the rule holds. */
function naive(rule: Logic, contact: Facts, accounts: readonly Facts[]): boolean[] {
  const connect = (isOr: boolean | null, all: boolean[]) => (isOr ? all.includes(true) : !all.includes(false));
  const isTrue = (fact: Fact, account: Facts | undefined) =>
    fact.of === 'contact' ? contact.has(fact.name) : account!.has(fact.name);
  const some = (wanted: Fact[]) => accounts.filter((each) => wanted.every((fact) => isTrue(fact, each))).length > 0;
  const of = (each: Condition, account: Facts | undefined) =>
    'has' in each ? some(each.has) : 'hasNo' in each ? !some(each.hasNo) : isTrue(each, account);
  const subjects = isAboutAccount(rule) ? accounts : [undefined];
  return subjects.map((account) =>
    connect(
      rule.or,
      rule.groups.map((own) =>
        connect(
          own.or,
          own.conditions.map((each) => of(each, account)),
        ),
      ),
    ),
  );
}

const word = (isOr: boolean | null) => (isOr === null ? null : isOr ? 'OR' : 'AND');
const written = (fact: Fact) => ({ field: `${fact.of}.meta_public.f${fact.name}`, operator: 'equals', value: true });
const writtenCondition = (each: Condition) =>
  'has' in each
    ? { has_account: each.has.map(written) }
    : 'hasNo' in each
      ? { has_no_account: each.hasNo.map(written) }
      : written(each);
const metadata = (own: Facts) => Object.fromEntries([...own].map((name) => [`f${name}`, true]));

test('AND, OR, has_account and has_no_account are what logic says, for each account or the contact', () => {
  fc.assert(
    fc.property(logic, facts, fc.array(facts, { maxLength: 4 }), (rule, contact, accounts) => {
      const [template] = templatesOf(
        campaign('A', {
          journey_creation_strategy: 'ONE_FOR_ONE',
          targeting_group_logical_operator: word(rule.or),
          targeting_groups: rule.groups.map((each) => ({
            logical_operator: word(each.or),
            conditions: each.conditions.map(writtenCondition),
          })),
        }),
      );
      const held = accounts.map((own, at): PersonAccount => accountWith(`${at}`, { meta_public: metadata(own) }));
      const person = personWith({ meta_public: metadata(contact) }, { accounts: held });
      const expected = naive(rule, contact, accounts);
      const { subjects } = explain(ruleOf(template!), person, noon);
      expect(subjects.map(({ holds }) => holds)).toEqual(expected);
      const started = judge([ruleOf(template!)], person, noon).starts.map(({ account_id }) => account_id);
      const ids = isAboutAccount(rule) ? accounts.map((_, at) => `${at}`) : [null];
      expect(started.sort()).toEqual(ids.filter((_, at) => expected[at]));
    }),
    { numRuns: 1000 },
  );
});

import { describe, expect, test } from 'vitest';
import { explain } from '../../../bin/admin/operations/targeting/explain-rule.ts';
import type { Template } from '../../../lib/domain/campaigns/template.ts';
import { judge, mostJourneysOfTemplate } from '../../../lib/domain/targeting/judge.ts';
import type { Person, PersonAccount, PersonJourney } from '../../../lib/domain/targeting/person.ts';
import type { Rule } from '../../../lib/domain/targeting/rule.ts';
import { hasPriority, isTargeting } from '../../../lib/domain/targeting/rule.ts';
import {
  accountWith,
  campaign,
  contextAt,
  groupOf,
  isChecking,
  isOfPrague,
  journeyOf,
  noon,
  personWith,
  ruleOf,
  templatesOf,
} from '../../support/samples/people.ts';

const earlier = '2025-01-01T00:00:00.000000Z';
const [checking] = templatesOf(campaign('A', groupOf(isChecking)));
const withStrategy = (journey_creation_strategy: string | null, fields: object = {}) =>
  templatesOf(campaign('A', { ...groupOf(isChecking), journey_creation_strategy, ...fields }))[0]!;
const withAccounts = (...accounts: PersonAccount[]) => personWith({}, { accounts });

const judged = (template: Template, person: Person, rule: Partial<Rule> = {}) =>
  judge([ruleOf(template, rule)], person, noon);
/** The accounts that journeys are started about. */
const startedFor = (template: Template, person: Person, rule: Partial<Rule> = {}) =>
  judged(template, person, rule).starts.map(({ account_id }) => account_id);

describe('what a rule gives', () => {
  const two = withAccounts(accountWith('1'), accountWith('2'), accountWith('3', { type: 'loan' }));

  test.each([
    [null, [{ template_id: 'A', account_id: '1', revision: 'r1' }], []],
    ['ONE_FOR_ALL', [{ template_id: 'A', account_id: '1', revision: 'r1' }], []],
    ['ONE_FOR_ONE', ['1', '2'].map((account_id) => ({ template_id: 'A', account_id, revision: 'r1' })), []],
    ['NO_JOURNEY', [], ['1', '2'].map((account_id) => ({ template_id: 'A', account_id, revision: 'r1' }))],
  ])('with the strategy %s', (strategy, starts, notes) => {
    expect(judged(withStrategy(strategy), two)).toEqual({ starts, notes, held: [] });
  });

  test.each([null, 'ONE_FOR_ALL', 'ONE_FOR_ONE', 'NO_JOURNEY'])(
    'with the strategy %s and no condition on an account, it is about the contact as a whole',
    (journey_creation_strategy) => {
      const fields = { ...groupOf(isOfPrague), journey_creation_strategy };
      const { starts, notes } = judged(templatesOf(campaign('A', fields))[0]!, personWith({ city: 'Prague' }));
      expect([...starts, ...notes]).toEqual([{ template_id: 'A', account_id: null, revision: 'r1' }]);
      expect(judged(templatesOf(campaign('A', fields))[0]!, personWith({ city: 'Brno' })).starts).toEqual([]);
    },
  );

  test('nothing to a contact without an account, if a condition is about an account, under OR neither', () => {
    const fields = { targeting_groups: [{ logical_operator: 'OR', conditions: [isChecking, isOfPrague] }] };
    const [either] = templatesOf(campaign('A', fields));
    expect(startedFor(either!, personWith({ city: 'Prague' }))).toEqual([]);
    const withLoan = personWith({ city: 'Prague' }, { accounts: [accountWith('1', { type: 'loan' })] });
    expect(startedFor(either!, withLoan)).toEqual(['1']);
  });

  test('to a contact that has one account and not another', () => {
    const hasNoCard = { has_no_account: [{ field: 'product.type', operator: 'equals', value: 'loan' }] };
    const [template] = templatesOf(campaign('A', groupOf(isChecking, hasNoCard)));
    expect(startedFor(template!, withAccounts(accountWith('1')))).toEqual(['1']);
    expect(startedFor(template!, withAccounts(accountWith('1'), accountWith('2', { type: 'loan' })))).toEqual([]);
  });
});

describe('the account that a journey for all is about', () => {
  const at = (opened_date: string | null, storedAt: string, others: object = {}) => ({
    fields: { opened_date, ...others },
    storedAt,
  });
  const [first, second] = ['2026-06-01T00:00:00.000000Z', '2026-06-02T00:00:00.000000Z'];
  test.each<[priority: string | null, what: string, accounts: PersonAccount[], picked: string]>([
    [null, 'opened last', [accountWith('1', at('2026-02-02', first)), accountWith('2', at('2026-02-01', second))], '1'],
    [
      'newest',
      'of two of one day, stored last',
      [accountWith('1', at('2026-02-02', first)), accountWith('2', at('2026-02-02', second))],
      '2',
    ],
    [
      'newest',
      'with a date before one without',
      [accountWith('1', at(null, second)), accountWith('2', at('2026-02-02', first))],
      '2',
    ],
    [
      'oldest',
      'opened first',
      [accountWith('1', at('2026-02-02', first)), accountWith('2', at('2026-02-01', second))],
      '2',
    ],
    [
      'oldest',
      'with a date before one without',
      [accountWith('1', at(null, first)), accountWith('2', at('2026-02-02', second))],
      '2',
    ],
    [
      'oldest',
      'of two without dates, stored first',
      [accountWith('1', at(null, second)), accountWith('2', at(null, first))],
      '2',
    ],
    [
      'highest_balance',
      'with more, to the digit',
      [
        accountWith('1', { fields: { balance: '9007199254740993.01' } }),
        accountWith('2', { fields: { balance: '9007199254740993.02' } }),
      ],
      '2',
    ],
    ['highest_balance', 'with a balance', [accountWith('1'), accountWith('2', { fields: { balance: '-5' } })], '2'],
    ['primary', 'with the role', [accountWith('1', { role: 'joint' }), accountWith('2', { role: 'Primary' })], '2'],
    [
      'primary',
      'else the newest',
      [accountWith('1', at('2026-02-01', first)), accountWith('2', at('2026-02-02', first))],
      '2',
    ],
    ['newest', 'of equal ones, with the lower number', [accountWith('2'), accountWith('1')], '1'],
  ])('with the priority %s is the one %s', (targeting_account_priority, _what, accounts, picked) => {
    for (const order of [accounts, accounts.toReversed()]) {
      expect(startedFor(withStrategy(null, { targeting_account_priority }), withAccounts(...order))).toEqual([picked]);
    }
  });
});

describe('who has the journey already gets no second one', () => {
  const states = ['open', 'completed', 'cancelled', 'expired'] as const;
  const two = (...journeys: PersonJourney[]) =>
    personWith({}, { accounts: [accountWith('1'), accountWith('2')], journeys });
  test.each(states)('whoever made it, also one that is %s', (state) => {
    for (const account_id of [null, '1', 'of another account']) {
      const person = two(journeyOf('A', { state, account_id }));
      expect(startedFor(withStrategy('ONE_FOR_ALL'), person)).toEqual([]);
      const others = { null: [], 1: ['2'] }[String(account_id)] ?? ['1', '2'];
      expect(startedFor(withStrategy('ONE_FOR_ONE'), person)).toEqual(others);
    }
  });

  test('of another template counts for nothing, and neither does a note', () => {
    expect(startedFor(checking!, two(journeyOf('B')))).toEqual(['1']);
    const noted = { ...two(), noted: [{ template_id: 'A', account_id: '1' }] };
    expect(startedFor(checking!, noted)).toEqual(['1']);
  });

  test('and is noted once for each account, also if it has a journey', () => {
    const person = { ...two(journeyOf('A')), noted: [{ template_id: 'A', account_id: '1' }] };
    expect(judged(withStrategy('NO_JOURNEY'), person).notes.map(({ account_id }) => account_id)).toEqual(['2']);
  });

  test('a contact has at most twenty journeys of a template', () => {
    const many = Array.from({ length: 30 }, (_, at) => accountWith(String(at + 10)));
    const { starts, held } = judged(withStrategy('ONE_FOR_ONE'), withAccounts(...many));
    expect(starts.map(({ account_id }) => account_id)).toEqual(
      many.slice(0, mostJourneysOfTemplate).map(({ id }) => id),
    );
    expect(held).toEqual([{ template_id: 'A', reason: 'too_many_journeys' }]);
    const journeys = many.slice(0, 18).map(({ id }) => journeyOf('A', { account_id: id, state: 'completed' }));
    const later = judged(withStrategy('ONE_FOR_ONE'), { ...withAccounts(...many), journeys });
    expect(later.starts.map(({ account_id }) => account_id)).toEqual(['28', '29']);
    const full = many.slice(0, 20).map(({ id }) => journeyOf('A', { account_id: id }));
    expect(judged(withStrategy('ONE_FOR_ONE'), { ...withAccounts(...many), journeys: full }).starts).toEqual([]);
  });
});

describe('a rule is for what was first stored since it went live in this form', () => {
  test('accounts, whenever their contact was stored', () => {
    const old = accountWith('1', { storedAt: earlier });
    const person = { ...withAccounts(old, accountWith('2')), contact: personWith({ inserted_at: earlier }).contact };
    expect(startedFor(withStrategy('ONE_FOR_ONE'), person)).toEqual(['2']);
    expect(startedFor(withStrategy('ONE_FOR_ALL', { targeting_account_priority: 'oldest' }), person)).toEqual(['2']);
    expect(judged(withStrategy('NO_JOURNEY'), person).notes.map(({ account_id }) => account_id)).toEqual(['2']);
    expect(startedFor(withStrategy('ONE_FOR_ONE'), person, { since: '' })).toEqual(['2', '1']);
  });

  test('contacts, if it names no account', () => {
    const [template] = templatesOf(campaign('A', groupOf(isOfPrague)));
    const accounts = [accountWith('1')];
    const old = personWith({ city: 'Prague', inserted_at: earlier }, { accounts });
    expect(startedFor(template!, old)).toEqual([]);
    expect(startedFor(template!, old, { since: '' })).toEqual([null]);
    expect(startedFor(template!, personWith({ city: 'Prague' }))).toEqual([null]);
  });

  test('at that very time, too, and not a microsecond before', () => {
    const since = '2026-06-01T00:00:00.000001Z';
    const at = (storedAt: string) => startedFor(checking!, withAccounts(accountWith('1', { storedAt })), { since });
    expect(at(since)).toEqual(['1']);
    expect(at('2026-06-01T00:00:00.000000Z')).toEqual([]);
    expect(at('2026-06-01T00:00:00.000Z')).toEqual([]);
  });

  test('while has_account and has_no_account ask over all accounts, whenever they were stored', () => {
    const has = { has_account: [{ field: 'product.type', operator: 'equals', value: 'loan' }] };
    const [template] = templatesOf(campaign('A', groupOf(isChecking, has)));
    const loan = accountWith('2', { type: 'loan', storedAt: earlier });
    expect(startedFor(template!, withAccounts(accountWith('1'), loan))).toEqual(['1']);
    expect(startedFor(template!, withAccounts(accountWith('1')))).toEqual([]);
  });
});

describe('accounts that are closed', () => {
  const closed = (closed_date: string | null) => withAccounts(accountWith('1', { fields: { closed_date } }));
  test.each([
    ['today', '2026-06-15', []],
    ['earlier', '2026-06-14T00:00:00Z', []],
    ['tomorrow', '2026-06-16', ['1']],
    ['never', null, ['1']],
  ])('%s', (_when, date, expected) => {
    expect(startedFor(checking!, closed(date))).toEqual(expected);
  });

  test('are so in the time zone of the team', () => {
    const context = contextAt('2026-06-15T23:00:00Z', { timeZone: 'Asia/Tokyo' });
    expect(judge([ruleOf(checking!)], closed('2026-06-16'), context).starts).toEqual([]);
  });

  test('are left out by has_no_account, too', () => {
    const hasNoLoan = { has_no_account: [{ field: 'product.type', operator: 'equals', value: 'loan' }] };
    const [template] = templatesOf(campaign('A', groupOf(isChecking, hasNoLoan)));
    const loan = accountWith('2', { type: 'loan', fields: { closed_date: '2026-01-01' } });
    expect(startedFor(template!, withAccounts(accountWith('1'), loan))).toEqual(['1']);
  });

  test('count if the rule names their closing', () => {
    const isClosed = { field: 'account.closed_date', operator: 'within_last_days', value: 30 };
    const [template] = templatesOf(campaign('A', groupOf(isClosed)));
    expect(startedFor(template!, closed('2026-06-10'))).toEqual(['1']);
    expect(startedFor(template!, closed(null))).toEqual([]);
  });
});

describe('priority', () => {
  const [first, second, third, other] = templatesOf(
    campaign('A', {
      ...groupOf(isChecking),
      is_targeting_priority: true,
      journey_duration_hours: 720,
      targeting_order: 3,
    }),
    campaign('B', { ...groupOf(isChecking), targeting_order: 1 }),
    campaign('C', { ...groupOf(isChecking), targeting_order: 2, journey_creation_strategy: 'NO_JOURNEY' }),
    campaign('D', { is_targeting_priority: true, targeting_order: 9 }),
  ).toSorted((a, b) => (a.name! < b.name! ? -1 : 1)) as [Template, Template, Template, Template];
  const templates = [first, second, third, other];
  const context = { ...noon, content: { ...noon.content, templates } };
  const all = [second, third, first].map((template) => ruleOf(template));
  const person = (...journeys: PersonJourney[]) => personWith({}, { accounts: [accountWith('1')], journeys });

  test('of several that hold at once, the one with priority starts, and holds the others back', () => {
    const { starts, notes, held } = judge(all, person(), context);
    expect([starts.map(({ template_id }) => template_id), notes]).toEqual([['A'], []]);
    expect(held).toEqual(['B', 'C'].map((template_id) => ({ template_id, reason: 'priority', by: 'A' })));
  });

  test.each(['completed', 'cancelled', 'expired'] as const)('ends with the journey: %s', (state) => {
    const { starts, notes } = judge(all, person(journeyOf('A', { state })), context);
    expect([...starts, ...notes].map(({ template_id }) => template_id)).toEqual(['B', 'C']);
  });

  test('an open journey of any campaign with priority holds back all others, whoever started it', () => {
    const { starts, notes, held } = judge(all, person(journeyOf('D')), context);
    expect([starts, notes]).toEqual([[], []]);
    expect(held).toEqual(['A', 'B', 'C'].map((template_id) => ({ template_id, reason: 'priority', by: 'D' })));
  });

  test('does not hold back journeys of the same template about other accounts', () => {
    const template = withStrategy('ONE_FOR_ONE', { is_targeting_priority: true, journey_duration_hours: 1 });
    const own = { ...noon, content: { ...noon.content, templates: [template] } };
    const two = {
      ...withAccounts(accountWith('1'), accountWith('2')),
      journeys: [journeyOf('A', { account_id: '1' })],
    };
    expect(judge([ruleOf(template)], two, own).starts.map(({ account_id }) => account_id)).toEqual(['2']);
  });

  test.each([
    ['muted', { is_muted: true }],
    ['a draft', { status: 'draft' }],
    ['archived', { is_archived: true }],
    ['without priority', { is_targeting_priority: false }],
  ])('is not that of a campaign that is %s', (_what, fields) => {
    const changed = { ...other, ...(fields as Partial<Template>) };
    expect(hasPriority(changed)).toBe(false);
    const own = { ...noon, content: { ...noon.content, templates: [second, changed] } };
    expect(judge([ruleOf(second)], person(journeyOf('D')), own).starts).toHaveLength(1);
  });

  test('else the order is that of targeting_order, then of the name, and those without an order come last', () => {
    const named = templatesOf(
      ...[
        campaign('Z', { targeting_order: 1 }),
        campaign('M'),
        campaign('K'),
        campaign('Y', { targeting_order: 2 }),
      ].map((each) => ({ ...each, ...groupOf(isChecking) })),
    );
    for (const order of [named, named.toReversed()]) {
      const rules = order.map((template) => ruleOf(template));
      expect(judge(rules, person(), noon).starts.map(({ template_id }) => template_id)).toEqual(['Z', 'Y', 'K', 'M']);
    }
  });
});

describe('a journey that `targeting undo` cancelled', () => {
  const undone = (fields: Partial<PersonJourney> = {}) =>
    journeyOf('A', { account_id: '1', state: 'cancelled', undone: true, revision: 'wrong', ...fields });
  const person = (...journeys: PersonJourney[]) =>
    personWith(
      {},
      { accounts: [accountWith('1', { storedAt: earlier }), accountWith('2', { storedAt: earlier })], journeys },
    );

  test.each(['ONE_FOR_ALL', 'ONE_FOR_ONE'])(
    'is opened again if a later form of the rule holds for it (%s)',
    (strategy) => {
      const again = [{ template_id: 'A', account_id: '1', revision: 'r1', reopens: 'j-A' }];
      expect(judged(withStrategy(strategy), person(undone())).starts).toEqual(again);
    },
  );

  test.each(['ONE_FOR_ALL', 'ONE_FOR_ONE'])('stays as it is otherwise (%s)', (strategy) => {
    const template = withStrategy(strategy);
    expect(judged(template, person(undone({ revision: 'r1' }))).starts).toEqual([]);
    expect(judged(template, person(undone({ undone: false }))).starts).toEqual([]);
    expect(judged(template, person(undone({ state: 'open' }))).starts).toEqual([]);
    expect(judged(template, person(undone({ account_id: 'another' }))).starts).toEqual([]);
  });

  test('is opened again for the contact, if the one or the other form is about the contact', () => {
    const [ofContact] = templatesOf(campaign('A', groupOf(isOfPrague)));
    const inPrague = { ...person(undone()), contact: personWith({ city: 'Prague', inserted_at: earlier }).contact };
    expect(judged(ofContact!, inPrague).starts).toMatchObject([{ account_id: '1', reopens: 'j-A' }]);
    expect(judged(withStrategy(null), person(undone({ account_id: null }))).starts).toMatchObject([
      { account_id: null, reopens: 'j-A' },
    ]);
  });

  test('is opened again alone, if there is one for all, and not beside one that was started otherwise', () => {
    const two = person(undone(), undone({ id: 'j-2', account_id: '2' }));
    expect(judged(withStrategy('ONE_FOR_ALL'), two).starts).toMatchObject([{ reopens: 'j-A' }]);
    expect(judged(withStrategy('ONE_FOR_ONE'), two).starts).toMatchObject([{ reopens: 'j-A' }, { reopens: 'j-2' }]);
    expect(
      judged(withStrategy('ONE_FOR_ALL'), person(undone(), journeyOf('A', { state: 'completed' }))).starts,
    ).toEqual([]);
  });
});

test('a contact with more than 500 accounts is not targeted, by any rule', () => {
  const [ofContact] = templatesOf(campaign('B', groupOf(isOfPrague)));
  const person = personWith({ city: 'Prague' }, { tooManyAccounts: true });
  expect(judge([ruleOf(checking!), ruleOf(ofContact!)], person, noon)).toEqual({
    starts: [],
    notes: [],
    held: ['A', 'B'].map((template_id) => ({ template_id, reason: 'too_many_accounts' })),
  });
  expect(explain(ruleOf(ofContact!), person, noon).subjects).toEqual([]);
});

describe('targeting is for a template', () => {
  const page = { content_block_status: 'published' };
  test.each<[what: string, fields: object, expected: boolean]>([
    ['that is live, with a published page', {}, true],
    ['that is a draft', { status: 'draft' }, false],
    ['that has no status', { status: null }, false],
    ['that is archived', { is_archived: true }, false],
    ['that is muted', { is_muted: true }, false],
    ['without a page', { template_pages: [] }, false],
    ['whose only page is a draft', { template_pages: [{ page: { content_block_status: 'draft' } }] }, false],
    ['of which one page is published', { template_pages: [{ page: { is_live: false } }, { page }] }, true],
    ['without groups', { targeting_groups: [] }, false],
  ])('%s: %s', (_what, fields, expected) => {
    const [template] = templatesOf(campaign('A', { ...groupOf(isChecking), ...fields }));
    expect(isTargeting(template!)).toBe(expected);
  });
});

test('an explanation has the value of each condition for each account, what was left out, and since when', () => {
  const hasNo = { has_no_account: [{ field: 'account.balance', operator: 'greater_than', value: 100 }] };
  const [template] = templatesOf(
    campaign('A', {
      targeting_groups: [
        { name: 'Checking', conditions: [isChecking, isOfPrague] },
        { logical_operator: 'OR', conditions: [hasNo] },
      ],
    }),
  );
  const rich = accountWith('2', { type: 'loan', storedAt: earlier, fields: { balance: '100.01' } });
  const gone = accountWith('3', { fields: { closed_date: '2026-01-01' } });
  const person = personWith({ city: 'Brno' }, { accounts: [accountWith('1'), rich, gone] });
  const { subjects, closed, isOfAccounts } = explain(ruleOf(template!), person, noon);
  expect([isOfAccounts, closed]).toEqual([true, [gone]]);
  expect(subjects.map(({ account, holds, isSince }) => [account?.id, holds, isSince])).toEqual([
    ['1', false, true],
    ['2', false, false],
  ]);
  expect(subjects[0]!.groups).toEqual([
    {
      name: 'Checking',
      logical_operator: 'AND',
      holds: false,
      conditions: [
        { holds: true, condition: isChecking, found: 'checking' },
        { holds: false, condition: isOfPrague, found: 'Brno' },
      ],
    },
    {
      name: null,
      logical_operator: 'OR',
      holds: false,
      conditions: [{ holds: false, condition: hasNo, accounts: [rich] }],
    },
  ]);
});

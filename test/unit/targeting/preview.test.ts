import { beforeEach, describe, expect, test } from 'vitest';
import { explainPerson } from '../../../bin/admin/operations/targeting/explain.ts';
import { previewRule } from '../../../bin/admin/operations/targeting/preview.ts';
import { explanationText, previewText } from '../../../bin/admin/targeting/texts.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { loadTeamRules } from '../../../lib/operations/targeting/team-rules.ts';
import { revisionOf } from '../../../lib/store/targeting/revision.ts';
import { brakeWrite } from '../../../lib/store/targeting/rules.ts';
import { account } from '../../support/operations/person-world.ts';
import {
  otherId,
  TargetingWorld,
  template,
  welcomeId,
  whoseProductIs,
} from '../../support/operations/targeting-world.ts';

/** Contract, section 14, "Before and after". */

const welcome = (changes: object = {}) => template({ targeting_groups: whoseProductIs('checking'), ...changes });
const other = (changes: object = {}) => welcome({ id: otherId, name: 'Other', ...changes });

let world: TargetingWorld;
beforeEach(async () => {
  world = await TargetingWorld.open();
});

async function preview(name: string, options: { sample?: number } = {}) {
  const service = world.service();
  const { content, rules } = await loadTeamRules(service, world.teamId);
  const chosen = content.templates.find((each) => each.name === name)!;
  const live = rules.find((rule) => rule.template.id === chosen.id);
  const context = { now: world.clock, timeZone: 'UTC', content };
  const progress: number[] = [];
  const given = { live, revision: revisionOf(chosen), onProgress: (count: number) => progress.push(count), ...options };
  const found = await previewRule(service, world.teamId, { template: chosen, context }, given);
  expect(progress.at(-1)).toBe(found.looked_at.contacts);
  const { id: template_id, journey_creation_strategy: strategy } = chosen;
  return { ...found, text: previewText({ ...found, name, template_id, strategy: strategy ?? '', sample: null }) };
}

const outcomeFor = async (unique_id: string, name = 'Welcome') => {
  const explanation = await explainPerson(world.service(), world.teamId, unique_id);
  const { outcome } = explanation.templates.find((each) => each.template.name === name)!;
  return { outcome, text: explanationText(explanation) };
};

describe('a preview', () => {
  test('counts those that have the journey, those of the last 30 days, and those who are there, for each strategy', async () => {
    await world.contact('old');
    await world.accounts(account('1', 'old'), account('2', 'old'), account('3', 'old', { closed_date: '2026-01-01' }));
    world.clock += 40 * 86_400_000;
    await world.import(welcome(), other({ journey_creation_strategy: 'ONE_FOR_ONE' }));
    await world.contact('new');
    await world.accounts(account('4', 'new'), account('5', 'new'));
    await world.contact('none');
    const looked_at = { contacts: 3, accounts: 5 };
    const holds = { contacts: 2, accounts: 4 };
    expect(await preview('Welcome')).toMatchObject({
      ...{ looked_at, holds, have_already: 0 },
      would_start: { from_now_on: 1, if_live_for_30_days: 1, with_those_there: 2 },
      failed: [{ condition: 'has an open account', contacts: 1 }],
    });
    await world.settle();
    expect(await preview('Welcome')).toMatchObject({
      ...{ looked_at, holds, have_already: 1 },
      would_start: { from_now_on: 0, if_live_for_30_days: 0, with_those_there: 1 },
      examples: [{ unique_id: 'old' }],
    });
    expect(await preview('Other')).toMatchObject({
      ...{ looked_at, holds, have_already: 1 },
      would_start: { from_now_on: 0, with_those_there: 2 },
    });
    expect((await world.journeys('new')).length).toBe(3);
  });

  test('starts nothing, and writes nothing', async () => {
    await world.contact('ann');
    await world.accounts(account('1', 'ann'));
    await world.import(welcome({ status: 'draft', journey_creation_strategy: 'NO_JOURNEY' }));
    const before = JSON.stringify([...world.database.items]);
    const { would_start, text } = await preview('Welcome');
    expect(would_start).toEqual({ from_now_on: 0, if_live_for_30_days: 1, with_those_there: 1 });
    expect(text).toContain('Nothing was noted.');
    expect(text).toMatch(/With those who are there +1 note, /);
    await outcomeFor('ann');
    expect(JSON.stringify([...world.database.items])).toBe(before);
  });

  test('names the condition at which each failed, of the account that came furthest, and all of a group of alternatives', async () => {
    const at = (operator: string, value: unknown, field = 'account.balance') => ({ field, operator, value });
    const isChecking = at('equals', 'checking', 'product.type');
    await world.import(
      welcome({ targeting_groups: [{ conditions: [isChecking, at('at_least', 10), at('at_least', 20)] }] }),
      other({ targeting_groups: [{ logical_operator: 'OR', conditions: [at('at_least', 100), at('less_than', 0)] }] }),
    );
    for (const [index, balances] of [[5], [15, 5], [25], [1, 2]].entries()) {
      await world.contact(`c${index}`);
      await world.accounts(...balances.map((balance, n) => account(`${index}${n}`, `c${index}`, { balance })));
    }
    expect((await preview('Welcome')).failed).toEqual([
      { group: 0, condition: 'account.balance at_least 10', contacts: 2 },
      { group: 0, condition: 'account.balance at_least 20', contacts: 1 },
    ]);
    expect((await preview('Other')).failed).toEqual([
      { group: 0, condition: 'account.balance less_than 0', contacts: 4 },
    ]);
  });

  test('counts who is held back', async () => {
    await world.import(welcome({ is_targeting_priority: true, journey_duration_hours: 720 }), other());
    await world.contact('ann');
    await world.accounts(account('1', 'ann'));
    await world.settle();
    const held = await preview('Other');
    expect(held).toMatchObject({ held_back: { priority: 1 }, have_already: 0, would_start: { with_those_there: 0 } });
    expect(held.text).toMatch(/^Held back by priority +1$/m);
  });

  test('of a sample looks at the newest contacts', async () => {
    await world.import(welcome());
    for (const unique_id of ['a', 'b', 'c']) {
      await world.contact(unique_id);
      await world.accounts(account(unique_id, unique_id));
    }
    const { looked_at, examples } = await preview('Welcome', { sample: 2 });
    expect(looked_at).toEqual({ contacts: 2, accounts: 2 });
    expect(examples.map(({ unique_id }) => unique_id)).toEqual(['c', 'b']);
  });
});

describe('an explanation tells what came of a rule', () => {
  beforeEach(async () => {
    await world.contact('old');
    await world.accounts(account('1', 'old'));
    await world.import(welcome());
    await world.contact('new');
    await world.accounts(account('2', 'new'));
  });

  test('the journey is about to start, and then there, with its account and by this rule', async () => {
    expect((await outcomeFor('new')).outcome).toEqual({ kind: 'starts' });
    await world.settle();
    const { outcome, text } = await outcomeFor('new');
    expect(outcome).toMatchObject({
      kind: 'has_journey',
      journeys: [{ source: 'automatic-targeting', state: 'open' }],
    });
    expect(text).toMatch(
      /Has a journey about account 2, started 2026-03-02T12:\d\dZ by the rule of the campaign, open\./,
    );
    await world.import(welcome({ targeting_groups: whoseProductIs('checking', 'savings') }));
    expect((await outcomeFor('new')).text).toContain('by an earlier form of the rule, open.');
  });

  test('it was stored before', async () => {
    const { outcome, text } = await outcomeFor('old');
    expect(outcome).toEqual({ kind: 'stored_before' });
    expect(text).toContain('the account was stored before the rule went live in this form');
  });

  test.each([
    ['it is muted', { is_muted: true }],
    ['it is a draft', { status: 'draft' }],
    ['it is archived', { is_archived: true }],
    ['its `status` is not `live`', { status: null }],
    ['no page is published', { template_pages: [] }],
  ])('the campaign is not live, because %s', async (because, changes) => {
    await world.import(welcome(changes));
    expect((await outcomeFor('new')).outcome).toEqual({ kind: 'not_live', because });
  });

  test('a campaign with priority holds it back', async () => {
    await world.import(welcome({ is_targeting_priority: true, journey_duration_hours: 720 }), other());
    await world.contact('ann');
    await world.accounts(account('3', 'ann'));
    await world.settle();
    const { outcome, text } = await outcomeFor('ann', 'Other');
    expect(outcome).toEqual({ kind: 'held_back', reason: 'priority', by: welcomeId });
    expect(text).toContain('the contact is in the campaign "Welcome", which has priority');
  });

  test('the brake holds it back', async () => {
    const { stored } = await loadTeamRules(world.service(), world.teamId);
    const rule = stored.get(welcomeId)!;
    const brake = { ...rule.brake, stopped_at: timestamp(world.clock) };
    await world.database.write([brakeWrite(world.teamId, { ...rule, brake }, rule)]);
    const { outcome, text } = await outcomeFor('new');
    expect(outcome).toEqual({ kind: 'held_back', reason: 'brake' });
    expect(text).toContain('targeting resume lets it go on');
  });

  test('it was noted', async () => {
    await world.import(welcome({ journey_creation_strategy: 'NO_JOURNEY' }));
    await world.contact('ann');
    await world.accounts(account('3', 'ann'));
    await world.settle();
    const { outcome, text } = await outcomeFor('ann');
    expect(outcome).toEqual({ kind: 'noted', account_ids: [expect.any(String)] });
    expect(text).toContain('Noted as targeted.');
  });

  test('a closed account is left out', async () => {
    await world.contact('ann');
    await world.accounts(account('3', 'ann', { closed_date: '2026-01-01' }));
    const { outcome, text } = await outcomeFor('ann');
    expect(outcome).toEqual({ kind: 'does_not_hold' });
    expect(text).toContain('Account 3 (checking): left out, because it is closed');
  });
});

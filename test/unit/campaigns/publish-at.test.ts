import { beforeEach, describe, expect, test } from 'vitest';
import { approveContent, proposeContent, withdrawContent } from '../../../bin/admin/operations/campaigns/approval.ts';
import { createTeam, updateTeam } from '../../../bin/admin/operations/teams/teams.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { moveDue } from '../../../lib/operations/events/move-due.ts';
import { workCompletions } from '../../../lib/operations/events/work-completions.ts';
import { importContent } from '../../../lib/operations/publishing/import-content.ts';
import { publishWaiting } from '../../../lib/operations/publishing/publish-waiting.ts';
import { auditEntries } from '../../../lib/store/access/audit.ts';
import { loadStoredContent } from '../../../lib/store/campaigns/content.ts';
import { loadPending, type PublishedRevision, publishedRevisions } from '../../../lib/store/campaigns/revisions.ts';
import { bound, type Database, StoreUnavailable } from '../../../lib/store/table/database.ts';
import { completionWorkPartition, duePartition } from '../../../lib/store/table/keys.ts';
import { loadTargeting } from '../../../lib/store/targeting/rules.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { serviceOn } from '../../support/operations/operations.ts';

/** What waits for its time is published then, once, wherever the worker is killed. */

const minute = 60_000;
let database: ModelDatabase;
let team: string;
let clock: number;
let at: number;
let refusals: string[];

const on = (to: Database = database) => {
  const now = () => clock;
  const service = { ...serviceOn(to, { now, pause: async () => {} }), fits: () => true };
  const onRefused = (_: unknown, revision: string) => refusals.push(revision);
  return {
    ...{ ...service, onContactFailure: () => {} },
    publish: (teamId: string, revision: string) => publishWaiting({ ...service, onRefused }, teamId, revision),
  };
};
const rule = { targeting_groups: [{ conditions: [{ field: 'contact.email', operator: 'is_set' }] }] };
const document = (name: string, more: object = {}) =>
  ({
    templates: [
      {
        ...{ id: '00000000-0000-4000-8000-000000000001', name, status: 'live' },
        ...{ template_pages: [{ page: { content_name: 'First' } }], ...rule },
      },
    ],
    ...more,
  }) as JsonValue;
const act = { who: 'me', what: 'import' } as const;
const propose = (value = document('Second'), to: Database = database) =>
  proposeContent(on(to), team, value, { act, publishAt: timestamp(at) });
const work = (to: Database = database) => workCompletions(on(to), team, () => true);

/** The sweeper and the worker run until the time. */
async function pass(until: number): Promise<void> {
  while (clock < until) {
    clock = Math.min(until, clock + minute);
    await moveDue(on(), team);
    await work();
  }
}

const stored = async () => {
  const entries: PublishedRevision[] = [];
  for await (const each of publishedRevisions(database, team)) entries.push(each);
  const { document: content, revision } = await loadStoredContent(database, team);
  return {
    name: content.templates[0]?.name,
    isCurrent: entries[0]?.revision === revision,
    entries: entries.map(({ who, publish_at }) => [who, publish_at]),
    pending: await loadPending(database, team),
    rules: (await loadTargeting(database, team)).rules.filter(({ live }) => live).length,
  };
};
const acts = async () => {
  const found: unknown[] = [];
  for await (const { what, who, outcome } of auditEntries(database, [team], {}, timestamp(clock)))
    found.push([what, who, outcome]);
  return found;
};
/** Entries of what is due, and the work in the lane, but for walks over journeys. */
const waiting = () =>
  [...database.items.values()].filter(
    ({ pk, sk }) =>
      (pk === duePartition(team) && sk.includes('#PUBLISH#')) ||
      (pk === completionWorkPartition(team) && sk.startsWith('CAMPAIGNS#')),
  );

async function begin(): Promise<void> {
  database = new ModelDatabase();
  clock = Date.parse('2027-01-31T07:00:00.000Z');
  at = clock + 3 * 60 * minute;
  refusals = [];
  team = (await createTeam(on(), { name: 'Bank', features: [] })).team_id;
  await importContent(on(), team, document('First'));
}
beforeEach(begin);

const published = () => ({
  ...{ name: 'Second', isCurrent: true, pending: undefined, rules: 1 },
  entries: [
    ['me', timestamp(at)],
    [null, undefined],
  ],
});

test('a document is published within a minute of its time, in the name of the person, and not before', async () => {
  const { pending } = await propose();
  await pass(at - 1);
  expect(await stored()).toMatchObject({ name: 'First', pending: { revision: pending!.revision } });
  await pass(at + minute);
  expect(await stored()).toEqual(published());
  expect(await acts()).toEqual([
    ['content publish', 'me', 'done'],
    ['content publish', 'me', 'begun'],
  ]);
  expect([waiting(), refusals]).toEqual([[], []]);
});

test('a document that is withdrawn is not published, and another one can wait', async () => {
  const { pending } = await propose();
  await withdrawContent(on(), team, pending!.revision);
  await propose(document('Third'));
  await pass(at + minute);
  expect(await stored()).toMatchObject({ name: 'Third', pending: undefined });
  expect([waiting(), refusals]).toEqual([[], []]);
});

class Killed extends Error {}

/** The function stops before or after this write of it, counted from 0. */
function killedAt(place: number, isAfter: boolean): Database {
  let count = 0;
  const inner: Database = database;
  const counted = async <Result>(write: () => Promise<Result>): Promise<Result> => {
    const isHere = count === place;
    count++;
    // Nothing of a killed function goes on.
    if (count > place + 1 || (isHere && !isAfter)) throw new StoreUnavailable('killed', { cause: new Killed() });
    const result = await write();
    if (isHere) throw new StoreUnavailable('killed', { cause: new Killed() });
    return result;
  };
  return {
    ...bound(inner),
    write: (...args) => counted(() => inner.write(...args)),
    transact: (...args) => counted(() => inner.transact(...args)),
  };
}

describe.each([false, true])('killed at any write (after it: %s)', (isAfter) => {
  test('a publication is done by the next worker, once', async () => {
    let place = 0;
    for (let isKilled = true; isKilled; place++) {
      await begin();
      await propose();
      clock = at + 1;
      await moveDue(on(), team);
      isKilled = await work(killedAt(place, isAfter)).then(
        () => false,
        (error) => {
          expect(error.cause).toBeInstanceOf(Killed);
          return true;
        },
      );
      expect(['First', 'Second']).toContain((await stored()).name);
      await work();
      await work();
      expect(await stored()).toEqual(published());
      expect([waiting(), refusals]).toEqual([[], []]);
    }
    expect(place).toBeGreaterThan(5);
  });

  test('a proposal waits with its time, or not at all', async () => {
    for (const place of [0, 1]) {
      await begin();
      await expect(propose(document('Second'), killedAt(place, isAfter))).rejects.toThrow('killed');
      const isWaiting = (await stored()).pending !== undefined;
      expect(waiting()).toHaveLength(isWaiting ? 1 : 0);
      if (!isWaiting) await propose();
      await pass(at + minute);
      expect(await stored()).toEqual(published());
    }
  });
});

test('two workers at once publish once', async () => {
  await propose();
  clock = at + 1;
  await moveDue(on(), team);
  await Promise.all([work(), work()]);
  expect(await stored()).toEqual(published());
  expect(refusals).toEqual([]);
});

describe('a document that is refused at its time', () => {
  const sender = 'hello@bank.example';
  const template_messages = [{ send_offset_hours: 1, message: { type: 'email', content_name: 'Hello' } }];
  const withSender = () => {
    const [template] = (document('Second') as { templates: object[] }).templates;
    return { templates: [{ ...template, email_sender_address: sender, template_messages }] } as JsonValue;
  };
  beforeEach(async () => {
    await updateTeam(on(), team, { senders: ['@bank.example'] });
    await propose(withSender());
    await updateTeam(on(), team, { senders: ['@other.example'] });
    await pass(at + minute);
  });

  test('waits with the reason, is not tried again, and is reported once', async () => {
    const { pending, name } = await stored();
    expect([name, pending?.refused]).toEqual([
      'First',
      {
        ...{ at: expect.any(String), error: 'validation_failed' },
        details: [{ path: '/templates/0/email_sender_address', message: expect.stringContaining('sender') }],
      },
    ]);
    expect(refusals).toEqual([pending!.revision]);
    expect(await acts()).toContainEqual(['content publish', 'me', 'validation_failed']);
    await pass(at + 20 * minute);
    expect([refusals.length, waiting()]).toEqual([1, []]);
  });

  test('can be withdrawn, or published by the approval of another person when the reason is gone', async () => {
    const { revision } = (await stored()).pending!;
    const approve = () => approveContent(on(), team, { revision, who: 'other' });
    await expect(approve()).rejects.toMatchObject({ code: 'validation_failed' });
    await updateTeam(on(), team, { senders: ['@bank.example'] });
    await approve();
    expect(await stored()).toMatchObject({ name: 'Second', pending: undefined });
  });
});

test('a worker that is stopped again and again leaves the revision, so that the lane goes on', async () => {
  const { pending } = await propose();
  clock = at + 1;
  await moveDue(on(), team);
  for (let run = 0; run < 5; run++) await expect(work(killedAt(2, false))).rejects.toThrow('killed');
  await work();
  expect(refusals).toEqual([pending!.revision]);
  expect((await stored()).pending?.refused?.details).toEqual([
    { path: '', message: 'was stopped 5 times before its end' },
  ]);
  expect(waiting()).toEqual([]);
});

test('an outage uses up no attempt', async () => {
  await propose();
  clock = at + 1;
  await moveDue(on(), team);
  const away = { ...bound(database), transact: () => Promise.reject(new StoreUnavailable('away')) };
  for (let run = 0; run < 20; run++) await expect(work(away)).rejects.toThrow('away');
  await work();
  expect(await stored()).toEqual(published());
});

test('a defect of the code leaves the revision with the reason', async () => {
  const { pending } = await propose();
  clock = at + 1;
  await moveDue(on(), team);
  const defective: Database = {
    ...bound(database),
    transact: async (writes) => {
      if (writes.length > 1) throw new TypeError('a name of somebody');
      return database.transact(writes);
    },
  };
  await work(defective);
  const { refused } = (await stored()).pending!;
  expect(refused).toMatchObject({
    error: 'internal_error',
    details: [{ path: '', message: 'TypeError, see the log' }],
  });
  expect(refusals).toEqual([pending!.revision]);
});

describe('with the approval of another person', () => {
  beforeEach(() => updateTeam(on(), team, { content_approval: true }));
  const approve = (revision: string, who = 'other') => approveContent(on(), team, { revision, who });

  test('it is published at its time, not before', async () => {
    const { revision } = (await propose()).pending!;
    await expect(approve(revision, 'me')).rejects.toMatchObject({ code: 'forbidden' });
    expect(await approve(revision)).toMatchObject({ waitsUntil: timestamp(at) });
    await pass(at - 1);
    expect((await stored()).name).toBe('First');
    await pass(at + minute);
    expect(await stored()).toEqual(published());
    for await (const entry of publishedRevisions(database, team)) {
      expect(entry.approved_by).toBe('other');
      break;
    }
  });

  test('that comes too late, it is published at once', async () => {
    const { revision } = (await propose()).pending!;
    await pass(at + 5 * minute);
    expect(await stored()).toMatchObject({ name: 'First', pending: { revision } });
    expect(refusals).toEqual([]);
    await approve(revision);
    expect(await stored()).toEqual(published());
  });

  test('that comes just when the time does, it is published too', async () => {
    const { revision } = (await propose()).pending!;
    const early = { ...on(), now: () => at - 1 };
    clock = at + 1;
    await moveDue(on(), team);
    await work();
    expect(waiting()).toEqual([]);
    await approveContent(early, team, { revision, who: 'other' });
    await pass(at + minute);
    expect(await stored()).toEqual(published());
  });
});

test('a new lookup field cannot wait, because only an import fills its index', async () => {
  const channel = { name: 'Home', lookup_fields: ['meta_private[core_id]'] };
  const withChannel = (more: object = {}) => document('Second', { engagement_channels: [{ ...channel, ...more }] });
  await expect(propose(withChannel())).rejects.toMatchObject({
    ...{ code: 'validation_failed', details: [{ path: '/engagement_channels' }] },
    details: [{ message: expect.stringContaining('meta_private[core_id]') }],
  });
  await importContent(on(), team, { engagement_channels: [channel] } as JsonValue);
  await propose(withChannel({ show_navigation: true }));
  await pass(at + minute);
  expect(await stored()).toMatchObject({ name: 'Second', pending: undefined });
});

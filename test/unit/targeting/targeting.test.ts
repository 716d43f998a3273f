import { beforeEach, describe, expect, test } from 'vitest';
import { includeExisting } from '../../../bin/admin/operations/targeting/existing.ts';
import { resumeTargeting } from '../../../bin/admin/operations/targeting/resume.ts';
import { journeysToUndo, undoJourneys } from '../../../bin/admin/operations/targeting/undo.ts';
import { updateTeam } from '../../../bin/admin/operations/teams/teams.ts';
import { erasePerson } from '../../../lib/operations/erasure/erase.ts';
import { askForWalk } from '../../../lib/operations/targeting/ask-for-walk.ts';
import { workMarks } from '../../../lib/operations/targeting/work-marks.ts';
import { workWalks } from '../../../lib/operations/targeting/work-walks.ts';
import { bound, StoreUnavailable, type Write } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { targetingPartition } from '../../../lib/store/table/keys.ts';
import { account, justBefore, mapping } from '../../support/operations/person-world.ts';
import {
  otherId,
  TargetingWorld,
  template,
  welcomeId,
  whoseProductIs,
} from '../../support/operations/targeting-world.ts';

/** Contract, section 14: what starts by itself, from the write of a fact to the journey. */

const welcome = (changes: object = {}) => template({ targeting_groups: whoseProductIs('checking'), ...changes });
const whoseEmailIs = (value: string) => [{ conditions: [{ field: 'contact.email', operator: 'equals', value }] }];
const closed = { closed_date: '2026-03-01' };

let world: TargetingWorld;
beforeEach(async () => {
  world = await TargetingWorld.open();
});

const countOf = async (...people: string[]) =>
  (await Promise.all(people.map((each) => world.journeys(each)))).map(({ length }) => length);

describe('a live rule', () => {
  test('starts the journey of a contact whose account is opened, about this account, and a repeat starts none', async () => {
    await world.import(welcome());
    await world.contact('ann');
    await world.accounts(account('1', 'ann'));
    await world.settle();
    const [journey, ...others] = await world.journeys('ann');
    expect(others).toEqual([]);
    const revision = expect.any(String);
    expect(journey).toMatchObject({ template_id: welcomeId, source: 'automatic-targeting', rule: { revision } });
    expect(journey?.account_id).toEqual(expect.any(String));
    await world.accounts(account('1', 'ann', { balance: 5 }), account('2', 'ann'));
    await world.settle();
    expect(await countOf('ann')).toEqual([1]);
    expect([world.marks(), world.failures]).toEqual([[], []]);
    expect(await world.events('journey.created')).toHaveLength(1);
  });

  test('costs a team without rules nothing when events are published, and holds from the first change after it', async () => {
    const read: string[] = [];
    const { database } = world;
    const query = database.query.bind(database);
    database.query = (input) => {
      read.push(input.pk);
      return query(input);
    };
    const rules = targetingPartition(world.teamId);
    await world.contact('ann');
    await world.contact('ann', { name_first: 'Ann' });
    await world.publish();
    expect(await world.events('contact.created', 'contact.updated')).toHaveLength(2);
    expect(read).not.toContain(rules);
    await world.import(welcome({ targeting_groups: whoseEmailIs('bob@example.com') }));
    await world.contact('bob', { email: 'bob@example.com' });
    read.length = 0;
    await world.settle();
    expect(read).toContain(rules);
    expect(await countOf('ann', 'bob')).toEqual([0, 1]);
  });

  test('waits for whatever comes last: contact, link or account', async () => {
    await world.import(welcome());
    await world.accounts(account('1', 'ann'), mapping('2', 'bob'), mapping('3', 'cid'));
    await world.contact('bob');
    await world.settle();
    expect(await countOf('ann', 'bob', 'cid')).toEqual([0, 0, 0]);
    await world.contact('ann');
    await world.contact('cid');
    await world.accounts({ account_number: '2', product: { code: 'CHK', type: 'checking' } });
    await world.settle();
    expect(await countOf('ann', 'bob', 'cid')).toEqual([1, 1, 0]);
  });

  test('starts nothing for whom was there before it went live, was unmuted or changed, even later', async () => {
    await world.contact('before');
    await world.accounts(account('1', 'before'));
    await world.import(welcome());
    await world.accounts(account('1', 'before', { balance: 5 }));
    await world.import(welcome({ is_muted: true }));
    await world.contact('muted');
    await world.accounts(account('2', 'muted'));
    await world.settle();
    await world.import(welcome());
    await world.contact('muted', { name_first: 'Ann' });
    await world.settle();
    await world.import(welcome({ targeting_groups: whoseProductIs('checking', 'savings') }));
    await world.contact('before', { name_first: 'Bea' });
    await world.settle();
    expect(await countOf('before', 'muted')).toEqual([0, 0]);
  });

  test('begins to hold at any later time for what was stored since', async () => {
    const field = 'account.balance';
    await world.import(template({ targeting_groups: [{ conditions: [{ field, operator: 'at_least', value: 100 }] }] }));
    await world.contact('ann');
    await world.accounts(account('1', 'ann', { balance: 99 }));
    await world.settle();
    expect(await countOf('ann')).toEqual([0]);
    await world.accounts(account('1', 'ann', { balance: 100 }));
    await world.settle();
    expect(await countOf('ann')).toEqual([1]);
  });

  test('is judged for every holder of an account that changes, however many there are', async () => {
    const field = 'account.balance';
    await world.import(template({ targeting_groups: [{ conditions: [{ field, operator: 'at_least', value: 100 }] }] }));
    const holders = Array.from({ length: 260 }, (_, n) => `holder-${n}`);
    for (const each of holders) await world.contact(each);
    await world.accounts(account('1', 'holder-0'), ...holders.slice(1).map((each) => mapping('1', each)));
    await world.settle();
    await world.accounts(account('1', 'holder-0', { balance: 100 }));
    await world.settle();
    expect(new Set(await countOf(...holders))).toEqual(new Set([1]));
  });

  test('is judged again when a journey of a priority template ends, and when a journey that it names changes', async () => {
    const first = { ...{ name: 'First', is_targeting_priority: true, journey_duration_hours: 24 } };
    const second = {
      ...{ id: otherId, name: 'Second' },
      targeting_groups: [{ conditions: [{ field: `journey.${welcomeId}`, operator: 'exists' }] }],
    };
    await world.import(welcome(first), template(second));
    await world.contact('ann');
    await world.accounts(account('1', 'ann'));
    await world.settle();
    expect((await world.journeys('ann')).map(({ template_id }) => template_id)).toEqual([welcomeId]);
  });

  test('notes a contact without a journey once for each account that holds', async () => {
    await world.import(welcome({ journey_creation_strategy: 'NO_JOURNEY' }));
    await world.contact('ann');
    await world.accounts(account('1', 'ann'), account('2', 'ann'), account('3', 'ann', closed));
    await world.settle();
    await world.contact('ann', { name_first: 'Ann' });
    await world.settle();
    expect(await world.events('contact.targeted')).toHaveLength(2);
    expect(await countOf('ann')).toEqual([0]);
  });

  test('marks nobody for what no rule names', async () => {
    await world.import(welcome());
    await world.contact('ann');
    await world.accounts(account('1', 'ann'));
    await world.settle();
    await world.contact('ann', { name_first: 'Ann' });
    await world.accounts(account('1', 'ann', { balance: 7 }));
    await world.publish();
    expect(world.marks()).toEqual([]);
  });
});

test('a team without live rules has no marks', async () => {
  await world.import(welcome({ status: 'draft' }));
  await world.contact('ann');
  await world.accounts(account('1', 'ann'));
  await world.publish();
  expect(world.marks()).toEqual([]);
});

test('several changes of a contact are one mark, which keeps the first time and gets another token', async () => {
  await world.import(welcome());
  await world.contact('ann');
  await world.publish();
  const [before] = world.marks();
  await world.accounts(account('1', 'ann'), account('2', 'ann'));
  await world.publish();
  const [after, ...others] = world.marks();
  expect(others).toEqual([]);
  expect([after?.at, after?.token === before?.token]).toEqual([before?.at, false]);
});

describe('the brake', () => {
  const people = Array.from({ length: 9 }, (_, n) => `p${n}`);
  const openAccounts = async (...of: string[]) => {
    for (const each of of) await world.contact(each);
    await world.accounts(...of.map((each) => account(`of-${each}`, each)));
    await world.settle();
  };
  const started = async () => (await countOf(...people, 'late')).filter((count) => count === 1).length;
  const isStopped = async () => (await world.sweep()).targeting_stopped === 1;

  beforeEach(async () => {
    await updateTeam(world.service(), world.teamId, { max_starts_a_day: 4 });
    await world.import(welcome());
  });

  test('stops after the starts of a day until it is resumed, which goes on with those who wait', async () => {
    await openAccounts(...people);
    expect([await started(), await isStopped()]).toEqual([4, true]);
    world.clock += 24 * 3_600_000;
    await openAccounts('late');
    expect(await started()).toBe(4);
    await resumeTargeting(world.service(), world.teamId, welcomeId, 2);
    await world.settle();
    expect([await started(), await isStopped()]).toEqual([6, true]);
    await resumeTargeting(world.service(), world.teamId, welcomeId, 100);
    await world.settle();
    expect([await started(), await isStopped()]).toEqual([10, false]);
    expect(heldItems()).toEqual([]);
  });

  test('that is resumed just before somebody is held back goes on with them', async () => {
    for (const each of people) await world.contact(each);
    await world.accounts(...people.map((each) => account(`of-${each}`, each)));
    const crossing = justBefore(
      world.database,
      (write) => write.kind === 'insert' && write.item.sk.startsWith('HELD#'),
      async () => {
        await resumeTargeting(world.service(), world.teamId, welcomeId, 100);
        await workWalks(world.service(), world.teamId, () => true);
      },
    );
    await world.settle(crossing);
    await world.settle();
    expect([await started(), heldItems()]).toEqual([9, []]);
  });

  const heldItems = () => world.items(({ sk }) => sk.startsWith('HELD#'));
  const isHeld = (person: string) =>
    heldItems().some(({ sk }) => sk === `HELD#${derivedContactId(world.teamId, person)}`);

  test('holds back nobody who is erased, also while the campaign is muted', async () => {
    await openAccounts(...people);
    await world.import(welcome({ is_muted: true }));
    const person = people.find(isHeld)!;
    await erase(person);
    expect([isHeld(person), heldItems().length]).toEqual([false, 4]);
  });

  test('holds back nobody who is erased just before it is noted', async () => {
    for (const each of people) await world.contact(each);
    await world.accounts(...people.map((each) => account(`of-${each}`, each)));
    const erased: string[] = [];
    const crossing = justBefore(
      world.database,
      (write) => write.kind === 'insert' && write.item.sk.startsWith('HELD#'),
      async () => {
        const started = await Promise.all(people.map(async (each) => (await world.journeys(each)).length));
        erased.push(people[started.lastIndexOf(0)]!);
        await erase(erased[0]!);
      },
    );
    await world.settle(crossing);
    expect([erased.length, erased.some(isHeld), heldItems().length]).toEqual([1, false, 4]);
  });

  test('lets lanes start at the same time, and one of their transactions hinders no other while enough is left', async () => {
    await updateTeam(world.service(), world.teamId, { max_starts_a_day: 9 });
    await openAccounts('first');
    for (const each of people) await world.contact(each);
    await world.accounts(...people.map((each) => account(`of-${each}`, each)));
    await world.publish();
    let lost = 0;
    const { transact } = bound(world.database);
    const database = {
      ...bound(world.database),
      transact: async (writes: readonly Write[]) => {
        // The others have read the brake by now.
        await new Promise((resolve) => setTimeout(resolve, 5));
        const isWritten = await transact(writes);
        if (!isWritten) lost += 1;
        return isWritten;
      },
    };
    const lanes = Array.from({ length: 8 }, (_, lane) =>
      workMarks(world.service(database), world.teamId, lane, () => true),
    );
    await Promise.all(lanes);
    // The last one of all reaches the limit, and is held back.
    expect([await started(), heldItems().length]).toEqual([8, 1]);
    expect(lost).toBeLessThanOrEqual(2);
  });

  test('counts the days of the team', async () => {
    await openAccounts(...people.slice(0, 4));
    world.clock += 24 * 3_600_000;
    await openAccounts(...people.slice(4, 8));
    expect([await started(), await isStopped()]).toEqual([8, false]);
  });
});

describe('a worker', () => {
  test('that is killed between any two writes leaves behind what another one completes, nothing twice', async () => {
    const died = new StoreUnavailable('killed');
    for (let writes = 0; ; writes++) {
      world = await TargetingWorld.open();
      await world.import(welcome({ journey_creation_strategy: 'ONE_FOR_ONE' }));
      await world.contact('ann');
      await world.contact('bob');
      await world.accounts(account('1', 'ann'), account('2', 'ann'), account('3', 'bob'));
      await world.publish();
      const isKilled = await world.settle(world.dyingAfter(writes, died)).then(
        () => false,
        (error) => error === died,
      );
      await world.settle();
      expect([writes, await countOf('ann', 'bob')]).toEqual([writes, [2, 1]]);
      expect(world.marks()).toEqual([]);
      if (!isKilled) break;
    }
  });

  test('passes over a contact whose stored data is invalid, and judges the others', async () => {
    await world.import(welcome());
    await world.contact('ann');
    await world.contact('bob');
    await world.accounts(account('1', 'ann'), account('2', 'bob'));
    await world.publish();
    const [damaged] = world.items(({ sk, unique_id }) => sk === 'CONTACT' && unique_id === 'ann');
    world.database.damage(damaged!, { data: '{' });
    await world.settle();
    expect(await countOf('bob')).toEqual([1]);
    expect(world.failures).toHaveLength(1);
    expect(world.marks()).toEqual([]);
  });
});

describe('reaching back', () => {
  const include = (upTo: number, from = '') =>
    includeExisting({ ...world.service(), onProgress: () => {} }, world.teamId, { templateId: welcomeId, from, upTo });
  const people = Array.from({ length: 7 }, (_, n) => `p${n}`);

  beforeEach(async () => {
    await updateTeam(world.service(), world.teamId, { max_starts_a_day: 1 });
    for (const each of people) await world.contact(each);
    await world.accounts(...people.map((each) => account(`of-${each}`, each)));
    await world.import(welcome());
    await world.settle();
  });

  test('counts first, is refused above the number, and starts for those who were there, apart from the brake', async () => {
    await expect(include(6)).rejects.toMatchObject({ code: 'conflict' });
    await world.settle();
    expect(await countOf(...people)).toEqual(people.map(() => 0));
    expect(await include(7)).toBe(7);
    await world.settle();
    expect(await countOf(...people)).toEqual(people.map(() => 1));
    expect((await world.sweep()).targeting_stopped).toBe(0);
    expect(await include(7)).toBe(0);
  });

  test('stops at the number even if more people hold by then', async () => {
    expect(await include(7)).toBe(7);
    await world.contact('late');
    await world.accounts(account('of-late', 'late'));
    await world.settle();
    const counts = await countOf(...people, 'late');
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(8);
    expect((await world.sweep()).lanes).toEqual([]);
  });

  test('begins at a time', async () => {
    expect(await include(7, new Date(world.clock).toISOString())).toBe(0);
  });

  test('goes on after its worker was killed, and starts nothing twice', async () => {
    await include(7);
    for (let writes = 0; writes < 4; writes++) {
      await world.settle(world.dyingAfter(writes, new StoreUnavailable('killed'))).catch(() => {});
    }
    await world.settle();
    expect(await countOf(...people)).toEqual(people.map(() => 1));
  });
});

describe('everybody is judged', () => {
  test('once a day between two and six of the time zone of the team, and it finds what nothing has marked', async () => {
    await updateTeam(world.service(), world.teamId, { timezone: 'America/Chicago' });
    const rule = [{ conditions: [{ field: 'account.opened_date', operator: 'more_than_days_ago', value: 1 }] }];
    await world.import(template({ targeting_groups: rule }));
    await world.contact('ann');
    await world.accounts(account('1', 'ann', { opened_date: '2026-03-02' }));
    await world.settle();
    const walks = async (time: string) => {
      world.clock = Date.parse(time);
      await world.sweep();
      return world.items(({ pk }) => pk.endsWith('#WALKS')).length;
    };
    expect(await walks('2026-03-04T07:59:00Z')).toBe(0);
    expect(await walks('2026-03-04T08:01:00Z')).toBe(1);
    await world.settle();
    expect([await countOf('ann'), await walks('2026-03-04T09:00:00Z')]).toEqual([[1], 0]);
    expect(await walks('2026-03-05T08:00:00Z')).toBe(1);
  });

  test('instead of marks while very many wait, by a walk that begins later and reads what came in between', async () => {
    await world.import(welcome());
    await world.contact('ann');
    await askForWalk(world.service(), world.teamId, { kind: 'everybody' }, { isInsteadOfMarks: true });
    await world.accounts(account('1', 'ann'));
    await world.settle();
    expect([world.marks(), await countOf('ann')]).toEqual([[], [0]]);
    world.clock += 60_000;
    await world.contact('bob');
    await world.publish();
    expect(world.marks()).toHaveLength(1);
    world.clock += 60_000;
    await world.settle();
    expect(await countOf('ann')).toEqual([1]);
  });

  test('again after its end if it was asked for while it ran', async () => {
    await world.import(welcome());
    await world.contact('ann');
    await askForWalk(world.service(), world.teamId, { kind: 'everybody' });
    await workWalks(
      world.service(),
      world.teamId,
      (() => {
        let steps = 2;
        return () => steps-- > 0;
      })(),
    );
    await askForWalk(world.service(), world.teamId, { kind: 'everybody' });
    const [walk] = world.items(({ pk }) => pk.endsWith('#WALKS'));
    expect(JSON.parse(String(walk?.data))).toMatchObject({ again_at: expect.any(String) });
    await world.settle();
    expect(world.items(({ pk }) => pk.endsWith('#WALKS'))).toEqual([]);
  });
});

describe('taking back', () => {
  const undo = async (since: string) => {
    const service = { ...world.service(), onProgress: () => {} };
    const found = await journeysToUndo(service, world.teamId, { templateId: welcomeId, since });
    return undoJourneys(service, world.teamId, found);
  };
  const start = '2026-03-02T00:00:00.000000Z';

  test('is refused while the template is live, cancels what nobody has opened, and a later form reopens it', async () => {
    await world.import(welcome());
    for (const each of ['ann', 'bob']) await world.contact(each);
    await world.accounts(account('1', 'ann'), account('2', 'bob'));
    await world.settle();
    await expect(undo(start)).rejects.toMatchObject({ code: 'conflict' });
    const [opened] = await world.journeys('bob');
    await world.open(opened!);
    await world.import(welcome({ is_muted: true }));
    expect(await undo(new Date(world.clock + 1000).toISOString())).toBe(0);
    expect([await undo(start), await undo(start)]).toEqual([1, 0]);
    const [before] = await world.journeys('ann');
    expect(before?.cancelled_at).toEqual(expect.any(String));
    await world.settle();
    // The same form again opens nothing.
    await world.import(welcome());
    await world.contact('ann', { name_first: 'Ann' });
    await world.settle();
    expect((await world.journeys('ann'))[0]?.cancelled_at).toEqual(before?.cancelled_at);
    await world.import(welcome({ targeting_groups: whoseProductIs('checking', 'savings') }));
    await world.accounts(account('1', 'ann', closed));
    await world.accounts(account('1', 'ann', { closed_date: null }));
    await world.settle();
    const [after, ...others] = await world.journeys('ann');
    expect([after, others]).toMatchObject([{ id: before?.id, slug: before?.slug, cancelled_at: null }, []]);
    expect(await world.events('journey.reopened')).toHaveLength(1);
  });

  test('leaves a journey alone that somebody opens between the count and its cancelling', async () => {
    await world.import(welcome());
    for (const each of ['ann', 'bob', 'cid']) await world.contact(each);
    await world.accounts(account('1', 'ann'), account('2', 'bob'), account('3', 'cid'));
    await world.settle();
    await world.import(welcome({ is_muted: true }));
    const [ann, bob, cid] = (await Promise.all(['ann', 'bob', 'cid'].map((each) => world.journeys(each)))).flat();
    const service = { ...world.service(), onProgress: () => {} };
    const journeys = await journeysToUndo(service, world.teamId, { templateId: welcomeId, since: start });
    expect(journeys).toHaveLength(3);
    await world.open(ann!);
    const ends = (write: Write) => write.kind === 'update' && 'ended' in write.set && write.key.pk.includes(bob!.id);
    const database = justBefore(world.database, ends, () => world.open(bob!));
    expect(await undoJourneys({ ...service, database }, world.teamId, journeys)).toBe(1);
    const after = (await Promise.all(['ann', 'bob', 'cid'].map((each) => world.journeys(each)))).flat();
    expect(after.filter(({ cancelled_at }) => cancelled_at !== null).map(({ id }) => id)).toEqual([cid!.id]);
  });

  test.each([
    ['ONE_FOR_ONE', 'ONE_FOR_ALL'],
    ['ONE_FOR_ALL', 'ONE_FOR_ONE'],
  ])('reopens a journey that was started with the strategy %s, with %s', async (before, after) => {
    await world.import(welcome({ journey_creation_strategy: before }));
    await world.contact('ann');
    await world.accounts(account('1', 'ann'));
    await world.settle();
    const [started] = await world.journeys('ann');
    await world.import(welcome({ journey_creation_strategy: before, is_muted: true }));
    expect(await undo(start)).toBe(1);
    await world.import(welcome({ journey_creation_strategy: after }));
    await world.accounts(account('1', 'ann', closed));
    await world.accounts(account('1', 'ann', { closed_date: null }));
    await world.settle();
    expect(await world.journeys('ann')).toMatchObject([{ id: started?.id, cancelled_at: null }]);
    expect(await world.events('journey.reopened')).toHaveLength(1);
  });
});

const erase = (uniqueId: string) => {
  const files = { list: async function* () {} } as never;
  const rest = { files, erasures: { add: async () => {} }, wait: async () => {}, onProgress: () => {} };
  return erasePerson({ ...world.service(), ...rest }, world.teamId, uniqueId);
};

test('a contact with journeys of one template about several accounts can be erased', async () => {
  await world.import(welcome({ journey_creation_strategy: 'ONE_FOR_ONE' }));
  await world.contact('ann');
  await world.accounts(account('1', 'ann'), account('2', 'ann'));
  await world.settle();
  expect(await countOf('ann')).toEqual([2]);
  expect((await erase('ann')).counts.journeys).toBe(2);
});

test('a contact that was erased leaves nothing of targeting, and its note is not that of the next one', async () => {
  await world.import(welcome({ journey_creation_strategy: 'NO_JOURNEY' }));
  await world.contact('ann');
  await world.accounts(account('1', 'ann'));
  await world.settle();
  expect(world.items(({ sk }) => sk.startsWith('NOTED'))).toHaveLength(2);
  await erase('ann');
  expect(world.items(({ sk }) => sk.startsWith('NOTED'))).toEqual([]);
});

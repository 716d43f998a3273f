import { beforeEach, describe, expect, test } from 'vitest';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { moveDue } from '../../../lib/operations/events/move-due.ts';
import { workCompletions } from '../../../lib/operations/events/work-completions.ts';
import { importContent } from '../../../lib/operations/publishing/import-content.ts';
import { loadJourneys } from '../../../lib/store/journeys/journeys.ts';
import { bound, type Database, StoreUnavailable } from '../../../lib/store/table/database.ts';
import { completionWorkPartition, duePartition } from '../../../lib/store/table/keys.ts';
import { Random } from '../../laws/random.ts';
import { putContent } from '../../support/operations/content.ts';
import { idOf, team, templateId } from '../../support/operations/journey-operations.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { eventsOfAll, openStream, stream } from '../../support/operations/publishing.ts';
import { record } from '../../support/samples/contacts.ts';

const minute = 60_000;
const hour = 60 * minute;
let clock = 0;
const at = (database: Database = stream) => serviceOn(database, { now: () => clock, pause: async () => {} });
const content = (journey_duration_hours: number | null) => ({
  templates: [{ id: templateId, name: 'Welcome', journey_duration_hours }],
});
const start = (person: string) =>
  upsertContact(at(), team, record({ unique_id: person, journey: { template_id: templateId } }));
const journeyOf = async (person: string) => {
  const [found] = await loadJourneys(stream, team, [{ contactId: idOf(person), templateId }]);
  return found!;
};
/** Entries of what is due, and the work in the lane. */
const waiting = () =>
  [...stream.items.values()].filter(({ pk }) => pk === duePartition(team) || pk === completionWorkPartition(team));
const work = (database: Database = stream) => {
  const working = { ...at(database), onContactFailure: () => {} };
  return workCompletions(working, team, () => true);
};
/** The sweeper and the worker run until so many milliseconds have passed. */
async function pass(milliseconds: number, every = minute): Promise<void> {
  for (const end = clock + milliseconds; clock < end; ) {
    clock = Math.min(end, clock + every);
    await moveDue(at(), team);
    await work();
  }
}
const expired = async () => (await eventsOfAll()).filter(({ type }) => type === 'journey.expired');

beforeEach(async () => {
  await openStream();
  clock = Date.now();
});

describe('a journey expires though nobody looks', () => {
  test('within two minutes of its time, once, and as of its time', async () => {
    await putContent(stream, team, content(2));
    await start('p');
    const { journey } = await journeyOf('p');
    const expiry = Date.parse(journey.inserted_at) + 2 * hour;
    await pass(expiry - clock - 1);
    expect(await expired()).toEqual([]);
    await pass(2 * minute);
    const told = { type: 'journey.expired', at: timestamp(expiry), journey_id: journey.id, contact_id: idOf('p') };
    expect(await expired()).toMatchObject([{ ...told, template_id: templateId, team_id: team }]);
    expect((await journeyOf('p')).journey).toMatchObject({ expired_at: timestamp(expiry), cancelled_at: null });
    await pass(20 * minute);
    expect(await expired()).toHaveLength(1);
    expect(waiting()).toEqual([]);
  });

  test.each([0, -1, 0.01])('with a duration of %s hours', async (hours) => {
    await putContent(stream, team, content(hours));
    await start('p');
    await pass(3 * minute);
    expect(await expired()).toHaveLength(1);
  });

  test.each([1e12, null])('never, with a duration of %s hours', async (hours) => {
    await putContent(stream, team, content(hours));
    await start('p');
    expect(waiting().filter(({ sk }) => sk.includes('#JOURNEY#'))).toEqual([]);
  });

  test('also after the sweeper was away for months', async () => {
    await putContent(stream, team, content(2));
    for (const person of ['p', 'q']) await start(person);
    clock += 100 * 24 * hour;
    await start('r');
    await pass(minute);
    expect((await expired()).map(({ contact_id }) => contact_id).sort()).toEqual([idOf('p'), idOf('q')].sort());
    await pass(2 * hour);
    expect(await expired()).toHaveLength(3);
    expect(waiting()).toEqual([]);
  });

  test('and costs one read in each run in which nothing is due', async () => {
    await putContent(stream, team, content(2));
    for (const person of ['p', 'q']) await start(person);
    const calls: string[] = [];
    const noted = <Name extends keyof Database>(name: Name) => ({
      [name]: (...given: unknown[]) => {
        calls.push(name);
        return (bound(stream)[name] as (...given: unknown[]) => unknown)(...given);
      },
    });
    const counted = Object.assign({}, noted('get'), noted('query'), noted('write'), noted('transact')) as never;
    await pass(hour);
    await moveDue(at(counted), team);
    expect(calls).toEqual(['query']);
  });

  test('with calls that fail before and after they write, and two movers', async () => {
    await putContent(stream, team, content(1));
    const people = Array.from({ length: 120 }, (_, n) => `p${n}`);
    for (const person of people) await start(person);
    const random = new Random(3);
    const failing = (): Database => ({
      ...bound(stream),
      transact: async (given) => {
        if (random.chance(0.2)) throw new StoreUnavailable('before the write');
        const written = await stream.transact(given);
        if (random.chance(0.2)) throw new StoreUnavailable('after the write');
        return written;
      },
    });
    clock += hour;
    for (let run = 0; run < 60; run++) {
      clock += minute / 6;
      await Promise.allSettled([moveDue(at(failing()), team), moveDue(at(failing()), team)]);
      await Promise.allSettled([work(failing()), work(failing())]);
    }
    expect(new Set((await expired()).map(({ contact_id }) => contact_id))).toEqual(new Set(people.map(idOf)));
    expect(await expired()).toHaveLength(people.length);
    expect(waiting()).toEqual([]);
  });
});

describe('a changed duration', () => {
  const change = (hours: number | null) => importContent({ ...at(), fits: () => true }, team, content(hours));

  test.each<[string, number | null, number | null, number | undefined]>([
    ['that is longer', 2, 5, 5],
    ['that is shorter', 5, 2, 2],
    ['that is set', null, 2, 2],
    ['that is unset', 2, null, undefined],
  ])('%s concerns journeys that have not ended', async (_, before, after, hours) => {
    await putContent(stream, team, content(before));
    const people = Array.from({ length: 150 }, (_, n) => `p${n}`);
    for (const person of people) await start(person);
    const from = clock;
    await pass(30 * minute, 10 * minute);
    await change(after);
    await pass((hours ?? 10) * hour - (clock - from) - minute, 10 * minute);
    expect(await expired()).toEqual([]);
    await pass(3 * minute);
    expect(await expired()).toHaveLength(hours === undefined ? 0 : people.length);
    await pass(6 * hour, 10 * minute);
    expect(waiting()).toEqual([]);
  });

  test('and what has expired stays so', async () => {
    await putContent(stream, team, content(1));
    await start('p');
    await pass(hour + 2 * minute);
    await change(10);
    await pass(10 * minute);
    expect((await journeyOf('p')).journey.expired_at).not.toBeNull();
    expect(await expired()).toHaveLength(1);
  });

  test('with a walk that is killed at every step', async () => {
    await putContent(stream, team, content(null));
    const people = Array.from({ length: 120 }, (_, n) => `p${n}`);
    for (const person of people) await start(person);
    await change(1);
    clock += 3 * minute;
    await moveDue(at(), team);
    let calls = 0;
    let outcome = '';
    for (let run = 1; outcome !== 'empty' && run < 200; run++) {
      const killed = (): never => {
        throw new StoreUnavailable('killed');
      };
      const database: Database = {
        ...bound(stream),
        transact: async (given) => (++calls % (5 + run) === 0 ? killed() : stream.transact(given)),
      };
      outcome = await work(database).catch(() => '');
    }
    expect(outcome).toBe('empty');
    await pass(hour + 2 * minute);
    expect(await expired()).toHaveLength(people.length);
  });
});

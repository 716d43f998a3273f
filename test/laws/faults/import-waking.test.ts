import { beforeEach, describe, expect, test } from 'vitest';
import { createTeam } from '../../../bin/admin/operations/teams/teams.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { completionsThatWait } from '../../../lib/operations/events/work-completions.ts';
import { importsThatWait, workTeam } from '../../../lib/operations/imports/work.ts';
import { type SweepOptions, sweep } from '../../../lib/operations/waiting-work/sweep.ts';
import { completionWork } from '../../../lib/store/events/completion-work.ts';
import { bound, type Database, type QueryInput } from '../../../lib/store/table/database.ts';
import { importPartition } from '../../../lib/store/table/keys.ts';
import { openChunks, postBatch } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { failingSends, ImportWorld, minute, record, seconds } from './import-world.ts';

let world: ImportWorld;
let teams: string[];
beforeEach(async () => {
  world = new ImportWorld();
  teams = [world.teamId, crypto.randomUUID(), crypto.randomUUID()];
  for (const team of teams) {
    const dependencies = serviceOn(world.database, { now: () => world.clock, newId: () => team });
    await createTeam(dependencies, { name: team, features: [] });
  }
});

/** Accepts chunks without a wake. */
async function acceptUnheard(team: string, count: number) {
  const using = world.dependencies({ queue: failingSends(world.queue) });
  for (let index = 0; index < count; index++) {
    await postBatch(using, team, {
      batch_id: 'nightly',
      chunk_index: index,
      records: [record('1', { nickname: `${index}` })],
    });
  }
}
const sweeping = (using = world.dependencies(), options: Partial<SweepOptions> = {}) => {
  const { queue } = using;
  const standings = [importsThatWait, completionsThatWait];
  const subjects = standings.map((standing) => (teamId: string) => standing(using, teamId));
  const queues = {
    imports: queue,
    completions: queue,
    webhooks: queue,
    targeting: queue,
    walks: queue,
    messages: queue,
  };
  return sweep({ ...using, queues }, { subjects, ...options });
};
const none = { woken: 0, worked: 0, not_woken: 0, late: 0, oldest_seconds: 0 };
const waiting = async () => {
  const lists = await Promise.all(teams.map((team) => openChunks(world.database, team)));
  return lists.map((list) => list.length);
};

test.each(['the same', 'other'])(
  'a repeat with %s records sends the wake that the first request could not',
  async (which) => {
    await acceptUnheard(world.teamId, 1);
    expect(world.queue.receive()).toBeUndefined();
    const records = [record('1', { nickname: which === 'other' ? 'Other' : '0' })];
    await postBatch(world.dependencies(), world.teamId, { batch_id: 'nightly', chunk_index: 0, records });
    expect(world.queue.receive()?.lane).toEqual({ work: 'imports', team_id: world.teamId });
  },
);

describe('chunks whose wake was lost', () => {
  test('are picked up within 75 seconds, in their order', async () => {
    await acceptUnheard(world.teamId, 3);
    expect(await sweeping()).toMatchObject({ imports: { woken: 0 } });
    // The sweeper runs once a minute; the chunks are ten seconds old at the first or the second of its runs.
    world.clock += 10 * seconds;
    expect(await sweeping()).toEqual({
      ...{ imports: { ...none, woken: 1, oldest_seconds: 10 }, completions: none, webhooks: none },
      ...{ targeting: none, walks: none, messages: none },
      ...{ not_swept: 0, chunks_failed: 0, webhooks_failing: 0, targeting_stopped: 0 },
    });
    expect(await world.drain()).toBe(1);
    expect(await world.status()).toMatchObject({ status: 'completed', records: { applied: 3, superseded: 0 } });
    expect(await world.nicknames('1')).toEqual(['2']);
    world.clock += minute;
    expect(await sweeping()).toMatchObject({ imports: { woken: 0 } });
  });
});

describe('the sweeper', () => {
  test('works the chunks itself while no wake can be sent, and leaves what fails to its next run', async () => {
    for (const team of teams) await acceptUnheard(team, 2);
    world.clock += minute;
    const away = world.dependencies({ queue: failingSends(world.queue) });
    const lefts: number[] = [];
    const work = async (team: string, left: number) => {
      lefts.push(left);
      if (team === teams[1]) return false;
      return (await workTeam(away, team, () => true)).outcome === 'empty';
    };
    const imports = { woken: 0, worked: 2, not_woken: 1 };
    expect(await sweeping(away, { work: { imports: work } })).toMatchObject({ imports });
    expect(lefts).toEqual([3, 2, 1]);
    expect((await waiting()).sort()).toEqual([0, 0, 2]);
    expect(await sweeping(away, { work: { imports: work } })).toMatchObject({ imports: { worked: 0, not_woken: 1 } });
  });

  test('works the chunks of the teams for whose wakes a slow queue left no time', async () => {
    for (const team of teams) await acceptUnheard(team, 2);
    world.clock += minute;
    const queue = failingSends(world.queue);
    const away = world.dependencies({ queue });
    const work = async (team: string) => (await workTeam(away, team, () => true)).outcome === 'empty';
    const maySend = () => queue.sends() < 1;
    const report = await sweeping(away, { maySend, work: { imports: work } });
    expect(report).toMatchObject({ imports: { woken: 0, worked: 3, not_woken: 0 } });
    expect(queue.sends()).toBe(1);
    expect(await waiting()).toEqual([0, 0, 0]);
  });

  test('goes on to the other teams when the state of one cannot be read', async () => {
    for (const team of teams) await acceptUnheard(team, 2);
    world.clock += minute;
    const [unreadable] = teams as [string];
    const database: Database = {
      ...bound(world.database),
      query: async (input: QueryInput) => {
        if (input.pk === importPartition(unreadable)) throw new Error('away');
        return world.database.query(input);
      },
    };
    const failures: unknown[] = [];
    const onFailure = (...each: unknown[]) => void failures.push(each);
    const report = await sweeping(world.dependencies({ database }), { onFailure });
    expect(report).toMatchObject({ imports: { woken: 2 }, not_swept: 1 });
    expect(failures).toEqual([[unreadable, expect.objectContaining({ message: 'away' })]]);
    await world.drain();
    expect(await waiting()).toEqual([2, 0, 0]);
  });

  test('sends one wake a team and reads no more than its first chunk, though thousands are open', async () => {
    const [many, few] = teams as [string, string];
    const records = Array.from({ length: 9500 }, (_, n) => ({ account_number: `${n}`, contact: { unique_id: 'c' } }));
    const unheard = world.dependencies({ queue: failingSends(world.queue) });
    for (let upload = 0; upload < 4; upload++) await postBatch(unheard, many, { records });
    await acceptUnheard(few, 1);
    const queue = failingSends(world.queue, Number.POSITIVE_INFINITY);
    const read: number[] = [];
    const counting: Database = {
      ...bound(world.database),
      query: async (input: QueryInput) => {
        const page = await world.database.query(input);
        if (input.pk.endsWith('#Q')) read.push(page.items.length);
        return page;
      },
    };
    const report = await sweeping(world.dependencies({ database: counting, queue }), { all: true });
    expect(report).toMatchObject({ imports: { woken: 2 } });
    expect(queue.sends()).toBe(2);
    expect(Math.max(...read)).toBeLessThanOrEqual(2);

    // Each team is its own message group, so the small team does not wait for the large one.
    const first = world.queue.receive();
    const second = world.queue.receive();
    expect([first?.lane.team_id, second?.lane.team_id].sort()).toEqual([many, few].sort());
  });

  test('tells of chunks that stand failed and of teams that wait for half an hour', async () => {
    await acceptUnheard(teams[1]!, 1);
    world.clock += 30 * minute;
    expect(await sweeping()).toMatchObject({ imports: { ...none, woken: 1, late: 1, oldest_seconds: 30 * 60 } });
  });

  test('wakes the completions that wait, within 75 seconds, apart from the chunks of the team', async () => {
    const [first, second] = teams as [string, string];
    const facts = { contactIds: [crypto.randomUUID()], accountNumbers: [] };
    for (const team of [first, second]) {
      await world.database.write(completionWork(team, timestamp(world.clock), 'a record', facts));
    }
    expect(await sweeping()).toMatchObject({ completions: { late: 0, not_woken: 0 } });
    expect(world.queue.receive()).toBeUndefined();
    world.clock += 15 * seconds;
    const queue = failingSends(world.queue, 1, 1);
    const report = await sweeping(world.dependencies({ queue }));
    expect(report).toMatchObject({ imports: none, completions: { woken: 1, not_woken: 1 } });
    expect([world.queue.receive()?.lane.work, world.queue.receive()]).toEqual(['completions', undefined]);
    world.clock += 30 * minute;
    expect(await sweeping()).toMatchObject({ imports: none, completions: { late: 2 } });
  });
});

import {
  type Account,
  type AccountRecord,
  accountRecord,
  mergeAccount,
  serializeAccount,
} from '../../lib/domain/account.ts';
import type { Chunk } from '../../lib/domain/chunk.ts';
import { Problem } from '../../lib/domain/problem.ts';
import { acceptBatch } from '../../lib/operations/imports/accept.ts';
import type { ImportDependencies } from '../../lib/operations/imports/dependencies.ts';
import { discardFailed, listFailed, redrive } from '../../lib/operations/imports/failed.ts';
import { sweep } from '../../lib/operations/imports/sweep.ts';
import { failChunk, workChunk } from '../../lib/operations/imports/work.ts';
import { loadBatch, loadChunkAndState } from '../../lib/store/claims.ts';
import { type Database, StoreUnavailable } from '../../lib/store/database.ts';
import { accountKey, derivedContactId, linkKey, watchPartitions } from '../../lib/store/keys.ts';
import { ProductRegister } from '../../lib/store/products.ts';
import type { ImportQueue } from '../../lib/store/queue.ts';
import { ModelDatabase } from '../support/model-database.ts';
import { ModelQueue } from '../support/model-queue.ts';
import { type Actor, type Random, randomOf, Scheduler } from '../support/scheduler.ts';
import { Renames } from './renames.ts';

/**
 * One schedule of the import, drawn from a seed: clients post chunks and retry, workers and the sweeper run, and at
 * every touch of the table or the queue a process may die, stall past its visibility timeout, or meet an outage whose
 * answer is lost. Then calm returns, the operator redrives or discards what failed, and the law is checked.
 */
const teamId = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const batchId = 'nightly';

/** How wild a schedule is; each probability is per step. */
export type Weather = {
  /** A process dies. */
  crash: number;
  /** A call of the table or the queue fails, done or not. */
  outage: number;
  /** A process stops for long, and the visibility of every message ends. */
  stall: number;
  /** The message at work, or the next one, is moved to the dead-letter queue. */
  lose: number;
  /** Every process dies and the queue forgets. */
  restart: number;
  /** The operator redrives, or discards, what stands failed. */
  redrive: number;
  discard: number;
  /** An administrator changes a `unique_id`. */
  rename: number;
};

export const fairWeather: Weather = {
  crash: 0,
  outage: 0,
  stall: 0,
  lose: 0,
  restart: 0,
  redrive: 0,
  discard: 0,
  rename: 0,
};

export type Finding = { seed: number; problem: string };

class World {
  readonly random: Random;
  readonly model: Database;
  readonly scheduler = new Scheduler();
  readonly queue: ModelQueue;
  readonly weather: Weather;
  clock = Date.parse('2026-01-01T00:00:00Z');
  calm = false;
  readonly frozen = new Set<Actor>();
  ids = 0;
  answered: { index: number; began: number; ended: number }[] = [];
  steps = 0;
  /** Where the weather has renames. */
  readonly renames: Renames | undefined;

  constructor(seed: number, weather: Weather, database: Database) {
    this.model = database;
    this.random = randomOf(seed);
    this.weather = weather;
    this.queue = new ModelQueue(() => this.clock, 20);
    this.renames = weather.rename > 0 ? new Renames(database, teamId, batchId) : undefined;
  }

  /** Lets the actor do one thing. */
  async step(actor: Actor): Promise<void> {
    await this.scheduler.step(actor);
    await this.renames?.observe(this.steps);
  }

  /** A process has its own view of the store: the same table, its own caches. */
  process(): ImportDependencies {
    const database = this.#outside<Database>(this.model, ['get', 'query', 'write', 'transact']);
    return {
      database,
      queue: this.#outside<ImportQueue>(this.queue, ['send', 'postpone']),
      products: new ProductRegister(database),
      now: () => this.clock,
      newId: () => `00000000-0000-4000-8000-${String(this.ids++).padStart(12, '0')}`,
    };
  }

  /** Stops before each call; an outage refuses it, or does it and loses the answer. */
  #outside<T extends object>(inner: T, methods: (keyof T)[]): T {
    const wrapped = Object.fromEntries(
      methods.map((name) => [
        name,
        async (...input: unknown[]) => {
          await this.scheduler.turn();
          const out = !this.calm && this.random.chance(this.weather.outage);
          if (out && this.random.chance(0.5)) throw new StoreUnavailable('outage');
          const answer = await (inner[name] as (...input: unknown[]) => Promise<unknown>).apply(inner, input);
          if (out) throw new StoreUnavailable('answer lost');
          return answer;
        },
      ]),
    );
    return wrapped as T;
  }
}

/** Records that meet on few accounts and contacts; some grow metadata until the merged record breaks its limit. */
function recordsOf(random: Random): unknown[] {
  return Array.from({ length: 1 + random.below(4) }, () => {
    const account_number = `acc-${random.below(2)}`;
    const contact = {
      unique_id: `c-${random.below(2)}`,
      ...(random.chance(0.5) ? { role: random.pick(['a', 'b']) } : {}),
    };
    if (random.chance(0.2)) return { account_number, contact };
    return {
      account_number,
      ...(random.chance(0.7) ? { contact } : {}),
      product: { code: random.pick(['P', 'Q']), type: 'checking' },
      ...(random.chance(0.6) ? { nickname: random.pick(['x', 'y', null]) } : {}),
      ...(random.chance(0.4) ? { status_code: random.pick(['1', '2']) } : {}),
      ...(random.chance(0.25) ? { meta_public: { [random.pick(['k', 'l'])]: 'z'.repeat(9000) } } : {}),
    };
  });
}

export async function simulate(
  seed: number,
  weather: Weather,
  database: Database = new ModelDatabase(),
): Promise<Finding[]> {
  const world = new World(seed, weather, database);
  await world.renames?.begin();
  const requests = Array.from({ length: 5 + world.random.below(6) }, () => recordsOf(world.random));
  const waiting = requests.map((_, index) => index);
  const redone = new Set<number>();
  let clients = 0;
  let workers = 0;

  const post = (index: number) => {
    clients++;
    world.scheduler.start(`client ${index}`, async () => {
      const began = world.steps;
      const records = requests[index]!.map((record) => accountRecord.parse(record));
      try {
        await acceptBatch(world.process(), teamId, { type: 'account', batch_id: batchId, chunk_index: index, records });
        world.answered.push({ index, began, ended: world.steps });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        waiting.unshift(index);
      } finally {
        clients--;
      }
    });
  };

  const deliver = () => {
    const message = world.queue.receive();
    if (!message) return;
    workers++;
    world.scheduler.start('worker', async () => {
      try {
        await workChunk(world.process(), message.body);
        await world.scheduler.turn();
        world.queue.delete(message.receipt);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        world.queue.release(message.receipt);
      } finally {
        workers--;
      }
    });
  };

  const operate = (discardThem: boolean) =>
    world.scheduler.start('operator', async () => {
      const dependencies = world.process();
      try {
        for (const chunk of await listFailed(dependencies)) {
          if (!discardThem) await redrive(dependencies, chunk);
          else {
            await discardFailed(dependencies, chunk.team_id, chunk);
            redone.add(chunk.index);
          }
        }
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
      }
    });

  const rename = (renames: Renames) =>
    world.scheduler.start('administrator', async () => {
      try {
        await renames.change(world.random, { ...world.process(), pause: () => world.scheduler.turn() });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
      }
    });

  const sweepNow = (all: boolean) =>
    world.scheduler.start('sweeper', async () => {
      try {
        await sweep(world.process(), { all });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
      }
    });

  const bury = () => {
    const letter = world.queue.deadLetters.shift();
    if (!letter) return;
    world.scheduler.start('dead letters', async () => {
      try {
        await failChunk(world.process(), letter, 'dead letter');
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        world.queue.deadLetters.unshift(letter);
      }
    });
  };

  const crash = () => {
    const { actors } = world.scheduler;
    if (actors.length === 0) return;
    const victim = world.random.pick(actors);
    world.scheduler.kill(victim);
    // Some clients come again when their connection broke; a worker's message waits for the end of its visibility.
    if (victim.name.startsWith('client')) {
      clients--;
      if (world.random.chance(0.5)) waiting.unshift(Number(victim.name.slice('client '.length)));
    }
    if (victim.name === 'worker') workers--;
  };

  for (let step = 0; step < 400; step++) {
    world.steps++;
    world.clock += 1 + world.random.below(50);
    const { random, frozen } = world;
    const { actors } = world.scheduler;
    if (random.chance(weather.crash)) crash();
    if (random.chance(weather.stall) && actors.length > 0) {
      frozen.add(random.pick(actors));
      world.queue.releaseAll();
    }
    if (random.chance(0.05)) frozen.clear();
    if (random.chance(weather.lose)) world.queue.loseHead();
    if (weather.stall > 0 && random.chance(0.02)) world.clock += random.pick([45_000, 400_000]);
    if (random.chance(0.03)) sweepNow(false);
    if (random.chance(0.3)) bury();
    if (random.chance(weather.redrive)) operate(false);
    if (random.chance(weather.discard)) operate(true);
    if (world.renames && random.chance(weather.rename)) rename(world.renames);
    if (random.chance(weather.restart)) {
      while (actors.length > 0) crash();
      world.queue.forget();
      sweepNow(true);
    }
    if (waiting.length > 0 && clients < 2 && random.chance(0.2)) post(waiting.shift()!);
    if (workers < 3 && random.chance(0.4)) deliver();
    const awake = actors.filter((actor) => !frozen.has(actor));
    if (awake.length > 0) await world.step(random.pick(awake));
  }

  world.calm = true;
  await world.renames?.complete({ ...world.process(), database, pause: async () => {} });
  const settled = await settle(world, waiting, post, deliver, bury, sweepNow, operate);
  const findings = settled ? await examine(world, requests, redone) : ['the team is stuck'];
  for (const failure of world.scheduler.failures) findings.push(`threw ${String(failure)}`);
  return findings.map((problem) => ({ seed, problem }));
}

/** Calm: everything runs to its end, what failed is redriven. @returns whether nothing is left to do, in bounded time. */
async function settle(
  world: World,
  waiting: number[],
  post: (index: number) => void,
  deliver: () => void,
  bury: () => void,
  sweepNow: (all: boolean) => void,
  operate: (discard: boolean) => void,
): Promise<boolean> {
  for (let round = 0; round < 40; round++) {
    // Long enough, in the end, for the sweeper to give up on messages that a restart of the queue has lost.
    world.clock += round < 3 ? 60_000 : 13 * 3_600_000;
    world.queue.releaseAll();
    while (waiting.length > 0) post(waiting.shift()!);
    sweepNow(false);
    if (round > 3) operate(false);
    for (let step = 0; step < 400; step++) {
      world.steps++;
      bury();
      deliver();
      const [first] = world.scheduler.actors;
      if (!first && world.queue.isEmpty && world.queue.deadLetters.length === 0) break;
      if (first) await world.step(world.random.pick(world.scheduler.actors));
    }
    const chunks = await loadBatch(world.model, teamId, batchId);
    const open = chunks.some(({ status }) => status === 'open' || status === 'failed');
    if (round > 5 && !open && world.scheduler.actors.length === 0 && waiting.length === 0) return true;
  }
  return false;
}

async function examine(world: World, requests: unknown[][], discarded: ReadonlySet<number>): Promise<string[]> {
  const chunks = await loadBatch(world.model, teamId, batchId);
  return [
    ...(await examineClaims(world, chunks, requests)),
    ...examineOrder(world, chunks, discarded),
    ...(await examineItems(world, chunks, requests)),
    ...((await world.renames?.examine(chunks, requests)) ?? []),
  ];
}

async function examineClaims(world: World, chunks: readonly Chunk[], requests: unknown[][]): Promise<string[]> {
  const findings: string[] = [];
  const { state } = await loadChunkAndState(world.model, teamId, chunks[0]!);
  if (state.failed !== 0) findings.push(`the count of failed chunks is ${state.failed} and should be 0`);
  for (const list of Object.values(watchPartitions)) {
    const left = await world.model.query({ pk: list });
    if (left.items.length > 0) findings.push(`${left.items.length} entries are left in ${list}`);
  }
  for (const index of world.answered.map((each) => each.index)) {
    if (!chunks.some((chunk) => chunk.index === index)) findings.push(`chunk ${index} was answered 202 and is gone`);
  }
  for (const { index, status, counts, records } of chunks) {
    if (status !== 'completed') continue;
    const sum = counts ? counts.applied + counts.unchanged + counts.superseded + counts.rejected : -1;
    if (sum !== records || records !== requests[index]!.length)
      findings.push(`chunk ${index}: counts add up to ${sum}`);
  }
  return findings;
}

/** A chunk that was answered before another was sent has the lower number, unless it failed or was discarded between. */
function examineOrder(world: World, chunks: readonly Chunk[], discarded: ReadonlySet<number>): string[] {
  const orderOf = new Map(chunks.map(({ index, order }) => [index, order ?? Number.POSITIVE_INFINITY]));
  if (world.weather.stall > 0 || world.weather.crash > 0 || world.weather.outage > 0 || discarded.size > 0) return [];
  return world.answered.flatMap((a) =>
    world.answered
      .filter((b) => a.index !== b.index && a.ended < b.began && orderOf.get(a.index)! > orderOf.get(b.index)!)
      .map((b) => `chunk ${a.index} was answered before chunk ${b.index} was sent, and took effect after it`),
  );
}

/**
 * Each item is what its chunks make of it in the order of their numbers; a chunk with superseded records, or one that
 * was discarded, may show through or not.
 */
async function examineItems(world: World, chunks: readonly Chunk[], requests: unknown[][]): Promise<string[]> {
  const numbered = chunks.filter(({ order }) => order !== undefined).sort((a, b) => a.order! - b.order!);
  const doubtful = numbered.filter(({ status, counts }) => status !== 'completed' || counts!.superseded > 0);
  if (doubtful.length > 8) return [];
  const findings: string[] = [];
  const ends = Array.from({ length: 2 ** doubtful.length }, (_, choice) => {
    const hidden = new Set(doubtful.filter((_, bit) => (choice >> bit) % 2 === 0));
    return oracle(
      numbered.filter((chunk) => !hidden.has(chunk)),
      requests,
    );
  });
  const names = new Set(ends.flatMap((end) => [...end.items.keys()]));
  for (const name of names) {
    const [pk, sk] = JSON.parse(name) as [string, string];
    const [item] = await world.model.get([{ pk, sk }]);
    const possible = ends.map((end) => end.items.get(name));
    // Whose links they are is looked at apart where values change hands.
    if (world.renames && sk !== 'ACCOUNT') continue;
    if (!possible.includes(item?.data as string | undefined)) {
      findings.push(`${sk} is ${String(item?.data).slice(0, 80)}, which no order of its chunks gives`);
    }
  }
  if (doubtful.length === 0 && !world.renames) {
    for (const chunk of numbered) {
      const expected = ends[0]!.counts.get(chunk.index);
      if (JSON.stringify(expected) !== JSON.stringify(chunk.counts)) {
        findings.push(`chunk ${chunk.index} counts ${JSON.stringify(chunk.counts)}, not ${JSON.stringify(expected)}`);
      }
    }
  }
  return findings;
}

/** The chunks applied one after another by the plainest means. */
function oracle(chunks: readonly Chunk[], requests: unknown[][]) {
  const items = new Map<string, string>();
  const accounts = new Map<string, Account>();
  const counts = new Map<number, Record<string, number>>();
  for (const chunk of chunks) {
    const count = { applied: 0, unchanged: 0, superseded: 0, rejected: 0 };
    for (const raw of requests[chunk.index]!) count[applyPlainly(accountRecord.parse(raw), accounts, items)]++;
    counts.set(chunk.index, count);
  }
  return { items, counts };
}

function applyPlainly(
  { account_number, account, link }: AccountRecord,
  accounts: Map<string, Account>,
  items: Map<string, string>,
): 'applied' | 'unchanged' | 'rejected' {
  let changed = false;
  const put = ({ pk, sk }: { pk: string; sk: string }, data: string) => {
    const name = JSON.stringify([pk, sk]);
    changed ||= items.get(name) !== data;
    items.set(name, data);
  };
  let rejected = false;
  if (account) {
    const merged = mergeAccount(accounts.get(account_number), account);
    if ('rejected' in merged) rejected = true;
    else {
      accounts.set(account_number, merged);
      put(accountKey(teamId, account_number), serializeAccount(merged));
    }
  }
  if (link) {
    const key = linkKey(teamId, derivedContactId(teamId, link.unique_id), account_number);
    const held = items.get(JSON.stringify([key.pk, key.sk]));
    const role = link.role === undefined ? (held === undefined ? null : JSON.parse(held).role) : link.role;
    put(key, JSON.stringify({ role }));
  }
  return rejected ? 'rejected' : changed ? 'applied' : 'unchanged';
}

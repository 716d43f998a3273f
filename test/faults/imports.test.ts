import { beforeEach, describe, expect, it } from 'vitest';
import { accountRecord } from '../../lib/domain/account.ts';
import { maxAttempts } from '../../lib/domain/chunk.ts';
import { acceptBatch } from '../../lib/operations/imports/accept.ts';
import type { ImportDependencies } from '../../lib/operations/imports/dependencies.ts';
import { discardFailed, listFailed, redrive } from '../../lib/operations/imports/failed.ts';
import { readBatch } from '../../lib/operations/imports/status.ts';
import { sweep } from '../../lib/operations/imports/sweep.ts';
import { failChunk, workChunk } from '../../lib/operations/imports/work.ts';
import { loadAccounts, loadLinks } from '../../lib/store/accounts.ts';
import { type Database, StoreUnavailable } from '../../lib/store/database.ts';
import { derivedContactId, payloadKey } from '../../lib/store/keys.ts';
import { ProductRegister } from '../../lib/store/products.ts';
import { freshTable } from '../support/engine.ts';
import { ModelQueue } from '../support/model-queue.ts';

/** The operations of the import on the real engine, with faults put where processes die in earnest. */
class Crash extends Error {}

let database: Database;
let queue: ModelQueue;
let teamId: string;
let clock: number;

const minute = 60_000;

beforeEach(async () => {
  ({ database } = await freshTable());
  clock = Date.parse('2026-03-01T02:00:00Z');
  queue = new ModelQueue(() => clock);
  teamId = crypto.randomUUID();
});

const dependencies = (changes: Partial<ImportDependencies> = {}): ImportDependencies => {
  const base = { database, queue, now: () => clock++, newId: () => crypto.randomUUID(), ...changes };
  return { products: new ProductRegister(base.database), ...base };
};

type Fields = Record<string, unknown>;
const record = (account_number: string, fields: Fields = {}) =>
  accountRecord.parse({
    account_number,
    contact: { unique_id: `owner of ${account_number}` },
    product: { code: 'CHK', type: 'checking' },
    ...fields,
  });

const accept = (chunk_index: number, records: ReturnType<typeof record>[], using = dependencies()) =>
  acceptBatch(using, teamId, { type: 'account', batch_id: 'nightly', chunk_index, records });

/** Works what the queue hands out, until there is nothing; as a worker that never fails. */
async function workAll(): Promise<string[]> {
  const outcomes: string[] = [];
  for (let message = queue.receive(); message && outcomes.length < 50; message = queue.receive()) {
    outcomes.push(await workChunk(dependencies(), message.body));
    queue.delete(message.receipt);
  }
  return outcomes;
}

const status = () => readBatch({ database }, teamId, 'nightly');
const nicknames = async (...numbers: string[]) =>
  (await loadAccounts(database, teamId, numbers)).map((account) => account?.fields.nickname);

type Moment = 'before' | 'half-way' | 'after';

/** A database that dies at its `n`th call, before, half-way through (of many writes) or after doing it, and for good. */
function dying(n: number, when: Moment): Database {
  let calls = 0;
  const guard =
    <In extends unknown[], Out>(call: (...input: In) => Promise<Out>) =>
    async (...input: In): Promise<Out> => {
      calls++;
      if (calls > n || (calls === n && when === 'before')) throw new Crash();
      const answer = await call(...input);
      if (calls >= n) throw new Crash();
      return answer;
    };
  return {
    get: guard((keys) => database.get(keys)),
    query: guard((input) => database.query(input)),
    write: guard((writes) =>
      database.write(when === 'half-way' && calls === n ? writes.slice(0, writes.length / 2) : writes),
    ),
    transact: guard((writes) => database.transact(writes)),
  };
}

describe('a function that dies between the claim and the hand-over', () => {
  const mute = {
    send: () => Promise.reject(new Crash()),
    postpone: () => Promise.resolve(),
  };

  beforeEach(async () => {
    await expect(accept(0, [record('1')], dependencies({ queue: mute }))).rejects.toThrow(Crash);
    expect(queue.isEmpty).toBe(true);
  });

  it('leaves a claim that the retry of its caller hands over at once', async () => {
    expect(await accept(0, [record('ignored')])).toMatchObject({ duplicate: true, records: 1 });
    expect(await workAll()).toEqual(['completed']);
    expect(await status()).toMatchObject({ status: 'completed', records: { accepted: 1, applied: 1 } });
  });

  it('leaves a claim that the service hands over by itself within two minutes', async () => {
    clock += 10_000;
    expect(await sweep(dependencies(), { all: false })).toBe(0);
    clock += minute;
    expect(await sweep(dependencies(), { all: false })).toBe(1);
    expect(await workAll()).toEqual(['completed']);
    expect(await status()).toMatchObject({ status: 'completed', records: { accepted: 1, applied: 1 } });
    clock += minute;
    expect(await sweep(dependencies(), { all: false })).toBe(0);
  });
});

describe('a queue that is away', () => {
  it('is told to the caller before anything is promised, and nothing is kept', async () => {
    const away = {
      send: () => Promise.reject(new StoreUnavailable('the queue is away')),
      postpone: () => Promise.resolve(),
    };
    await expect(accept(0, [record('1')], dependencies({ queue: away }))).rejects.toThrow(StoreUnavailable);
    await expect(status()).rejects.toThrow('not_found');
    expect(await accept(0, [record('1')])).toMatchObject({ duplicate: false });
    expect(await workAll()).toEqual(['completed']);
  });

  it('does not undo a chunk whose message got through although the answer was lost', async () => {
    const deaf = {
      send: async (...message: Parameters<ModelQueue['send']>) => {
        await queue.send(...message);
        await workAll();
        throw new StoreUnavailable('the answer was lost');
      },
      postpone: () => Promise.resolve(),
    };
    expect(await accept(0, [record('1')], dependencies({ queue: deaf }))).toMatchObject({ duplicate: false });
    expect(await status()).toMatchObject({ status: 'completed', records: { applied: 1 } });
  });
});

describe('a worker that dies', () => {
  const half = (n: number) => Array.from({ length: 30 }, (_, i) => record(`${i}`, { nickname: i < n ? 'new' : 'old' }));

  it.each(['before', 'half-way', 'after'] as const)(
    'at any of its calls, %s, is made good by the next attempt with the right counts',
    async (when) => {
      await accept(0, half(0));
      await workAll();
      // Nine records of thirty change something. Each round dies one call later, until one gets through.
      for (let call = 1, done = false; !done && call < 20; call++) {
        const records = half(9).map((each) => ({
          ...each,
          account: each.account && { ...each.account, fields: { nickname: `${each.account.fields.nickname} ${call}` } },
        }));
        const changing = records.map((each, i) => (i < 9 ? each : half(0)[i]!));
        await accept(call, changing);
        const message = queue.receive()!;
        done = await workChunk(dependencies({ database: dying(call, when) }), message.body).then(
          () => true,
          (error) => !(error instanceof Crash),
        );
        if (!done) queue.release(message.receipt);
        else queue.delete(message.receipt);
        await workAll();
        expect(await nicknames('0', '8', '9')).toEqual([`new ${call}`, `new ${call}`, 'old']);
        expect((await status()).records).toMatchObject({ applied: 30 + 9 * call, unchanged: 21 * call });
      }
      expect(queue.isEmpty).toBe(true);
      expect(await status()).toMatchObject({ status: 'completed', chunks: { failed: 0 } });
    },
  );

  it('without a word, time after time, has its chunk marked failed when the attempts are used up', async () => {
    await accept(0, [record('1')]);
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const message = queue.receive()!;
      await expect(workChunk(dependencies({ database: dying(3, 'before') }), message.body)).rejects.toThrow(Crash);
      queue.release(message.receipt);
    }
    expect(await workAll()).toEqual(['failed']);
    expect(await status()).toMatchObject({ status: 'failed', chunks: { failed: 1 } });
    await redrive(dependencies(), (await listFailed({ database }))[0]!);
    expect(await workAll()).toEqual(['completed']);
    expect(await status()).toMatchObject({ status: 'completed', records: { applied: 1 } });
  });

  it('before it could reach the store is found by way of the dead-letter queue', async () => {
    queue = new ModelQueue(() => clock, 3);
    await accept(0, [record('1')]);
    await accept(1, [record('2')]);
    for (let delivery = 0; delivery < 3; delivery++) queue.release(queue.receive()!.receipt);
    expect(await workAll()).toEqual(['completed']);
    expect(queue.deadLetters).toHaveLength(1);
    expect(await status()).toMatchObject({ status: 'processing' });
    expect(await failChunk({ database }, queue.deadLetters[0]!, 'a dead letter')).toBe('failed');
    expect(await failChunk({ database }, queue.deadLetters[0]!, 'a dead letter')).toBe('failed');
    expect(await status()).toMatchObject({ status: 'failed', chunks: { accepted: 2, completed: 1, failed: 1 } });
  });
});

describe('messages that come twice', () => {
  it('one after another, change nothing the second time', async () => {
    await accept(0, [record('1', { nickname: 'a' }), record('2')]);
    const message = queue.receive()!;
    expect(await workChunk(dependencies(), message.body)).toBe('completed');
    const once = await status();
    expect(await workChunk(dependencies(), message.body)).toBe('nothing to do');
    expect(await status()).toEqual(once);
  });

  it('at the same time, are counted once', async () => {
    await accept(0, [record('1', { nickname: 'a' }), record('2')]);
    const message = queue.receive()!;
    await Promise.all([1, 2, 3].map(() => workChunk(dependencies(), message.body)));
    expect((await status()).records).toEqual({ accepted: 2, applied: 2, unchanged: 0, superseded: 0, rejected: 0 });
  });
});

describe('a worker that outlives its visibility timeout', () => {
  /** Stops before the first write of items, until it is let go. */
  function stalling() {
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    const stalled: Database = {
      get: (keys) => database.get(keys),
      query: (input) => database.query(input),
      transact: (writes) => database.transact(writes),
      write: async (writes) => {
        await held;
        return database.write(writes);
      },
    };
    return { stalled, go };
  }

  it('and finishes after the next chunk has been applied overwrites nothing of it', async () => {
    await accept(0, [record('1', { nickname: 'first', status_code: 'A' })]);
    await accept(1, [record('1', { nickname: 'second' })]);
    const message = queue.receive()!;
    const { stalled, go } = stalling();
    const late = workChunk(dependencies({ database: stalled }), message.body);
    await new Promise((resolve) => setTimeout(resolve, 50));
    queue.release(message.receipt);
    expect(await workAll()).toEqual(['completed', 'completed']);
    const before = await status();
    go();
    await late;
    expect(await nicknames('1')).toEqual(['second']);
    expect(await status()).toEqual(before);
    expect(before.records).toMatchObject({ applied: 2, superseded: 0 });
  });

  it('and whose chunk was discarded meanwhile cannot overwrite what a later chunk confirmed', async () => {
    await accept(0, [record('1', { nickname: 'kept' })]);
    await workAll();
    await accept(1, [record('1', { nickname: 'given up' })]);
    const message = queue.receive()!;
    const { stalled, go } = stalling();
    const late = workChunk(dependencies({ database: stalled }), message.body).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
    queue.delete(message.receipt);
    await failChunk({ database }, message.body, 'given up by hand');
    await discardFailed({ database, now: () => clock }, teamId, message.body);
    await accept(2, [record('1', { nickname: 'kept' })]);
    expect(await workAll()).toEqual(['completed']);
    go();
    await late;
    expect(await nicknames('1')).toEqual(['kept']);
    expect((await status()).records).toMatchObject({ applied: 1, unchanged: 1 });
  });
});

describe('a poison chunk', () => {
  const spoil = async (payloadId: string, data: unknown) => {
    const key = payloadKey(teamId, payloadId, 0);
    const [item] = await database.get([key]);
    await database.write([{ kind: 'update', key, set: { data }, expect: {} }]);
    return item?.data;
  };

  it('fails at once, lets the next through, and when it is redriven touches nothing newer', async () => {
    await accept(0, [
      record('1', { nickname: 'poison' }),
      record('2', { nickname: 'poison' }),
      record('3', { nickname: 'poison' }),
    ]);
    const payloadId = queue.groups.get(teamId)![0]!.body.payload_id;
    const records = await spoil(payloadId, Buffer.from('not gzip'));
    await accept(1, [record('1', { nickname: 'newer' }), record('2', { nickname: 'newer' })]);
    await accept(2, [record('2', { nickname: 'newer' })]);
    expect(await workAll()).toEqual(['failed', 'completed', 'completed']);
    expect(await status()).toMatchObject({ status: 'failed', chunks: { completed: 2, failed: 1 } });

    await spoil(payloadId, records);
    const [chunk] = await listFailed({ database }, teamId);
    await redrive(dependencies(), chunk!);
    expect(await status()).toMatchObject({ status: 'failed' });
    expect(await workAll()).toEqual(['completed']);
    expect(await nicknames('1', '2', '3')).toEqual(['newer', 'newer', 'poison']);
    expect(await status()).toMatchObject({
      status: 'completed',
      records: { accepted: 6, applied: 3, unchanged: 1, superseded: 2, rejected: 0 },
    });
  });

  it('cannot, when it is redriven, overwrite what a later chunk only confirmed', async () => {
    await accept(0, [record('1', { nickname: 'right' })]);
    await workAll();
    await accept(1, [record('1', { nickname: 'wrong' })]);
    const payloadId = queue.groups.get(teamId)![0]!.body.payload_id;
    const records = await spoil(payloadId, Buffer.from(''));
    await accept(2, [record('1', { nickname: 'right' })]);
    expect(await workAll()).toEqual(['failed', 'completed']);
    await spoil(payloadId, records);
    expect(await accept(1, [])).toMatchObject({ duplicate: true, records: 1 });
    expect(await workAll()).toEqual(['completed']);
    expect(await nicknames('1')).toEqual(['right']);
    expect((await status()).records).toMatchObject({ applied: 1, unchanged: 1, superseded: 1 });
  });

  it('keeps its records beyond their time to live until it is decided on', async () => {
    await accept(0, [record('1')]);
    const { body, receipt } = queue.receive()!;
    const payload = async () => (await database.get([payloadKey(teamId, body.payload_id, 0)]))[0];
    expect(await payload()).toHaveProperty('expires_at');
    await failChunk({ database }, body, 'a test');
    queue.delete(receipt);
    expect(await payload()).not.toHaveProperty('expires_at');
    await discardFailed({ database, now: () => clock }, teamId, body);
    expect(await payload()).toHaveProperty('expires_at');
  });

  it('that was discarded leaves its pair free for a new acceptance', async () => {
    await accept(0, [record('1', { nickname: 'bad' })]);
    const { body, receipt } = queue.receive()!;
    await failChunk({ database }, body, 'a test');
    queue.delete(receipt);
    await discardFailed({ database, now: () => clock }, teamId, body);
    expect(await status()).toMatchObject({ chunks: { accepted: 0, discarded: 1 } });
    expect(await accept(0, [record('1', { nickname: 'good' })])).toMatchObject({ duplicate: false });
    expect(await workChunk(dependencies(), body)).toBe('nothing to do');
    expect(await workAll()).toEqual(['completed']);
    expect(await nicknames('1')).toEqual(['good']);
    expect((await status()).chunks).toEqual({ accepted: 1, completed: 1, failed: 0 });
  });
});

describe('a chunk whose message is lost after it was begun', () => {
  it('is marked failed as soon as the next one is begun', async () => {
    await accept(0, [record('1')]);
    await accept(1, [record('2')]);
    const lost = queue.receive()!;
    await expect(workChunk(dependencies({ database: dying(3, 'before') }), lost.body)).rejects.toThrow(Crash);
    queue.delete(lost.receipt);
    expect(await workAll()).toEqual(['completed']);
    expect(await status()).toMatchObject({ status: 'failed', chunks: { completed: 1, failed: 1 } });
    expect(await listFailed({ database }, teamId)).toHaveLength(1);
  });
});

describe('a queue that has lost everything', () => {
  it('is given every open chunk again, in the order of their acceptance', async () => {
    for (const index of [0, 1, 2]) await accept(index, [record('1', { nickname: `${index}` })]);
    queue.forget();
    expect(await sweep(dependencies(), { all: true })).toBe(3);
    expect(await workAll()).toEqual(['completed', 'completed', 'completed']);
    expect(await nicknames('1')).toEqual(['2']);
    const contactId = derivedContactId(teamId, 'owner of 1');
    expect((await loadLinks(database, teamId, contactId)).links).toHaveLength(1);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Chunk, chunksOf } from '../../../client/chunks.ts';
import { accountConflicts, contactConflicts } from '../../../client/conflicts.ts';
import { inOrder } from '../../../client/in-order.ts';
import type { AccountRecord } from '../../../client/types.ts';
import { until } from '../../support/until.ts';

const free = () => ({ inOrder: [] });

describe('sending in order', () => {
  test('takes no more from the source than it has room for', async () => {
    let taken = 0;
    let ended = 0;
    let most = 0;
    function* source() {
      for (let item = 0; item < 40; item++) {
        taken++;
        most = Math.max(most, taken - ended);
        yield item;
      }
    }
    const send = async () => {
      await sleep(1);
      ended++;
    };
    await inOrder(source(), { conflictsOf: free, send, atOnce: 3 });
    expect(ended).toBe(40);
    expect(most).toBeLessThanOrEqual(6);
  });

  test('sends so many at once, and those that conflict one by one', async () => {
    const under = new Set<number>();
    const most = { all: 0, even: 0 };
    const send = async (item: number) => {
      under.add(item);
      most.all = Math.max(most.all, under.size);
      most.even = Math.max(most.even, [...under].filter((each) => each % 2 === 0).length);
      await sleep(2);
      under.delete(item);
    };
    const conflictsOf = (item: number) => ({ inOrder: item % 2 === 0 ? ['even'] : [] });
    await inOrder(
      Array.from({ length: 20 }, (_, item) => item),
      { conflictsOf, send, atOnce: 4 },
    );
    expect(most).toEqual({ all: 4, even: 1 });
  });

  test('starts what waits while the source has nothing yet', async () => {
    const sent: string[] = [];
    async function* source() {
      yield 'first';
      yield 'second';
      await until('both are sent', () => sent.length === 2);
      yield 'third';
    }
    const send = async (item: string) => {
      await sleep(1);
      sent.push(item);
      expect(item === 'third' || sent.length <= 2).toBe(true);
    };
    await inOrder(source(), { conflictsOf: () => ({ inOrder: ['all'] }), send, atOnce: 2 });
    expect(sent).toEqual(['first', 'second', 'third']);
  });

  test('stops at a failure, lets end what is under way, and closes the source', async () => {
    const sent: number[] = [];
    let closed = false;
    function* source() {
      try {
        for (let item = 0; ; item++) yield item;
      } finally {
        closed = true;
      }
    }
    const refused = Promise.withResolvers<void>();
    const send = async (item: number) => {
      if (item === 1) {
        refused.resolve();
        throw new Error('refused');
      }
      await refused.promise;
      await sleep(1);
      sent.push(item);
    };
    await expect(inOrder(source(), { conflictsOf: free, send, atOnce: 2 })).rejects.toThrow('refused');
    expect(sent).toEqual([0]);
    expect(closed).toBe(true);
  });

  test('ends by its signal, also while the source has nothing to give', async () => {
    const controller = new AbortController();
    const sent: number[] = [];
    async function* source() {
      yield 1;
      await new Promise(() => {});
    }
    const send = async (item: number) => {
      await sleep(1);
      sent.push(item);
    };
    const run = inOrder(source(), { conflictsOf: free, send, atOnce: 2, signal: controller.signal });
    setTimeout(() => controller.abort(new Error('no longer wanted')), 20);
    await expect(run).rejects.toThrow('no longer wanted');
    expect(sent).toEqual([1]);
  });

  test('passes on what the source threw, once what is under way has ended', async () => {
    const sent: number[] = [];
    async function* source() {
      yield 1;
      throw new Error('unreadable');
    }
    const send = async (item: number) => {
      await sleep(5);
      sent.push(item);
    };
    await expect(inOrder(source(), { conflictsOf: free, send, atOnce: 2 })).rejects.toThrow('unreadable');
    expect(sent).toEqual([1]);
  });
});

describe('chunks', () => {
  async function chunks<T>(records: Iterable<T>): Promise<Chunk<T>[]> {
    const made: Chunk<T>[] = [];
    for await (const chunk of chunksOf(records)) made.push(chunk);
    return made;
  }

  test('hold 500 records, and say where they begin', async () => {
    const made = await chunks(Array.from({ length: 1001 }, (_, n) => ({ n })));
    expect(made.map(({ index, firstRecord, records }) => [index, firstRecord, records.length])).toEqual([
      [0, 0, 500],
      [1, 500, 500],
      [2, 1000, 1],
    ]);
    expect(await chunks([])).toEqual([]);
  });

  test('hold fewer where the records are large, counted in bytes', async () => {
    const large = { text: 'é'.repeat(500_000) };
    const made = await chunks(Array.from({ length: 7 }, () => large));
    expect(made.map(({ records }) => records.length)).toEqual([3, 3, 1]);
    for (const { records } of made) expect(Buffer.byteLength(JSON.stringify({ records }))).toBeLessThan(4_000_000);
  });
});

describe('conflicts', () => {
  test('of accounts are their numbers, and the product codes that they bring', () => {
    const dotted = { account_number: '2', 'product.code': 'FREE' } as AccountRecord;
    const nested: AccountRecord = { account_number: '1', product: { code: 'CHK', type: 'checking' } };
    const mapping = { account_number: '3', contact: { unique_id: 'c' } };
    expect(accountConflicts([nested, dotted, mapping])).toEqual({
      inOrder: ['1', '2', '3'],
      firstDecides: ['CHK', 'FREE'],
    });
  });

  test('of contacts are what they are known by', () => {
    const contacts = [
      { unique_id: 'a', email: 'x' },
      { email: 'b' },
      { unique_id: ' ', email: 'c' },
      { unique_id: '' },
    ];
    expect(contactConflicts(contacts)).toEqual({ inOrder: ['a', 'b', 'c'] });
  });
});

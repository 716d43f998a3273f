import { describe, expect, test } from 'vitest';
import { receiveFile } from '../../../lib/operations/drop-box/receive.ts';
import { LeaseLost } from '../../../lib/operations/drop-box/state.ts';
import type { ObjectStore } from '../../../lib/store/aws/objects.ts';
import type { DropQueue } from '../../../lib/store/drop-box/drop-queue.ts';
import { DropWorld } from '../../support/drop-box.ts';
import { csv, row, rows } from '../../support/samples/account-files.ts';

type Changes = { read?: ObjectStore['read']; postpone?: DropQueue['postpone']; remaining?: () => number };

/** Receives a message once. @returns its outcome, and the calls of the queue */
async function receive(received: number, content: string, { read, postpone, remaining = () => 90_000 }: Changes = {}) {
  const world = await DropWorld.open();
  const file = world.drop('accounts/a.csv', content);
  const calls: unknown[][] = [];
  const queue: DropQueue = {
    send: async (...values) => void calls.push(['send', ...values]),
    sendSeparately: async (...values) => void calls.push(['sendSeparately', ...values]),
    postpone: async (...values) => {
      calls.push(['postpone', ...values]);
      await postpone?.(...values);
    },
  };
  const bucket = read && world.objects.readBy(read);
  const dependencies = { ...world.dependencies(undefined, bucket), dropQueue: queue };
  const message = { file, id: 'm', receipt: 'r', received };
  return { file, calls, reception: await receiveFile(dependencies, message, remaining) };
}

const one = csv(row(1));
/** The message is hidden until ten seconds after the end of the invocation. */
const hidden = ['postpone', 'r', 100];

describe('a received message', () => {
  test.each([
    [90_000, 100],
    [89_001, 100],
    [89_000, 99],
  ])('is hidden for the rest of the invocation and ten seconds (%d)', async (left, seconds) => {
    const { calls } = await receive(1, one, { remaining: () => left });
    expect(calls[0]).toEqual(['postpone', 'r', seconds]);
  });

  test('is done when the file is', async () => {
    const { calls, reception } = await receive(1, '');
    expect(reception).toEqual({ isDone: true, outcome: 'done' });
    expect(calls).toEqual([hidden]);
  });

  test.each([1, 499])('waits for the accounts of its file, after %d receives', async (received) => {
    const { calls, reception } = await receive(received, one);
    expect(reception).toEqual({ isDone: false, outcome: { after: 1, isRead: true } });
    expect(calls).toEqual([hidden, ['postpone', 'r', 1]]);
  });

  test('is replaced after 500 receives by one that no other file waits for', async () => {
    const { file, calls, reception } = await receive(500, one);
    expect(reception).toEqual({ isDone: true, outcome: { after: 1, isRead: true } });
    expect(calls).toEqual([hidden, ['sendSeparately', file, 'm']]);
  });

  test.each([
    [30_001, [0, 1]],
    [30_000, [0]],
  ])('is read on while more than 30 seconds are left (%d)', async (left, chunks) => {
    const { calls, reception } = await receive(501, csv(...rows(501)), { remaining: () => left });
    const isRead = chunks.length > 1;
    expect(reception).toEqual({ isDone: isRead, outcome: { after: isRead ? 1 : 0, isRead } });
    expect(calls.at(-1)![0]).toBe(isRead ? 'sendSeparately' : 'postpone');
  });
});

describe('a message whose attempt fails', () => {
  const error = new Error('the bucket is away');
  const read = () => Promise.reject(error);

  test.each([
    [1, 2],
    [3, 8],
    [5, 32],
    [6, 60],
    [700, 60],
  ])('is received again later each time (%d)', async (received, seconds) => {
    const { calls, reception } = await receive(received, one, { read });
    expect(reception).toEqual({ isDone: false, error });
    expect(calls).toEqual([hidden, ['postpone', 'r', seconds]]);
  });

  test('has this error even if it cannot be postponed', async () => {
    const postpone = async (_: string, seconds: number) => {
      if (seconds === 2) throw new Error('the queue is away');
    };
    expect((await receive(1, one, { read, postpone })).reception).toEqual({ isDone: false, error });
  });

  test('is left to the other attempt if the lease is lost', async () => {
    const { calls, reception } = await receive(1, one, { read: () => Promise.reject(new LeaseLost()) });
    expect(reception).toEqual({ isDone: false, error: expect.any(LeaseLost) });
    expect(calls).toEqual([hidden]);
  });
});

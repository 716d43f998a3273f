import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deliver } from '../../../bin/local/stream/source.ts';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

const batch = (count: number): DynamoDBRecord[] =>
  Array.from({ length: count }, (_, n) => ({ dynamodb: { SequenceNumber: String(n + 1) } }));
const numbersIn = (records: readonly DynamoDBRecord[]) =>
  records.map(({ dynamodb }) => Number(dynamodb?.SequenceNumber));

/** Delivers the records 1 to `count`, which are too old after so many attempts. @returns the numbers of each invocation, and of each batch that was given up */
async function delivered(count: number, work: (numbers: number[]) => unknown, attempts = Number.POSITIVE_INFINITY) {
  const invoked: number[][] = [];
  const givenUp: number[][] = [];
  const pauses: number[] = [];
  await deliver(batch(count), {
    isTooOld: () => invoked.length >= attempts,
    pause: async (retry) => void pauses.push(retry),
    giveUp: (records) => givenUp.push(numbersIn(records)),
    invoke: async ({ Records }: DynamoDBStreamEvent) => {
      invoked.push(numbersIn(Records));
      return work(numbersIn(Records));
    },
  });
  return { invoked, givenUp, pauses };
}
const report = (...numbers: number[]) => ({
  batchItemFailures: numbers.map((number) => ({ itemIdentifier: String(number) })),
});

test('a batch that succeeds is delivered once', async () => {
  expect(await delivered(3, () => report())).toEqual({ invoked: [[1, 2, 3]], givenUp: [], pauses: [] });
});

test('after a report, the records from the first failed one are tried again', async () => {
  let calls = 0;
  const { invoked, givenUp } = await delivered(4, () => (calls++ === 0 ? report(4, 3) : report()));
  expect(invoked).toEqual([
    [1, 2, 3, 4],
    [3, 4],
  ]);
  expect(givenUp).toEqual([]);
});

test('a batch whose invocation fails is split, until the record that causes it is alone', async () => {
  const { invoked, givenUp } = await delivered(4, (numbers) => {
    if (numbers.includes(3) && numbers.length > 1) throw new Error('poison');
  });
  expect(invoked).toEqual([[1, 2, 3, 4], [1, 2], [3, 4], [3], [4]]);
  expect(givenUp).toEqual([]);
});

test('what fails is tried again, and later records wait for it, until it is too old', async () => {
  const { invoked, givenUp } = await delivered(3, (numbers) => (numbers.includes(2) ? report(2) : report()), 20);
  expect(invoked).toEqual([[1, 2, 3], ...Array.from({ length: 19 }, () => [2, 3])]);
  expect(givenUp).toEqual([[2, 3]]);
});

test('what fails of a half is tried again before the other half, and its waits begin anew when a record succeeds', async () => {
  const failures = [1, 1, 1, 2, 2];
  const { invoked, pauses } = await delivered(4, (numbers) => {
    if (numbers.length === 4) throw new Error('poison');
    return numbers.includes(2) && failures.length > 0 ? report(failures.shift()!) : report();
  });
  expect(invoked).toEqual([[1, 2, 3, 4], [1, 2], [1, 2], [1, 2], [1, 2], [2], [2], [3, 4]]);
  expect(pauses).toEqual([0, 1, 2, 0, 1]);
});

test('a report of an unknown record fails the whole batch', async () => {
  const { invoked } = await delivered(2, (numbers) => (numbers.length > 1 ? report(9) : report()));
  expect(invoked).toEqual([[1, 2], [1], [2]]);
});

import { afterEach, expect, test } from 'vitest';
import { functionThread } from '../../bin/local/thread.ts';

const thread = functionThread();
afterEach(() => thread.stop());

const seconds = 20;
/** The function that forwards notices needs nothing to handle an event without records. */
const nothing = { Records: [] };

test('runs a function and returns its result', async () => {
  expect(await thread.invoke('drop-box-notice', nothing, seconds)).toEqual({ batchItemFailures: [] });
});

test('runs invocations at the same time', async () => {
  const results = await Promise.all([1, 2, 3].map(() => thread.invoke('drop-box-notice', nothing, seconds)));
  expect(results).toEqual([1, 2, 3].map(() => ({ batchItemFailures: [] })));
});

test('reports why an invocation failed', async () => {
  await expect(thread.invoke('no-such-function', nothing, seconds)).rejects.toThrow('there is no function');
});

test('fails the invocations of a thread that ends, and starts another one', async () => {
  const lost = thread.invoke('drop-box-notice', nothing, seconds);
  const failed = expect(lost).rejects.toThrow('the thread of the function has ended');
  await thread.stop();
  await failed;
  expect(await thread.invoke('drop-box-notice', nothing, seconds)).toEqual({ batchItemFailures: [] });
});

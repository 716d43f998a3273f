import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LambdaFunction } from './functions.ts';
import { asFunction } from './permissions.ts';

/** Runs the function with this id. Rejects after `seconds`. */
export type InvokeFunction = (id: string, event: unknown, seconds: number) => Promise<unknown>;

/** Invokes as Lambda does, except that a function that timed out continues to run; Lambda would stop it. */
export const invoker =
  (functions: ReadonlyMap<string, LambdaFunction>): InvokeFunction =>
  async (id, event, seconds) => {
    const run = functions.get(id);
    if (!run) throw new Error(`there is no function ${id}`);
    const done = new AbortController();
    try {
      return await Promise.race([
        asFunction(id, () => run(event, contextOf(id, seconds))),
        expiry(id, seconds, done.signal),
      ]);
    } catch (cause) {
      throw new Error(`the function ${id} failed`, { cause });
    } finally {
      done.abort();
    }
  };

function contextOf(functionName: string, seconds: number) {
  const deadline = Date.now() + seconds * 1000;
  const getRemainingTimeInMillis = () => Math.max(0, deadline - Date.now());
  return { functionName, awsRequestId: randomUUID(), getRemainingTimeInMillis };
}

/** Rejects after `seconds`. Never settles once `signal` is aborted. */
function expiry(id: string, seconds: number, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    sleep(seconds * 1000, undefined, { signal }).then(
      () => reject(new Error(`${id} took longer than ${seconds} seconds`)),
      () => {},
    );
  });
}

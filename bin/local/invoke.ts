import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LambdaFunction } from './functions.ts';

/**
 * Runs a function as Lambda does: with a context, and given up after `seconds`. What was given up may still go on
 * here, where Lambda would have ended it. @throws what the function throws.
 */
export async function invokeFunction(name: string, run: LambdaFunction, event: unknown, seconds: number) {
  const deadline = Date.now() + seconds * 1000;
  const context = {
    functionName: name,
    awsRequestId: randomUUID(),
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
  const done = new AbortController();
  const limit = sleep(seconds * 1000, undefined, { signal: done.signal }).then(() => {
    throw new Error(`${name} took longer than ${seconds} seconds`);
  });
  try {
    return await Promise.race([run(event, context), limit]);
  } catch (error) {
    console.error(`${name} failed:`, error);
    throw error;
  } finally {
    limit.catch(() => {});
    done.abort();
  }
}

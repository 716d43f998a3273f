import { Worker } from 'node:worker_threads';
import type { InvokeFunction } from './functions.ts';

export type ThreadCall = { call: number; id: string; event: unknown; seconds: number };
/** An error is sent as text, because not every error can be cloned. */
export type ThreadResult = { call: number; result?: unknown; error?: string };

/**
 * Runs functions in a thread of their own, so that imports do not delay requests. The thread starts with the first
 * invocation. If it ends, its invocations fail, and the next one starts a new thread, as Lambda would start a new
 * instance.
 */
export function functionThread(): { invoke: InvokeFunction; stop(): Promise<void> } {
  let thread: Worker | undefined;
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let calls = 0;

  const start = (): Worker => {
    const started = new Worker(new URL('./thread-main.ts', import.meta.url));
    started.unref();
    started.on('message', ({ call, result, error }: ThreadResult) => {
      const { resolve, reject } = pending.get(call)!;
      pending.delete(call);
      if (error === undefined) resolve(result);
      else reject(new Error(error));
    });
    started.on('error', console.error);
    started.once('exit', () => {
      thread = undefined;
      for (const { reject } of pending.values()) reject(new Error('the thread of the function has ended'));
      pending.clear();
    });
    return started;
  };

  return {
    invoke: (id, event, seconds) => {
      thread ??= start();
      const call = calls++;
      const answer = Promise.withResolvers<unknown>();
      pending.set(call, answer);
      thread.postMessage({ call, id, event, seconds } satisfies ThreadCall);
      return answer.promise;
    },
    stop: async () => {
      await thread?.terminate();
    },
  };
}

import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { StreamSettings } from '../stream/records.ts';
import { within } from '../timing.ts';
import type { ThreadResult } from './function-thread.ts';
import { type InvokeFunction, timedOut } from './functions.ts';

/** Threads do not keep the process alive. */
function startThread(file: string, workerData?: unknown): Worker {
  const thread = new Worker(new URL(file, import.meta.url), { workerData });
  thread.unref();
  return thread.on('error', console.error);
}

/**
 * Runs functions in a thread of their own, so that imports do not delay requests. The thread starts with the first
 * invocation. If it ends, its invocations fail, and the next one starts a new thread, as Lambda would start a new
 * instance. An invocation that times out ends the thread, so that it does not run on beside its repeat.
 */
export function functionThread(): { invoke: InvokeFunction; stop(): Promise<void> } {
  let thread: Worker | undefined;
  const start = () => {
    const started = startThread('./function-thread.ts');
    return started.once('exit', () => forget(started));
  };
  const forget = (ended: Worker) => {
    if (thread === ended) thread = undefined;
  };
  return {
    invoke: async (id, event, seconds) => {
      thread ??= start();
      const used = thread;
      const { port1: ours, port2: caller } = new MessageChannel();
      used.postMessage({ id, event, seconds, caller }, [caller]);
      // A port is closed when the thread of its other side ends.
      const closed = once(ours, 'close').then(() => [{ error: 'the thread of the function has ended' }]);
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        forget(used);
        void used.terminate();
      }, seconds * 1000).unref();
      const [{ result, error }] = (await Promise.race([once(ours, 'message'), closed])) as [ThreadResult];
      clearTimeout(timer);
      if (isLate) {
        await used.terminate();
        throw timedOut(id, seconds);
      }
      ours.close();
      if (error !== undefined) throw new Error(error);
      return result;
    },
    stop: async () => {
      await thread?.terminate();
    },
  };
}

const pauseAfterCrash = 1000;

/**
 * Reads the stream and invokes its function in a thread of their own, so that neither delays requests or imports. A
 * thread that ends is started again.
 */
export function startStream(
  settings: StreamSettings,
  sendFailure: (message: string) => Promise<unknown>,
): (graceMilliseconds: number) => Promise<void> {
  let isStopping = false;
  let thread: Worker;
  const start = () => {
    thread = startThread('../stream/thread.ts', settings);
    thread.on('message', (message: string) => sendFailure(message).catch(console.error));
    thread.once('exit', () => {
      if (!isStopping) setTimeout(start, pauseAfterCrash).unref();
    });
  };
  start();
  return async (graceMilliseconds) => {
    isStopping = true;
    thread.postMessage('stop');
    await within(graceMilliseconds, once(thread, 'exit'));
    await thread.terminate();
  };
}

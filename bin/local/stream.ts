import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { BackgroundFunction } from '../../lib/background.ts';

export type StreamTrigger = Extract<BackgroundFunction['trigger'], { stream: unknown }>;

export type StreamSettings = {
  functionId: string;
  trigger: StreamTrigger;
  /** The timeout of the function. */
  seconds: number;
  table: { endpoint: string; name: string; streamArn: string };
  /** The file that keeps the position in the stream. */
  positionPath: string | undefined;
  /** The file of the embedded engine. Without it, the stream is read by the API. */
  databasePath: string | undefined;
};

const pauseAfterCrash = 1000;

/**
 * Reads the stream and invokes its function in a thread of their own, so that neither delays requests or imports. A
 * thread that ends is started again.
 */
export function startStream(
  settings: StreamSettings,
  sendFailure: (message: string) => Promise<unknown>,
): { stop(graceMilliseconds: number): Promise<void> } {
  let isStopping = false;
  let thread: Worker;
  const start = () => {
    thread = new Worker(new URL('./stream-thread.ts', import.meta.url), { workerData: settings });
    thread.unref();
    thread.on('error', console.error);
    thread.on('message', (message: string) => sendFailure(message).catch(console.error));
    thread.once('exit', () => {
      if (!isStopping) setTimeout(start, pauseAfterCrash).unref();
    });
  };
  start();
  return {
    stop: async (graceMilliseconds) => {
      isStopping = true;
      const ended = once(thread, 'exit');
      thread.postMessage(graceMilliseconds);
      await Promise.race([ended, sleep(graceMilliseconds, undefined, { ref: false })]);
      await thread.terminate();
    },
  };
}

import { inspect } from 'node:util';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { runFunction, serviceInvoker } from './functions.ts';

export type ThreadCall = { id: string; event: unknown; seconds: number; caller: MessagePort };
/** An error is sent as text, because not every error can be cloned. */
export type ThreadResult = { result?: unknown; error?: string };

/** The thread of `functionThread`. It has the environment of the process that started it. */
const invoke = serviceInvoker(runFunction);

parentPort!.on('message', async ({ id, event, seconds, caller }: ThreadCall) => {
  const answer: ThreadResult = await invoke(id, event, seconds).then(
    (result) => ({ result }),
    (error: unknown) => ({ error: inspect(error) }),
  );
  caller.postMessage(answer);
});
process.on('unhandledRejection', console.error);

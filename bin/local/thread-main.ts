import { inspect } from 'node:util';
import { parentPort } from 'node:worker_threads';
import { serviceInvoker } from './functions.ts';
import type { ThreadCall, ThreadResult } from './thread.ts';

/** The thread of `functionThread`. It has the environment of the process that started it. */
const invoke = serviceInvoker();
const port = parentPort!;

port.on('message', async ({ call, id, event, seconds }: ThreadCall) => {
  const answer = (response: Omit<ThreadResult, 'call'>) => port.postMessage({ call, ...response });
  await invoke(id, event, seconds).then(
    (result) => answer({ result }),
    (error: unknown) => answer({ error: inspect(error) }),
  );
});
process.on('unhandledRejection', console.error);

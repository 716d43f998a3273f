import { inspect } from 'node:util';
import { parentPort } from 'node:worker_threads';
import { guardFiles } from '../../lib/runtime/drop-box.ts';
import { guardTable } from '../../lib/runtime/table.ts';
import { serviceFunctions } from './functions.ts';
import { invoker } from './invoke.ts';
import { restricted, restrictedFiles } from './permissions.ts';
import type { ThreadCall, ThreadResult } from './thread.ts';

/** The thread of `functionThread`. It has the environment of the process that started it. */
guardTable(restricted);
guardFiles(restrictedFiles);
const invoke = invoker(serviceFunctions());
const port = parentPort!;

port.on('message', async ({ call, id, event, seconds }: ThreadCall) => {
  const answer = (response: Omit<ThreadResult, 'call'>) => port.postMessage({ call, ...response });
  await invoke(id, event, seconds).then(
    (result) => answer({ result }),
    (error: unknown) => answer({ error: inspect(error) }),
  );
});
process.on('unhandledRejection', console.error);

import { randomUUID } from 'node:crypto';
import { backgroundFunctions, messageFunctions } from '../../../lib/background.ts';
import { defaultRoute, docsRoutes, routes } from '../../../lib/routes.ts';
import { guardJournal } from '../../../lib/runtime/consent.ts';
import { guardFiles } from '../../../lib/runtime/drop-box.ts';
import { guardDropBox, guardErasureList } from '../../../lib/runtime/erasures.ts';
import { guardImages } from '../../../lib/runtime/images.ts';
import { guardMessagesSecret } from '../../../lib/runtime/messages-secret.ts';
import { guardTable } from '../../../lib/runtime/table.ts';
import { within } from '../timing.ts';
import {
  asFunction,
  restricted,
  restrictedDropBox,
  restrictedErasureList,
  restrictedFiles,
  restrictedImages,
  restrictedJournal,
  restrictedSecret,
} from './permissions.ts';

/** Runs the function with this id. Rejects after `seconds`. */
export type InvokeFunction = (id: string, event: unknown, seconds: number) => Promise<unknown>;

const root = new URL('../../../', import.meta.url);
const moduleOf = new Map<string, string>(
  [...routes, ...docsRoutes, defaultRoute, ...backgroundFunctions, ...messageFunctions].map(({ id, file }) => [
    id,
    new URL(file, root).href,
  ]),
);

/**
 * Runs a function until it ends, in this thread. The source of a function is loaded at its first invocation, as Lambda
 * does: together the functions take 60 MB. Functions read the environment when they run.
 */
export const runFunction: InvokeFunction = async (id, event, seconds) => {
  const module = moduleOf.get(id);
  if (module === undefined) throw new Error(`there is no function ${id}`);
  try {
    return await asFunction(id, async () => {
      const { handler } = await import(module);
      return handler(event, contextOf(id, seconds));
    });
  } catch (cause) {
    throw new Error(`the function ${id} failed`, { cause });
  }
};

export const timedOut = (id: string, seconds: number) => new Error(`${id} took longer than ${seconds} seconds`);

/**
 * Invokes as Lambda does, except that a function that timed out continues to run. Only requests are invoked so: what the
 * service repeats by itself runs in a thread that ends with it, see `functionThread`.
 */
const invokeFunction: InvokeFunction = (id, event, seconds) =>
  within(seconds * 1000, runFunction(id, event, seconds), () => {
    throw timedOut(id, seconds);
  });

function contextOf(functionName: string, seconds: number) {
  const deadline = Date.now() + seconds * 1000;
  const getRemainingTimeInMillis = () => Math.max(0, deadline - Date.now());
  return { functionName, awsRequestId: randomUUID(), getRemainingTimeInMillis };
}

/** Invokes all functions of the service in this thread, each with its grants only. */
export function serviceInvoker(invoke = invokeFunction): InvokeFunction {
  guardTable(restricted);
  guardFiles(restrictedFiles);
  guardImages(restrictedImages);
  guardDropBox(restrictedDropBox);
  guardErasureList(restrictedErasureList);
  guardJournal(restrictedJournal);
  guardMessagesSecret(restrictedSecret);
  return invoke;
}

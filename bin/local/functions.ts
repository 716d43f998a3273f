import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { backgroundFunctions } from '../../lib/background.ts';
import { defaultRoute, docsRoutes, routes } from '../../lib/routes.ts';
import { guardFiles } from '../../lib/runtime/drop-box.ts';
import { guardImages } from '../../lib/runtime/images.ts';
import { guardTable } from '../../lib/runtime/table.ts';
import { asFunction, restricted, restrictedFiles, restrictedImages } from './permissions.ts';

export type LambdaFunction = (event: unknown, context: unknown) => Promise<unknown>;

const root = new URL('../../', import.meta.url);

/**
 * Every function of the service, by id. Its source is loaded at its first invocation, as Lambda does: together the
 * functions take 60 MB. Functions read the environment when they run.
 */
export const serviceFunctions = (): Map<string, LambdaFunction> =>
  new Map(
    [...routes, ...docsRoutes, defaultRoute, ...backgroundFunctions].map(({ id, file }) => [
      id,
      loadedWhenInvoked(file),
    ]),
  );

function loadedWhenInvoked(file: string): LambdaFunction {
  let loading: Promise<LambdaFunction> | undefined;
  return async (event, context) => {
    loading ??= load(file);
    return (await loading)(event, context);
  };
}

async function load(file: string): Promise<LambdaFunction> {
  const module = (await import(new URL(file, root).href)) as { handler?: LambdaFunction };
  if (typeof module.handler === 'function') return module.handler;
  throw new Error(`${file} exports no function called handler`);
}

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

/** Invokes all functions of the service in this thread, each with its grants only. */
export function serviceInvoker(): InvokeFunction {
  guardTable(restricted);
  guardFiles(restrictedFiles);
  guardImages(restrictedImages);
  return invoker(serviceFunctions());
}

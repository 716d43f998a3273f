import { backgroundFunctions } from '../../lib/background.ts';
import { defaultRoute, docsRoutes, routes } from '../../lib/routes.ts';
import { StartFailure } from './failure.ts';

export type LambdaFunction = (event: unknown, context: unknown) => Promise<unknown>;

const root = new URL('../../', import.meta.url);

/**
 * Loads every function of the service from its source, by id. Functions read the environment at their first call.
 * @throws StartFailure naming the file that does not load
 */
export async function loadFunctions(): Promise<Map<string, LambdaFunction>> {
  return loadAll([...routes, ...docsRoutes, defaultRoute, ...backgroundFunctions]);
}

/** Loads only the functions that no request calls. */
export const loadBackgroundFunctions = () => loadAll(backgroundFunctions);

async function loadAll(declared: readonly { id: string; file: string }[]): Promise<Map<string, LambdaFunction>> {
  const loaded = await Promise.all(declared.map(async ({ id, file }) => [id, await load(file)] as const));
  return new Map(loaded);
}

async function load(file: string): Promise<LambdaFunction> {
  const module = (await import(new URL(file, root).href).catch((cause: Error) => {
    throw new StartFailure(`${file} does not load: ${cause.message}`, { cause });
  })) as { handler?: LambdaFunction };
  if (typeof module.handler === 'function') return module.handler;
  throw new StartFailure(`${file} exports no function called handler`);
}

import { backgroundFunctions } from '../../lib/background.ts';
import { defaultRoute, docsRoutes, routes } from '../../lib/routes.ts';

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

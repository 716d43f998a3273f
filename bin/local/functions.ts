import { existsSync } from 'node:fs';
import { backgroundFunctions } from '../../lib/background.ts';
import { defaultRoute, routes } from '../../lib/routes.ts';

export type LambdaFunction = (event: unknown, context: unknown) => Promise<unknown>;

const root = new URL('../../', import.meta.url);

/** Every function of the service, from its source. They read the environment when they are first called. */
export async function loadFunctions(): Promise<Map<string, LambdaFunction>> {
  const declared = [...routes, defaultRoute, ...backgroundFunctions];
  const loaded = await Promise.all(declared.map(async ({ id, file }) => [id, await load(id, file)] as const));
  return new Map(loaded);
}

async function load(id: string, file: string): Promise<LambdaFunction> {
  const url = new URL(file, root);
  if (!existsSync(url)) {
    console.error(`missing: ${file}`);
    return async () => ({ statusCode: 501, body: `no ${file}` });
  }
  const module = (await import(url.href).catch((error: unknown) => {
    console.error(`broken: ${file}`, error);
    return { handler: async () => ({ statusCode: 501, body: `broken ${file}` }) };
  })) as { handler?: LambdaFunction };
  if (typeof module.handler !== 'function') throw new Error(`${file} exports no handler for ${id}`);
  return module.handler;
}

import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { backgroundFunctions } from '../lib/background.ts';
import { defaultRoute, docsRoutes, type Route, routes } from '../lib/routes.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where the synthesis looks for the bundles: `dist/<id>/index.mjs`, one directory a function. */
export const bundleDirectory = join(root, 'dist');

/** Every function of the service by its id, with the file that exports its handler. */
export const entryPoints: Record<string, string> = Object.fromEntries(
  [...routes, ...docsRoutes, defaultRoute, ...backgroundFunctions].map(({ id, file }) => [id, file]),
);

/**
 * One esbuild call over all functions. The SDK is bundled: the runtime's own copy loads more slowly and changes its
 * version without us. Functions keep their names, so that the frames of a logged error can be read.
 * @returns which modules each bundle holds
 */
export async function bundle(outdir: string = bundleDirectory): Promise<Metafile> {
  await rm(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(Object.entries(entryPoints).map(([id, file]) => [`${id}/index`, file])),
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    mainFields: ['module', 'main'],
    // CommonJS packages require Node's own modules by a function that modules do not have.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    minify: true,
    // As escapes, the words of the pages would take up to three times as much.
    charset: 'utf8',
    keepNames: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  for (const route of docsRoutes as readonly Route[]) await addPackageFiles(route, outdir);
  return metafile;
}

/** Where the function looks for them: in the folder of packages beside it, as in the project. */
async function addPackageFiles({ id, ships = [] }: Route, outdir: string): Promise<void> {
  for (const file of ships) await cp(join(root, 'node_modules', file), join(outdir, id, 'node_modules', file));
}

if (import.meta.main) await bundle();

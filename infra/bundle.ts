import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { backgroundFunctions } from '../lib/background.ts';
import type { Route } from '../lib/route.ts';
import { defaultRoute, docsRoutes, originCheck, routes } from '../lib/routes.ts';
import { withoutUnusedConstants } from './unused-constants.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The directory of the bundles: one subdirectory for each function, `dist/<id>/index.mjs`. */
export const bundleDirectory = join(root, 'dist');

/** The file that exports the handler of each function, by the id of the function. */
export const entryPoints: Record<string, string> = Object.fromEntries(
  [...routes, ...docsRoutes, defaultRoute, originCheck, ...backgroundFunctions].map(({ id, file }) => [id, file]),
);

/** Of every bundle. Function names are kept, so that the stack frames of a logged error are readable. */
export const bundleOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  alias: {
    '@aws-sdk/credential-provider-node': join(root, 'lib/runtime/lambda-credentials.ts'),
    // The parser of style sheets needs it only for source maps, and does without in browsers.
    'source-map-js': join(root, 'lib/runtime/no-source-maps.ts'),
  },
  plugins: [withoutUnusedConstants(root)],
  // CommonJS packages call `require` for Node's built-in modules, and ES modules have no `require`.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  minify: true,
  // Written as escapes, the texts of the pages would be up to three times as large.
  charset: 'utf8',
  keepNames: true,
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

/** The function whose document describes the responses of all contracts. */
const describing = 'get-openapi';

/**
 * Bundles all functions. The AWS SDK is bundled too: the copy in the Lambda runtime loads more slowly and can change its
 * version at any time.
 * @returns the modules in each bundle
 */
export async function bundle(outdir: string = bundleDirectory): Promise<Metafile> {
  await rm(outdir, { recursive: true, force: true });
  const { [describing]: document, ...others } = entryPoints;
  const [all, described] = await Promise.all([
    bundleAll(outdir, others),
    bundleAll(outdir, { [describing]: document! }, [withoutUnusedConstants(root, { describesResponses: true })]),
  ]);
  for (const route of docsRoutes as readonly Route[]) await addPackageFiles(route, outdir);
  return {
    inputs: { ...all.inputs, ...described.inputs },
    outputs: { ...all.outputs, ...described.outputs },
  };
}

async function bundleAll(outdir: string, files: Record<string, string>, plugins?: Plugin[]): Promise<Metafile> {
  const { metafile } = await build({
    ...bundleOptions,
    ...(plugins ? { plugins } : {}),
    entryPoints: Object.fromEntries(Object.entries(files).map(([id, file]) => [`${id}/index`, file])),
    outdir,
    outExtension: { '.js': '.mjs' },
    metafile: true,
  });
  return metafile;
}

/** Copies the files into `node_modules` beside the bundle, where the function looks for them. */
async function addPackageFiles({ id, ships = [] }: Route, outdir: string): Promise<void> {
  for (const file of ships) await cp(join(root, 'node_modules', file), join(outdir, id, 'node_modules', file));
}

if (import.meta.main) await bundle();

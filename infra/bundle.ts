import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { backgroundFunctions, messageFunctions } from '../lib/background.ts';
import type { Route } from '../lib/route.ts';
import { defaultRoute, docsRoutes, originCheck, ownFunctions, routes } from '../lib/routes.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The directory of the bundles: one subdirectory for each function, `dist/<id>/index.mjs`. */
export const bundleDirectory = join(root, 'dist');

/** The file that exports the handler of each function, by the id of the function. */
export const entryPoints: Record<string, string> = Object.fromEntries(
  [...ownFunctions, ...docsRoutes, defaultRoute, originCheck, ...backgroundFunctions, ...messageFunctions].map(
    ({ id, file }) => [id, file],
  ),
);

/**
 * Leaves out the schemas of operations that no function calls: two thirds of the S3 client. A schema is a list that esbuild
 * keeps, because the computed names in it could have an effect; as the result of a pure function it is kept only if it is
 * used.
 */
const unusedSchemas: Plugin = {
  name: 'unused schemas of the SDK',
  setup: ({ onLoad }) =>
    onLoad({ filter: /@aws-sdk\/client-[\w-]+\/dist-es\/schemas\/\w+\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(
        /^((?:export )?var \S+ = )(\[.*?\]);$/gms,
        '$1/* @__PURE__ */ (() => $2)();',
      ),
    })),
};

/**
 * A file of an endpoint has its contract, its responses and its handler. The bundle of a function starts at the handler
 * alone, and the one of the document at the contracts.
 */
const onlyHandlers: Plugin = {
  name: 'handlers without responses, and contracts without handlers',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^handler:/ }, ({ path }) => ({ path: path.replace(/^handler:/, ''), namespace: 'handler' }));
    onLoad({ filter: /./, namespace: 'handler' }, ({ path }) => ({
      ...{ contents: `export { handler } from './${path}';`, resolveDir: root },
    }));
    // esbuild leaves a handler out only if it knows that making it has no effect.
    onLoad({ filter: /\/functions\/[\w-]+\/[\w-]+\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(
        /(?<=[=(,:]\s+)(?:(?:bearer|list|public)Endpoint|byRoute|httpHandler|formErrors|errorPage|new EntryLimit)\(/g,
        '/* @__PURE__ */ $&',
      ),
      loader: 'ts',
    }));
    onLoad({ filter: /functions\/contracts\.ts$/ }, () => {
      const files = [...new Set(routes.map(({ file }) => file))];
      const imports = files.map((file, at) => `import { contracts as of${at} } from './${file}';`).join('');
      const calls = files.map((_, at) => `...of${at}()`);
      return { contents: `${imports}export const allContracts = async () => [${calls}];`, resolveDir: root };
    });
  },
};

/** Of every bundle. The stack frames of a logged error are read with the source maps, see `lib/runtime/source-frames.ts`. */
export const bundleOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  alias: {
    // The parser of style sheets needs it only for source maps, and does without in browsers.
    'source-map-js': join(root, 'infra/empty-module.ts'),
    // The SDK needs it for operations that send a stream of events, which no function does.
    '@smithy/core/event-streams': join(root, 'infra/empty-module.ts'),
  },
  plugins: [unusedSchemas, onlyHandlers],
  // What the SDK loads when it is first needed, which is never: names of browsers, and credentials from elsewhere than
  // the environment.
  external: [
    '@smithy/credential-provider-imds',
    'bowser',
    ...['http', 'ini', 'process', 'sso', 'web-identity'].map((source) => `@aws-sdk/credential-provider-${source}`),
  ],
  // CommonJS packages call `require` for Node's modules, and ES modules have no `require`.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  minify: true,
  // V8 needs twice the memory for a file with any other character.
  charset: 'ascii',
  sourcemap: 'external',
  sourcesContent: false,
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

/** The functions of forms. What renders pages is loaded only if a form is refused. */
export const formFunctions: readonly string[] = ['record-action', 'record-content-action', 'check-identity'];

/**
 * The functions with pages, which have texts in many languages, and the worker that publishes campaigns at their time, which
 * checks such texts. All but one load a part of their code when it is first needed. They are bundled one by one, because esbuild would make files that several functions share.
 */
export const splitFunctions: readonly string[] = [
  'show-journey',
  'ask-identity',
  'show-channel-content',
  'no-route',
  'get-docs-file',
  'import-worker',
  ...formFunctions,
];

/**
 * Bundles all functions. The parts of the AWS SDK are bundled too: the copy in the Lambda runtime loads more slowly and
 * can change its version at any time.
 * @returns the modules in each bundle
 */
export async function bundle(outdir: string = bundleDirectory): Promise<Metafile> {
  await rm(outdir, { recursive: true, force: true });
  const ids = Object.keys(entryPoints).filter((id) => !splitFunctions.includes(id));
  const metafiles = await Promise.all([
    bundleFiles(outdir, ids),
    ...splitFunctions.map((id) => bundleFiles(outdir, [id], pageOptions(id))),
  ]);
  for (const route of docsRoutes as readonly Route[]) await addPackageFiles(route, outdir);
  return {
    inputs: Object.assign({}, ...metafiles.map(({ inputs }) => inputs)),
    outputs: Object.assign({}, ...metafiles.map(({ outputs }) => outputs)),
  };
}

/** Written as escapes, the texts of the pages would be up to three times as large. */
const pageOptions = (id: string) =>
  ({ splitting: true, chunkNames: `${id}/[name]-[hash]`, charset: 'utf8' }) satisfies BuildOptions;

async function bundleFiles(outdir: string, ids: readonly string[], options?: BuildOptions): Promise<Metafile> {
  const { metafile } = await build({
    ...bundleOptions,
    ...options,
    entryPoints: Object.fromEntries(ids.map((id) => [`${id}/index`, `handler:${entryPoints[id]}`])),
    outdir,
    outExtension: { '.js': '.mjs' },
    metafile: true,
  });
  return metafile;
}

/** What a function loads, of the bundles in the metafile: the paths of its files, and the modules in them. */
export type Loaded = { files: string[]; modules: string[] };

/** What the function loads when it starts, and what it loads later, when it first needs it. */
export function loadedBy({ outputs }: Metafile, id: string): { atStart: Loaded; later: Loaded } {
  const index = Object.keys(outputs).filter((file) => file.endsWith(`/${id}/index.mjs`));
  const importedBy = (file: string, isLater: boolean): string[] =>
    outputs[file]!.imports.flatMap(({ path, kind }) =>
      outputs[path] && (kind === 'dynamic-import') === isLater ? [path] : [],
    );
  const atStart = new Set(index);
  for (const file of atStart) for (const each of importedBy(file, false)) atStart.add(each);
  const all = new Set(atStart);
  for (const file of all) for (const each of [...importedBy(file, false), ...importedBy(file, true)]) all.add(each);
  const loaded = (files: Iterable<string>): Loaded => ({
    files: [...files].map((file) => join(root, file)),
    modules: [...files].flatMap((file) =>
      Object.entries(outputs[file]!.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    ),
  });
  return { atStart: loaded(atStart), later: loaded(all.difference(atStart)) };
}

/** Copies the files of packages, this one among them, into `node_modules` beside the bundle, where the function looks. */
async function addPackageFiles({ id, ships = [] }: Route, outdir: string): Promise<void> {
  for (const file of ships) await cp(fileURLToPath(import.meta.resolve(file)), join(outdir, id, 'node_modules', file));
}

if (import.meta.main) await bundle();

import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle, entryPoints, formFunctions, loadedBy, splitFunctions } from '../../../infra/bundle.ts';
import { docsFiles, guides } from '../../../lib/http/docs.ts';
import { guideFiles } from '../../../lib/http/guides.ts';
import { defaultRoute, docsRoutes, routes } from '../../../lib/routes.ts';
import { productionPackages } from './licences.ts';

/**
 * Kilobytes (1,000 bytes) that a function may load when it starts; every 100 cost some 10 ms of each cold start. To raise it,
 * look first at what came in: `npx esbuild <file> --bundle --platform=node --format=esm --minify --analyze`. If it is
 * needed, set the budget to the new size and a tenth more, and say in the commit what it buys. The document has its
 * recorded examples. A page has the words in six languages (58, of which 14 are those of messages and of the pages of
 * their links), and loads later, with the first page, two parsers of style sheets (107). A form loads both later, if it is
 * refused. The worker loads the import of campaigns later, when one is published at its time: 138, of which 66 are words. The reader of files has three clients of the SDK and the parser of CSV, and starts once a file. What changes the
 * consent has the clients for the journal and the secret, the publisher that of the event bus and of the secret, and what sends messages that of SES and the composer of MIME
 * texts. The default route loads the notices for people later, and shares modules of
 * errors and replies with them, which are whole then (8).
 *
 * The files of the reference are no code of the function and cost no cold start: they are read when they are asked for.
 * `docs` is for all of them with the code, `docsAnswer` for the largest answer as JSON, of which Lambda allows 6,000.
 */
const budget = {
  without: 132,
  noRoute: 145,
  queueOrSecret: 245,
  bucket: 410,
  table: 500,
  page: 600,
  laterForPages: 145,
  laterForForms: 285,
  laterForWorker: 152,
  files: 883,
  consent: 822,
  publisher: 620,
  sender: 1100,
  document: 363,
  docs: 2200,
  docsAnswer: 700,
};

const pageFunctions = ['show-journey', 'show-channel-content', 'ask-identity'];

const budgetOf = (id: string) => {
  if (pageFunctions.includes(id)) return budget.page;
  if (id === 'get-openapi') return budget.document;
  if (id === 'no-route') return budget.noRoute;
  if (['opt-out', 'show-mail-link', 'message-feedback'].includes(id)) return budget.consent;
  if (id === 'event-publisher') return budget.publisher;
  if (id === 'message-sender') return budget.sender;
  if (id === 'drop-box-reader' || id === 'erasure-worker') return budget.files;
  if (id === 'get-file') return budget.bucket;
  if (id === 'check-origin' || id === 'drop-box-notice') return budget.queueOrSecret;
  return touchesAws(id) ? budget.table : budget.without;
};

/** Every background function and the check of the origin use AWS, also if they read no item. */
const touchesAws = (id: string) =>
  ![...routes, ...docsRoutes, defaultRoute].some((each) => each.id === id && each.grants.read.length === 0);

/**
 * Functions that may contain modules of campaign content: those that show it, those that write contacts or journeys
 * (which complete objectives or start campaigns), and the OpenAPI document.
 */
const holdsContent = [
  ...['list-templates', 'get-template', 'list-template-messages', 'list-template-pages', 'list-objectives'],
  ...['list-engagement-channels', 'search-content-containers', 'show-channel-content'],
  ...['record-content-action', 'record-content-view'],
  ...['create-journey', 'confirm-journey', 'list-journeys', 'list-responses', 'show-journey'],
  ...['get-template-results', 'list-template-responses'],
  ...['record-action', 'record-view', 'ask-identity', 'check-identity'],
  ...['upsert-contacts', 'update-contact', 'drop-box-reader', 'get-openapi', 'event-publisher', 'import-worker'],
  ...['targeting-worker', 'message-sender', 'message-feedback', 'opt-out', 'show-mail-link'],
];

let directory: string;
let metafile: Metafile;
const fileOf = (id: string) => join(directory, id, 'index.mjs');

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'onboarding-bundles-'));
  metafile = await bundle(directory);
}, 180_000);

afterAll(() => rmSync(directory, { recursive: true }));

/** The modules in the function's bundle. */
function modulesOf(id: string): string[] {
  const { atStart, later } = loadedBy(metafile, id);
  return [...atStart.modules, ...later.modules];
}

const kilobytesOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + statSync(file).size, 0) / 1000;

describe('the bundle', () => {
  test.each(Object.keys(entryPoints))('of %s is within its budget', (id) => {
    expect(kilobytesOf(loadedBy(metafile, id).atStart.files)).toBeLessThan(budgetOf(id));
  });

  test.each(pageFunctions.filter((id) => id !== 'ask-identity'))(
    'of %s has the code that renders pages, and its parsers, in files that are loaded later',
    (id) => {
      const { atStart, later } = loadedBy(metafile, id);
      expect(atStart.modules.filter((path) => /node_modules\/postcss|lib\/web\/blocks\//.test(path))).toEqual([]);
      expect(later.modules.filter((path) => path.includes('postcss'))).not.toEqual([]);
      expect(kilobytesOf(later.files)).toBeLessThan(budget.laterForPages);
    },
  );

  test.each(formFunctions)('of %s has everything that renders pages in files that are loaded later', (id) => {
    const { atStart, later } = loadedBy(metafile, id);
    expect(atStart.modules.filter((path) => /node_modules\/postcss|lib\/web\//.test(path))).toEqual([]);
    expect(later.modules.filter((path) => path.startsWith('lib/web/words/'))).not.toEqual([]);
    expect(kilobytesOf(later.files)).toBeLessThan(budget.laterForForms);
  });

  test.each(Object.keys(entryPoints).filter((id) => !splitFunctions.includes(id)))('of %s is one file', (id) => {
    const { atStart, later } = loadedBy(metafile, id);
    expect([...atStart.files, ...later.files]).toEqual([fileOf(id)]);
  });

  test.each(Object.keys(entryPoints).filter((id) => !holdsContent.includes(id)))(
    'of %s, which shows no campaign content, contains no module of lib/domain/content',
    (id) => {
      expect(modulesOf(id).filter((path) => path.startsWith('lib/domain/campaigns/'))).toEqual([]);
    },
  );

  test.each(Object.keys(entryPoints).filter((id) => id !== 'get-openapi'))(
    'of %s, which only reads campaign content, contains no schema of it',
    (id) => {
      // The worker publishes campaigns at their time, with an import that it loads then.
      const modules = id === 'import-worker' ? loadedBy(metafile, id).atStart.modules : modulesOf(id);
      expect(modules).not.toContain('lib/domain/campaigns/values.ts');
    },
  );

  test('of the worker has the import of campaigns in files that are loaded later', () => {
    const { atStart, later } = loadedBy(metafile, 'import-worker');
    const ofImport = /^lib\/(?:content|operations\/publishing|web)\//;
    expect(atStart.modules.filter((path) => ofImport.test(path))).toEqual([]);
    expect(later.modules).toContain('lib/operations/publishing/import-content.ts');
    expect(kilobytesOf(later.files)).toBeLessThan(budget.laterForWorker);
  });

  test.each(Object.keys(entryPoints).filter((id) => id !== 'get-openapi'))(
    'of %s contains no schema of responses, which only the document describes',
    (id) => {
      expect(modulesOf(id).filter((path) => /-responses\.ts$/.test(path))).toEqual([]);
    },
  );

  test.each(Object.keys(entryPoints))('of %s contains credentials from nowhere but the environment', (id) => {
    const sources = modulesOf(id).flatMap(
      (path) => /\/(credential-provider-(?!node\b)\w[\w-]*)\//.exec(path)?.[1] ?? [],
    );
    expect([...new Set(sources)].filter((source) => source !== 'credential-provider-env')).toEqual([]);
  });

  test.each(Object.keys(entryPoints).filter((id) => !touchesAws(id) || id === 'get-file'))(
    'of %s, which touches no table, contains nothing that reads it or verifies tokens',
    (id) => {
      const refused = /node_modules\/jose\/|lib\/store\/(?:dynamodb|table-client)/;
      expect(modulesOf(id).filter((path) => refused.test(path))).toEqual([]);
    },
  );

  test.each(Object.keys(entryPoints))('of %s has source maps next to its files, without the sources', (id) => {
    const { atStart, later } = loadedBy(metafile, id);
    for (const file of [...atStart.files, ...later.files]) {
      const { sources, sourcesContent } = JSON.parse(readFileSync(`${file}.map`, 'utf8'));
      expect([Array.isArray(sources), sourcesContent]).toEqual([true, undefined]);
    }
  });

  test('of a function logs errors with positions in the source files', async () => {
    const url = pathToFileURL(fileOf('rotate-signing-key')).href;
    const call = `const { handler } = await import('${url}'); await handler({ SecretId: null }).catch(() => {})`;
    const env = { TABLE_NAME: 'none', ISSUER: 'https://api.example.com' };
    const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', call], { env });
    const source = readFileSync('lib/store/access/private-keys.ts', 'utf8').split('\n');
    const line = 1 + source.findIndex((text) => text.includes("location.startsWith('file:')"));
    const { frames } = JSON.parse(stderr) as { frames: string[] };
    expect(frames[0]).toContain(`lib/store/access/private-keys.ts:${line}:`);
    expect(frames[1]).toContain('functions/oauth2/rotate-signing-key.ts:');
  });

  test('of no function contains what only source maps need', () => {
    const inputs = Object.keys(entryPoints).flatMap(modulesOf);
    expect(inputs.filter((path) => path.includes('source-map-js'))).toEqual([]);
  });

  test('of no function contains the warnings of campaigns, which use packages of development', () => {
    const inputs = Object.keys(entryPoints).flatMap(modulesOf);
    expect(inputs.filter((path) => /^bin\//.test(path))).toEqual([]);
  });

  test('of every function contains only packages whose licences are checked', () => {
    const bundled = Object.keys(metafile.inputs).flatMap((path) => {
      const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
      return name === undefined ? [] : [name];
    });
    const checked = productionPackages().map(({ name }) => name);
    expect([...new Set(bundled)].filter((name) => !checked.includes(name))).toEqual([]);
  });

  test('of every function loads by itself, without node_modules, and exports a handler', async () => {
    const script = `
      const handlers = {};
      for (const file of process.argv.slice(1)) handlers[file] = typeof (await import(file)).handler;
      console.log(JSON.stringify(handlers));
    `;
    const files = Object.keys(entryPoints).map(fileOf);
    const settings = { cwd: directory, env: { AWS_REGION: 'us-east-1' } };
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, ...files], settings);
    expect(JSON.parse((await run).stdout)).toEqual(Object.fromEntries(files.map((file) => [file, 'function'])));
  });

  test.each(splitFunctions)('of %s loads its later files without node_modules', async (id) => {
    const script = 'for (const file of process.argv.slice(1)) await import(file);';
    const { files } = loadedBy(metafile, id).later;
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, ...files], { cwd: directory });
  });

  test('of the reference answers with the files that lie beside it', async () => {
    const script = `
      const { handler } = await import(process.argv[1]);
      const answers = [];
      for (const file of process.argv.slice(2)) {
        const requestContext = { requestId: 'r' };
        answers.push(await handler({ pathParameters: { file }, headers: { 'accept-encoding': 'gzip' }, requestContext }));
      }
      const sizes = answers.map((answer) => [answer.statusCode, JSON.stringify(answer).length]);
      console.log(JSON.stringify(sizes));
    `;
    const env = { TABLE_NAME: 'none', ISSUER: 'https://api.example.com', LOG_LEVEL: 'SILENT' };
    const names = [...docsFiles.keys(), ...guides.keys()];
    const arguments_ = ['--input-type=module', '-e', script, fileOf('get-docs-file'), ...names];
    const { stdout } = await promisify(execFile)(process.execPath, arguments_, { cwd: directory, env });
    const sizes = JSON.parse(stdout) as [number, number][];
    expect(sizes.map(([status]) => status)).toEqual(names.map(() => 200));
    for (const [, size] of sizes) expect(size / 1000).toBeLessThan(budget.docsAnswer);
  });

  test('of the reference is within the budget for its files, without the source map', () => {
    const folder = join(directory, 'get-docs-file');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const shown = files.filter(({ name }) => !name.endsWith('.map'));
    const size = shown.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    expect(size / 1000).toBeLessThan(budget.docs);
    // The rows and the list of files name the same ones.
    const shipped = docsRoutes.flatMap((route) => ('ships' in route ? route.ships : []));
    const served = [...docsFiles.values()].flatMap((file) => ('packageFile' in file ? [file.packageFile] : []));
    expect([...served, ...guideFiles].sort()).toEqual([...shipped].sort());
  });
});

import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { productionPackages } from '../../bin/sbom/licences.ts';
import { bundle, entryPoints } from '../../infra/bundle.ts';
import { backgroundFunctions } from '../../lib/background.ts';
import { docsFiles } from '../../lib/http/docs.ts';
import { defaultRoute, docsRoutes, originCheck, routes } from '../../lib/routes.ts';

/**
 * Kilobytes (1,000 bytes) that a function's bundle may have; every 100 cost some 10 ms of each cold start. To raise it,
 * look first at what came in: `npx esbuild <file> --bundle --platform=node --format=esm --minify --analyze`. If it is
 * needed, set the budget to the new size and a tenth more, and say in the commit what it buys. A function that touches
 * no table must not load the SDK. A page has the parsers of style sheets beside it and the words in six languages (40),
 * which the questions of the identity check have too; the document has its recorded examples.
 * The reader of files has the client of S3 and the parser of CSV, and starts once a file; its notice has that of SQS. What serves
 * images has the client of S3 alone, and the authorizer behind CloudFront that of Secrets Manager.
 *
 * The files of the reference are no code of the function and cost no cold start: they are read when they are asked for.
 * `docs` is for all of them with the code, `docsAnswer` for the largest answer as JSON, of which Lambda allows 6,000.
 */
const budget = {
  page: 770,
  questions: 590,
  withTable: 555,
  without: 200,
  docs: 2200,
  docsAnswer: 700,
  document: 322,
  files: 830,
  notice: 380,
  image: 530,
  origin: 505,
};

const functions = [...routes, ...docsRoutes, defaultRoute, originCheck, ...backgroundFunctions];
/** Functions that contain the pages: those that show them, and those that show a page again with a refused form. */
const pages = ['show-journey', 'show-channel-content', 'record-action', 'record-content-action'];
/** Functions that contain the identity check or the notices, with their words. */
const questions = ['ask-identity', 'check-identity'];
const budgetOf = (id: string) => {
  if (pages.includes(id)) return budget.page;
  if (questions.includes(id)) return budget.questions;
  if (id === 'get-openapi') return budget.document;
  if (id === 'drop-box-reader') return budget.files;
  if (id === 'drop-box-notice') return budget.notice;
  if (id === 'get-file') return budget.image;
  if (id === originCheck.id) return budget.origin;
  return functions.some((each) => each.id === id && each.grants.read.length > 0) ? budget.withTable : budget.without;
};

/**
 * Functions that may contain the schemas of campaign content: those that show it, those that write contacts or journeys
 * (which complete objectives or start campaigns), and the OpenAPI document.
 */
const holdsContent = [
  ...['list-templates', 'get-template', 'list-template-messages', 'list-template-pages', 'list-objectives'],
  ...['list-engagement-channels', 'search-content-containers', 'show-channel-content'],
  ...['record-content-action', 'record-content-view'],
  ...['create-journey', 'confirm-journey', 'list-journeys', 'list-responses', 'show-journey'],
  ...['record-action', 'record-view', 'ask-identity', 'check-identity'],
  ...['upsert-contacts', 'update-contact', 'drop-box-reader', 'get-openapi'],
];

let directory: string;
let metafile: Metafile;
const fileOf = (id: string) => join(directory, id, 'index.mjs');

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'onboarding-bundles-'));
  metafile = await bundle(directory);
}, 60_000);

afterAll(() => rmSync(directory, { recursive: true }));

/** The modules in the function's bundle. */
function modulesOf(id: string): string[] {
  const [, output] = Object.entries(metafile.outputs).find(([file]) => file.endsWith(`/${id}/index.mjs`))!;
  return Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
}

describe('the bundle', () => {
  test.each(Object.keys(entryPoints))('of %s is within its budget', (id) => {
    expect(statSync(fileOf(id)).size / 1000).toBeLessThan(budgetOf(id));
  });

  test.each(Object.keys(entryPoints).filter((id) => !holdsContent.includes(id)))(
    'of %s, which shows no campaign content, contains no module of lib/domain/content',
    (id) => {
      expect(modulesOf(id).filter((path) => path.startsWith('lib/domain/content/'))).toEqual([]);
    },
  );

  test.each(Object.keys(entryPoints))('of %s contains no provider of credentials but the one for Lambda', (id) => {
    const providers = modulesOf(id).filter((path) => /credential-provider|nested-clients/.test(path));
    expect(providers.filter((path) => !path.includes('/credential-provider-env/'))).toEqual([]);
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
    const names = [...docsFiles.keys()];
    const arguments_ = ['--input-type=module', '-e', script, fileOf('get-docs-file'), ...names];
    const { stdout } = await promisify(execFile)(process.execPath, arguments_, { cwd: directory, env });
    const sizes = JSON.parse(stdout) as [number, number][];
    expect(sizes.map(([status]) => status)).toEqual(names.map(() => 200));
    for (const [, size] of sizes) expect(size / 1000).toBeLessThan(budget.docsAnswer);
  });

  test('of the reference is within the budget for its files', () => {
    const folder = join(directory, 'get-docs-file');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const size = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    expect(size / 1000).toBeLessThan(budget.docs);
    // The rows and the list of files name the same ones.
    const shipped = docsRoutes.flatMap((route) => ('ships' in route ? route.ships : []));
    const served = [...docsFiles.values()].flatMap((file) => ('packageFile' in file ? [file.packageFile] : []));
    expect(served.sort()).toEqual([...shipped].sort());
  });
});

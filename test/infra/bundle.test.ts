import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle, entryPoints } from '../../infra/bundle.ts';
import { backgroundFunctions } from '../../lib/background.ts';
import { defaultRoute, routes } from '../../lib/routes.ts';

/**
 * Kilobytes (1,000 bytes) that a function's bundle may have; every 100 cost some 10 ms of each cold start. To raise it,
 * look first at what came in: `npx esbuild <file> --bundle --platform=node --format=esm --minify --analyze`. If it is
 * needed, set the budget to the new size and a tenth more, and say in the commit what it buys. A function that touches
 * no table must not load the SDK.
 */
const budget = { withTable: 650, without: 200 };

const functions = [...routes, defaultRoute, ...backgroundFunctions];
const budgetOf = (id: string) =>
  functions.some((each) => each.id === id && each.grants.read.length > 0) ? budget.withTable : budget.without;

let directory: string;
const fileOf = (id: string) => join(directory, id, 'index.mjs');

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'onboarding-bundles-'));
  await bundle(directory);
}, 60_000);

afterAll(() => rmSync(directory, { recursive: true }));

describe('the bundle', () => {
  test.each(Object.keys(entryPoints))('of %s is within its budget', (id) => {
    expect(statSync(fileOf(id)).size / 1000).toBeLessThan(budgetOf(id));
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
});

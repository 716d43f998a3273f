import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import recorded from '../../../examples/exchanges.json' with { type: 'json' };
import { allContracts } from '../../../functions/contracts.ts';
import { openApiDocument } from '../../../lib/http/openapi.ts';
import { projectRoot } from '../../support/architecture/sources.ts';

/** The tools as a partner would run them, on a copy of the document. */
let directory: string;
let document: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'onboarding-openapi-'));
  document = join(directory, 'openapi.json');
  writeFileSync(
    document,
    JSON.stringify(openApiDocument(await allContracts(), 'https://api.onboarding.test', { recorded })),
  );
});
afterAll(() => rmSync(directory, { recursive: true }));

/** The output of the tool, whether it succeeds or not. It must not depend on a network. */
async function run(script: string, ...options: string[]): Promise<string> {
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };
  const settings = { cwd: directory, env: { ...process.env, ...quiet }, maxBuffer: 2 ** 26 };
  const told = await promisify(execFile)(process.execPath, [join(projectRoot, script), ...options], settings).catch(
    (refused: { stdout: string; stderr: string }) => refused,
  );
  return told.stdout + told.stderr;
}

test('the strictest rules of a linter find nothing in the document', async () => {
  const found = await run(
    'node_modules/@redocly/cli/bin/cli.js',
    'lint',
    '--extends=recommended-strict',
    '--format=json',
    document,
  );
  const { totals, problems } = JSON.parse(found.slice(found.indexOf('{'), found.lastIndexOf('}') + 1));
  expect(problems).toEqual([]);
  expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
});

test('a second generator makes a client of it that type-checks', async () => {
  const client = join(directory, 'client.ts');
  await run('node_modules/oazapfts/dist/cli.js', document, client);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
  };
  symlinkSync(join(projectRoot, 'node_modules'), join(directory, 'node_modules'));
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [client, 'use.ts'] }));
  const use = `import { listContacts, upsertContacts, type Contact, type Template } from './client';
    const answer = await listContacts({ limit: 5, sortDirection: 'asc' });
    if (answer.status === 200) answer.data.contacts satisfies Contact[];
    await upsertContacts({ unique_id: 'cif-1042', email_opted_in: true, meta_public: { car: [{ make: 'x' }] } });
    ({ meta_public: null, meta_private: { 'car.0.make': 'x' } }) satisfies Partial<Contact>;
    ({ status: null, styles: null }) satisfies Partial<Template>;
    export {};`;
  writeFileSync(join(directory, 'use.ts'), use);
  expect(await run('node_modules/typescript/bin/tsc', '-p', directory)).toBe('');
});

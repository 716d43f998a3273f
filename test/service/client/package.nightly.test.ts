import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as Compiler from '../../../client/node_modules/typescript/lib/typescript.js';
import { allContracts } from '../../../functions/contracts.ts';
import { openApiDocument } from '../../../lib/http/openapi.ts';
import { projectRoot, read } from '../../support/architecture/sources.ts';
import { service, type TestService } from '../../support/service/service.ts';
import { projectWithClient } from './client-package.ts';

const run = promisify(execFile);

/** A program of a partner, with a mistake in each line after a `@ts-expect-error`. */
const program = `import { type ContactInput, OnboardingClient, PreconditionFailedError } from 'onboarding-client';

const { BASE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const client = new OnboardingClient({ baseUrl: BASE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
const input: ContactInput = { unique_id: 'c-1', name_first: 'Jana', objectives: { debit_card: true }, meta_public: { a: [1] } };
const { id } = await client.contacts.upsert(input);
const { contact, tag } = await client.contacts.getWithTag(id);
await client.contacts.update(id, { city: 'Brno' }, { ifMatch: tag });
const late = await client.contacts.update(id, { city: 'Oslo' }, { ifMatch: tag }).catch((error: unknown) => error);
const product = { code: 'FREE', type: 'checking' } as const;
await client.batches.upload([{ account_number: '1', contact: { unique_id: 'c-1', role: 'primary' }, product }], { batchId: 'b' });
const { status } = await client.batches.finished('b');
const [account] = await client.contacts.accounts(id);
console.log(JSON.stringify([contact.name_first, contact.meta_public, late instanceof PreconditionFailedError, status, account?.role]));

export const mistakes = () => [
  // @ts-expect-error
  client.contacts.upsert({ unique_id: 'c-1', name_frist: 'Jana' }),
  // @ts-expect-error
  client.contacts.upsert({ unique_id: 'c-1', debit_card: true }),
  // @ts-expect-error
  client.contacts.upsertMany([{ unique_id: 'c-1', journey: { template: 'x' } }]),
  // @ts-expect-error
  client.contacts.update(id, { email_opted_in: 'yes' }),
  // @ts-expect-error
  client.contacts.list({ sort_by: 'city' }),
  // @ts-expect-error
  client.batches.upload([{ account_number: '1', product, balanse: '1' }], { batchId: 'b' }),
  // @ts-expect-error
  client.journeys.start(id, { contact: { id }, nmae: 'Welcome' }),
  // @ts-expect-error
  client.channels.search(id, 'nickname', 'x'),
  // @ts-expect-error
  contact.name_frist,
];
`;

let api: TestService;
let directory: string;
let project: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'onboarding-client-'));
  [api, project] = await Promise.all([service(), projectWithClient(directory)]);
  writeFileSync(join(project, 'program.ts'), program);
  writeFileSync(join(project, 'node.d.ts'), 'declare const process: { env: Record<string, string | undefined> };\n');
});
afterAll(() => rmSync(directory, { recursive: true }));

const installed = (file: string) => join(project, 'node_modules/onboarding-client', file);

test('the tarball has JavaScript, declarations and source maps with their sources, and no dependency', () => {
  const names = (extension: string) => globSync(`dist/*${extension}`, { cwd: installed('') });
  expect(names('.js').length).toBeGreaterThan(15);
  expect(names('.d.ts')).toHaveLength(names('.js').length);
  for (const file of names('.js')) {
    const { sourcesContent } = JSON.parse(readFileSync(installed(`${file}.map`), 'utf8'));
    expect(sourcesContent[0].length).toBeGreaterThan(0);
  }
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE']) {
    expect(readFileSync(installed(file), 'utf8').length).toBeGreaterThan(0);
  }
  const manifest = JSON.parse(readFileSync(installed('package.json'), 'utf8'));
  expect([manifest.dependencies, manifest.private]).toEqual([undefined, undefined]);
  expect(globSync('node_modules/*', { cwd: project })).toEqual(['node_modules/onboarding-client']);
});

/** The compiler of this project, and the older one of the code generator. */
describe.each(['package.json', 'client/package.json'])('the compiler of %s', (from) => {
  const typescript = createRequire(join(projectRoot, from)).resolve('typescript/package.json');

  test('takes the program with nothing but strict, and refuses each mistake in the name or type of a field', async () => {
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', 'program.ts', 'node.d.ts'];
    const compiler = join(typescript, '../bin/tsc');
    const told = await run(process.execPath, [compiler, ...options], { cwd: project }).catch((error) => error);
    expect(told.stdout).toBe('');
  });
});

test('the compiled program works against the running service', async () => {
  const { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } = await api.newTeam();
  const env = { ...process.env, BASE_URL: api.baseUrl, CLIENT_ID, CLIENT_SECRET };
  const { stdout } = await run(process.execPath, ['program.js'], { cwd: project, env });
  expect(JSON.parse(stdout)).toEqual(['Jana', { 'a.0': 1 }, true, 'completed', 'primary']);
});

test('esbuild bundles it for browsers and workers, with nothing of Node, in 5.6 KB compressed', async () => {
  const entry = "import { OnboardingClient } from 'onboarding-client';\nself.client = OnboardingClient;";
  const { outputFiles, warnings } = await build({
    stdin: { contents: entry, resolveDir: project },
    ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'browser', target: 'es2022' },
  });
  expect(warnings).toEqual([]);
  const { text, contents } = outputFiles[0]!;
  expect(text).not.toMatch(/\bprocess\b|\bBuffer\b|\brequire\(/);
  const remedy = 'raise the limit here, and say in client/CHANGELOG.md what the bytes are for';
  expect(gzipSync(contents, { level: 9 }).length, remedy).toBeLessThan(5_600);
});

test('everything that it exports is described, and all but the types of results has an example', () => {
  const ts: typeof Compiler = createRequire(join(projectRoot, 'client/package.json'))('typescript');
  const index = installed('dist/index.d.ts');
  const program = ts.createProgram([index], { target: ts.ScriptTarget.ES2022, noLib: true });
  const checker = program.getTypeChecker();
  const isDescribed = (symbol: Compiler.Symbol) => symbol.getDocumentationComment(checker).length > 0;
  // The methods that return one show how it is used.
  const isOfResults = (symbol: Compiler.Symbol) =>
    symbol.declarations?.every((each) => /^export type \w+ = (Schemas|Event)\[/.test(each.getText())) ?? false;
  const hasExample = (symbol: Compiler.Symbol) =>
    isOfResults(symbol) || symbol.getJsDocTags(checker).some(({ name }) => name === 'example');
  const exported = checker
    .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(index)!)!)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
  expect(exported.length).toBeGreaterThan(40);
  const areas = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(named(exported, 'OnboardingClient')));
  const methods = areas
    .flatMap((area) => checker.getPropertiesOfType(checker.getTypeOfSymbol(area)))
    .filter(({ name }) => !name.startsWith('#'));
  expect(methods.length).toBeGreaterThan(20);
  const incomplete = [...exported, ...methods].filter((symbol) => !isDescribed(symbol) || !hasExample(symbol));
  expect(incomplete.map(({ name }) => name)).toEqual([]);
});

/** Names that the examples use without declaring them. */
const given = `import type * as Client from 'onboarding-client';
declare const client: Client.OnboardingClient, error: unknown, clientId: string, clientSecret: string;
declare const id: string, contactId: string, templateId: string, journeyId: string, channelId: string, tag: string;
declare const records: Client.AccountRecord[], allRecords: Client.AccountRecord[], contacts: Client.ContactInput[];
declare const input: Client.BatchInput, upload: (records: unknown) => Promise<void>, readAgain: () => Promise<void>;
declare const send: (chunk: unknown) => Promise<void>, conflictsOf: () => Client.Conflicts;
declare const secret: string, request: Request;
declare const readRecords: (file: string) => Client.AccountRecord[];
`;

test('every example compiles', async () => {
  const declarations = globSync('dist/*.d.ts', { cwd: installed('') }).filter((file) => !file.endsWith('schema.d.ts'));
  const texts = declarations.map((file) => readFileSync(installed(file), 'utf8')).join('\n');
  const comments = texts.match(/\/\*\*.*?\*\//gs) ?? [];
  const examples = comments.flatMap((comment) => {
    const [, example] = /@example\n(.*?)(?=\n\s*\*\s*@|\n?\s*\*\/)/s.exec(comment) ?? [];
    return example === undefined ? [] : [example.replaceAll(/^\s*\* ?/gm, '')];
  });
  expect(examples.length).toBeGreaterThan(50);
  const index = readFileSync(installed('dist/index.d.ts'), 'utf8') + readFileSync(installed('dist/types.d.ts'), 'utf8');
  const listed = [...index.matchAll(/^export (?:type )?\{(.*?)\} from/gm)].flatMap(([, list = '']) =>
    list.split(',').flatMap((name) => name.replace('type ', '').trim() || []),
  );
  const declared = [...index.matchAll(/^export (?:declare )?(?:class|type|interface) (\w+)/gm)].map(([, name]) => name);
  const blocks = examples.map((example, at) => `export const _${at} = async () => {\n${example}\n};`);
  const text = `import { ${[...listed, ...declared].join(', ')} } from 'onboarding-client';\n${given}${blocks.join('\n')}`;
  writeFileSync(join(project, 'examples.ts'), text);
  const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', 'examples.ts'];
  const told = await run(process.execPath, [compiler, ...options], { cwd: project }).catch((error) => error);
  expect(told.stdout).toBe('');
});

const named = (symbols: readonly Compiler.Symbol[], name: string) => symbols.find((symbol) => symbol.name === name)!;

test('its version is that of the OpenAPI document, up to the last number, and the newest of its changelog', async () => {
  const { version } = JSON.parse(read('client/package.json'));
  const { version: document } = openApiDocument(await allContracts(), 'https://api.example.com').info as {
    version: string;
  };
  const minor = (text: string) => text.split('.').slice(0, 2);
  expect(minor(version)).toEqual(minor(document));
  expect(/^## \[([^\]]+)\] - \d{4}-\d\d-\d\d$/m.exec(read('client/CHANGELOG.md'))?.[1]).toBe(version);
});

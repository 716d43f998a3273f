import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Command } from 'commander';
import { projectRoot, sourcesOf } from '../architecture/sources.ts';
import { outcomesOf } from '../support/outcomes.ts';
import { emptied, type Operation, operationsIn } from './empty.ts';
import { reasons } from './reasons.ts';

const command = new Command('npm run test:emptied --')
  .description(
    'Replaces one operation at a time by a function that does nothing, and runs its tests. Prints the operations that no test noticed, and the tests named after an operation that pass without it.',
  )
  .argument('[path...]', 'files of lib/operations; all by default');

/** The folders whose tests can notice a missing operation; these tests run if those near it do not notice. */
const wide = ['admin', 'http', 'imports', 'operations', 'drop-box', 'demo', 'faults', 'web'].map(
  (name) => `test/${name}/`,
);
const left = ['node_modules', '.git', '.data', 'dist', 'cdk.out', 'bench/results'];

/** Some tests would wait forever for an operation that does nothing. Then the run is killed, and counts as failed. */
const limitSeconds = { near: 180, wide: 1800 };

/** A copy of the project, because the tests also start processes that read the sources. */
function copyOfProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'onboarding-emptied-'));
  cpSync(projectRoot, copy, { recursive: true, filter: (path) => !left.includes(relative(projectRoot, path)) });
  symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Named after the module: `test/operations/contacts-list.test.ts` and `test/contacts/list.test.ts` for `contacts/list`. */
function isNamedAfter(module: string, test: string): boolean {
  const own = module.replace('lib/operations/', '').replace('.ts', '');
  const name = test.replace(/^test\/(operations\/)?/, '').replace('.test.ts', '');
  return [own, own.replaceAll('/', '-')].includes(name);
}

const isTest = (file: string) => file.endsWith('.test.ts');
const sources = sourcesOf('test', 'lib/operations');
const tests = sources.map(({ file }) => file).filter(isTest);
const importersOf = (modules: ReadonlySet<string>): string[] =>
  sources
    .filter(({ imports }) => imports.some(({ file, typeOnly }) => file !== undefined && modules.has(file) && !typeOnly))
    .map(({ file }) => file);

/** The tests that import a module, and those that import it through other operations and what tests share. */
function testsNear(module: string): { direct: string[]; indirect: string[] } {
  const direct = importersOf(new Set([module])).filter(isTest);
  const reached = new Set([module]);
  for (let size = 0; size < reached.size; ) {
    size = reached.size;
    for (const file of importersOf(reached)) reached.add(file);
  }
  return { direct, indirect: [...reached].filter((file) => isTest(file) && !direct.includes(file)) };
}

const isFailing = async (copy: string, files: readonly string[], seconds: number): Promise<boolean> =>
  files.length > 0 && (await outcomesOf(copy, ['--bail=1', ...files], seconds)).some(({ failed }) => failed);

/** What is wrong with the tests of a module. */
async function problemsOf(copy: string, module: string): Promise<string[]> {
  const source = readFileSync(join(projectRoot, module), 'utf8');
  const without = async <T>(operations: readonly Operation[], use: () => Promise<T>): Promise<T> => {
    writeFileSync(join(copy, module), emptied(source, operations));
    return use().finally(() => writeFileSync(join(copy, module), source));
  };
  const operations = operationsIn(source);
  const problems: string[] = [];
  const named = tests.filter((file) => isNamedAfter(module, file));
  if (named.length > 0 && operations.length > 0) {
    const outcomes = await without(operations, () => outcomesOf(copy, named, limitSeconds.near));
    const passed = outcomes.filter(({ file, name, failed }) => !failed && !reasons[file]?.[name]);
    problems.push(...passed.map(({ file, name }) => `${file}: "${name}" passes without ${module}`));
  }
  const { direct, indirect } = testsNear(module);
  for (const operation of operations) {
    const isNoticed = await without(
      [operation],
      async () =>
        (await isFailing(copy, direct, limitSeconds.near)) ||
        (await isFailing(copy, indirect, limitSeconds.wide)) ||
        (await isFailing(copy, wide, limitSeconds.wide)),
    );
    if (!isNoticed) problems.push(`${module}: no test fails without ${operation.name}`);
  }
  return problems;
}

const chosen = command.parse().args;
const modules = chosen.length > 0 ? chosen : globSync('lib/operations/**/*.ts', { cwd: projectRoot }).sort();
const copy = copyOfProject();
try {
  for (const module of modules) {
    const problems = await problemsOf(copy, module);
    console.log([`${module}: ${problems.length === 0 ? 'ok' : ''}`, ...problems].join('\n  '));
    if (problems.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(copy, { recursive: true });
}

import { globSync, readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { basename, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { mutatedFiles, testFiles } from './scope.ts';
import type { Suite, Test } from './vitest-shim.ts';

/**
 * Runs the tests of a mutant in one process, with modules that are loaded once. A runner that loads them again for each
 * mutant takes about a second of CPU for each; this one takes milliseconds.
 */
type Coverage = Record<string, number>;
/** What the instrumented code reads and writes. */
type Instrumented = {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: { static: Coverage; perTest: Record<string, Coverage> };
};
type MutantRun = {
  activeMutant: { id: string; fileName: string };
  testFilter?: string[];
  hitLimit?: number;
  mutantActivation: 'runtime' | 'static';
  reloadEnvironment: boolean;
};
type Result =
  | { status: 'killed'; killedBy: string[]; failureMessage: string; nrOfTests: number }
  | { status: 'survived'; nrOfTests: number }
  | { status: 'timeout'; reason: string };
type Named = Test & { id: string; file: string };

const state = globalThis as unknown as { __stryker__: Instrumented };
state.__stryker__ ??= {};
const instrumented = state.__stryker__;

class DirectRunner {
  readonly #files = new Map<string, Named[]>();
  #ranMutant = false;
  #rejection: unknown;

  capabilities() {
    return { reloadEnvironment: true };
  }

  init(): void {
    replaceModules();
    // Properties get less time, and no counterexample is shrunk.
    fc.configureGlobal({ numRuns: 20, seed: 1, endOnFailure: true });
    // Only the assertions of `expect.assertions`, fake timers and `vi.stubEnv` read this.
    const environment = { environment: { name: 'node' }, metaEnv: process.env };
    Object.assign(globalThis, { __vitest_worker__: { config: { fakeTimers: {} }, ...environment } });
    process.on('unhandledRejection', (reason) => {
      this.#rejection = reason;
    });
  }

  dispose(): void {}

  async dryRun() {
    for (const file of mutatedFiles()) await import(current(pathToFileURL(resolve(file)).href));
    const atLoad = new Set(Object.keys(instrumented.mutantCoverage?.static ?? {}));
    const tests = [];
    for (const file of files()) {
      for (const test of await this.#testsOf(file)) {
        instrumented.currentTestId = test.id;
        const started = performance.now();
        const failure = await this.#failureOf([test]);
        instrumented.currentTestId = undefined;
        const timeSpentMs = performance.now() - started;
        const result = { id: test.id, name: test.id, fileName: resolve(file), timeSpentMs };
        tests.push(
          failure ? { ...result, status: 1, failureMessage: String(failure.error) } : { ...result, status: 0 },
        );
      }
    }
    return { status: 'complete', tests, mutantCoverage: coverageOf(instrumented, atLoad) };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, ...options }: MutantRun): Promise<Result> {
    const { mutantActivation, reloadEnvironment } = options;
    if (reloadEnvironment) this.#reload();
    const isFirst = !this.#ranMutant;
    this.#ranMutant = true;
    const activate = () => {
      Object.assign(instrumented, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
    };
    if (mutantActivation === 'static') activate();
    const wanted = testFilter && new Set(testFilter);
    let count = 0;
    for (const file of nearestFirst(activeMutant.fileName)) {
      if (wanted && ![...wanted].some((id) => id.startsWith(`${file}#`))) continue;
      const tests = (await this.#loaded(file)).filter(({ id }) => !wanted || wanted.has(id));
      activate();
      const failure = await this.#failureOf(tests);
      count += tests.length;
      if ((instrumented.hitCount ?? 0) > (hitLimit ?? Number.POSITIVE_INFINITY)) {
        return { status: 'timeout', reason: 'hit limit' };
      }
      if (!failure) continue;
      instrumented.activeMutant = undefined;
      await this.#refuseLeftovers(failure.test, isFirst || mutantActivation === 'static');
      const killed = { killedBy: [failure.test.id], failureMessage: String(failure.error), nrOfTests: count };
      return { status: 'killed', ...killed };
    }
    return { status: 'survived', nrOfTests: count };
  }

  #reload(): void {
    instrumented.activeMutant = undefined;
    this.#files.clear();
    this.#ranMutant = false;
    generation++;
  }

  /** A file that does not load kills the mutant. */
  async #loaded(file: string): Promise<Named[]> {
    try {
      return await this.#testsOf(file);
    } catch (error) {
      const suite: Suite = { name: '', parent: undefined, hooks: noHooks, tests: [], suites: [] };
      const fails = () => {
        throw error;
      };
      return [{ id: `${file}#load`, file, name: 'load', suite, run: fails }];
    }
  }

  /**
   * An earlier mutant may have left something behind, so that the test fails without a mutant too. Stryker then repeats
   * the run in a new process.
   */
  async #refuseLeftovers(test: Named, isFresh: boolean): Promise<void> {
    if (isFresh) return;
    instrumented.hitLimit = undefined;
    if (await this.#failureOf([test])) throw new Error('the tests fail without a mutant');
  }

  async #testsOf(file: string): Promise<Named[]> {
    const known = this.#files.get(file);
    if (known) return known;
    const { collect } = (await import(current(sandboxed('vitest-shim.ts')))) as typeof import('./vitest-shim.ts');
    const load = () => import(current(pathToFileURL(resolve(file)).href));
    const root = await collect(load, () => generation++);
    const tests = testsIn(root).map((test): Named => ({ ...test, file, id: `${file}#${fullName(test)}` }));
    const ids = new Map<string, number>();
    for (const test of tests) {
      const repeated = ids.get(test.id) ?? 0;
      ids.set(test.id, repeated + 1);
      if (repeated > 0) test.id += ` [${repeated}]`;
    }
    this.#files.set(file, tests);
    return tests;
  }

  /** Runs the tests with their hooks, up to the first that fails. */
  async #failureOf(tests: readonly Named[]): Promise<{ test: Named; error: unknown } | undefined> {
    const entered: Suite[] = [];
    let test = tests[0]!;
    try {
      for (test of tests) {
        const suites = ancestors(test.suite);
        while (entered.length > 0 && !suites.includes(entered.at(-1)!)) await leave(entered.pop()!);
        for (const suite of suites.filter((each) => !entered.includes(each))) {
          entered.push(suite);
          await runAll(suite.hooks.beforeAll);
        }
        await this.#run(test, suites);
      }
      while (entered.length > 0) await leave(entered.pop()!);
      return undefined;
    } catch (error) {
      while (entered.length > 0) await leave(entered.pop()!).catch(() => {});
      return { test, error };
    }
  }

  async #run(test: Named, suites: readonly Suite[]): Promise<void> {
    this.#rejection = undefined;
    try {
      for (const { hooks } of suites) await runAll(hooks.beforeEach);
      await test.run({
        skip: () => {
          throw skipped('skipped');
        },
        onTestFailed: () => {},
      });
    } catch (error) {
      if (!isSkipped(error)) throw error;
    } finally {
      for (const { hooks } of suites.toReversed()) await runAll(hooks.afterEach);
    }
    if (this.#rejection !== undefined) throw this.#rejection;
  }
}

/** What a test file runs when it is loaded counts only if no test runs it: Stryker would reload everything for it. */
function coverageOf({ mutantCoverage: covered }: Instrumented, atLoad: ReadonlySet<string>) {
  if (!covered) return undefined;
  const inTests = new Set(Object.values(covered.perTest).flatMap(Object.keys));
  const isStatic = (id: string) => atLoad.has(id) || !inTests.has(id);
  return { ...covered, static: Object.fromEntries(Object.entries(covered.static).filter(([id]) => isStatic(id))) };
}

/** The shim throws such an error too. */
const skipped = (message: string) => Object.assign(new Error(message), { name: 'Skipped' });
const isSkipped = (error: unknown) => error instanceof Error && error.name === 'Skipped';
const noHooks = { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] };

const runAll = async (hooks: readonly ((...values: never[]) => unknown)[]) => {
  for (const run of hooks) await run();
};
const leave = (suite: Suite) => runAll(suite.hooks.afterAll);

const ancestors = (suite: Suite): Suite[] => [...(suite.parent ? ancestors(suite.parent) : []), suite];
const testsIn = (suite: Suite): Test[] => [...suite.tests, ...suite.suites.flatMap(testsIn)];
const fullName = ({ name, suite }: Test): string =>
  [...ancestors(suite).map((each) => each.name), name].filter((part) => part !== '').join(' > ');

const files = (): string[] => testFiles().flatMap((pattern) => globSync(pattern).sort());

/** The tests that are named after the mutated file begin, because the first failure ends the run of a mutant. */
function nearestFirst(mutated: string): string[] {
  const name = basename(mutated, '.ts');
  const isNear = (file: string) => basename(file).includes(name);
  return [...files().filter(isNear), ...files().filter((file) => !isNear(file))];
}

/** A module of this folder in the copy of the project in which Stryker runs the tests. */
const sandboxed = (file: string): string => pathToFileURL(resolve('test/mutation', file)).href;

/** Modules of the project are loaded again in each generation, for mutants in code that runs when they are loaded. */
let generation = 0;
const current = (url: string): string => `${url}?${generation}`;
const withoutQuery = (url: string): string => url.split('?')[0]!;

/** Tests get the shim instead of Vitest, a model instead of the engine, and spies for the modules that they name. */
function replaceModules(): void {
  const root = pathToFileURL(resolve('.')).href;
  const spied = new Set(files().flatMap(spiedBy));
  const replacementOf = (specifier: string, importer: string): string | undefined => {
    if (!importer.startsWith(`${root}/test/`) || importer === sandboxed('vitest-shim.ts')) return undefined;
    if (specifier === 'vitest') return sandboxed('vitest-shim.ts');
    return specifier.endsWith('/engine.ts') ? sandboxed('model-engine.ts') : undefined;
  };
  registerHooks({
    resolve: (specifier, context, next) => {
      const importer = context.parentURL ?? '';
      const replacement = replacementOf(specifier, withoutQuery(importer));
      if (replacement) return { url: current(replacement), shortCircuit: true };
      const found = next(specifier, context);
      const url = withoutQuery(found.url);
      if (!url.startsWith(`${root}/`) || url.includes('/node_modules/')) return found;
      return { ...found, url: spied.has(url) && !importer.includes(spies) ? `${url}${spies}` : current(url) };
    },
    load: (url, context, next) => {
      const file = withoutQuery(url);
      if (url.endsWith(spies)) return { format: 'module', source: spiesOf(file), shortCircuit: true };
      if (!file.startsWith(`${root}/`) || !file.endsWith('.ts')) return next(url, context);
      return { format: 'module', source: codeOf(fileURLToPath(file)), shortCircuit: true };
    },
  });
}

const spies = '?spies';
const codes = new Map<string, string>();

/** The JavaScript of a file, which Node.js would make again for each generation. */
function codeOf(file: string): string {
  const code = codes.get(file) ?? stripTypeScriptTypes(readFileSync(file, 'utf8'));
  codes.set(file, code);
  return code;
}

/** The URLs of the modules whose functions a test replaces by spies. */
const spiedBy = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^vi\.mock\('(.+)', \{ spy: true \}\);$/gm)].map(
    ([, specifier]) => pathToFileURL(resolve(file, '..', specifier!)).href,
  );

/** A module with the same exports, whose functions are spies. */
function spiesOf(file: string): string {
  const code = readFileSync(new URL(file), 'utf8');
  const names = [...code.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)].map(([, name]) => name);
  return [
    `import { vi } from 'vitest';`,
    `import * as real from '${file}';`,
    ...names.map(
      (name) => `export const ${name} = typeof real.${name} === 'function' ? vi.fn(real.${name}) : real.${name};`,
    ),
  ].join('\n');
}

const createRunner = Object.assign(() => new DirectRunner(), { inject: [] as const });
export const strykerPlugins = [{ kind: 'TestRunner', name: 'direct', factory: createRunner }];

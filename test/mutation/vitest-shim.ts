import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi as vitestUtilities } from 'vitest';

/**
 * Replaces `vitest` in tests that `runner.ts` runs: it collects tests and hooks, so that each mutant can run some of the
 * tests again in modules that are already loaded. `expect` and `vi` are those of Vitest.
 */
type Context = { skip(): void; onTestFailed(): void };
type Run = (...values: never[]) => unknown;
type Kind = 'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach';
export type Suite = {
  name: string;
  parent: Suite | undefined;
  hooks: Record<Kind, Run[]>;
  tests: Test[];
  suites: Suite[];
};
export type Test = { name: string; suite: Suite; run: (context: Context) => unknown };

const suiteOf = (name: string, parent?: Suite): Suite => ({
  name,
  parent,
  hooks: { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] },
  tests: [],
  suites: [],
});

let current = suiteOf('');
let described: { suite: Suite; run: Run }[] = [];

let resetModules: () => void;

/**
 * The tests of a file. As with Vitest, the functions of `describe` run after the whole file.
 * @param reset lets the next import of a module load it again
 */
export async function collect(load: () => Promise<unknown>, reset: () => void): Promise<Suite> {
  resetModules = reset;
  const root = suiteOf('');
  current = root;
  described = [];
  await load();
  for (const { suite, run } of described) {
    current = suite;
    await (run as () => unknown)();
  }
  return root;
}

type Define = (name: string, run: Run) => void;
/** Options, such as a time limit, are before or after the function. */
const runIn = (others: readonly unknown[]): Run => others.find((each) => typeof each === 'function') as Run;

function definer(define: Define) {
  const one = (name: string, ...others: unknown[]) => define(String(name), runIn(others));
  const each =
    (rows: readonly unknown[]) =>
    (name: string, ...others: unknown[]) => {
      const run = runIn(others) as (...values: unknown[]) => unknown;
      const isTable = rows.every(Array.isArray);
      for (const [index, row] of rows.entries()) {
        define(`${name} (${index})`, () => run(...(isTable ? (row as unknown[]) : [row])));
      }
    };
  const none = Object.assign(() => {}, { each: () => () => {} });
  const all = Object.assign(one, { each });
  return Object.assign(all, { concurrent: all, runIf: (condition: unknown) => (condition ? all : none) });
}

export const test = definer((name, run) => {
  current.tests.push({ name, suite: current, run: run as Test['run'] });
});
export const it = test;

export const describe = definer((name, run) => {
  const suite = suiteOf(name, current);
  current.suites.push(suite);
  described.push({ suite, run });
});

const hook = (kind: Kind) => (run: Run) => {
  current.hooks[kind].push(run);
};
export const beforeAll = hook('beforeAll');
export const afterAll = hook('afterAll');
export const beforeEach = hook('beforeEach');
export const afterEach = hook('afterEach');

/** Tests that need the engine or the process of the service are skipped. */
export function inject(name: string): never {
  throw Object.assign(new Error(`there is no ${name} for mutants`), { name: 'Skipped' });
}

/** `runner.ts` replaces the modules that `vi.mock` names before the test is loaded. */
export const vi: typeof vitestUtilities = Object.assign(Object.create(vitestUtilities), {
  mock: () => {},
  resetModules: () => resetModules(),
});

/** Replaces the `poll` of Vitest, which needs its runner. */
const poll = (read: () => unknown, { timeout = 1000, interval = 10 } = {}) =>
  new Proxy({} as Record<string, (...values: unknown[]) => Promise<void>>, {
    get:
      (_, matcher: string) =>
      async (...values: unknown[]) => {
        const end = performance.now() + timeout;
        for (;;) {
          const assertion = expect(await read()) as unknown as Record<string, (...values: unknown[]) => void>;
          try {
            return assertion[matcher]!(...values);
          } catch (error) {
            if (performance.now() > end) throw error;
          }
          await sleep(interval);
        }
      },
  });
Object.assign(expect, { poll });

export { expect };

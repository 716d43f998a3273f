import { expect, vi } from 'vitest';

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

/** The tests of a file. */
export async function collect(load: () => Promise<unknown>): Promise<Suite> {
  const root = suiteOf('');
  current = root;
  await load();
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
      for (const [index, row] of rows.entries()) {
        define(`${name} (${index})`, () => run(...(Array.isArray(row) ? row : [row])));
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
  const parent = current;
  current = suiteOf(name, parent);
  parent.suites.push(current);
  (run as () => void)();
  current = parent;
});

const hook = (kind: Kind) => (run: Run) => {
  current.hooks[kind].push(run);
};
export const beforeAll = hook('beforeAll');
export const afterAll = hook('afterAll');
export const beforeEach = hook('beforeEach');
export const afterEach = hook('afterEach');

export function inject(name: string): never {
  throw new Error(`there is no ${name} for mutants`);
}
export { expect, vi };

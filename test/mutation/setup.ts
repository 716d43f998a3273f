import fc from 'fast-check';
import { beforeEach } from 'vitest';

/** Each mutant runs the properties again, so they get less time. Shrinking a counterexample would take the most. */
fc.configureGlobal({ numRuns: 20, seed: 1, endOnFailure: true });

/** Files share a process, so the first failure skips the other tests of the mutant. */
const shared = globalThis as { isKilled?: boolean };

beforeEach(({ skip, onTestFailed }) => {
  if (shared.isKilled) skip();
  onTestFailed(() => {
    shared.isKilled = true;
  });
});

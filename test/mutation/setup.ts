import fc from 'fast-check';

/** Each mutant runs the properties again, so they get less time. The seed makes two runs find the same mutants. */
fc.configureGlobal({ numRuns: 20, seed: 1 });

import { inAuth } from './equivalents/auth.ts';
import { inContent } from './equivalents/content.ts';
import { inDomain } from './equivalents/domain.ts';
import { inHttp } from './equivalents/http.ts';
import { inOperations } from './equivalents/operations.ts';
import { inStore } from './equivalents/store.ts';
import { inValues } from './equivalents/values.ts';

/** Mutants that no test can kill, and why: one as its line of code reads, or all of a line. */
export type Equivalent = { file: string; reason: string } & ({ mutant: string } | { line: string });

export const equivalents: readonly Equivalent[] = [
  ...inAuth,
  ...inContent,
  ...inDomain,
  ...inHttp,
  ...inOperations,
  ...inStore,
  ...inValues,
];

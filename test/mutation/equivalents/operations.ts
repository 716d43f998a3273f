import type { Equivalent } from '../equivalent.ts';

export const inOperations: readonly Equivalent[] = [
  {
    file: 'lib/operations/imports/accept.ts',
    mutant: 'if (false || batch?.chunk_count === undefined || batch.chunk_count === chunk_count) return;',
    reason: 'The batch is read only if the request has a `chunk_count`.',
  },
  {
    file: 'lib/operations/imports/accept.ts',
    mutant: '...(false ? {} : { digest }),',
    reason: 'Attributes that are undefined are not stored.',
  },
  {
    file: 'lib/operations/imports/apply.ts',
    mutant: 'if (true) targets.set(name, target);',
    reason: 'The same target is set again.',
  },
  {
    file: 'lib/operations/imports/apply.ts',
    mutant: 'const parts = Array.from({ length: records }, (): RecordOutcome[] => ["Stryker was here"]);',
    reason: 'Only known outcomes are looked for.',
  },
];

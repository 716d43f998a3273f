import type { Equivalent } from '../equivalent.ts';

export const inStore: readonly Equivalent[] = [
  {
    file: 'lib/store/dynamodb.ts',
    mutant: 'const next = response.LastEvaluatedKey?.[sortKey].S;',
    reason: 'A key has its sort key.',
  },
  {
    file: 'lib/store/dynamodb.ts',
    mutant: 'if (error instanceof Error && isLost(error.name)) return "";',
    reason: 'Only `written` and objects are compared.',
  },
  {
    file: 'lib/store/dynamodb.ts',
    mutant: 'if (isLost(code)) return "";',
    reason: 'Only `written` and objects are compared.',
  },
  {
    file: 'lib/store/dynamodb.ts',
    mutant:
      'const units = (consumed ?? ["Stryker was here"]).reduce((sum, each) => sum + (each.CapacityUnits ?? 0), 0);',
    reason: 'A text has no units.',
  },
];

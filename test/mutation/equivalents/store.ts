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
  {
    file: 'lib/store/contacts.ts',
    mutant: 'const completions = Object.entries(details.completions).sort(([a], [b]) => (a <= b ? -1 : 1));',
    reason: 'No objective occurs twice.',
  },
  {
    file: 'lib/store/contacts.ts',
    mutant: 'const text = false ? undefined : lookupText(contact, parsed);',
    reason: 'A contact has no field without a name.',
  },
  {
    file: 'lib/store/contacts.ts',
    mutant: 'const text = typeof parsed === "" ? undefined : lookupText(contact, parsed);',
    reason: 'A contact has no field without a name.',
  },
  {
    file: 'lib/store/journeys.ts',
    mutant: 'return left <= right ? -1 : 1;',
    reason: 'No two journeys have the same id.',
  },
];

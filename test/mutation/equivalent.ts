/** A mutant that no test can kill, as its line of code reads, and why. */
export type Equivalent = { file: string; mutant: string; reason: string };

export const equivalents: readonly Equivalent[] = [
  {
    file: 'lib/domain/account-record.ts',
    mutant: "addIssue({ code: 'unrecognized_keys', keys: [], path: [name], message: ambiguous });",
    reason: 'The type requires the keys, but only the path and the message are reported.',
  },
  {
    file: 'lib/domain/account-record.ts',
    mutant: 'if (!isJsonObject(record) || !Object.keys(record).some((name) => name.includes(""))) return record;',
    reason: 'A record without dotted keys is copied. Only the time differs.',
  },
  {
    file: 'lib/domain/chunk.ts',
    mutant: 'failed > 0 || (true && now < Date.parse(guarded_until));',
    reason: '`Date.parse` of `undefined` is not a number, and no time is less than that.',
  },
  {
    file: 'lib/domain/metadata.ts',
    mutant: 'const entries = [...kept, ...sent].sort(([a], [b]) => (a <= b ? -1 : 1));',
    reason: 'No key occurs twice.',
  },
  {
    file: 'lib/domain/metadata.ts',
    mutant: 'for (const key of keys) if (true) yield [key, value[key]!];',
    reason: 'Dotted keys are read twice, and the second value replaces the first. Only the time differs.',
  },
  {
    file: 'lib/domain/metadata.ts',
    mutant: 'if (false) return yield* value.entries();',
    reason: 'The keys of an array are its indexes. Only time and memory differ.',
  },
];

import type { Equivalent } from '../equivalent.ts';

export const inValues: readonly Equivalent[] = [
  {
    file: 'lib/domain/metadata.ts',
    mutant: 'const entries = [...kept, ...sent].sort(([a], [b]) => (a <= b ? -1 : 1));',
    reason: 'No key occurs twice.',
  },
  {
    file: 'lib/domain/metadata.ts',
    mutant: 'names.some(isDotted) ? [...names, ...names.filter(isDotted)] : names;',
    reason: 'Dotted keys are read twice, and the second value replaces the first. Only the time differs.',
  },
  {
    file: 'lib/domain/metadata.ts',
    mutant: 'return false ? undefined : metadataError(mergeMetadata(null, change));',
    reason: 'Small metadata is serialized too. Only the time differs.',
  },
  {
    file: 'lib/domain/metadata.ts',
    mutant: 'return mostBytes < metadataLimits.bytes ? undefined : metadataError(mergeMetadata(null, change));',
    reason: 'Metadata at the limit is serialized too. Only the time differs.',
  },
  {
    file: 'lib/domain/metadata.ts',
    mutant: 'function mostJsonBytes(value: JsonScalar): number {}',
    reason: 'The sum is not a number, so all metadata is serialized. Only the time differs.',
  },
  {
    file: 'lib/domain/metadata.ts',
    mutant: 'return isRawNumber(value) ? value.rawJSON.length - 1 : mostBytesOfNumber;',
    reason: 'The bound of the key has more bytes to spare than this takes away.',
  },
  {
    file: 'lib/domain/json.ts',
    mutant:
      '/(?:^|[[:,\\s])-?(?:[\\d.]|0\\.000000|\\d+(?:\\.\\d+)?[eE]|\\d+\\.\\d*0(?:[\\s,}\\]]|$))|(?:^|[[:,\\s])-0/;',
    reason: 'Numbers that a double prints unchanged are compared too. Only the time differs.',
  },
  {
    file: 'lib/domain/json.ts',
    mutant: 'if (false) target[name] = value;',
    reason: 'The property is defined in the other way. Only the time differs.',
  },
  {
    file: 'lib/domain/canonical-json.ts',
    mutant: 'if (true) return keys.sort();',
    reason: 'Both ways sort alike. Only the time differs.',
  },
  {
    file: 'lib/domain/canonical-json.ts',
    mutant: 'if (keys.length >= fewKeys) return keys.sort();',
    reason: 'Both ways sort alike. Only the time differs.',
  },
  {
    file: 'lib/domain/canonical-json.ts',
    mutant: 'for (; true && keys[to - 1]! > key; to--) keys[to] = keys[to - 1]!;',
    reason: 'Before the first key is `undefined`, which is not greater than any text.',
  },
  {
    file: 'lib/domain/canonical-json.ts',
    mutant: 'for (; to >= 0 && keys[to - 1]! > key; to--) keys[to] = keys[to - 1]!;',
    reason: 'Before the first key is `undefined`, which is not greater than any text.',
  },
  {
    file: 'lib/domain/canonical-json.ts',
    mutant: 'for (; to > 0 && keys[to - 1]! >= key; to--) keys[to] = keys[to - 1]!;',
    reason: 'No key occurs twice.',
  },
  {
    file: 'lib/domain/fields.ts',
    mutant: 'true && (value.length > 2 * limit || [...value].length > limit);',
    reason: 'A text has no more characters than code units. Only the time differs.',
  },
  {
    file: 'lib/domain/fields.ts',
    mutant: 'value.length >= limit && (value.length > 2 * limit || [...value].length > limit);',
    reason: 'A text has no more characters than code units. Only the time differs.',
  },
  {
    file: 'lib/domain/fields.ts',
    mutant: 'value.length > limit && (false || [...value].length > limit);',
    reason: 'The characters of long texts are counted too. Only the time differs.',
  },
  {
    file: 'lib/domain/json.ts',
    mutant: 'for (let at = 0; at <= text.length; at++) {',
    reason: 'No character is after the last one.',
  },
  {
    file: 'lib/domain/json.ts',
    mutant: `const [mantissa = "Stryker was here!", exponent = '0'] = text.replace(/^-/, '').split(/[eE]/);`,
    reason: 'Every text has a first part.',
  },
  {
    file: 'lib/domain/json.ts',
    mutant: `const [mantissa = '', exponent = ""] = text.replace(/^-/, '').split(/[eE]/);`,
    reason: 'An empty text as a number is 0, too.',
  },
  {
    file: 'lib/domain/json.ts',
    mutant: `const [whole = "Stryker was here!", fraction = ''] = mantissa.split('.');`,
    reason: 'Every text has a first part.',
  },
];

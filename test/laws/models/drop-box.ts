import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Model } from './linearize.ts';
import type { Failed } from './run.ts';

/** Dropped files of contacts and accounts, beside requests that write the same: contract, section 5. */
export type Type = 'contacts' | 'accounts';
/** A row without a value is invalid. */
export type Row = { key: string; value: string | null };
export type DropCall =
  /** A long file has two chunks, the second of which begins with `tail`. Two invocations may work the file at once. */
  | { kind: 'file'; type: Type; head: Row[]; tail: Row[]; isLong: boolean; isDoubled: boolean }
  | { kind: 'contact'; row: Row }
  | { kind: 'chunk'; pair: string; rows: Row[] }
  | { kind: 'read'; type: Type; key: string }
  /** The rows of one chunk of a file, for the model. */
  | { kind: 'rows'; type: Type; rows: Row[]; file: DropCall & { kind: 'file' } };
export type DropResult = {
  value?: string | null;
  isDuplicate?: boolean;
  report?: { status: string; read: number; accepted: number; rejected: number; applied: number };
};

/** Invalid lines between the two parts of a long file. */
export const junkLines = 500;
export const keys = ['a', 'b'];
const key = fc.constantFrom(...keys);
const value = fc.constantFrom('V1', 'V2', 'V3', 'V4');
const rowOf = (of: fc.Arbitrary<string | null>) =>
  fc.tuple(key, of).map(([name, each]): Row => ({ key: name, value: each }));
const rows = fc.array(rowOf(fc.option(value, { freq: 5 })), { maxLength: 3 });
const type = fc.constantFrom<Type>('contacts', 'accounts');
const rarely = fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });
export const dropCalls: fc.Arbitrary<DropCall> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ kind: fc.constant('file' as const), type, head: rows, tail: rows },
      ...{ isLong: rarely, isDoubled: fc.boolean() },
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('contact' as const), row: rowOf(value) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ kind: fc.constant('chunk' as const), pair: fc.constantFrom('b1', 'b2', 'b3') },
      rows: fc.array(rowOf(value), { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('read' as const), type, key }) },
);

type State = { values: { [name: string]: string }; pairs: string[] };

export const dropModel: Model<State, DropCall, DropResult | Failed> = {
  initial: { values: {}, pairs: [] },
  next(state, call, result) {
    const becomes = (expected: DropResult, after = state) =>
      !result || isDeepStrictEqual(result, expected) ? after : undefined;
    const withRows = (of: Type, written: readonly Row[]) => {
      const entries = written.flatMap(({ key: name, value: each }) => (each === null ? [] : [[`${of} ${name}`, each]]));
      return { ...state, values: { ...state.values, ...Object.fromEntries(entries) } };
    };
    switch (call.kind) {
      case 'file':
        throw new Error('a file is checked by its chunks');
      case 'rows':
        return becomes({ report: reportOf(call.file) }, withRows(call.type, call.rows));
      case 'contact':
        return becomes({}, withRows('contacts', [call.row]));
      case 'chunk': {
        const isDuplicate = state.pairs.includes(call.pair);
        if (isDuplicate) return becomes({ isDuplicate });
        return becomes(
          { isDuplicate },
          { ...withRows('accounts', call.rows), pairs: [...state.pairs, call.pair].sort() },
        );
      }
      case 'read':
        return becomes({ value: state.values[`${call.type} ${call.key}`] ?? null });
    }
  },
};

function reportOf({ type: of, head, tail, isLong }: DropCall & { kind: 'file' }): NonNullable<DropResult['report']> {
  const all = [...head, ...tail];
  const accepted = all.filter(({ value: each }) => each !== null).length;
  const read = all.length + (isLong ? junkLines : 0);
  // A file of which nothing was accepted has failed (contract, section 12).
  const status = read > 0 && accepted === 0 ? 'failed' : 'completed';
  return { status, read, accepted, rejected: read - accepted, applied: of === 'accounts' ? accepted : 0 };
}

/** Contacts are independent of each other and of accounts. */
export function objectOf(call: DropCall): string {
  if (call.kind === 'contact') return `contact ${call.row.key}`;
  if (call.kind === 'read' && call.type === 'contacts') return `contact ${call.key}`;
  if (call.kind === 'rows' && call.type === 'contacts') return `contact ${call.rows[0]?.key}`;
  return 'accounts';
}

type Part = [DropCall, DropResult | Failed | undefined];

/** A file, as its chunks. A chunk of contacts may be sent twice, and its contacts are independent of each other. */
export function dropParts(call: DropCall, result: DropResult | Failed | undefined): Part[] {
  if (call.kind !== 'file') return [[call, result]];
  const chunks = call.isLong ? [call.head, call.tail] : [[...call.head, ...call.tail]];
  const part = (written: Row[]): DropCall => ({ kind: 'rows', type: call.type, rows: written, file: call });
  if (call.type === 'accounts') return chunks.map((written): Part => [part(written), result]);
  const ofKeys = chunks.flatMap((written) => keys.map((name) => written.filter((row) => row.key === name)));
  return ofKeys.flatMap((written): Part[] => [
    [part(written), result],
    [part(written), undefined],
  ]);
}

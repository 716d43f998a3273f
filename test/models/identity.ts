import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { derivedContactId } from '../../lib/store/ids.ts';
import type { Model } from './linearize.ts';
import type { Failed } from './run.ts';

/** Who a `unique_id` names, among renames: contract, section 9, `contact change-unique-id`. */
export const teamId = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';

export type IdentityCall =
  | { kind: 'upsert'; value: string; trace: string }
  /** Different values. */
  | { kind: 'batch'; values: string[]; trace: string }
  | { kind: 'rename'; from: string; to: string }
  /** By the `unique_id`. */
  | { kind: 'find'; value: string }
  /** By the id that the first contact of this `unique_id` has. */
  | { kind: 'read'; first: string };
export type IdentityResult = { id: string; value: string; traces: string[]; created?: boolean };
export type IdentityResults = { [value: string]: IdentityResult };

export const values = ['a', 'b', 'c'];
const value = fc.constantFrom(...values);
const trace = fc.constantFrom('t1', 't2', 't3', 't4');
export const identityCalls: fc.Arbitrary<IdentityCall> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('upsert' as const), value, trace }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      values: fc.uniqueArray(value, { minLength: 1 }),
      trace,
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('rename' as const), from: value, to: value }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('find' as const), value }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('read' as const), first: value }) },
);

/** `id` is `undefined` until a response shows it. `by` is the old value of its last rename. */
type Person = { id?: string; value: string; traces: string[]; by?: string };
type State = { people: Person[] /** Values that were given up in a rename. */; freed: string[] };

export const identityModel: Model<State, IdentityCall, IdentityResult | Failed> = {
  initial: { people: [], freed: [] },
  next(state, call, result) {
    const named = (name: string) => state.people.find((each) => each.value === name);
    const fails = (error: string) => (!result || isDeepStrictEqual(result, { error }) ? state : undefined);
    switch (call.kind) {
      case 'batch':
        throw new Error('a batch is checked by its contacts');
      case 'find': {
        const person = named(call.value);
        return person ? shows(state, person, person, result) : fails('not_found');
      }
      case 'read': {
        const person = state.people.find(({ id }) => id === derivedContactId(teamId, call.first));
        return person ? shows(state, person, person, result) : fails('not_found');
      }
      case 'upsert': {
        const before = named(call.value);
        if (result && 'created' in result && result.created !== !before) return undefined;
        const first = state.freed.includes(call.value) ? {} : { id: derivedContactId(teamId, call.value) };
        const person = before ?? { ...first, value: call.value, traces: [] };
        return shows(state, before, { ...person, traces: [...new Set([...person.traces, call.trace])].sort() }, result);
      }
      case 'rename': {
        const [from, to] = [named(call.from), named(call.to)];
        if (call.from === call.to) return fails('validation_failed');
        // The same call again completes a rename that was broken off or has not ended.
        if (!from && to?.by === call.from && result && !('error' in result)) return shows(state, to, to, result);
        if (!from) return fails('not_found');
        if (to) return fails('validation_failed');
        const { by: _, ...person } = from;
        const renamed = { ...person, value: call.to, by: call.from };
        const freed = [...new Set([...state.freed, call.from])].sort();
        return shows({ ...state, freed }, from, renamed, result);
      }
    }
  },
};

/** The state with the person instead of `before`, if the result shows exactly this person. */
function shows(
  state: State,
  before: Person | undefined,
  person: Person,
  result: IdentityResult | Failed | undefined,
): State | undefined {
  const others = state.people.filter((each) => each !== before);
  if (!result) return { ...state, people: [...others, person] };
  if ('error' in result || result.value !== person.value) return undefined;
  if (!isDeepStrictEqual(result.traces, person.traces)) return undefined;
  if ((person.id ?? result.id) !== result.id || others.some(({ id }) => id === result.id)) return undefined;
  return { ...state, people: [...others, { ...person, id: result.id }] };
}

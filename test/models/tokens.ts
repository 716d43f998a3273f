import fc from 'fast-check';
import type { Model } from './linearize.ts';
import type { Failed } from './run.ts';

/** Secrets, keys and tokens of two clients, one with secrets and one with public keys: contract, section 2. */
export type TokenCall =
  /** `secret` counts back from the newest one that a response showed. */
  | { kind: 'issue'; secret: number }
  | { kind: 'rotate' }
  | { kind: 'revoke' }
  /** The secret is sent in a URL. */
  | { kind: 'expose'; secret: number }
  | { kind: 'set keys'; key: number }
  /** A token for an assertion with this id, signed with this key. */
  | { kind: 'assert'; jti: number; key: number }
  /** `token` counts back from the newest one that a response showed. */
  | { kind: 'use'; token: number; instance: number }
  | { kind: 'rotate signing key'; rotation: string }
  | { kind: 'wait'; milliseconds: number };

/** `from` and `to` are the times of the call. `client` is whose token it is. */
export type TokenResult = {
  from: number;
  to: number;
  isDone: boolean;
  secret?: string;
  client?: 'secrets' | 'keys';
  expires?: number;
};

const second = 1000;
const [minute, day] = [60 * second, 24 * 3600 * second];
const back = fc.nat(2);
export const tokenCalls: fc.Arbitrary<TokenCall> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('issue' as const), secret: back }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('rotate' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('revoke' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expose' as const), secret: back }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('set keys' as const), key: fc.nat(1) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('assert' as const), jti: fc.nat(1), key: fc.nat(1) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('use' as const), token: back, instance: fc.nat(1) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('rotate signing key' as const), rotation: fc.constantFrom('r1', 'r2') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      milliseconds: fc.constantFrom(10 * second, 31 * second, 12 * minute, 50 * minute, 3 * day, 7 * day),
    }),
  },
);

/** Long enough for a revocation to work, short enough that tokens are valid. */
export const lastCalls: TokenCall[] = [
  { kind: 'wait', milliseconds: 31 * second },
  ...[0, 1, 2].flatMap((token) => [0, 1].map((instance): TokenCall => ({ kind: 'use', token, instance }))),
  ...[0, 1, 2].map((secret): TokenCall => ({ kind: 'issue', secret })),
];

/** Times are intervals, because a call takes some time; `undefined` after a response that was lost. */
type Interval = { from: number; to: number } | undefined;
type State = {
  /** Newest first. The older one expires a week after the rotation. */
  secrets: { name: string | undefined; rotated?: Interval }[];
  /** The secrets that rotations removed. */
  removed: { name: string | undefined; at: Interval }[];
  revoked?: { at: Interval };
  key: number;
  used: number[];
};
export const begin = Date.parse('2026-03-01T12:00:00Z');
const overlap = 7 * day;
const assertionsEnd = begin + 300 * second;
const clocks = 11 * second;

export const tokenModel: Model<State, TokenCall, TokenResult | Failed> = {
  initial: { secrets: [{ name: 's0' }], removed: [], key: 0, used: [] },
  next(state, call, result) {
    if (result && 'error' in result) return undefined;
    const allowed = (yes: boolean, no: boolean) => !result || (result.isDone ? yes : no);
    const at = result && { from: result.from, to: result.to };
    const [mayMatch, mustMatch] = result ? matches(state, result) : [true, true];
    switch (call.kind) {
      case 'issue':
        return allowed(mayMatch && !state.revoked, !mustMatch || !!state.revoked) ? state : undefined;
      case 'rotate': {
        if (!allowed(!state.revoked, !!state.revoked)) return undefined;
        if (state.revoked) return state;
        const [newest, oldest] = state.secrets;
        const removed = oldest ? [...state.removed, { name: oldest.name, at }] : state.removed;
        return { ...state, removed, secrets: [{ name: result?.secret }, { ...newest!, rotated: at }] };
      }
      case 'expose':
      case 'revoke': {
        const isCertain = call.kind === 'revoke';
        // Rotations can come between the check of the secret and the revocation. The name of a secret is not known if
        // the response of its rotation was lost.
        const isJustRemoved = state.removed.some(
          (removed) =>
            (removed.name === undefined || removed.name === result?.secret) &&
            (removed.at?.to ?? at?.to ?? 0) >= (at?.from ?? 0),
        );
        if (!allowed(isCertain || mayMatch || isJustRemoved, !isCertain && !mustMatch)) return undefined;
        return result?.isDone === false ? state : { ...state, revoked: state.revoked?.at ? state.revoked : { at } };
      }
      case 'set keys':
        return allowed(true, false) ? { ...state, key: call.key } : undefined;
      case 'assert': {
        const isNew = state.key === call.key && !state.used.includes(call.jti);
        const isValid = !at || (isNew && at.from < assertionsEnd + clocks);
        if (!allowed(isValid, !isNew || (at?.to ?? 0) > assertionsEnd)) return undefined;
        const isUsed = result ? result.isDone : isNew;
        return isUsed ? { ...state, used: [...state.used, call.jti].sort() } : state;
      }
      case 'use': {
        const isExpired = !result?.client || result.to >= result.expires!;
        const isRevoked = result?.client === 'secrets' && state.revoked !== undefined;
        // A revocation works within thirty seconds.
        const isTrusted = !isRevoked || !state.revoked?.at || result.from < state.revoked.at.to + 30 * second;
        const mayPass = !!result?.client && result.from < result.expires! && isTrusted;
        return allowed(mayPass, isExpired || isRevoked) ? state : undefined;
      }
      default:
        return state;
    }
  },
};

/** Whether the secret of a request may be accepted, and whether it must be. */
function matches({ secrets }: State, { secret, from, to }: TokenResult): [may: boolean, must: boolean] {
  const found = secrets.find(({ name }) => name === secret);
  // The response that showed the secret can have been lost.
  if (!found) return [secrets.some(({ name }) => name === undefined) && secret !== 'wrong', false];
  if (found === secrets[0]) return [true, true];
  if (!found.rotated) return [true, false];
  return [from < found.rotated.to + overlap, to < found.rotated.from + overlap];
}

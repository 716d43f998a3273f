import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Model } from './linearize.ts';
import type { Failed } from './run.ts';

/** Contacts as the contract describes them in section 3, without renames. */
export type Fields = {
  name_first?: string | null;
  city?: string | null;
  email?: string | null;
  email_verified?: boolean | null;
  email_opted_in?: boolean | null;
  unsubscribe_email?: boolean | null;
  phone_mobile?: string | null;
  sms_authorized?: boolean | null;
  meta_public?: { [key: string]: unknown } | null;
};
export type Shown = Required<Fields>;

export type ContactCall = (
  | { kind: 'upsert'; who: string; records: Fields[] }
  | { kind: 'batch'; records: { who: string; fields: Fields }[] }
  | { kind: 'update'; who: string; fields: Fields; ifVersion?: number }
  | { kind: 'read'; who: string }
) & {
  /** A second time, which never creates the contact: the first one did, and its response says so. */
  isRepeat?: true;
};
/** The version is known only inside of the service. */
export type ContactResult = { created?: boolean; version?: number; contact: Shown };
export type BatchResult = { [who: string]: ContactResult };

const values = ['x', 'y', null];
const flags = fc.constantFrom(true, false, null);
const metadata = fc.constantFrom<Fields['meta_public'][]>(
  ...[{ a: 1 }, { a: null }, { a: 2, b: { c: 1 } }, { b: [1, 2] }, { b: ['z'] }, { 'b.c': 3 }, null],
);
const fields = fc.record(
  {
    name_first: fc.constantFrom(...values),
    city: fc.constantFrom(...values),
    email: fc.constantFrom('a@example.com', 'b@example.com', '', null),
    email_verified: flags,
    email_opted_in: flags,
    unsubscribe_email: flags,
    phone_mobile: fc.constantFrom('(555) 010-0001', '+44 20 7946 0000', '15550100001', null),
    sms_authorized: flags,
    meta_public: metadata,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Fields>;

const people = ['p', 'q'];
export const lastReads = people.map((name): ContactCall => ({ kind: 'read', who: name }));
const who = fc.constantFrom(...people);
const kind = <K extends string>(name: K) => fc.constant(name);
export const contactCalls: fc.Arbitrary<ContactCall> = fc.oneof(
  fc.record({ kind: kind('upsert'), who, records: fc.tuple(fields) }),
  fc.record({ kind: kind('batch'), records: fc.array(fc.record({ who, fields }), { minLength: 1, maxLength: 3 }) }),
  fc.record(
    { kind: kind('update'), who, fields, ifVersion: fc.integer({ min: 1, max: 4 }) },
    { requiredKeys: ['kind', 'who', 'fields'] },
  ),
  fc.record({ kind: kind('read'), who }),
);

export const unset: Shown = {
  ...{ name_first: null, city: null, email: null, email_verified: null, email_opted_in: null },
  ...{ unsubscribe_email: null, phone_mobile: null, sms_authorized: null, meta_public: null },
};
const phones: Record<string, string> = { '(555) 010-0001': '15550100001', '+44 20 7946 0000': '442079460000' };
const inverse = (flag: boolean | null) => (flag === null ? null : !flag);

function merged(before: Shown, sent: Fields): Shown {
  const { unsubscribe_email } = sent;
  const other = unsubscribe_email === undefined ? undefined : inverse(unsubscribe_email);
  let { email_opted_in = other } = sent;
  // Of two that contradict each other, the one that differs from what is stored counts.
  if (typeof other === 'boolean' && email_opted_in === before.email_opted_in) email_opted_in = other;
  const { phone_mobile: phone, meta_public: meta, ...plain } = sent;
  const after = { ...before, ...plain, ...(email_opted_in === undefined ? {} : { email_opted_in }) };
  if (after.email === '') after.email = null;
  if (phone !== undefined) after.phone_mobile = phone === null ? null : (phones[phone] ?? phone);
  if (after.email !== before.email && sent.email_verified === undefined) after.email_verified &&= false;
  if (after.phone_mobile !== before.phone_mobile && sent.sms_authorized === undefined) after.sms_authorized &&= false;
  if (meta !== undefined) after.meta_public = mergedMeta(before.meta_public, meta);
  return { ...after, unsubscribe_email: inverse(after.email_opted_in) };
}

function mergedMeta(before: Shown['meta_public'], sent: Shown['meta_public']): Shown['meta_public'] {
  const flat = Object.entries(sent ?? {}).flatMap(([key, value]): [string, unknown][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([inner, each]) => [`${key}.${inner}`, each])
      : [[key, value]],
  );
  const top = (key: string) => key.split('.')[0]!;
  const kept = Object.entries(before ?? {}).filter(
    ([key]) =>
      !Object.keys(sent ?? {})
        .map(top)
        .includes(top(key)),
  );
  const after = [...(sent === null ? [] : kept), ...flat.filter(([, value]) => value !== null)];
  return after.length === 0 ? null : Object.fromEntries(after);
}

type State = { [who: string]: { contact: Shown; version: number } };

export const contactModel: Model<State, ContactCall, ContactResult | Failed> = {
  initial: {},
  next(state, call, result) {
    if (call.kind === 'batch') throw new Error('a batch is checked by its contacts');
    const stored = state[call.who];
    const fails = (error: string) => (!result || isDeepStrictEqual(result, { error }) ? state : undefined);
    if (!stored && call.isRepeat) return undefined;
    if (!stored && call.kind !== 'upsert') return fails('not_found');
    if (call.kind === 'update' && call.ifVersion !== undefined && call.ifVersion !== stored!.version) {
      return fails('precondition_failed');
    }
    const before = stored?.contact ?? unset;
    const sent = call.kind === 'read' ? [] : call.kind === 'update' ? [call.fields] : call.records;
    const contact = sent.reduce(merged, before);
    const isSame = stored !== undefined && isDeepStrictEqual(contact, before);
    const version = (stored?.version ?? 0) + (isSame ? 0 : 1);
    if (result && (!('contact' in result) || !isDeepStrictEqual(result.contact, contact))) return undefined;
    if (result?.version !== undefined && result.version !== version) return undefined;
    if (result?.created !== undefined && result.created !== !stored) return undefined;
    return { ...state, [call.who]: { contact, version } };
  },
};

type Part = [ContactCall, ContactResult | Failed | undefined];

/** A batch, as one call for each of its contacts. */
export function contactParts(call: ContactCall, result: ContactResult | BatchResult | Failed | undefined): Part[] {
  if (call.kind !== 'batch') return [[call, result as ContactResult | Failed | undefined]];
  return [...Map.groupBy(call.records, ({ who: name }) => name)].map(([name, records]): Part => {
    const upsert = { kind: 'upsert' as const, who: name, records: records.map((each) => each.fields) };
    return [call.isRepeat ? { ...upsert, isRepeat: true } : upsert, (result as BatchResult | undefined)?.[name]];
  });
}

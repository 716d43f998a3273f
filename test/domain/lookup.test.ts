import { expect, test } from 'vitest';
import {
  declaredField,
  declaredLookups,
  fitSlots,
  lookupField,
  lookupFieldName,
  requestedLookup,
} from '../../lib/domain/lookup.ts';
import { Problem } from '../../lib/domain/problem.ts';

test.each([
  ['email', 'email'],
  ['id', 'id'],
  ['unsubscribe_sms', 'unsubscribe_sms'],
  ['meta_private[core_id]', 'meta_private[core_id]'],
  ['meta_public[a][b][0]', 'meta_public[a.b.0]'],
  ['meta_private[a.b]', 'meta_private[a.b]'],
  ['meta_private[ a\n]', 'meta_private[ a\n]'],
])('%j names the field %j', (text, name) => {
  const field = lookupField(text);
  expect(typeof field === 'object' && lookupFieldName(field)).toBe(name);
});

test.each(['', 'Email', 'email ', 'email[a]', 'completions', 'data', '__proto__', 'journey', 'meta_private.a', '[a]'])(
  '%j is not a field',
  (text) => {
    expect(lookupField(text)).toBe('is not a field of a contact');
  },
);

test.each(['meta_private', 'meta_private[]', 'meta_private[a', 'meta_private[a][]', 'meta_private[a]b'])(
  '%j lacks a key',
  (text) => {
    expect(lookupField(text)).toBe('requires a key, as in meta_private[key]');
  },
);

test('several parameters are named, each once, up to the limit of faults', () => {
  const pairs = Array.from({ length: 300 }, (_, n) => [`p${n % 150}`, 'x'] as const);
  let problem: unknown;
  try {
    requestedLookup(pairs);
  } catch (error) {
    problem = error;
  }
  expect(problem).toBeInstanceOf(Problem);
  expect((problem as Problem).details).toHaveLength(100);
});

test.each(['id', 'unique_id', 'nickname', 'meta_private'])('%s cannot be declared', (name) => {
  expect(declaredField().safeParse(name).success).toBe(false);
});

test('four fields fit, however often and in whichever way each is named', () => {
  const four = ['email', 'meta_private[a][b]', 'meta_private[a.b]', 'phone_mobile', 'email', 'city'];
  expect(fitSlots(four)).toBe(true);
  expect(fitSlots([...four, 'state'])).toBe(false);
});

const [before, now] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];
const declaration = (slot: 1 | 2 | 3 | 4, field: string, filled = true) => ({
  slot,
  field,
  filled,
  declared_at: before,
});

test('a field that stays declared keeps its slot; a new one takes a free slot and is yet to be filled', () => {
  const stored = [declaration(1, 'email'), declaration(2, 'city'), declaration(3, 'state', false)];
  expect(declaredLookups(stored, ['state', 'meta_private[a][b]', 'email'], now)).toEqual([
    declaration(1, 'email'),
    { slot: 2, field: 'meta_private[a.b]', filled: false, declared_at: now },
    declaration(3, 'state', false),
  ]);
});

test('a field that was given up and is declared again is filled in again', () => {
  const none = declaredLookups([declaration(1, 'email')], [], now);
  expect(none).toEqual([]);
  expect(declaredLookups(none, ['email'], now)).toEqual([{ slot: 1, field: 'email', filled: false, declared_at: now }]);
});

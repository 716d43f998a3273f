import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Conflicts, OrderedWindow } from '../../../client/ordered-window.ts';

const window = (...items: [string, Conflicts][]) => {
  const made = new OrderedWindow<string>();
  for (const [name, conflicts] of items) made.add(name, conflicts);
  return made;
};

/** All items that may start now. */
function startAll<T>(of: OrderedWindow<T>) {
  const started: { item: T; accepted(): void }[] = [];
  for (let next = of.start(); next; next = of.start()) started.push(next);
  return started;
}
const names = <T>(started: { item: T }[]) => started.map(({ item }) => item);

describe('the ordered window', () => {
  test('starts what shares nothing all at once', () => {
    expect(names(startAll(window(['a', { inOrder: ['1'] }], ['b', { inOrder: ['2'] }])))).toEqual(['a', 'b']);
  });

  test('holds an item back until the one before it with the same key was accepted', () => {
    const of = window(['a', { inOrder: ['1', '2'] }], ['b', { inOrder: ['2', '3'] }], ['c', { inOrder: ['4'] }]);
    const [a] = startAll(of);
    expect(of.size).toBe(3);
    a!.accepted();
    expect(names(startAll(of))).toEqual(['b']);
  });

  test('holds an item back behind one that waits itself', () => {
    const of = window(['a', { inOrder: ['1'] }], ['b', { inOrder: ['1', '2'] }], ['c', { inOrder: ['2'] }]);
    expect(names(startAll(of))).toEqual(['a']);
  });

  test('waits for the first that decides, and for no other after it', () => {
    const free = { inOrder: [], firstDecides: ['FREE'] };
    const of = window(['a', free], ['b', free], ['c', free]);
    const [a] = startAll(of);
    a!.accepted();
    expect(names(startAll(of))).toEqual(['b', 'c']);
  });

  test('keeps the two kinds of keys apart', () => {
    const of = window(['a', { inOrder: ['1'] }], ['b', { inOrder: [], firstDecides: ['1'] }]);
    expect(names(startAll(of))).toEqual(['a', 'b']);
  });

  const letters = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 });
  const items = fc.array(fc.record({ inOrder: letters, firstDecides: letters }), { maxLength: 12 });

  test('whatever is answered when, the outcome is that of one after the other', () => {
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 5 }), fc.infiniteStream(fc.nat()), (all, atOnce, choices) => {
        const expected = outcomeOf(all);
        const of = new OrderedWindow<(typeof all)[number]>();
        for (const item of all) of.add(item, item);
        const accepted: typeof all = [];
        const running: { item: (typeof all)[number]; accepted(): void }[] = [];
        while (of.size > 0) {
          while (running.length < atOnce) {
            const next = of.start();
            if (!next) break;
            running.push(next);
          }
          // If nothing were running, it would wait forever.
          expect(running.length).toBeGreaterThan(0);
          const [done] = running.splice(choices.next().value! % running.length, 1);
          accepted.push(done!.item);
          done!.accepted();
        }
        expect(accepted).toHaveLength(all.length);
        expect(outcomeOf(accepted, all)).toEqual(expected);
      }),
    );
  });
});

/** For each key the last item that wrote it, and for each deciding key the first, as indexes of `all`. */
function outcomeOf<T extends { inOrder: string[]; firstDecides: string[] }>(order: T[], all = order) {
  const written = new Map<string, number>();
  const decided = new Map<string, number>();
  for (const item of order) {
    const place = all.indexOf(item);
    for (const key of item.inOrder) written.set(key, place);
    for (const key of item.firstDecides) if (!decided.has(key)) decided.set(key, place);
  }
  const sorted = (map: Map<string, number>) => [...map].sort();
  return { written: sorted(written), decided: sorted(decided) };
}

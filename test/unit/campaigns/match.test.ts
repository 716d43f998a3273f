import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAnother, matched, type Traits } from '../../../lib/content/match.ts';

const traits = (content: string, title?: string, more: Partial<Traits> = {}): Traits => ({
  ...{ kind: '', ids: [], titles: title === undefined ? [] : [title], content, isBare: content === '' },
  ...more,
});
/** `Title:content`; an object without a title begins with the colon. */
const read = (texts: string): Traits[] =>
  texts
    .split(' ')
    .filter((text) => text !== '')
    .map((text) => {
      const [title = '', content = ''] = text.split(':');
      return traits(content, title === '' ? undefined : title);
    });
const guessed = (stored: string, given: string) => matched(read(given), read(stored), { guesses: true });

describe('an object without an id', () => {
  test.each<[what: string, stored: string, given: string, expected: (number | undefined)[]]>([
    ['is the one with its title, in another place', 'A:a B:b', 'B:b A:a', [1, 0]],
    ['is the one with its title and other content', 'A:a B:b', 'X:x A:new B:b', [undefined, 0, 1]],
    ['is the one with its content, under another title', 'A:a B:b', 'X:x Y:b A:a', [undefined, 1, 0]],
    ['is found by its title before another is by its content', 'A:a B:b', 'X:a A:b B:z', [undefined, 0, 1]],
    ['is the equal one among those of one title', 'T:a T:b', 'T:x T:b T:a', [undefined, 1, 0]],
    ['is found by its content without a title', ':a :b :c', ':c :a', [2, 0]],
    ['is not recognised by a content without a text', 'A: B:', 'B: C: D:', [1, undefined, undefined]],
    ['is the one in its place, if it is the only one left', 'A:a B:b C:c', 'A:a X:x C:c', [0, 1, 2]],
    ['is new if all that are stored are others', 'A:a', 'A:a B:b', [0, undefined]],
    ['takes the place of one that is left, where one was inserted', 'A:a B:b', 'X:x Y:y B:b', [0, undefined, 1]],
    ['takes the place of one that is left, where one was removed', 'A:a B:b C:c', 'X:x C:c', [0, 2]],
    ['is new if nothing is stored', '', 'A:a', [undefined]],
  ])('%s', (_, stored, given, expected) => {
    expect(guessed(stored, given)).toEqual(expected);
  });

  test('takes no place where one was inserted, unless that is asked for', () => {
    const [given, stored] = [read('X:x Y:y B:b'), read('A:a B:b')];
    expect(matched(given, stored, { guesses: false })).toEqual([undefined, undefined, 1]);
  });

  test('is the one with its second title, if nothing else is the same', () => {
    const stored = [traits('a', 'Plans', { titles: ['Plans', 'Step'] }), traits('b', 'B')];
    const given = [traits('x', 'X'), traits('y', 'Goals', { titles: ['Goals', 'Step'] }), traits('b', 'B')];
    expect(matched(given, stored, { guesses: true })).toEqual([undefined, 0, 1]);
  });

  test('is never one of another kind', () => {
    const stored = [traits('a', 'Terms', { kind: 'heading' })];
    expect(matched([traits('a', 'Terms', { kind: 'agreement' })], stored, { guesses: true })).toEqual([undefined]);
  });
});

test('an object with an id is the one with that id, or a new one', () => {
  const stored = [traits('a', 'A', { ids: ['1'] }), traits('b', 'B', { ids: ['2', '3'] })];
  const given = [traits('a', 'A', { ids: ['4'] }), traits('a', 'A', { ids: ['3'] })];
  expect(matched(given, stored, { guesses: true })).toEqual([undefined, 1]);
});

describe('a page that has the id of a stored one only because of its place', () => {
  test.each<[what: string, given: string, stored: string, isMoved: boolean, expected: boolean]>([
    ['is another one if title and content differ', 'B:b', 'A:a', false, true],
    ['is the same with its title', 'A:b', 'A:a', true, false],
    ['is the same with its content', 'B:a', 'A:a', true, false],
    ['is the same without a text in its content, where it was', 'B:', 'A:', false, false],
    ['is another one without a text in its content, elsewhere', 'B:', 'A:', true, true],
    ['is the same if nothing tells the two apart', ':', ':', true, false],
  ])('%s', (_, given, stored, isMoved, expected) => {
    expect(isAnother(read(given)[0]!, read(stored)[0]!, isMoved)).toBe(expected);
  });
});

describe('whatever is inserted, removed and moved', () => {
  const page = fc.record({
    title: fc.option(fc.constantFrom('A', 'B', 'C', 'D')),
    content: fc.constantFrom('', 'a', 'b', 'c'),
  });
  const list = fc
    .array(page, { maxLength: 7 })
    .map((all) => all.map(({ title, content }) => traits(content, title ?? undefined)));
  const distinct = fc
    .uniqueArray(fc.nat(20), { maxLength: 12 })
    .map((all) => all.map((n) => traits(`content ${n}`, n % 3 === 0 ? undefined : `title ${n}`)));

  test('no two objects are the same one', () => {
    fc.assert(
      fc.property(list, list, fc.boolean(), (given, stored, guesses) => {
        const found = matched(given, stored, { guesses }).filter((index) => index !== undefined);
        expect(new Set(found).size).toBe(found.length);
        for (const index of found) expect(stored[index]).toBeDefined();
      }),
    );
  });

  test('an object that stayed recognisable is itself', () => {
    fc.assert(
      fc.property(distinct, distinct, fc.boolean(), (given, stored, guesses) => {
        const found = matched(given, stored, { guesses });
        for (const [at, one] of given.entries()) {
          const same = stored.findIndex(({ content }) => content === one.content);
          if (same !== -1) expect(found[at]).toBe(same);
        }
      }),
    );
  });

  test('the same list again changes nothing', () => {
    fc.assert(
      fc.property(list, fc.boolean(), (all, guesses) => {
        // Of equal ones, each is as good as the other.
        const found = matched(all, all, { guesses });
        for (const [at, index] of found.entries()) expect(all[index!]).toEqual(all[at]);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { BoundedCache, LoadCache } from '../../../lib/cache.ts';

const maxAge = 1000;
const start = 0;

/** A cache with a clock of its own. */
function clocked(max = 10) {
  let time = start;
  const cache = new LoadCache<string | undefined>(max, { maxAge, now: () => time });
  return { cache, pass: (milliseconds: number) => (time += milliseconds) };
}
const loading = (value: string | undefined) => vi.fn(async () => value);
const failing = () => Promise.reject(new Error('failed'));

describe('a load', () => {
  test('is shared by callers at the same time', async () => {
    const { cache } = clocked();
    const load = loading('value');
    expect(await Promise.all([cache.get('key', load), cache.get('key', load)])).toEqual(['value', 'value']);
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('that finds nothing is kept too', async () => {
    const { cache } = clocked();
    const load = loading(undefined);
    expect([await cache.get('key', load), await cache.get('key', load)]).toEqual([undefined, undefined]);
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('that fails fails for all its callers and is not kept', async () => {
    const { cache } = clocked();
    const both = [cache.get('key', failing), cache.get('key', loading('never'))];
    for (const each of both) await expect(each).rejects.toThrow('failed');
    expect(cache.last('key')).toBeUndefined();
    expect(await cache.get('key', loading('value'))).toBe('value');
  });

  test('is kept for its time, from its beginning', async () => {
    const { cache, pass } = clocked();
    let finish = (_: string) => {};
    const slow = cache.get('key', () => new Promise((resolve) => (finish = resolve)));
    pass(maxAge - 1);
    finish('slow');
    expect(await slow).toBe('slow');
    expect(await cache.get('key', loading('next'))).toBe('slow');
    pass(1);
    expect(await cache.last('key')).toBe('slow');
    expect(await cache.get('key', loading('next'))).toBe('next');
  });

  test('is made again when asked for, whatever is kept', async () => {
    const { cache } = clocked();
    await cache.get('key', loading('before'));
    expect(await cache.reload('key', loading('after'))).toBe('after');
    expect(await cache.get('key', loading('never'))).toBe('after');
  });
});

describe('a newer load', () => {
  test('stays when an older one fails late', async () => {
    const { cache, pass } = clocked();
    let fail = (_: Error) => {};
    const older = cache.get('key', () => new Promise((_, reject) => (fail = reject)));
    pass(maxAge);
    expect(await cache.get('key', loading('newer'))).toBe('newer');
    fail(new Error('late'));
    await expect(older).rejects.toThrow('late');
    expect(await cache.get('key', loading('never'))).toBe('newer');
  });

  test('stays when an older one ends late', async () => {
    const { cache, pass } = clocked();
    let finish = (_: string) => {};
    const older = cache.get('key', () => new Promise((resolve) => (finish = resolve)));
    pass(maxAge);
    expect(await cache.get('key', loading('newer'))).toBe('newer');
    finish('older');
    expect(await older).toBe('older');
    expect(await cache.get('key', loading('never'))).toBe('newer');
  });
});

describe('of more values than the cache may keep', () => {
  test('those that were used last stay', async () => {
    const { cache } = clocked(2);
    for (const key of ['a', 'b', 'a', 'c']) await cache.get(key, loading(key));
    expect(['a', 'b', 'c'].map((key) => cache.last(key) !== undefined)).toEqual([true, false, true]);
  });
});

describe('a bounded cache', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd');
  const use = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), key, size: fc.nat({ max: 6 }) }),
    fc.record({ kind: fc.constantFrom('get' as const, 'peek' as const, 'delete' as const), key }),
  );

  test('keeps the values that were used last, as many as fit', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10 }), fc.array(use, { maxLength: 30 }), (maxSize, uses) => {
        const cache = new BoundedCache<{ size: number }>(maxSize, ({ size }) => size);
        let model: { key: string; value: { size: number } }[] = [];
        const total = () => model.reduce((sum, { value }) => sum + value.size, 0);
        for (const each of uses) {
          const kept = model.find((entry) => entry.key === each.key);
          const others = model.filter((entry) => entry !== kept);
          if (each.kind === 'set') {
            const value = { size: each.size };
            cache.set(each.key, value);
            model = [...others, { key: each.key, value }];
            while (total() > maxSize) model.shift();
          } else if (each.kind === 'delete') {
            cache.delete(each.key);
            model = others;
          } else {
            expect(cache[each.kind](each.key)).toBe(kept?.value);
            if (each.kind === 'get' && kept) model = [...others, kept];
          }
          expect(['a', 'b', 'c', 'd'].filter((name) => cache.peek(name)).length).toBe(model.length);
        }
      }),
    );
  });

  test('counts values if it has no measure', () => {
    const cache = new BoundedCache<string>(2);
    for (const name of ['a', 'b', 'a', 'c']) cache.set(name, name);
    expect(['a', 'b', 'c'].map((name) => cache.peek(name))).toEqual(['a', undefined, 'c']);
  });

  test('measures a value with its key', () => {
    const cache = new BoundedCache<string>(5, (value, name) => name.length + value.length);
    cache.set('long', 'v');
    cache.set('k', '');
    expect([cache.peek('long'), cache.peek('k')]).toEqual([undefined, '']);
  });
});

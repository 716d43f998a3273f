import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { all, type Database, type Item, type Upsert, type Write } from '../../../lib/store/table/database.ts';
import { freshTable } from '../../support/engine/engine.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';

/**
 * The behaviour that the service needs from its store. The tests run on the engine and on the model that the simulation of
 * imports uses.
 */
const implementations: [name: string, make: () => Promise<Database>][] = [
  ['DynamoDB', async () => (await freshTable()).database],
  ['the model', async () => new ModelDatabase()],
];

describe.each(implementations)('%s', (_, make) => {
  let database: Database;
  /** A partition that each test has to itself. */
  let p: string;
  beforeAll(async () => {
    database = await make();
  });
  beforeEach(() => {
    p = randomUUID();
  });

  const key = (sk: string, pk = p) => ({ pk, sk });
  const insert = (sk: string, attributes: Record<string, unknown> = {}, pk = p): Upsert => ({
    kind: 'insert',
    item: { ...key(sk, pk), ...attributes },
  });
  const update = (sk: string, set: Record<string, unknown>, expect: Record<string, unknown> = {}): Upsert => ({
    kind: 'update',
    key: key(sk),
    set,
    expect,
  });
  const remove = (sk: string, expect: Record<string, unknown> = {}): Write => ({
    kind: 'delete',
    key: key(sk),
    expect,
  });
  const read = async (sk: string) => (await database.get([key(sk)]))[0];
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n).padStart(3, '0'));
  const sortKeys = ({ items }: { items: Item[] }) => items.map(({ sk }) => sk);

  describe('reads by key', () => {
    test('in the order of the keys, also where there is nothing and where a key repeats', async () => {
      await database.write([insert('a', { n: 1 }), insert('b', { n: 2 }), insert('a', { n: 3 }, `${p}q`)]);
      const items = await database.get([key('b'), key('c'), key('a'), key('b'), key('a', `${p}q`), key('b', `${p}q`)]);
      expect(items.map((item) => item?.n)).toEqual([2, undefined, 1, 2, 3, undefined]);
    });

    test('nothing, when nothing is asked for', async () => {
      expect(await database.get([])).toEqual([]);
    });

    test('more than a request takes', async () => {
      await database.write(numbers(130).map((sk) => insert(sk, { sk2: sk })));
      const asked = numbers(260).reverse();
      const items = await database.get(asked.map((sk) => key(sk)));
      expect(items.map((item) => item?.sk2)).toEqual(asked.map((sk) => (Number(sk) < 130 ? sk : undefined)));
    });

    test('an item that is its own copy', async () => {
      await database.write([insert('a', { list: [1], map: { k: 'v' } })]);
      const item = (await read('a'))!;
      (item.list as number[]).push(2);
      (item.map as Record<string, string>).k = 'changed';
      expect(await read('a')).toEqual({ ...key('a'), list: [1], map: { k: 'v' } });
    });

    test('every kind of value as it was written', async () => {
      const values = {
        text: 'é\u0000😀',
        empty: '',
        n: 0.5,
        yes: true,
        no: null,
        list: [1, 'a'],
        map: { k: { l: [] } },
      };
      await database.write([insert('a', { ...values, bytes: Buffer.from([0, 255]) })]);
      const { bytes, ...others } = (await read('a'))!;
      expect(others).toEqual({ ...key('a'), ...values });
      expect([...(bytes as Uint8Array)]).toEqual([0, 255]);
    });
  });

  describe('queries', () => {
    beforeEach(async () => {
      const names = ['a', 'b', 'b#1', 'b#2', 'bb', 'c', 'é', '\u{ffff}', '😀'];
      await database.write([...names.map((sk) => insert(sk)), insert('b#1', {}, `${p}b`)]);
    });

    const cases: [what: string, input: object, expected: string[]][] = [
      ['a partition in the order of the bytes', {}, ['a', 'b', 'b#1', 'b#2', 'bb', 'c', 'é', '\u{ffff}', '😀']],
      ['from a key on, with it', { from: 'bb' }, ['bb', 'c', 'é', '\u{ffff}', '😀']],
      ['up to a key, with it', { to: 'b#1' }, ['a', 'b', 'b#1']],
      ['between two keys, with both', { from: 'b', to: 'bb' }, ['b', 'b#1', 'b#2', 'bb']],
      ['a prefix', { prefix: 'b#' }, ['b#1', 'b#2']],
      ['what comes after a key', { after: 'c' }, ['é', '\u{ffff}', '😀']],
      ['what comes after a key that is not there', { after: 'b#15' }, ['b#2', 'bb', 'c', 'é', '\u{ffff}', '😀']],
      ['what comes after a key, up to another', { after: 'b', to: 'bb' }, ['b#1', 'b#2', 'bb']],
      ['what comes after a key, of a prefix', { prefix: 'b#', after: 'b#1' }, ['b#2']],
      ['what comes after the last', { after: '😀' }, []],
      ['descending', { descending: true, from: 'b#2' }, ['😀', '\u{ffff}', 'é', 'c', 'bb', 'b#2']],
      ['what comes after a key, descending', { descending: true, after: 'b#2' }, ['b#1', 'b', 'a']],
      ['a partition where there is nothing', { pk: 'nowhere' }, []],
    ];
    test.each(cases)('%s', async (_, input, expected) => {
      const page = await database.query({ pk: p, ...input });
      expect(sortKeys(page)).toEqual(expected);
      expect(page.next).toBeUndefined();
    });

    test('as many as asked for, and from there on', async () => {
      const first = await database.query({ pk: p, prefix: 'b', limit: 2 });
      expect(sortKeys(first)).toEqual(['b', 'b#1']);
      expect(first.next).toBe('b#1');
      const rest = await database.query({ pk: p, prefix: 'b', after: first.next! });
      expect(sortKeys(rest)).toEqual(['b#2', 'bb']);
      const last = await database.query({ pk: p, descending: true, limit: 1 });
      expect([sortKeys(last), last.next]).toEqual([['😀'], '😀']);
    });

    test.each([{}, { prefix: 'b' }, { from: 'b', to: 'é' }, { descending: true }])(
      'all pages of %j, each item once',
      async (input) => {
        const whole = sortKeys(await database.query({ pk: p, ...input }));
        for (const limit of [1, 2, 3]) {
          const items = await all(database, { pk: p, ...input, limit });
          expect(sortKeys({ items })).toEqual(whole);
        }
      },
    );
  });

  describe('reads an index', () => {
    const entry = (n: number, row: string) =>
      insert('i', { directory_pk: p, directory_sk: `${n}`, row, more: 'x' }, `${p}#${n}`);
    const numbersOf = ({ items }: { items: Item[] }) => items.map(({ directory_sk }) => Number(directory_sk));

    test('in the order of its sort key, in pages, with its own attributes only', async () => {
      await database.write([entry(3, 'a c'), entry(1, 'a b'), entry(4, 'b'), entry(2, 'c'), insert('other')]);
      const query = (input: object = {}) => database.query({ pk: p, index: 'directory', ...input });
      const whole = await query();
      expect([numbersOf(whole), whole.next]).toEqual([[1, 2, 3, 4], undefined]);
      const [pk, sk] = [`${p}#1`, 'i'];
      expect(whole.items[0]).toEqual({ pk, sk, directory_pk: p, directory_sk: '1', row: 'a b' });
      expect(numbersOf(await query({ descending: true }))).toEqual([4, 3, 2, 1]);
      expect(numbersOf(await query({ from: '2', to: '3' }))).toEqual([2, 3]);
      expect(numbersOf(await query({ rowContains: 'a' }))).toEqual([1, 3]);
      for (const descending of [false, true]) {
        const [first, all] = [await query({ limit: 3, descending }), await query({ descending })];
        expect(first.next).toBe(all.items[2]!.directory_sk);
        const rest = await query({ descending, after: first.next });
        expect([...numbersOf(first), ...numbersOf(rest)]).toEqual(numbersOf(all));
      }
    });
  });

  describe('writes', () => {
    test('what is not there yet, and leaves alone what is', async () => {
      expect(await database.write([insert('a', { n: 1 })])).toEqual([true]);
      expect(await database.write([insert('a', { n: 2 }), insert('b')])).toEqual([false, true]);
      expect(await read('a')).toEqual({ ...key('a'), n: 1 });
    });

    test('without the attributes that are undefined', async () => {
      await database.write([insert('a', { n: 1, gone: undefined })]);
      expect(await read('a')).toEqual({ ...key('a'), n: 1 });
    });

    test('nothing, when nothing is to be written', async () => {
      expect(await database.write([])).toEqual([]);
    });

    test('changes, of the attributes that are named, where the item is there', async () => {
      await database.write([insert('a', { n: 1, kept: 'k', gone: 'g' })]);
      const changes = [update('a', { n: 2, added: [1], gone: undefined, never: undefined }), update('b', { n: 2 })];
      expect(await database.write(changes)).toEqual([true, false]);
      expect(await read('a')).toEqual({ ...key('a'), n: 2, kept: 'k', added: [1] });
      expect(await read('b')).toBeUndefined();
    });

    test('removals alone', async () => {
      await database.write([insert('a', { n: 1, m: 1 })]);
      expect(await database.write([update('a', { n: undefined, m: undefined })])).toEqual([true]);
      expect(await read('a')).toEqual(key('a'));
    });

    test('only what meets the expectation', async () => {
      await database.write(['a', 'b', 'c', 'd', 'e'].map((sk) => insert(sk, { version: 1, text: 'x' })));
      const written = await database.write([
        update('a', { n: 1 }, { version: 1 }),
        update('b', { n: 1 }, { version: 2 }),
        update('c', { n: 1 }, { version: 1, text: 'y' }),
        update('d', { n: 1 }, { version: 1, never: undefined }),
        update('e', { n: 1 }, { text: undefined }),
      ]);
      expect(written).toEqual([true, false, false, true, false]);
      const items = await database.get(['a', 'b', 'c', 'd', 'e'].map((sk) => key(sk)));
      expect(items.map((item) => item?.n)).toEqual([1, undefined, undefined, 1, undefined]);
    });

    test('does not take null for absent, nor a text for a number', async () => {
      await database.write([insert('a', { version: null }), insert('b', { version: '1' })]);
      const written = await database.write([
        update('a', { n: 1 }, { version: undefined }),
        update('b', { n: 1 }, { version: 1 }),
      ]);
      expect(written).toEqual([false, false]);
    });

    test('more than a request takes, each answered for itself', async () => {
      await database.write(numbers(60).flatMap((sk, n) => (n % 3 === 0 ? [insert(sk, { version: 1 })] : [])));
      const writes = numbers(60).map((sk, n) => (n % 2 === 0 ? insert(sk) : update(sk, { n }, { version: 1 })));
      const expected = numbers(60).map((_, n) => (n % 2 === 0 ? n % 3 !== 0 : n % 3 === 0));
      expect(await database.write(writes)).toEqual(expected);
    });

    test('no item twice', async () => {
      await expect(database.write([insert('a', { n: 1 }), insert('a', { n: 2 })])).rejects.toThrow();
    });
  });

  describe('transactions', () => {
    test('write everything', async () => {
      await database.write([insert('old', { version: 1, gone: 1 }), insert('done', { version: 7 })]);
      const writes = [
        insert('new', { n: 1, gone: undefined }),
        update('old', { version: 2, gone: undefined }, { version: 1, never: undefined }),
        remove('done', { version: 7 }),
      ];
      expect(await database.transact(writes)).toBe(true);
      const items = await database.get(['new', 'old', 'done'].map((sk) => key(sk)));
      expect(items).toEqual([{ ...key('new'), n: 1 }, { ...key('old'), version: 2 }, undefined]);
    });

    const lost: [what: string, write: () => Write][] = [
      ['an insert that finds an item', () => insert('old')],
      ['an update that finds another version', () => update('old', { n: 1 }, { version: 2 })],
      ['an update that finds an attribute', () => update('old', { n: 1 }, { version: undefined })],
      ['an update that finds no item', () => update('nowhere', { n: 1 })],
      ['a removal that finds another version', () => remove('old', { version: 2 })],
      ['a removal that finds no item', () => remove('nowhere')],
    ];
    test.each(lost)('write nothing for %s', async (_, write) => {
      await database.write([insert('old', { version: 1 }), insert('other', { version: 1 })]);
      const others = [insert('new'), update('other', { version: 2 }), write()];
      expect(await database.transact(others)).toBe(false);
      expect(await database.transact(others.reverse())).toBe(false);
      const items = await database.get(['new', 'other', 'old'].map((sk) => key(sk)));
      expect(items).toEqual([undefined, { ...key('other'), version: 1 }, { ...key('old'), version: 1 }]);
    });

    test('add to numbers, also of an item that does not exist yet', async () => {
      const add = (sk: string, numbers: Record<string, number>): Write => ({ kind: 'add', key: key(sk), add: numbers });
      await database.write([insert('old', { n: 1, '["a",null]': 5, name: 'kept' })]);
      const writes = [add('old', { n: 2, '["a",null]': -5 }), add('new', { n: -1, m: 1 }), insert('other')];
      expect(await database.transact(writes)).toBe(true);
      expect(await database.transact([add('new', { n: 3 }), insert('other')])).toBe(false);
      const items = await database.get(['old', 'new'].map((sk) => key(sk)));
      expect(items).toEqual([
        { ...key('old'), n: 3, '["a",null]': 0, name: 'kept' },
        { ...key('new'), n: -1, m: 1 },
      ]);
    });

    test('delete what is stored, and nothing that is not', async () => {
      await database.write([insert('old', { version: 1 }), insert('kept')]);
      const writes = ['old', 'none'].map((sk): Write => ({ kind: 'delete', key: key(sk) }));
      expect(await database.transact([...writes, insert('new')])).toBe(true);
      expect(await database.transact([{ kind: 'delete', key: key('new') }, insert('kept')])).toBe(false);
      expect((await all(database, { pk: p })).map(({ sk }) => sk)).toEqual(['kept', 'new']);
    });

    test('replace what is stored, and put what is not', async () => {
      const put = (sk: string): Write => ({ kind: 'put', key: key(sk), set: { n: 2, gone: undefined } });
      await database.write([insert('old', { n: 1, gone: 1 })]);
      expect(await database.transact([put('old'), put('new')])).toBe(true);
      const items = await database.get(['old', 'new'].map((sk) => key(sk)));
      expect(items).toEqual(['old', 'new'].map((sk) => ({ ...key(sk), n: 2 })));
      expect(await database.transact([put('other'), insert('old')])).toBe(false);
      expect(await read('other')).toBeUndefined();
    });

    const counted = { n: 2, version: 3, day: 'today', until: null };
    test.each<[string, Record<string, unknown> | undefined, boolean]>([
      ['as they were', counted, true],
      ['less than the most', { ...counted, n: 1, version: 9 }, true],
      ['more than the most', { ...counted, n: 3 }, false],
      ['another value', { ...counted, day: 'yesterday' }, false],
      ['another value in place of null', { ...counted, until: 'tomorrow' }, false],
      ['no such number', { version: 3, day: 'today', until: null }, false],
      ['no item', undefined, false],
    ])('add only within bounds: %s', async (_, found, isAdded) => {
      if (found) await database.write([insert('a', found)]);
      const only = { expect: { day: 'today', until: null }, atMost: { n: 2 } };
      const write: Write = { kind: 'add', key: key('a'), add: { n: 5, version: 1 }, only };
      expect(await database.transact([write, insert('other')])).toBe(isAdded);
      const after = isAdded ? { ...found, n: Number(found?.n) + 5, version: Number(found?.version) + 1 } : found;
      expect(await read('a')).toEqual(after && { ...key('a'), ...after });
    });

    test('take a hundred items, and no more', async () => {
      expect(await database.transact(numbers(100).map((sk) => insert(sk)))).toBe(true);
      await expect(database.transact(numbers(101).map((sk) => insert(`x${sk}`)))).rejects.toThrow();
      expect((await all(database, { pk: p })).length).toBe(100);
    });

    test('take no item twice', async () => {
      await database.write([insert('a', { n: 1 })]);
      await expect(database.transact([update('a', { n: 2 }), remove('a')])).rejects.toThrow();
      expect(await read('a')).toEqual({ ...key('a'), n: 1 });
    });
  });

  test('one of many who write the same version wins', async () => {
    await database.write([insert('a', { version: 1 })]);
    const rivals = Array.from({ length: 12 }, (_, rival) => ({ rival, version: 2 }));
    const won = await Promise.all(
      rivals.map(async (set, n) =>
        n % 2 === 0
          ? (await database.write([update('a', set, { version: 1 })]))[0]
          : database.transact([update('a', set, { version: 1 })]),
      ),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
    expect((await read('a'))?.rival).toBe(won.indexOf(true));
  });
});

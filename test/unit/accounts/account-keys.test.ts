import { describe, expect, test } from 'vitest';
import { mergeMetadata } from '../../../lib/domain/values/metadata.ts';
import { checking, faults, owner, parse, pathsOf } from './account-records.ts';

describe('dotted keys', () => {
  test('are the same as nested ones', () => {
    const nested = {
      account_number: '1',
      contact: { unique_id: 'c1', role: 'joint' },
      product: { code: 'P', type: 'savings', standardized_type: 'cd', name: 'N', description: 'D' },
      meta_public: { car: { make: 'M' } },
    };
    const dotted = {
      account_number: '1',
      'contact.unique_id': 'c1',
      'contact.role': 'joint',
      'product.code': 'P',
      'product.type': 'savings',
      'product.standardized_type': 'cd',
      'product.name': 'N',
      'product.description': 'D',
      'meta_public.car.make': 'M',
    };
    expect(parse(dotted)).toEqual(parse(nested));
  });

  test('may stand beside nested ones of other fields', () => {
    const record = parse({
      'contact.role': 'joint',
      'product.name': 'N',
      account_number: '1',
      contact: { unique_id: 'c1' },
      product: checking,
      meta_public: { a: 1 },
      'meta_public.b': 2,
    });
    expect(record.link).toEqual({ unique_id: 'c1', role: 'joint' });
    expect(record.account?.product).toEqual({ ...checking, name: 'N' });
    expect(record.account?.meta_public).toEqual({ a: { a: 1 }, b: { b: 2 } });
  });

  test('beside the nested form of the same field are ambiguous, and the other faults are named, too', () => {
    const record = {
      account_number: '1',
      contact: { unique_id: 'c1', role: 'a' },
      'contact.role': 'b',
      product: checking,
      'product.code': 'Q',
      meta_public: { a: 1, b: { c: { d: 1 } }, 'x.y': 1 },
      'meta_public.a': 2,
      'meta_public.b.c.d': 2,
      'meta_public.x.y': 2,
      'meta_public.b.d': 2,
      'meta_public.a.c': 2,
      balance: 'plenty',
    };
    const ambiguous = 'is sent both as a dotted key and inside the object: send only one of them';
    expect(faults(record)).toContain(`/contact.role ${ambiguous}`);
    expect(pathsOf(record).sort()).toEqual([
      '/balance',
      '/contact.role',
      '/meta_public.a',
      '/meta_public.b.c.d',
      '/meta_public.x.y',
      '/product.code',
    ]);
  });

  test('are one segment of the path of a fault, and so is what stands beside them and is missing', () => {
    const record = { account_number: 1, 'contact.unique_id': 1, 'product.type': 'card', 'meta_public.a~/b': '\ud800' };
    expect(pathsOf(record).sort()).toEqual([
      '/account_number',
      '/contact.unique_id',
      '/meta_public.a~0~1b',
      '/product.code',
      '/product.type',
    ]);
    expect(pathsOf({ account_number: '1', product: { code: 'P' }, 'product.name': 1 }).sort()).toEqual([
      '/product.name',
      '/product/type',
    ]);
  });

  test('of other fields are unknown', () => {
    expect(pathsOf({ 'account_number.a': 1, product: checking })).toEqual(['/account_number']);
    const others = { 'nickname.a': 'x', '.contact': 1, meta_publics: 5 };
    const { account } = parse({ account_number: '1', product: checking, ...others });
    expect([account?.fields, account?.meta_public]).toEqual([{}, undefined]);
  });

  test('fill in what is null, and do not hide what is no object', () => {
    expect(parse({ account_number: '1', contact: null, 'contact.unique_id': 'c1' }).link).toEqual(owner);
    const { account } = parse({ account_number: '1', product: checking, meta_public: null, 'meta_public.a': 1 });
    const merged = [{ b: 1 }, null].map((stored) => mergeMetadata(stored, account!.meta_public!));
    expect(merged).toEqual([{ a: 1 }, { a: 1 }]);
    const wrong = { account_number: '1', contact: 'c1', 'contact.role': 'x', product: checking };
    expect(faults(wrong)).toEqual(['/contact must be an object']);
  });
});

describe('keys', () => {
  test.each([
    ['account_number', (key: unknown) => ({ account_number: key, product: checking }), '/account_number'],
    ['product.code', (code: unknown) => ({ account_number: '1', product: { ...checking, code } }), '/product/code'],
  ])('%s is a text of 1 to 512 bytes that is not blank', (_, record, path) => {
    for (const key of ['1', ' 1', '#', 'x'.repeat(512), 'é'.repeat(256)]) expect(faults(record(key))).toEqual([]);
    const texts = ['', ' ', '\t\u00a0', 'a\ufffdb', 'a\u0092', 'x'.repeat(513), 'é'.repeat(257)];
    for (const key of [...texts, 1, null, undefined, true, ['1'], {}]) expect(pathsOf(record(key))).toEqual([path]);
  });
});

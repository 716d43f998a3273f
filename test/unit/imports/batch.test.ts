import { describe, expect, test } from 'vitest';
import { batchRequest, chunkCountErrors, deduplicationErrors, pairOf } from '../../../lib/domain/imports/batch.ts';
import { type JsonObject, parseJson } from '../../../lib/domain/values/json.ts';
import { pointer } from '../../../lib/domain/values/problem.ts';

const record = { account_number: '1', contact: { unique_id: 'c1' } };
const records = (count: number) => Array.from({ length: count }, () => record);

const parse = (request: object) => batchRequest.parse({ type: 'account', records: [record], ...request });
const pathsOf = (request: object) =>
  batchRequest
    .safeParse({ type: 'account', records: [record], ...request })
    .error?.issues.map(({ path }) => pointer(path)) ?? [];

describe('a batch request', () => {
  test.each(['account', 'accounts'])('is of type %s, which is told as account', (type) => {
    expect(parse({ type }).type).toBe('account');
  });

  test.each(['Account', 'contacts', '', null, undefined, 1, ['account']])('is not of type %j', (type) => {
    expect(pathsOf({ type })).toEqual(['/type']);
  });

  test.each([null, '', undefined])('has no batch_id when it is %j', (batch_id) => {
    expect(parse({ batch_id }).batch_id).toBeUndefined();
  });

  test.each(['x'.repeat(128), '😀'.repeat(128), ' ', 'a/b?c#d', 'a\u0000b', '../../..'])(
    'may be called %.12j',
    (batch_id) => {
      expect(parse({ batch_id }).batch_id).toBe(batch_id);
    },
  );

  test.each(['x'.repeat(129), '😀'.repeat(129), '\ud800', 'a\ufffdb', 'a\u0085b', 7, {}, []])(
    'is not called %.12j',
    (batch_id) => {
      expect(pathsOf({ batch_id })).toEqual(['/batch_id']);
    },
  );

  test.each([
    ['0', 0],
    ['-0', 0],
    ['1.0', 1],
    ['1e3', 1000],
    ['999999', 999_999],
    ['null', undefined],
  ])('has as chunk_index %s the number %s', (written, index) => {
    expect(parse({ chunk_index: parseJson(written) }).chunk_index).toBe(index);
  });

  test.each(['-1', '1000000', '0.5', '"1"', '""', 'true', '{}'])('has no chunk_index %s', (written) => {
    expect(new Set(pathsOf({ chunk_index: parseJson(written) }))).toEqual(new Set(['/chunk_index']));
  });

  test('holds 1 to 10,000 records', () => {
    expect(parse({ records: records(10_000) }).records).toHaveLength(10_000);
    for (const wrong of [[], records(10_001), null, undefined, {}, 'records']) {
      expect(pathsOf({ records: wrong })).toEqual(['/records']);
    }
  });

  test('has the faults of all its parts named', () => {
    const request = { type: 'x', batch_id: 1, chunk_index: -1, records: [record, { account_number: 2 }, record, 3] };
    expect(pathsOf(request)).toEqual(
      expect.arrayContaining([
        '/type',
        '/batch_id',
        '/chunk_index',
        '/records/1/account_number',
        '/records/1/product',
        '/records/3',
      ]),
    );
  });
});

test.each([
  [{ type: 'card' }, 'must be "account" or "accounts"'],
  [{ records: {} }, 'must be an array of records'],
  [{ records: [] }, 'must contain at least one record'],
  [{ records: records(10_001) }, 'must contain at most 10000 records'],
])('a batch request with %.20j has the error: %s', (request, message) => {
  const issues = batchRequest.safeParse({ type: 'account', records: [record], ...request }).error?.issues;
  expect(issues?.map((issue) => issue.message)).toEqual([message]);
});

describe('de-duplication', () => {
  const errors = (request: object) => deduplicationErrors({ records: [record], ...request } as JsonObject);
  const paths = (request: object) => errors(request).map(({ path }) => path);

  test('says what it needs', () => {
    expect(errors({ chunk_index: 0, records: records(501) }).map(({ message }) => message)).toEqual([
      'is required when chunk_index is sent',
      'must contain at most 500 records when chunk_index is sent',
    ]);
  });

  test('is not asked for without chunk_index', () => {
    for (const chunk_index of [undefined, null]) {
      expect(paths({ chunk_index, records: records(501) })).toEqual([]);
    }
  });

  test('needs a batch_id of the caller', () => {
    for (const batch_id of [undefined, null, '']) expect(paths({ chunk_index: 0, batch_id })).toEqual(['/batch_id']);
    for (const batch_id of ['b', ' ']) expect(paths({ chunk_index: 0, batch_id })).toEqual([]);
  });

  test('needs the records in one chunk', () => {
    expect(paths({ chunk_index: 0, batch_id: 'b', records: records(500) })).toEqual([]);
    expect(paths({ chunk_index: 0, batch_id: 'b', records: records(501) })).toEqual(['/records']);
    expect(paths({ chunk_index: 0, records: records(501) })).toEqual(['/batch_id', '/records']);
  });
});

describe('the pair of a body', () => {
  test.each<[string, string, number]>([
    ['{"batch_id":"b","chunk_index":3}', 'b', 3],
    ['{"batch_id":"b","chunk_index":-0}', 'b', 0],
    ['{"batch_id":"b","chunk_index":1e3}', 'b', 1000],
    ['{"batch_id":" ","chunk_index":1.0,"type":7,"records":"none","chunk_count":0}', ' ', 1],
  ])('of %s is read, whatever else the body holds', (body, batch_id, chunk_index) => {
    expect(pairOf(parseJson(body) as JsonObject)).toEqual({ batch_id, chunk_index });
  });

  test.each([
    '{}',
    '{"batch_id":"b"}',
    '{"chunk_index":0}',
    '{"batch_id":"","chunk_index":0}',
    '{"batch_id":"b","chunk_index":-1}',
    '{"batch_id":7,"chunk_index":0}',
  ])('%.60s names none that could have been accepted', (body) => {
    expect(pairOf(parseJson(body) as JsonObject)).toBeUndefined();
  });
});

describe('chunk_count', () => {
  test.each([1, 1_000_000, null, undefined])('may be %s', (chunk_count) => {
    expect(parse({ chunk_count }).chunk_count).toBe(chunk_count ?? undefined);
  });

  test.each([0, -1, 1.5, 1_000_001, '3', true])('is not %j', (chunk_count) => {
    expect(pathsOf({ chunk_count })).toEqual(['/chunk_count']);
  });

  const tooSmall = ['/chunk_index must be less than chunk_count, which is 3'];
  test.each<[string, JsonObject, string[]]>([
    ['lies above the index', { chunk_index: 2, chunk_count: 3 }, []],
    ['is not the index', { chunk_index: 3, chunk_count: 3 }, tooSmall],
    ['is not below the index', { chunk_index: 7, chunk_count: 3 }, tooSmall],
    ['needs an index', { chunk_count: 3 }, ['/chunk_count requires a chunk_index']],
    ['needs an index that is not null', { chunk_index: null, chunk_count: 3 }, ['/chunk_count requires a chunk_index']],
    ['is absent when it is null', { chunk_index: 7, chunk_count: null }, []],
    ['that is wrong by itself is told elsewhere', { chunk_index: 7, chunk_count: 0 }, []],
    ['beside an index that is wrong by itself is told there', { chunk_index: -1, chunk_count: 1 }, []],
  ])('%s', (_, body, expected) => {
    expect(chunkCountErrors(body).map(({ path, message }) => `${path} ${message}`)).toEqual(expected);
  });
});

import { describe, expect, test } from 'vitest';
import type { Write } from '../../lib/store/database.ts';
import { keyOf, needsUpdateItem, queryOf, statementOf, transactionItemOf, updateOf } from '../../lib/store/requests.ts';

const update = (set: object, expect: object = {}) =>
  ({ kind: 'update', key: { pk: 'p', sk: 's' }, set: { ...set }, expect: { ...expect } }) as Extract<
    Write,
    { kind: 'update' }
  >;

test('a key has no other attributes of its item', () => {
  expect(keyOf({ pk: 'p', sk: 's', more: 1 } as never)).toEqual({ pk: 'p', sk: 's' });
});

describe('a query', () => {
  const whole = {
    TableName: 'table',
    KeyConditionExpression: '#pk = :pk',
    ExpressionAttributeNames: { '#pk': 'pk' },
    ExpressionAttributeValues: { ':pk': 'p' },
    ConsistentRead: true,
  };

  test('of a partition is consistent', () => {
    expect(queryOf('table', { pk: 'p' })).toStrictEqual(whole);
  });

  test.each([
    [{ limit: 5 }, { Limit: 5 }],
    [{ limit: 0 }, { Limit: 0 }],
    [{ descending: true }, { ScanIndexForward: false }],
    [{ descending: false }, {}],
    // DynamoDB rejects an empty string for a key.
    [{ from: '' }, {}],
    [{ prefix: '' }, {}],
    [{ after: '' }, {}],
  ])('with %j has %j', (input, fields) => {
    expect(queryOf('table', { pk: 'p', ...input })).toEqual({ ...whole, ...fields });
  });

  test.each<[object, string, object]>([
    [{ prefix: 'b' }, 'begins_with(#sk, :prefix)', { ':prefix': 'b' }],
    [{ from: 'a', to: 'b' }, '#sk BETWEEN :from AND :to', { ':from': 'a', ':to': 'b' }],
    [{ from: 'a' }, '#sk >= :from', { ':from': 'a' }],
    [{ to: 'b' }, '#sk <= :to', { ':to': 'b' }],
    [{ after: 'a' }, '#sk > :after', { ':after': 'a' }],
    [{ after: 'a', from: '0' }, '#sk > :after', { ':after': 'a' }],
    [{ after: 'a', to: 'b' }, '#sk BETWEEN :after AND :to', { ':after': 'a\u0000', ':to': 'b' }],
    [{ after: 'ab', prefix: 'a' }, '#sk BETWEEN :after AND :to', { ':after': 'ab\u0000', ':to': 'a\u{10ffff}' }],
    [{ after: 'b', descending: true }, '#sk < :after', { ':after': 'b' }],
    [{ after: 'b', to: 'c', descending: true }, '#sk < :after', { ':after': 'b' }],
  ])('within %j has the condition %s', (bounds, condition, values) => {
    const query = queryOf('table', { pk: 'p', ...bounds });
    expect(query.KeyConditionExpression).toBe(`#pk = :pk AND ${condition}`);
    expect(query.ExpressionAttributeNames).toEqual({ '#pk': 'pk', '#sk': 'sk' });
    expect(query.ExpressionAttributeValues).toEqual({ ':pk': 'p', ...values });
  });

  test('of an index uses its keys and is not consistent', () => {
    const query = queryOf('table', { pk: 'p', index: 'directory', from: 'a', rowContains: 'x' });
    expect(query).toEqual({
      TableName: 'table',
      IndexName: 'directory',
      KeyConditionExpression: '#pk = :pk AND #sk >= :from',
      FilterExpression: 'contains(#row, :row)',
      ExpressionAttributeNames: { '#pk': 'directory_pk', '#sk': 'directory_sk', '#row': 'row' },
      ExpressionAttributeValues: { ':pk': 'p', ':from': 'a', ':row': 'x' },
    });
  });
});

describe('a statement', () => {
  test('inserts the attributes that have a value', () => {
    const item = { pk: 'p', sk: 's', n: 1, none: undefined };
    expect(statementOf('table', { kind: 'insert', item })).toEqual({
      Statement: `INSERT INTO "table" VALUE {'pk':?,'sk':?,'n':?}`,
      Parameters: ['p', 's', 1],
    });
  });

  test.each([
    [{ a: 1 }, {}, 'SET "a"=? WHERE "pk"=? AND "sk"=?', [1]],
    [{ a: 1, b: null }, {}, 'SET "a"=?, "b"=? WHERE "pk"=? AND "sk"=?', [1, null]],
    [{ a: undefined }, {}, 'REMOVE "a" WHERE "pk"=? AND "sk"=?', []],
    [{ a: undefined, b: 1 }, {}, 'SET "b"=? REMOVE "a" WHERE "pk"=? AND "sk"=?', [1]],
  ])('updates %j if %j: %s', (set, expected, statement, parameters) => {
    expect(statementOf('table', update(set, expected))).toEqual({
      Statement: `UPDATE "table" ${statement}`,
      Parameters: [...parameters, 'p', 's'],
    });
  });

  test('has its expectations as conditions', () => {
    expect(statementOf('table', update({ a: 1 }, { v: 2, gone: undefined }))).toEqual({
      Statement: 'UPDATE "table" SET "a"=? WHERE "pk"=? AND "sk"=? AND "v"=? AND "gone" IS MISSING',
      Parameters: [1, 'p', 's', 2],
    });
  });

  test.each<[Parameters<typeof needsUpdateItem>[0], boolean]>([
    [update({ a: undefined, b: undefined }), true],
    [update({ a: undefined, b: 1 }), false],
    [update({ a: 1, b: 2 }), false],
    [{ kind: 'insert', item: { pk: 'p', sk: 's', a: undefined, b: undefined } }, false],
  ])('%j cannot be one: %s', (write, isSingle) => {
    expect(needsUpdateItem(write)).toBe(isSingle);
  });
});

describe('an update', () => {
  const common = { TableName: 'table', Key: { pk: 'p', sk: 's' } };

  test('sets and removes attributes if the item meets its expectation', () => {
    expect(updateOf('table', update({ a: 1, b: undefined, c: 'x' }, { v: 2, gone: undefined }))).toEqual({
      ...common,
      UpdateExpression: 'SET #s0 = :s0, #s2 = :s2 REMOVE #s1',
      ConditionExpression: 'attribute_exists(pk) AND #e0 = :e0 AND attribute_not_exists(#e1)',
      ExpressionAttributeNames: { '#s0': 'a', '#s1': 'b', '#s2': 'c', '#e0': 'v', '#e1': 'gone' },
      ExpressionAttributeValues: { ':s0': 1, ':s2': 'x', ':e0': 2 },
    });
  });

  test('that only removes has no values', () => {
    expect(updateOf('table', update({ a: undefined, b: undefined }))).toEqual({
      ...common,
      UpdateExpression: 'REMOVE #s0, #s1',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#s0': 'a', '#s1': 'b' },
    });
  });

  test('that only sets removes nothing', () => {
    expect(updateOf('table', update({ a: 1 })).UpdateExpression).toBe('SET #s0 = :s0');
  });
});

describe('a part of a transaction', () => {
  test('inserts an item that does not exist', () => {
    const item = { pk: 'p', sk: 's', a: undefined };
    expect(transactionItemOf('table', { kind: 'insert', item })).toEqual({
      Put: {
        TableName: 'table',
        Item: { pk: 'p', sk: 's' },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    });
  });

  test('updates an item', () => {
    const write = update({ a: 1 }, { v: 2 });
    expect(transactionItemOf('table', write)).toEqual({ Update: updateOf('table', write) });
  });

  test('deletes an item that exists', () => {
    const removal = (expect: object): Write => ({
      kind: 'delete',
      key: { pk: 'p', sk: 's' },
      expect: { ...expect },
    });
    const common = { TableName: 'table', Key: { pk: 'p', sk: 's' } };
    expect(transactionItemOf('table', removal({}))).toEqual({
      Delete: { ...common, ConditionExpression: 'attribute_exists(pk)' },
    });
    expect(transactionItemOf('table', removal({ v: 2 }))).toEqual({
      Delete: {
        ...common,
        ConditionExpression: 'attribute_exists(pk) AND #e0 = :e0',
        ExpressionAttributeNames: { '#e0': 'v' },
        ExpressionAttributeValues: { ':e0': 2 },
      },
    });
  });
});

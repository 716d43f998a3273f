import { describe, expect, test } from 'vitest';
import { queryOf } from '../../lib/store/requests.ts';

/** What the tests against the table do not tell apart. */

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

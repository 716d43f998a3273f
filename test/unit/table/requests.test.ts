import { describe, expect, test } from 'vitest';
import { queryOf } from '../../../lib/store/table/requests.ts';

/** What the tests against the table do not tell apart. */

describe('a query', () => {
  const whole = {
    TableName: 'table',
    KeyConditionExpression: '#pk = :pk',
    ExpressionAttributeNames: { '#pk': 'pk' },
    ExpressionAttributeValues: { ':pk': 'p' },
    ConsistentRead: true,
  };

  test.each([
    [{}, {}],
    [{ limit: 0 }, { Limit: 0 }],
    [{ descending: false }, {}],
    // DynamoDB rejects an empty string for a key.
    [{ from: '' }, {}],
    [{ prefix: '' }, {}],
    [{ after: '' }, {}],
  ])('with %j has %j', (input, fields) => {
    expect(queryOf('table', { pk: 'p', ...input })).toEqual({ ...whole, ...fields });
  });
});

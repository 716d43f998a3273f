import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { scanTeam } from '../../../bin/admin/store/table-scan.ts';
import { tableClient } from '../../../lib/store/aws/table-client.ts';
import type { Item } from '../../../lib/store/table/database.ts';
import { type Answer, answering, connectionOf } from '../../support/aws/connection.ts';
import { localCredentials, localRegion } from '../../support/engine/engine.ts';

const access = { region: localRegion, credentials: localCredentials };

/** A client whose connection gives these answers, and records the requests. */
function clientOf(answers: readonly Answer[]) {
  const { requestHandler, requests } = connectionOf(answers);
  return { client: tableClient({ ...access, requestHandler }), requests };
}

describe('a value of an item', () => {
  const put = async (value: unknown) => {
    const { client, requests } = clientOf([{}]);
    await client.send(new PutCommand({ TableName: 'table', Item: { value } }));
    return JSON.parse(requests[0]!.body).Item.value;
  };
  const got = async (value: object) => {
    const { client } = clientOf([{ body: JSON.stringify({ Item: { value } }) }]);
    return (await client.send(new GetCommand({ TableName: 'table', Key: {} }))).Item?.value;
  };

  test.each([
    ['', { S: '' }],
    ['Zoë', { S: 'Zoë' }],
    [0, { N: '0' }],
    [-12.5, { N: '-12.5' }],
    [Number.MAX_SAFE_INTEGER, { N: '9007199254740991' }],
    [true, { BOOL: true }],
    [null, { NULL: true }],
    [new Uint8Array([1, 2, 255]), { B: 'AQL/' }],
    [[1, 'a'], { L: [{ N: '1' }, { S: 'a' }] }],
    [{ a: null, b: undefined }, { M: { a: { NULL: true } } }],
  ])('%j is sent as %j', async (value, sent) => {
    expect(await put(value)).toEqual(sent);
  });

  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.string({ unit: 'grapheme' }),
      fc.maxSafeInteger(),
      fc.double({ noNaN: true, min: -1e15, max: 1e15 }).map((number) => (number === 0 ? 0 : number)),
      fc.boolean(),
      fc.constant(null),
      fc.uint8Array(),
      fc.array(tie('value')),
      // Names of attributes are the service's own. Names that callers choose are in JSON texts.
      fc.dictionary(
        fc.stringMatching(/^[a-z_]{1,12}$/).filter((name) => !(name in {})),
        tie('value'),
      ),
    ),
  })).value;

  test('is received as it was sent', async () => {
    const stored = { body: '' };
    const requestHandler = answering(async ({ headers, body }) => {
      if (headers['x-amz-target']?.endsWith('GetItem')) return stored;
      stored.body = body;
      return {};
    });
    const client = tableClient({ ...access, requestHandler });
    const plain = (value: unknown) =>
      JSON.stringify(value, (_, each) => (each instanceof Uint8Array ? [...each] : each));
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        await client.send(new PutCommand({ TableName: 'table', Item: { value } }));
        const { Item } = await client.send(new GetCommand({ TableName: 'table', Key: {} }));
        expect(plain(Item?.value)).toEqual(plain(value));
      }),
    );
  });

  test.each(['9007199254740993', '-9007199254740993', '9007199254740993.5'])(
    'that is the number %s is refused, because it would lose digits',
    async (N) => {
      await expect(got({ N })).rejects.toThrow('an item has a number that is too large');
    },
  );

  test.each([Number.POSITIVE_INFINITY, Number.NaN, 2 ** 53])('is not sent if it is %d', async (value) => {
    await expect(put(value)).rejects.toThrow();
  });
});

describe('a scan of a team', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const typed = (value: unknown) => (typeof value === 'number' ? { N: `${value}` } : { S: value });
  const stored = (item: object) =>
    Object.fromEntries(Object.entries(item).map(([name, value]) => [name, typed(value)]));
  const pageOf = (items: object[], last?: object) => ({
    body: JSON.stringify({ Items: items.map(stored), LastEvaluatedKey: last && stored(last) }),
  });

  test('gives the items of the team, a page of the table at a time', async () => {
    const items = [1, 2, 3].map((n) => ({ pk: 'T#team', sk: `${n}`, n }));
    const { client, requests } = clientOf([
      pageOf(items.slice(0, 2), { pk: 'p', sk: 's' }),
      { body: '{"LastEvaluatedKey":{"pk":{"S":"q"}}}' },
      pageOf(items.slice(2)),
    ]);
    const pages: Item[][] = [];
    for await (const page of scanTeam(client, 'table', 'team')) pages.push(page);
    expect(pages).toEqual([items.slice(0, 2), [], items.slice(2)]);
    const scan = {
      TableName: 'table',
      ConsistentRead: true,
      FilterExpression: 'pk = :team OR begins_with(pk, :prefix)',
      ExpressionAttributeValues: { ':team': { S: 'T#team' }, ':prefix': { S: 'T#team#' } },
    };
    const targets = requests.map(({ headers }) => headers['x-amz-target']);
    expect(new Set(targets)).toEqual(new Set(['DynamoDB_20120810.Scan']));
    expect(requests.map(({ body }) => JSON.parse(body))).toEqual([
      scan,
      { ...scan, ExclusiveStartKey: { pk: { S: 'p' }, sk: { S: 's' } } },
      { ...scan, ExclusiveStartKey: { pk: { S: 'q' } } },
    ]);
  });

  const away = { statusCode: 500, body: '{"__type":"InternalServerError"}' };

  test('goes on after an outage that a function would not wait for', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { client } = clientOf([...Array(59).fill(away), pageOf([])]);
    expect((await scanTeam(client, 'table', 'team').next()).value).toEqual([]);
  });

  test('is an error after all retries', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { client } = clientOf(Array(60).fill(away));
    const message = 'the scan on the table failed after all retries';
    await expect(scanTeam(client, 'table', 'team').next()).rejects.toThrow(message);
  });

  test('is an error if something has no key', async () => {
    const { client } = clientOf([pageOf([{ pk: 'T#team' }])]);
    await expect(scanTeam(client, 'table', 'team').next()).rejects.toThrow('a stored item is invalid: sk');
  });
});

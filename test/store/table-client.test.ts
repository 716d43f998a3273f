import { afterEach, describe, expect, test, vi } from 'vitest';
import { attributeMap } from '../../lib/store/attribute-values.ts';
import type { Item } from '../../lib/store/database.ts';
import { type Access, AwsError } from '../../lib/store/signed-requests.ts';
import { TableClient } from '../../lib/store/table-client.ts';
import { scanTeam } from '../../lib/store/table-scan.ts';
import { type Answer, connectionOf, type SentRequest } from '../support/connection.ts';

const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };

/** A client whose connection gives these answers, and records the requests. */
function clientOf(answers: readonly Answer[], options: Partial<Access> = {}) {
  const connection = connectionOf(answers);
  const { requestHandler } = connection;
  const client = new TableClient({ region: 'eu-central-1', credentials, requestHandler, ...options });
  return { client, ...connection };
}
const input = { TableName: 'ü' } as const;

describe('a request to the table', () => {
  test('is one signed request of the operation', async () => {
    const { client, requests } = clientOf([{ body: '{"Items":[{"a":{"S":"ü"}}]}' }]);
    expect(await client.send('Scan', input)).toEqual({ Items: [{ a: { S: 'ü' } }] });
    expect(requests).toHaveLength(1);
    const [{ headers, ...request }] = requests as [SentRequest];
    expect(request).toMatchObject({
      ...{ method: 'POST', protocol: 'https:', hostname: 'dynamodb.eu-central-1.amazonaws.com', path: '/' },
      body: '{"TableName":"ü"}',
    });
    expect(request.port).toBeUndefined();
    expect(headers).toMatchObject({
      host: 'dynamodb.eu-central-1.amazonaws.com',
      'content-type': 'application/x-amz-json-1.0',
      'content-length': '18',
      'x-amz-target': 'DynamoDB_20120810.Scan',
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/eu-central-1\/dynamodb\/aws4_request/,
      ),
    });
    expect(Object.keys(headers)).not.toContain('x-amz-content-sha256');
  });

  test.each([
    ['cn-north-1', undefined, 'https:', 'dynamodb.cn-north-1.amazonaws.com.cn', undefined],
    ['us-east-1', 'http://127.0.0.1:8000', 'http:', '127.0.0.1', 8000],
  ])('in %s at %s goes to the right host', async (region, endpoint, protocol, hostname, port) => {
    const { client, requests } = clientOf([{}], { region, endpoint });
    await client.send('Scan', input);
    expect(requests[0]).toMatchObject({ protocol, hostname });
    expect(requests[0]!.port).toBe(port);
  });

  test('leaves no connection after the end of the client', () => {
    const { client, isDestroyed } = clientOf([]);
    client.destroy();
    expect(isDestroyed()).toBe(true);
  });
});

describe('an error of the table', () => {
  const errorOf = async (answer: Answer) => {
    const error = await clientOf([answer])
      .client.send('Scan', input)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AwsError);
    return { ...(error as AwsError), message: (error as AwsError).message };
  };
  const type = 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException';

  test('has its name, its message, its request and its reasons', async () => {
    const reasons = [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }];
    const body = JSON.stringify({ __type: type, message: 'cancelled', CancellationReasons: reasons });
    expect(await errorOf({ statusCode: 400, headers: { 'x-amzn-requestid': 'r' }, body })).toEqual({
      name: 'TransactionCanceledException',
      message: 'cancelled',
      $metadata: { httpStatusCode: 400, requestId: 'r' },
      CancellationReasons: reasons,
    });
  });

  test.each([
    ['{"__type":"Throttled","Message":"slow"}', 'Throttled', 'slow'],
    ['{"__type":"Throttled"}', 'Throttled', 'Throttled'],
    ['<html>', 'UnknownError', 'UnknownError'],
    ['{}', 'UnknownError', 'UnknownError'],
  ])('is also read from %s', async (body, name, message) => {
    const error = await errorOf({ statusCode: 503, body });
    expect(error).toEqual({ name, message, $metadata: { httpStatusCode: 503 } });
  });

  test('that is a truncated response is an error in its syntax', async () => {
    await expect(clientOf([{ body: '{"Items":' }]).client.send('Scan', input)).rejects.toBeInstanceOf(SyntaxError);
  });
});

describe('a scan of a team', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const pageOf = (items: object[], last?: object) => ({
    body: JSON.stringify({ Items: items.map(attributeMap), ...(last ? { LastEvaluatedKey: attributeMap(last) } : {}) }),
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

  test('is an error after all retries', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { client } = clientOf(Array(8).fill({ statusCode: 500, body: '{"__type":"InternalServerError"}' }));
    const message = 'the scan on the table failed after all retries';
    await expect(scanTeam(client, 'table', 'team').next()).rejects.toThrow(message);
  });

  test('is an error if something has no key', async () => {
    const { client } = clientOf([pageOf([{ pk: 'T#team' }])]);
    await expect(scanTeam(client, 'table', 'team').next()).rejects.toThrow('a stored item is invalid: sk');
  });
});

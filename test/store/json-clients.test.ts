import { describe, expect, test } from 'vitest';
import { QueueClient } from '../../lib/store/queue-client.ts';
import { SecretsClient } from '../../lib/store/secrets-client.ts';
import { type Answer, connectionOf } from '../support/connection.ts';

const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
const region = 'eu-central-1';
const url = 'https://sqs.eu-central-1.amazonaws.com/1/imports.fifo';
const message = { QueueUrl: url, MessageBody: '{}', MessageGroupId: 'team', MessageDeduplicationId: 'id' };
const throttled = { statusCode: 400, body: '{"__type":"com.amazonaws.sqs#RequestThrottled"}' };

function queueOf(answers: readonly Answer[]) {
  const connection = connectionOf(answers);
  return { ...connection, client: new QueueClient(url, { region, credentials, ...connection }) };
}

describe('a request to a queue', () => {
  test('is one signed request to the host of the queue', async () => {
    const { client, requests } = queueOf([{ body: '{"MessageId":"m"}' }]);
    expect(await client.send('SendMessage', message)).toEqual({ MessageId: 'm' });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/', hostname: 'sqs.eu-central-1.amazonaws.com' });
    expect(JSON.parse(requests[0]!.body)).toEqual(message);
    expect(requests[0]!.headers).toMatchObject({
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.SendMessage',
      authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/eu-central-1\/sqs\/aws4_request/),
    });
  });

  test('that is throttled is sent again, as the same message', async () => {
    const { client, requests } = queueOf([throttled, throttled, {}]);
    await client.send('SendMessage', message);
    expect(requests.map(({ body }) => JSON.parse(body))).toEqual([message, message, message]);
  });

  test('is given up after three attempts', async () => {
    const { client, requests } = queueOf([throttled, throttled, throttled]);
    await expect(client.send('SendMessage', message)).rejects.toMatchObject({ name: 'RequestThrottled' });
    expect(requests).toHaveLength(3);
  });

  test('is not sent again after its time is over', async () => {
    const { client, requests, options } = queueOf([throttled]);
    const abortSignal = AbortSignal.abort();
    await expect(client.send('SendMessage', message, { abortSignal })).rejects.toThrow('RequestThrottled');
    expect(requests).toHaveLength(1);
    expect(options).toEqual([{ abortSignal }]);
  });

  test('that has no result gets a response without a body', async () => {
    const { client, requests } = queueOf([{ body: '' }]);
    const visibility = { QueueUrl: url, ReceiptHandle: 'receipt', VisibilityTimeout: 10 };
    expect(await client.send('ChangeMessageVisibility', visibility)).toEqual({});
    expect(requests).toHaveLength(1);
  });

  test('that has a result is sent again after a response without a body', async () => {
    const { client, requests } = queueOf([{ body: '' }, { body: '{"MessageId":"m"}' }]);
    expect(await client.send('SendMessage', message)).toEqual({ MessageId: 'm' });
    expect(requests).toHaveLength(2);
  });

  test('that will never succeed is not sent again', async () => {
    const { client, requests } = queueOf([{ statusCode: 400, body: '{"__type":"QueueDoesNotExist"}' }]);
    await expect(client.send('SendMessage', message)).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
    expect(requests).toHaveLength(1);
  });
});

describe('a request for a secret', () => {
  const secretsOf = (answers: readonly Answer[], endpoint?: string) => {
    const connection = connectionOf(answers);
    return { ...connection, client: new SecretsClient({ region, credentials, endpoint, ...connection }) };
  };

  test('is one signed request', async () => {
    const { client, requests } = secretsOf([{ body: '{"SecretString":"s"}' }]);
    expect(await client.send('GetSecretValue', { SecretId: 'arn' })).toEqual({ SecretString: 's' });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      hostname: 'secretsmanager.eu-central-1.amazonaws.com',
      body: '{"SecretId":"arn"}',
    });
    expect(requests[0]!.headers).toMatchObject({
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'secretsmanager.GetSecretValue',
      authorization: expect.stringContaining('/eu-central-1/secretsmanager/aws4_request'),
    });
  });

  test('that fails for a short time is sent again', async () => {
    const failed = { statusCode: 500, body: '{"__type":"InternalServiceError"}' };
    const { client, requests } = secretsOf([failed, { statusCode: 200, body: '{"SecretStr' }, {}]);
    await client.send('GetSecretValue', { SecretId: 'arn' });
    expect(requests).toHaveLength(3);
  });

  test('is sent again after a response without a body', async () => {
    const { client, requests } = secretsOf([{ body: '' }, {}]);
    await client.send('GetSecretValue', { SecretId: 'arn' });
    expect(requests).toHaveLength(2);
  });
});

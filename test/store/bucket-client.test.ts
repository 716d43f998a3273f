import { createHash, createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { BucketClient } from '../../lib/store/bucket-client.ts';
import { AwsError, bytesOf } from '../../lib/store/signed-requests.ts';
import { type Answer, connectionOf, type SentRequest } from '../support/connection.ts';

const credentials = { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'session' };
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** A bucket whose connection gives these answers, and records the requests. */
function bucketOf(answers: readonly Answer[], { region = 'eu-central-1', endpoint = '' } = {}) {
  const { requestHandler, requests, isDestroyed } = connectionOf(answers);
  const access = { region, credentials, requestHandler, ...(endpoint ? { endpoint } : {}) };
  return { bucket: new BucketClient('drop-box', access), requests, isDestroyed };
}
const textOf = async (body: Readable) => (await bytesOf({ body })).toString();
const errorXml = (code: string, message = code) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;

/** The signature that S3 requires, version 4, for a request without a query. */
function signatureOf({ method, path, headers }: SentRequest): string {
  const [, scope = '', names = ''] = /Credential=id\/(.*), SignedHeaders=(.*), /.exec(headers.authorization!) ?? [];
  const signed = names.split(';').map((name) => `${name}:${headers[name]}\n`);
  const canonical = [method, path, '', signed.join(''), names, headers['x-amz-content-sha256']].join('\n');
  const hash = createHash('sha256').update(canonical).digest('hex');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash].join('\n');
  const hmac = (key: string | Buffer, part: string) => createHmac('sha256', key).update(part).digest();
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`);
  return hmac(key, text).toString('hex');
}
const slow = { statusCode: 503, body: errorXml('SlowDown') };

describe('an object', () => {
  test('is read in its current version with a signed request', async () => {
    const { bucket, requests } = bucketOf([{ body: 'hellö' }]);
    expect(await textOf(await bucket.get('a.csv'))).toBe('hellö');
    const [{ headers, ...request }] = requests as [SentRequest];
    expect(request).toMatchObject({ method: 'GET', protocol: 'https:', path: '/a.csv' });
    expect(request.query).toStrictEqual({});
    expect(request.hostname).toBe('drop-box.s3.eu-central-1.amazonaws.com');
    expect(headers).toMatchObject({
      host: 'drop-box.s3.eu-central-1.amazonaws.com',
      'x-amz-content-sha256': emptyHash,
      'x-amz-security-token': 'session',
      authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/eu-central-1\/s3\/aws4_request/),
    });
    expect(headers).not.toHaveProperty('range');
  });

  test('is read in one version from an offset', async () => {
    const { bucket, requests } = bucketOf([{ statusCode: 206 }]);
    await bucket.get('a.csv', { version: 'v/1', offset: 700 });
    expect(requests[0]).toMatchObject({ query: { versionId: 'v/1' }, headers: { range: 'bytes=700-' } });
  });

  test('has a path that is escaped once, as the signature requires', async () => {
    const { bucket, requests } = bucketOf([{}]);
    await bucket.get("team/accounts/ü (1)*!'+%.csv");
    const [request] = requests as [SentRequest];
    expect(request.path).toBe('/team/accounts/%C3%BC%20%281%29%2A%21%27%2B%25.csv');
    expect(request.headers.authorization).toMatch(new RegExp(`, Signature=${signatureOf(request)}$`));
  });

  test.each([
    ['cn-north-1', '', 'drop-box.s3.cn-north-1.amazonaws.com.cn', undefined, '/a'],
    ['us-east-1', 'http://127.0.0.1:9000', '127.0.0.1', 9000, '/drop-box/a'],
    ['us-east-1', 'http://127.0.0.1:9000/', '127.0.0.1', 9000, '/drop-box/a'],
  ])('in %s at "%s" is at the right host', async (region, endpoint, hostname, port, path) => {
    const { bucket, requests } = bucketOf([{}], { region, endpoint });
    await bucket.get('a');
    expect(requests[0]).toMatchObject({ hostname, path });
    expect(requests[0]!.port).toBe(port);
  });

  test.each([
    ['a text', 'ü'],
    ['bytes', Buffer.from('ü')],
  ])('is written as %s with its hash, its length and its type', async (_, body) => {
    const { bucket, requests } = bucketOf([{ body: '' }]);
    await bucket.put('a', body, { type: 'text/csv' });
    const [{ headers, ...request }] = requests as [SentRequest];
    expect(request).toMatchObject({ method: 'PUT', path: '/a', body });
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from('ü'))).toString('hex');
    expect(headers).toMatchObject({ 'content-length': '2', 'content-type': 'text/csv', 'x-amz-content-sha256': hash });
    expect(headers).not.toHaveProperty('expect');
  });

  test('is written as a stream of a known length, which S3 can refuse before it gets the body', async () => {
    const { bucket, requests } = bucketOf([{ body: '' }]);
    const body = Readable.from(['x']);
    await bucket.put('a', body, { length: 77 });
    const { headers } = requests[0]!;
    expect(headers).toMatchObject({ 'content-length': '77', expect: '100-continue' });
    expect(headers).toMatchObject({ 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' });
    expect(headers).not.toHaveProperty('content-type');
    expect(requests[0]!.body).toBe(body);
  });

  test('is deleted', async () => {
    const { bucket, requests } = bucketOf([{ statusCode: 204, body: '' }]);
    await bucket.delete('a');
    expect(requests[0]).toMatchObject({ method: 'DELETE', path: '/a' });
  });
});

describe('an error of the bucket', () => {
  const errorOf = async (answer: Answer) => {
    const error = await bucketOf([answer, answer, answer])
      .bucket.get('a')
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AwsError);
    return { ...(error as AwsError), message: (error as AwsError).message };
  };

  test('has its code, its message and its request', async () => {
    const body = errorXml('AccessDenied', 'User is not authorized to perform: s3:GetObject on resource');
    expect(await errorOf({ statusCode: 403, headers: { 'x-amz-request-id': 'r' }, body })).toEqual({
      name: 'AccessDenied',
      message: 'User is not authorized to perform: s3:GetObject on resource',
      $metadata: { httpStatusCode: 403, requestId: 'r' },
    });
  });

  test.each([
    [300, '<html>', 'UnknownError', 'UnknownError'],
    [301, '<html>', 'UnknownError', 'UnknownError'],
    [502, '', 'UnknownError', 'UnknownError'],
    [400, '<Error><Code>KMS.DisabledException</Code></Error>', 'KMS.DisabledException', 'KMS.DisabledException'],
  ])('is also read from a response with status %d and the body %j', async (statusCode, body, name, message) => {
    expect(await errorOf({ statusCode, body })).toEqual({ name, message, $metadata: { httpStatusCode: statusCode } });
  });
});

describe('a request to the bucket that fails', () => {
  const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });

  test.each(['get', 'put', 'delete'] as const)('for a short time is sent again: %s', async (method) => {
    const { bucket, requests } = bucketOf([slow, reset, {}]);
    await bucket[method]('a', 'text' as string & object);
    expect(requests).toHaveLength(3);
  });

  test('three times is an error', async () => {
    const { bucket, requests } = bucketOf([reset, reset, slow]);
    await expect(bucket.get('a')).rejects.toMatchObject({ name: 'SlowDown' });
    expect(requests).toHaveLength(3);
  });

  test('for a reason that stays is not sent again', async () => {
    const { bucket, requests } = bucketOf([{ statusCode: 404, body: errorXml('NoSuchKey') }]);
    await expect(bucket.get('a')).rejects.toMatchObject({ name: 'NoSuchKey' });
    expect(requests).toHaveLength(1);
  });

  test('is not sent again if its body is a stream', async () => {
    const { bucket, requests } = bucketOf([slow]);
    await expect(bucket.put('a', Readable.from(['x']), { length: 1 })).rejects.toMatchObject({ name: 'SlowDown' });
    expect(requests).toHaveLength(1);
  });
});

test('a bucket leaves no connection after the end of its client', () => {
  const { bucket, isDestroyed } = bucketOf([]);
  bucket.destroy();
  expect(isDestroyed()).toBe(true);
});

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { ObjectDenied, ObjectUnreadable, S3ObjectStore } from '../../../lib/store/aws/objects.ts';
import { S3ImageStore } from '../../../lib/store/campaigns/images.ts';

type Answer = (sent: Sent) => Readable;
type Sent = { command: string; Key: string; Body?: string | Uint8Array | Readable; text?: string };

/** A client that answers each request, and records what was sent. Bodies that are sent are read to their end. */
function bucketOf(answer: Answer = () => Readable.from([])) {
  const sent: Sent[] = [];
  const send = async (command: { input: Sent & { Bucket: string } }) => {
    const { Bucket, ...input } = command.input;
    expect(Bucket).toBe('bucket');
    const each = { ...input, command: command.constructor.name.replace('Command', '') };
    sent.push(each);
    if (each.Body instanceof Readable) each.text = Buffer.concat(await each.Body.toArray()).toString();
    const body = answer(each);
    return { Body: Object.assign(body, { transformToByteArray: () => buffer(body) }) };
  };
  return { sent, client: { send } as unknown as S3Client };
}
const failing = (name: string, httpStatusCode = 400) =>
  bucketOf(() => {
    throw Object.assign(new Error(name), { name, $fault: 'client', $metadata: { httpStatusCode } });
  });
const slow = () => Object.assign(new Error('x'), { name: 'SlowDown', $metadata: { httpStatusCode: 503 } });
const bytesOf = (text: string) => Readable.from([Buffer.from(text)]);
const unavailable = (reason: string) => ({ code: 'unavailable', message: expect.stringContaining(reason) });

describe('an object of the drop box', () => {
  const storeOf = ({ client }: { client: S3Client }) => new S3ObjectStore('bucket', client);

  test.each([0, 1, 700])('is read in one version from byte %d on', async (offset) => {
    const body = Readable.from(['x']);
    const bucket = bucketOf(() => body);
    expect(await storeOf(bucket).read('key', 'v', offset)).toBe(body);
    const Range = offset > 0 ? `bytes=${offset}-` : undefined;
    expect(bucket.sent).toEqual([{ command: 'GetObject', Key: 'key', VersionId: 'v', Range }]);
  });

  test.each(['NoSuchKey', 'NoSuchVersion', 'MethodNotAllowed'])('is missing if S3 says %s', async (name) => {
    expect(await storeOf(failing(name)).read('key', 'v', 0)).toBeUndefined();
  });

  test('has no bytes after its end', async () => {
    const bytes = await storeOf(failing('InvalidRange')).read('key', 'v', 5);
    expect(await (bytes as Readable).toArray()).toEqual([]);
  });

  test('that may not be read is an error of its own', async () => {
    const error = await storeOf(failing('AccessDenied', 403))
      .read('key', 'v', 0)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ObjectDenied);
    expect(error).toMatchObject({ name: 'ObjectDenied', message: 'S3 denies access', cause: { name: 'AccessDenied' } });
  });

  test.each([
    ['InvalidObjectState', 'x', { StorageClass: 'DEEP_ARCHIVE' }, 'class DEEP_ARCHIVE'],
    ['InvalidRequest', 'The object was stored using a form of Server Side Encryption. The correct', {}, 'SSE-C'],
    ['KMS.DisabledException', 'arn:aws:kms:eu-west-1:1:key/ab-1 is disabled.', {}, 'arn:aws:kms:eu-west-1:1:key/ab-1.'],
    ['KMS.KMSInvalidStateException', 'x', {}, 'may not use a key.'],
    ['AccessDenied', 'User: u is not authorized to perform: kms:Decrypt on resource: x', {}, 'AWS KMS'],
  ])(
    'that S3 cannot return as it is stored is an error that names the cause (%s: %s)',
    async (name, message, more, cause) => {
      const bucket = bucketOf(() => {
        throw Object.assign(new Error(message), { name, $metadata: { httpStatusCode: 403 }, ...more });
      });
      const error = await storeOf(bucket)
        .read('key', 'v', 0)
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ObjectUnreadable);
      expect((error as Error).message).toContain(cause);
    },
  );

  test('is described as S3 does, not at all where S3 refuses, and is unavailable while S3 is', async () => {
    const head = { VersionId: 'v', ContentLength: 7, ETag: '"e"', ChecksumCRC64NVME: 'a', ChecksumType: 'FULL_OBJECT' };
    const client = { send: async () => head } as unknown as S3Client;
    const described = { version: 'v', size: 7, etag: 'e', checksums: { CRC64NVME: 'a' } };
    expect(await storeOf({ client }).describe('key', 'v')).toEqual(described);
    const refusing = (httpStatusCode: number) =>
      bucketOf(() => {
        const from = { name: 'Unknown', $fault: 'client', $metadata: { httpStatusCode } } as const;
        throw new S3ServiceException(from);
      });
    for (const status of [400, 403, 404]) {
      expect(await storeOf(refusing(status)).describe('key')).toBeUndefined();
    }
    for (const status of [429, 503]) {
      const looked = storeOf(refusing(status)).describe('key');
      await expect(looked).rejects.toMatchObject(unavailable('looked up'));
    }
  });

  test.each([
    ['a.report.json', 'application/json'],
    ['a.rejected.csv', 'text/csv; charset=utf-8'],
    ['a.other', undefined],
  ])('%s has the type %s', async (key, type) => {
    const bucket = bucketOf();
    await storeOf(bucket).write(key, 'text');
    expect(bucket.sent).toEqual([{ command: 'PutObject', Key: key, Body: 'text', ContentType: type }]);
  });
});

describe('an object of parts', () => {
  const parts = Array.from({ length: 19 }, (_, part) => `p${part}`);
  const joined = ({ client }: { client: S3Client }) =>
    new S3ObjectStore('bucket', client).join('all.csv', 'head;', parts, 77);

  test('has the head and all parts in their order, with the length that is known before', async () => {
    const bucket = bucketOf(({ Key }) => bytesOf(`${Key};`));
    await joined(bucket);
    const [put] = bucket.sent;
    expect(put).toMatchObject({ command: 'PutObject', Key: 'all.csv', ContentLength: 77 });
    expect((put!.Body as Readable).readableObjectMode).toBe(false);
    expect(put!.text).toBe(`head;${parts.join(';')};`);
    expect(bucket.sent.slice(1)).toEqual(parts.map((Key) => ({ command: 'GetObject', Key })));
  });

  test('reads eight parts at a time', async () => {
    let [open, most] = [0, 0];
    async function* part() {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      yield Buffer.from('x');
    }
    const bucket = bucketOf(({ command }) => Readable.from(command === 'GetObject' ? part() : []));
    await joined(bucket);
    expect([open, most]).toEqual([0, 8]);
  });

  test('is not written if a part cannot be read, and its body is closed', async () => {
    const bodies: Readable[] = [];
    const send = ({ input: { Body } }: { input: { Body?: Readable } }) => {
      if (!Body) return Promise.reject(slow());
      bodies.push(Body);
      Body.resume();
      return new Promise(() => {});
    };
    const client = { send } as unknown as S3Client;
    await expect(joined({ client })).rejects.toMatchObject(unavailable('an object could not be read'));
    expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true]);
  });

  test('is closed if it cannot be written', async () => {
    const bodies: Readable[] = [];
    const send = async ({ input }: { input: { Body: Readable } }) => {
      bodies.push(input.Body);
      throw slow();
    };
    const client = { send } as unknown as S3Client;
    await expect(joined({ client })).rejects.toMatchObject(unavailable('an object could not be written'));
    expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true]);
  });
});

describe('a file of a team', () => {
  const storeOf = ({ client }: { client: S3Client }) => new S3ImageStore('bucket', client);

  test('is read, written and deleted under its id', async () => {
    const bucket = bucketOf(() => bytesOf('content'));
    const [store, body] = [storeOf(bucket), Buffer.from('content')];
    expect(await store.read('7')).toEqual(body);
    await store.write('7', body, 'image/png');
    await store.remove('7');
    expect(bucket.sent).toEqual([
      { command: 'GetObject', Key: 'files/7' },
      { command: 'PutObject', Key: 'files/7', Body: body, ContentType: 'image/png' },
      { command: 'DeleteObject', Key: 'files/7' },
    ]);
  });

  test.each(['NoSuchKey', 'AccessDenied'])('is not there where S3 says %s', async (name) => {
    expect(await storeOf(failing(name)).read('1')).toBeUndefined();
  });

  test('that no retry helps is an error of ours', async () => {
    await expect(storeOf(failing('NoSuchBucket')).read('1')).rejects.toThrow('NoSuchBucket');
    await expect(storeOf(failing('AccessDenied')).remove('1')).rejects.toThrow('AccessDenied');
  });
});

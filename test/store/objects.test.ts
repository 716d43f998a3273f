import { Readable } from 'node:stream';
import type { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { S3ImageStore } from '../../lib/store/images.ts';
import { ObjectDenied, S3ObjectStore } from '../../lib/store/objects.ts';

type Command = GetObjectCommand | PutObjectCommand;

/** A bucket that answers each command, and records what was sent. Bodies that are sent are read to their end. */
function bucketOf(answer: (input: Command['input']) => unknown = () => ({})) {
  const sent: { name: string; input: Command['input']; body: string | undefined }[] = [];
  const send = async (command: Command) => {
    const input: Command['input'] & { Body?: unknown } = command.input;
    const each = { name: command.constructor.name, input, body: undefined as string | undefined };
    sent.push(each);
    if (input.Body instanceof Readable) each.body = Buffer.concat(await input.Body.toArray()).toString();
    return answer(input);
  };
  return { sent, client: { send } as unknown as S3Client };
}
const failing = (name: string, httpStatusCode = 400) =>
  bucketOf(() => {
    throw Object.assign(new Error(name), { name, $metadata: { httpStatusCode } });
  });
const keyOf = (input: Command['input']) => input.Key;
const bytesOf = (text: string) => ({ Body: { transformToByteArray: async () => Buffer.from(text) } });
const unavailable = (reason: string) => ({ code: 'unavailable', message: expect.stringContaining(reason) });

describe('an object of the drop box', () => {
  const storeOf = ({ client }: { client: S3Client }) => new S3ObjectStore('bucket', client);

  test.each([
    [0, {}],
    [1, { Range: 'bytes=1-' }],
    [700, { Range: 'bytes=700-' }],
  ])('is read in one version from byte %d on', async (offset, range) => {
    const body = Readable.from(['x']);
    const bucket = bucketOf(() => ({ Body: body }));
    expect(await storeOf(bucket).read('key', 'v', offset)).toBe(body);
    expect(bucket.sent.map(({ name, input }) => [name, input])).toEqual([
      ['GetObjectCommand', { Bucket: 'bucket', Key: 'key', VersionId: 'v', ...range }],
    ]);
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

  test('cannot be read or written while S3 is not available', async () => {
    const store = storeOf(failing('SlowDown', 503));
    await expect(store.read('key', 'v', 0)).rejects.toMatchObject(unavailable('an object could not be read'));
    await expect(store.write('key', 'x')).rejects.toMatchObject(unavailable('an object could not be written'));
  });

  test.each([
    ['a.report.json', 'application/json'],
    ['a.rejected.csv', 'text/csv; charset=utf-8'],
    ['a.other', undefined],
  ])('%s has the type %s', async (Key, ContentType) => {
    const bucket = bucketOf();
    await storeOf(bucket).write(Key, 'text');
    expect(bucket.sent.map(({ name, input }) => [name, input])).toEqual([
      ['PutObjectCommand', { Bucket: 'bucket', Key, Body: 'text', ContentType }],
    ]);
  });
});

describe('an object of parts', () => {
  const parts = Array.from({ length: 19 }, (_, part) => `p${part}`);
  const joined = (bucket: { client: S3Client }) =>
    new S3ObjectStore('bucket', bucket.client).join('all.csv', 'head;', parts, 77);

  test('has the head and all parts in their order, with the length that is known before', async () => {
    const bucket = bucketOf((input) => bytesOf(`${keyOf(input)};`));
    await joined(bucket);
    const [put] = bucket.sent;
    expect(put).toMatchObject({
      name: 'PutObjectCommand',
      input: { Bucket: 'bucket', Key: 'all.csv', ContentLength: 77 },
    });
    expect((put!.input as { Body: Readable }).Body.readableObjectMode).toBe(false);
    expect(put!.body).toBe(`head;${parts.join(';')};`);
    expect(bucket.sent.slice(1).map(({ input }) => input)).toEqual(parts.map((Key) => ({ Bucket: 'bucket', Key })));
  });

  test('reads eight parts at a time', async () => {
    let [open, most] = [0, 0];
    const bucket = bucketOf((input) => {
      const transformToByteArray = async () => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setImmediate(resolve));
        open -= 1;
        return Buffer.from('x');
      };
      return keyOf(input) === 'all.csv' ? {} : { Body: { transformToByteArray } };
    });
    await joined(bucket);
    expect([open, most]).toEqual([0, 8]);
  });

  test('is not written if a part cannot be read, and its body is closed', async () => {
    const bodies: Readable[] = [];
    const send = async ({ input }: { input: Command['input'] & { Body?: unknown } }) => {
      if (!(input.Body instanceof Readable))
        throw Object.assign(new Error('x'), { name: 'SlowDown', $metadata: { httpStatusCode: 503 } });
      bodies.push(input.Body);
      input.Body.resume();
      return new Promise(() => {});
    };
    await expect(joined({ client: { send } as unknown as S3Client })).rejects.toMatchObject(
      unavailable('an object could not be read'),
    );
    expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true]);
  });

  test('is closed if it cannot be written', async () => {
    const bodies: Readable[] = [];
    const send = async ({ input }: { input: Command['input'] & { Body?: unknown } }) => {
      bodies.push(input.Body as Readable);
      throw Object.assign(new Error('x'), { name: 'SlowDown', $metadata: { httpStatusCode: 503 } });
    };
    await expect(joined({ client: { send } as unknown as S3Client })).rejects.toMatchObject(
      unavailable('an object could not be written'),
    );
    expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true]);
  });
});

describe('a file of a team', () => {
  const storeOf = ({ client }: { client: S3Client }) => new S3ImageStore('images', client);
  const object = { Bucket: 'images', Key: 'files/7' };

  test('is read, written and deleted under its id', async () => {
    const bucket = bucketOf(() => bytesOf('content'));
    const [store, Body] = [storeOf(bucket), Buffer.from('content')];
    expect(await store.read('7')).toEqual(Body);
    await store.write('7', Body, 'image/png');
    await store.remove('7');
    expect(bucket.sent.map(({ name, input }) => [name, input])).toEqual([
      ['GetObjectCommand', object],
      ['PutObjectCommand', { ...object, Body, ContentType: 'image/png' }],
      ['DeleteObjectCommand', object],
    ]);
  });

  test('without a body is missing', async () => {
    expect(await storeOf(bucketOf()).read('7')).toBeUndefined();
  });

  test('cannot be used while S3 is not available', async () => {
    const store = storeOf(failing('SlowDown', 503));
    await expect(store.read('7')).rejects.toMatchObject(unavailable('an image could not be read'));
    await expect(store.write('7', Buffer.from(''), 'image/png')).rejects.toMatchObject(
      unavailable('an image could not be written'),
    );
    await expect(store.remove('7')).rejects.toMatchObject(unavailable('an image could not be deleted'));
  });
});

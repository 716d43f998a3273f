import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { BucketClient, WriteOptions } from '../../lib/store/bucket-client.ts';
import { S3ImageStore } from '../../lib/store/images.ts';
import { ObjectDenied, S3ObjectStore } from '../../lib/store/objects.ts';

type Body = string | Uint8Array | Readable;
type Sent = { method: string; key: string; body?: Body; options?: unknown; text?: string };

/** A bucket that answers each request, and records what was sent. Bodies that are sent are read to their end. */
function bucketOf(answer: (sent: Sent) => Readable = () => Readable.from([])) {
  const sent: Sent[] = [];
  const record = async (each: Sent) => {
    sent.push(each);
    if (each.body instanceof Readable) each.text = Buffer.concat(await each.body.toArray()).toString();
    return answer(each);
  };
  const client = {
    get: (key: string, options?: unknown) => record({ method: 'GET', key, ...(options ? { options } : {}) }),
    put: (key: string, body: Body, options?: WriteOptions) => record({ method: 'PUT', key, body, options }),
    delete: (key: string) => record({ method: 'DELETE', key }),
  };
  return { sent, client: client as unknown as BucketClient };
}
const failing = (name: string, httpStatusCode = 400) =>
  bucketOf(() => {
    throw Object.assign(new Error(name), { name, $metadata: { httpStatusCode } });
  });
const slow = () => Object.assign(new Error('x'), { name: 'SlowDown', $metadata: { httpStatusCode: 503 } });
const bytesOf = (text: string) => Readable.from([Buffer.from(text)]);
const unavailable = (reason: string) => ({ code: 'unavailable', message: expect.stringContaining(reason) });

describe('an object of the drop box', () => {
  const storeOf = ({ client }: { client: BucketClient }) => new S3ObjectStore(client);

  test.each([0, 1, 700])('is read in one version from byte %d on', async (offset) => {
    const body = Readable.from(['x']);
    const bucket = bucketOf(() => body);
    expect(await storeOf(bucket).read('key', 'v', offset)).toBe(body);
    expect(bucket.sent).toEqual([{ method: 'GET', key: 'key', options: { version: 'v', offset } }]);
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
  ])('%s has the type %s', async (key, type) => {
    const bucket = bucketOf();
    await storeOf(bucket).write(key, 'text');
    expect(bucket.sent).toEqual([{ method: 'PUT', key, body: 'text', options: { type } }]);
  });
});

describe('an object of parts', () => {
  const parts = Array.from({ length: 19 }, (_, part) => `p${part}`);
  const joined = ({ client }: { client: BucketClient }) =>
    new S3ObjectStore(client).join('all.csv', 'head;', parts, 77);

  test('has the head and all parts in their order, with the length that is known before', async () => {
    const bucket = bucketOf(({ key }) => bytesOf(`${key};`));
    await joined(bucket);
    const [put] = bucket.sent;
    expect(put).toMatchObject({ method: 'PUT', key: 'all.csv', options: { length: 77 } });
    expect((put!.body as Readable).readableObjectMode).toBe(false);
    expect(put!.text).toBe(`head;${parts.join(';')};`);
    expect(bucket.sent.slice(1)).toEqual(parts.map((key) => ({ method: 'GET', key })));
  });

  test('reads eight parts at a time', async () => {
    let [open, most] = [0, 0];
    async function* part() {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      yield Buffer.from('x');
    }
    const bucket = bucketOf(({ method }) => Readable.from(method === 'GET' ? part() : []));
    await joined(bucket);
    expect([open, most]).toEqual([0, 8]);
  });

  test('is not written if a part cannot be read, and its body is closed', async () => {
    const bodies: Readable[] = [];
    const client = {
      get: () => Promise.reject(slow()),
      put: (_: string, body: Readable) => {
        bodies.push(body);
        body.resume();
        return new Promise(() => {});
      },
    } as unknown as BucketClient;
    await expect(joined({ client })).rejects.toMatchObject(unavailable('an object could not be read'));
    expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true]);
  });

  test('is closed if it cannot be written', async () => {
    const bodies: Readable[] = [];
    const put = async (_: string, body: Readable) => {
      bodies.push(body);
      throw slow();
    };
    const client = { put } as unknown as BucketClient;
    await expect(joined({ client })).rejects.toMatchObject(unavailable('an object could not be written'));
    expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true]);
  });
});

describe('a file of a team', () => {
  const storeOf = ({ client }: { client: BucketClient }) => new S3ImageStore(client);

  test('is read, written and deleted under its id', async () => {
    const bucket = bucketOf(() => bytesOf('content'));
    const [store, body] = [storeOf(bucket), Buffer.from('content')];
    expect(await store.read('7')).toEqual(body);
    await store.write('7', body, 'image/png');
    await store.remove('7');
    expect(bucket.sent).toEqual([
      { method: 'GET', key: 'files/7' },
      { method: 'PUT', key: 'files/7', body, options: { type: 'image/png' } },
      { method: 'DELETE', key: 'files/7' },
    ]);
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

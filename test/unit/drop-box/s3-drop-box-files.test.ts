import { Readable } from 'node:stream';
import type {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { S3DropBoxFiles } from '../../../lib/store/drop-box/drop-box-files.ts';

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

type Command = ListObjectVersionsCommand | GetObjectCommand | PutObjectCommand | DeleteObjectCommand;

const bucketOf = (answers: (command: Command) => unknown) => {
  const sent: Command[] = [];
  const released: string[] = [];
  const send = async (command: Command) => {
    sent.push(command);
    return answers(command);
  };
  const spool = async (text: AsyncIterable<string>) => {
    const parts = await all(text);
    return { body: Readable.from(parts), length: 3, release: async () => void released.push(parts.join('')) };
  };
  const read = async (key: string, version: string, offset: number) => Readable.from([`${key} ${version} ${offset}`]);
  const objects = { read };
  return { sent, released, files: new S3DropBoxFiles('bucket', { send } as unknown as S3Client, objects, spool) };
};

test('every version is listed, page by page', async () => {
  const LastModified = new Date('2026-03-01T00:00:00Z');
  const { files, sent } = bucketOf(({ input }) =>
    'KeyMarker' in input
      ? { Versions: [{ Key: 'a', VersionId: '1', LastModified }], DeleteMarkers: [{ Key: 'b', VersionId: '3' }] }
      : {
          Versions: [{ Key: 'a', VersionId: '2', LastModified }],
          IsTruncated: true,
          NextKeyMarker: 'a',
          NextVersionIdMarker: '2',
        },
  );
  const found = await all(files.list('team/'));
  expect(found.map(({ key, version, at }) => [key, version, at])).toEqual([
    ['a', '2', LastModified.getTime()],
    ['a', '1', LastModified.getTime()],
  ]);
  expect(sent[1]?.input).toMatchObject({ Bucket: 'bucket', Prefix: 'team/', KeyMarker: 'a', VersionIdMarker: '2' });
});

test('one version is deleted for good, and an object is sent with its length', async () => {
  const { files, sent } = bucketOf(() => ({}));
  await files.remove('a', '1');
  await files.write('a', Readable.from(['abc']));
  expect(sent.map(({ input }) => input)).toMatchObject([
    { Bucket: 'bucket', Key: 'a', VersionId: '1' },
    { Bucket: 'bucket', Key: 'a', ContentLength: 3 },
  ]);
});

test('a version without a key or an id is left out, and one without a time is the oldest', async () => {
  const { files } = bucketOf(() => ({ Versions: [{ Key: 'a' }, { VersionId: '1' }, { Key: 'b', VersionId: '2' }] }));
  expect(await all(files.list(''))).toEqual([{ key: 'b', version: '2', at: 0 }]);
  expect(await all(bucketOf(() => ({})).files.list(''))).toEqual([]);
});

test('one version is read from its beginning', async () => {
  const { files } = bucketOf(() => ({}));
  expect(await all((await files.read('a', '1'))!)).toEqual(['a 1 0']);
});

test('what was kept of a text is released, whether it was sent or not', async () => {
  const { files, released } = bucketOf(() => ({}));
  await files.write('a', Readable.from(['ab', 'c']));
  expect(released).toEqual(['abc']);
  const failed = bucketOf(() => {
    throw Object.assign(new Error('x'), { name: 'SlowDown', $metadata: { httpStatusCode: 503 } });
  });
  await expect(failed.files.write('a', Readable.from(['abc']))).rejects.toMatchObject({
    message: 'an object could not be written to the bucket',
  });
  expect(failed.released).toEqual(['abc']);
});

test('a bucket that is away is told from one that is empty', async () => {
  const { files } = bucketOf(() => {
    throw Object.assign(new Error('x'), { name: 'SlowDown', $metadata: { httpStatusCode: 503 } });
  });
  const unavailable = (message: string) => ({ code: 'unavailable', message });
  const gone = unavailable('an object could not be deleted from the bucket');
  await expect(files.remove('a', '1')).rejects.toMatchObject(gone);
  const listed = unavailable('the objects of the bucket could not be listed');
  await expect(all(files.list(''))).rejects.toMatchObject(listed);
});

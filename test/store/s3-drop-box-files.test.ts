import { Readable } from 'node:stream';
import type { DeleteObjectCommand, ListObjectVersionsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { S3DropBoxFiles } from '../../lib/store/s3-drop-box-files.ts';

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

type Command = ListObjectVersionsCommand | PutObjectCommand | DeleteObjectCommand;

const bucketOf = (answers: (command: Command) => unknown) => {
  const sent: Command[] = [];
  const send = async (command: Command) => {
    sent.push(command);
    return answers(command);
  };
  const spool = async (text: AsyncIterable<string>) => {
    const body = Readable.from(await all(text));
    return { body, length: 3, release: async () => {} };
  };
  return { sent, files: new S3DropBoxFiles('bucket', { send } as unknown as S3Client, spool) };
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

test('a bucket that is away is told from one that is empty', async () => {
  const { files } = bucketOf(() => {
    throw Object.assign(new Error('x'), { name: 'SlowDown', $metadata: { httpStatusCode: 503 } });
  });
  await expect(files.remove('a', '1')).rejects.toThrow();
  await expect(all(files.list(''))).rejects.toThrow();
});

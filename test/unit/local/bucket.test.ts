import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localAccess } from '../../../bin/local/functions/environment.ts';
import { type Bucket, startBucket, unchunked } from '../../../bin/local/storage/bucket.ts';
import { S3ObjectStore } from '../../../lib/store/aws/objects.ts';
import { deployedDropBox, type StoredObject } from '../../../lib/store/drop-box/drop-box-files.ts';
import { localCredentials, localRegion } from '../../support/engine/engine.ts';

let bucket: Bucket;
let client: S3Client;
let objects: S3ObjectStore;
let images: string;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'onboarding-bucket-'));
  images = join(folder, 'images');
  bucket = await startBucket('drop-box', join(folder, 'files'), { images });
  const settings = { endpoint: bucket.endpoint, region: localRegion, credentials: localCredentials };
  client = new S3Client(settings);
  objects = new S3ObjectStore(bucket.name, client);
});
afterAll(async () => {
  client.destroy();
  await bucket.stop();
  rmSync(bucket.folder, { recursive: true });
});

const put = (Key: string, Body: string | Readable, ContentLength?: number) =>
  client.send(new PutObjectCommand({ Bucket: bucket.name, Key, Body, ...(ContentLength ? { ContentLength } : {}) }));
const textOf = async (bytes: AsyncIterable<Uint8Array> | undefined) =>
  bytes && (await buffer(Readable.from(bytes))).toString();

describe('the folder of the drop box', () => {
  test('holds what is put, and gives it back by its version, from anywhere', async () => {
    const { VersionId = '' } = await put('team/accounts/ü (1).csv', 'hello');
    expect(readFileSync(join(bucket.folder, 'team/accounts/ü (1).csv'), 'utf8')).toBe('hello');
    expect(await textOf(await objects.read('team/accounts/ü (1).csv', VersionId, 0))).toBe('hello');
    expect(await textOf(await objects.read('team/accounts/ü (1).csv', VersionId, 3))).toBe('lo');
    expect(await textOf(await objects.read('team/accounts/ü (1).csv', VersionId, 5))).toBe('');
  });

  test('has no version that was replaced, and nothing that is not there', async () => {
    const { VersionId = '' } = await put('a.csv', 'one');
    writeFileSync(join(bucket.folder, 'a.csv'), 'another');
    expect(await objects.read('a.csv', VersionId, 0)).toBeUndefined();
    expect(await objects.read('b.csv', VersionId, 0)).toBeUndefined();
  });

  test('deletes what is there, and knows further buckets by their names', async () => {
    const other = (Bucket: string) => client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'other' }));
    await other('images');
    expect(readFileSync(join(images, 'a'), 'utf8')).toBe('other');
    await expect(other('nobodys')).rejects.toMatchObject({ name: 'NoSuchKey' });
    const remove = () => client.send(new DeleteObjectCommand({ Bucket: 'images', Key: 'a' }));
    await remove();
    expect(readdirSync(images)).toEqual([]);
    await remove();
  });

  test('lists every object with its version, by which alone it is deleted', async () => {
    const { VersionId = '' } = await put('listed/<a> & b.csv', 'one');
    await put('listed/c.csv', 'the other');
    const files = deployedDropBox(bucket.name, { endpoint: bucket.endpoint, ...localAccess });
    const listed = async () => {
      const found: StoredObject[] = [];
      for await (const object of files.list('listed/')) found.push(object);
      return found.sort((a, b) => (a.key < b.key ? -1 : 1));
    };
    const [first, second] = await listed();
    expect(first).toEqual({ key: 'listed/<a> & b.csv', version: VersionId, at: expect.any(Number) });
    expect(Math.abs(first!.at - Date.now())).toBeLessThan(60_000);
    await files.remove(first!.key, second!.version);
    expect(await listed()).toHaveLength(2);
    await files.remove(first!.key, first!.version);
    expect(await listed()).toEqual([second]);
  });

  test('takes a stream as SDKs send it, in chunks with a checksum behind them', async () => {
    const parts = Array.from({ length: 40 }, (_, index) => Buffer.alloc(5000, `${index % 10}`));
    await put('chunked.csv', Readable.from(parts, { objectMode: false }), 200_000);
    expect(readFileSync(join(bucket.folder, 'chunked.csv'))).toEqual(Buffer.concat(parts));
  });

  test('joins objects behind a head', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `work/${index}.csv`);
    for (const name of names) await objects.write(name, `é ${name}\n`);
    const text = `head\n${names.map((name) => `é ${name}\n`).join('')}`;
    await objects.join('all.csv', 'head\n', names, Buffer.byteLength(text));
    expect(readFileSync(join(bucket.folder, 'all.csv'), 'utf8')).toBe(text);
  });

  test('shows nothing that is half written', async () => {
    const slow = put('slow.csv', Readable.from(slowly('one', 'two'), { objectMode: false }), 6);
    await expect.poll(() => readdirSync(bucket.folder).some((name) => name.startsWith('.'))).toBe(true);
    expect(readdirSync(bucket.folder)).not.toContain('slow.csv');
    await slow;
    expect(readFileSync(join(bucket.folder, 'slow.csv'), 'utf8')).toBe('onetwo');
    expect(readdirSync(bucket.folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test.each([
    ['/drop-box/..%2F..%2Fpasswd', 400],
    ['/drop-box/a/%2E%2E/b', 404],
    ['/drop-box/.hidden', 400],
    ['/drop-box/a%00b', 400],
    ['/drop-box/', 400],
    ['/other/a.csv', 404],
    ['/drop-box/%E0', 400],
  ])('answers GET %s with %i', async (path, status) => {
    expect((await fetch(bucket.endpoint + path)).status).toBe(status);
  });

  test('refuses what it does not know', async () => {
    const Bucket = bucket.name;
    const upload = client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'a.csv' }));
    await expect(upload).rejects.toMatchObject({ name: 'NotImplemented' });
    await expect(client.send(new ListObjectsV2Command({ Bucket }))).rejects.toThrow();
    mkdirSync(join(bucket.folder, 'folder'), { recursive: true });
    expect(await objects.read('folder', '1', 0)).toBeUndefined();
  });
});

test.each([1, 3, 7, 1000])('a chunked body is read whatever parts it comes in (%i bytes)', async (size) => {
  const body = Buffer.from('5;chunk-signature=ab\r\nhello\r\n2\r\n\r\n\r\n0\r\nx-amz-checksum-crc32:AAAA\r\n\r\n');
  const parts = async function* () {
    for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
  };
  expect((await buffer(Readable.from(unchunked(parts())))).toString()).toBe('hello\r\n');
});

async function* slowly(...parts: string[]) {
  for (const part of parts) {
    yield Buffer.from(part);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bucketClient } from '../../lib/store/aws-clients.ts';
import { ObjectDenied, S3ObjectStore } from '../../lib/store/objects.ts';
import { localCredentials, localRegion } from '../support/engine.ts';

/** An S3 server that fails: the key names the error. */
const statuses: Record<string, number> = {
  NoSuchKey: 404,
  NoSuchVersion: 404,
  MethodNotAllowed: 405,
  AccessDenied: 403,
};
let server: Server;
let client: S3Client;
let objects: S3ObjectStore;

beforeAll(async () => {
  server = createServer(({ url = '/' }, response) => {
    const code = new URL(url, 'http://localhost').pathname.split('/').at(-1)!;
    response.writeHead(statuses[code] ?? 500, { 'content-type': 'application/xml' });
    response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = bucketClient({ endpoint, region: localRegion, credentials: localCredentials });
  objects = new S3ObjectStore('bucket', client);
});
afterAll(() => {
  client.destroy();
  server.close();
});

test.each(['NoSuchKey', 'NoSuchVersion', 'MethodNotAllowed'])('%s: the version is gone', async (code) => {
  expect(await objects.read(code, 'v', 0)).toBeUndefined();
});

test('AccessDenied: the version is gone, or may not be read', async () => {
  await expect(objects.read('AccessDenied', 'v', 0)).rejects.toBeInstanceOf(ObjectDenied);
});

test('any other error says nothing about the version', async () => {
  const error = await objects.read('InternalError', 'v', 0).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(ObjectDenied);
});

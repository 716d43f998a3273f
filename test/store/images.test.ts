import { expect, test } from 'vitest';
import type { BucketClient } from '../../lib/store/bucket-client.ts';
import { StoreUnavailable } from '../../lib/store/database.ts';
import { S3ImageStore } from '../../lib/store/images.ts';

const failing = (name: string) => {
  const fail = () => Promise.reject(Object.assign(new Error(name), { name }));
  return new S3ImageStore({ get: fail, put: fail, delete: fail } as unknown as BucketClient);
};

test.each(['NoSuchKey', 'AccessDenied'])('an image is not there where S3 says %s', async (name) => {
  expect(await failing(name).read('1')).toBeUndefined();
});

test('the store is unavailable where S3 throttles', async () => {
  const images = failing('SlowDown');
  await expect(images.read('1')).rejects.toThrow(StoreUnavailable);
  await expect(images.write('1', Buffer.from(''), 'image/png')).rejects.toThrow(StoreUnavailable);
  await expect(images.remove('1')).rejects.toThrow(StoreUnavailable);
});

test('what no retry helps is an error of ours', async () => {
  await expect(failing('NoSuchBucket').read('1')).rejects.toThrow('NoSuchBucket');
  await expect(failing('AccessDenied').remove('1')).rejects.toThrow('AccessDenied');
});

import type { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { type ErasureEntry, S3ErasureList } from '../../../lib/store/erasure/erasure-list.ts';

type Command = GetObjectCommand | ListObjectsV2Command | PutObjectCommand;

const listOn = (answers: (command: Command) => unknown) => {
  const sent: Command[] = [];
  const send = async (command: Command) => {
    sent.push(command);
    return answers(command);
  };
  return { sent, list: new S3ErasureList('images', { send } as unknown as S3Client) };
};

const entry: ErasureEntry = {
  format: 1,
  erased_at: '2026-03-01T10:20:30.123000Z',
  team_id: 'team',
  contact_id: 'contact',
  order: 7,
  names: [{ digest: 'digest' }, { digest: 'former', until: '2026-01-01T00:00:00.000000Z' }],
};
const key = 'erasures/team/20260301T102030123000Z-contact.json';
const failing = (name: string, httpStatusCode: number) => () => {
  throw Object.assign(new Error('x'), { name, $fault: 'client', $metadata: { httpStatusCode } });
};

async function all(list: S3ErasureList): Promise<ErasureEntry[]> {
  const entries: ErasureEntry[] = [];
  for await (const each of list.entries()) entries.push(each);
  return entries;
}

test('an entry is written once, under its time and contact', async () => {
  const { list, sent } = listOn(() => ({}));
  await list.add(entry);
  const object = { Bucket: 'images', Key: key, Body: JSON.stringify(entry), ContentType: 'application/json' };
  expect(sent[0]?.input).toEqual({ ...object, IfNoneMatch: '*' });
  await expect(listOn(failing('PreconditionFailed', 412)).list.add(entry)).resolves.toBeUndefined();
  await expect(listOn(failing('SlowDown', 503)).list.add(entry)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'the erasure could not be added to the list of erasures',
  });
});

test('all entries are read, page by page', async () => {
  const { list, sent } = listOn(({ input }) => {
    if ('Key' in input) return { Body: { transformToString: async () => JSON.stringify({ ...entry, order: 8 }) } };
    return 'ContinuationToken' in input && input.ContinuationToken === '2'
      ? { Contents: [{ Key: `${key}2` }] }
      : { Contents: [{ Key: key }], NextContinuationToken: '2' };
  });
  expect(await all(list)).toEqual([
    { ...entry, order: 8 },
    { ...entry, order: 8 },
  ]);
  expect(sent.map(({ input }) => input)).toEqual([
    { Bucket: 'images', Prefix: 'erasures/', ContinuationToken: undefined },
    { Bucket: 'images', Key: key },
    { Bucket: 'images', Prefix: 'erasures/', ContinuationToken: '2' },
    { Bucket: 'images', Key: `${key}2` },
  ]);
});

test('the entries of a page are read sixteen at a time, and in their order', async () => {
  let [open, most] = [0, 0];
  const orders = Array.from({ length: 33 }, (_, order) => order);
  const { list } = listOn(({ input }) => {
    if (!('Key' in input)) return { Contents: [{}, ...orders.map((order) => ({ Key: String(order) }))] };
    const transformToString = async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return JSON.stringify({ ...entry, order: Number(input.Key) });
    };
    return { Body: { transformToString } };
  });
  expect((await all(list)).map(({ order }) => order)).toEqual(orders);
  expect([open, most]).toEqual([0, 16]);
  expect(await all(listOn(() => ({})).list)).toEqual([]);
});

test('an entry that cannot be read is an error that says so', async () => {
  const { list } = listOn(({ input }) => ('Key' in input ? failing('SlowDown', 503)() : { Contents: [{ Key: key }] }));
  const message = 'an entry of the list of erasures could not be read';
  await expect(all(list)).rejects.toMatchObject({ code: 'unavailable', message });
  const empty = listOn(({ input }) => ('Key' in input ? {} : { Contents: [{ Key: key }] }));
  await expect(all(empty.list)).rejects.toMatchObject({
    message: 'a stored entry of the list of erasures is invalid: ',
  });
});

test('an entry in another format is an error, not a person who is left out', async () => {
  const { list } = listOn(({ input }) =>
    'Key' in input
      ? { Body: { transformToString: async () => JSON.stringify({ ...entry, format: 2 }) } }
      : { Contents: [{ Key: key }] },
  );
  await expect(all(list)).rejects.toMatchObject({ code: 'internal_error' });
});

test('a bucket that cannot be read is not an empty list', async () => {
  await expect(all(listOn(failing('SlowDown', 503)).list)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'the list of erasures could not be read',
  });
  await expect(all(listOn(failing('AccessDenied', 403)).list)).rejects.toMatchObject({ name: 'AccessDenied' });
});

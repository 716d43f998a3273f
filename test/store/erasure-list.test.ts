import type { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { type ErasureEntry, S3ErasureList } from '../../lib/store/erasure-list.ts';

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
  throw Object.assign(new Error('x'), { name, $metadata: { httpStatusCode } });
};

async function all(list: S3ErasureList): Promise<ErasureEntry[]> {
  const entries: ErasureEntry[] = [];
  for await (const each of list.entries()) entries.push(each);
  return entries;
}

test('an entry is written once, under its time and contact', async () => {
  const { list, sent } = listOn(() => ({}));
  await list.add(entry);
  expect(sent[0]?.input).toMatchObject({ Bucket: 'images', Key: key, IfNoneMatch: '*', Body: JSON.stringify(entry) });
  await expect(listOn(failing('PreconditionFailed', 412)).list.add(entry)).resolves.toBeUndefined();
  await expect(listOn(failing('SlowDown', 503)).list.add(entry)).rejects.toMatchObject({ code: 'unavailable' });
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
  expect(sent[0]?.input).toMatchObject({ Bucket: 'images', Prefix: 'erasures/' });
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
  await expect(all(listOn(failing('SlowDown', 503)).list)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(all(listOn(failing('AccessDenied', 403)).list)).rejects.toMatchObject({ name: 'AccessDenied' });
});

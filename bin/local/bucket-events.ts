import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { type Bucket, hidden, versionOf } from './bucket.ts';
import type { Queue } from './queue.ts';

/** Milliseconds between two reads of the folder. A file that is the same in both counts as completely written. */
const interval = 500;

/** Sends S3's event notification to the queue for every file in the folder, present or new. */
export function startBucketEvents(client: SQSClient, queue: Queue, bucket: Bucket): { stop(): void } {
  let before = new Map<string, FileVersion>();
  const sent = new Map<string, string>();
  let looking = false;
  let stopped = false;

  async function look(): Promise<void> {
    const found = await versionsIn(bucket.folder);
    for (const key of sent.keys()) if (!found.has(key)) sent.delete(key);
    for (const [key, { version, size }] of found) {
      if (before.get(key)?.version !== version || sent.get(key) === version) continue;
      const event = { Records: [recordOf(bucket.name, key, version, size)] };
      await client.send(new SendMessageCommand({ QueueUrl: queue.url, MessageBody: JSON.stringify(event) }));
      sent.set(key, version);
    }
    before = found;
  }

  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    // Errors after the stop are expected: the queue may have stopped already.
    await look().catch((error: unknown) => stopped || console.error(error));
    looking = false;
  }, interval);
  return {
    stop: () => {
      stopped = true;
      clearInterval(timer);
    },
  };
}

type FileVersion = { version: string; size: number };

/** The version of every file by its key, in the order of modification. */
async function versionsIn(folder: string): Promise<Map<string, FileVersion>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, key: relative(folder, path).split(sep).join('/') }))
    .filter(({ key }) => !key.split('/').some((segment) => segment.startsWith(hidden)));
  const found = await Promise.all(
    files.map(async ({ path, key }) => {
      // The file may have been deleted since the folder was read.
      const stats = await stat(path, { bigint: true }).catch(() => undefined);
      return stats ? [{ key, version: versionOf(stats), size: Number(stats.size), at: stats.mtimeNs }] : [];
    }),
  );
  const inOrder = found.flat().sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return new Map(inOrder.map(({ key, version, size }) => [key, { version, size }]));
}

/** The key is encoded as in S3's notifications, with `+` for a space. */
const recordOf = (bucket: string, key: string, version: string, size: number) => ({
  eventVersion: '2.1',
  eventSource: 'aws:s3',
  awsRegion: 'us-east-1',
  eventTime: new Date().toISOString(),
  eventName: 'ObjectCreated:Put',
  s3: {
    s3SchemaVersion: '1.0',
    bucket: { name: bucket, arn: `arn:aws:s3:::${bucket}` },
    object: {
      key: key.split('/').map(encodeURIComponent).join('/').replaceAll('%20', '+'),
      versionId: version,
      size,
      sequencer: Date.now().toString(16).toUpperCase(),
    },
  },
});

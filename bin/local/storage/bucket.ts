import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isFromBrowser, listen } from '../ports.ts';
import { every } from '../timing.ts';

/** Prefix of files that are ignored, such as files that are still being written. */
export const hidden = '.';

/** `folder` contains the objects of the bucket `name`. */
export type Bucket = { endpoint: string; name: string; folder: string; stop(): Promise<void> };

type Folders = Readonly<Record<string, string>>;

/** Changes with every write. Unlike S3, the folder keeps no earlier versions. */
export const versionOf = ({ mtimeNs, size }: { mtimeNs: bigint; size: bigint }): string =>
  `${mtimeNs.toString(36)}.${size.toString(36)}`;

/**
 * A folder as an S3 bucket, into which files can be copied. The one of fauxqs keeps objects in a form of its own, without
 * versions. It supports only listing versions, and reading (with versions and ranges), writing and
 * deleting single objects.
 * @param others folders of further buckets at the same endpoint, by their names
 */
export async function startBucket(name: string, folder: string, others: Folders = {}): Promise<Bucket> {
  const folders = { ...others, [name]: folder };
  for (const each of Object.values(folders)) mkdirSync(each, { recursive: true, mode: 0o700 });
  const server = createServer((request, response) => {
    answer(folders, request, response).catch((error: unknown) => refuse(response, error));
  });
  const { endpoint, stop } = await listen(server);
  return { endpoint, name, folder, stop };
}

const errors = {
  AccessDenied: 403,
  NoSuchKey: 404,
  NoSuchVersion: 404,
  InvalidRange: 416,
  InvalidArgument: 400,
  NotImplemented: 501,
} as const;

class Refusal extends Error {
  readonly code: keyof typeof errors;

  constructor(code: keyof typeof errors) {
    super(code);
    this.code = code;
  }
}

async function answer(folders: Folders, request: IncomingMessage, response: ServerResponse) {
  if (isFromBrowser(request)) throw new Refusal('AccessDenied');
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bucket');
  if (request.method === 'GET' && searchParams.has('versions')) {
    await listVersions(bucketAt(folders, pathname.split('/')[1]), searchParams.get('prefix') ?? '', response);
    return;
  }
  const { folder, file } = pathOf(folders, pathname);
  // S3's other operations on an object have a parameter: multipart uploads, tags, access control lists.
  const others = [...searchParams.keys()].filter((name) => name !== 'x-id' && name !== 'versionId');
  if (others.length > 0) throw new Refusal('NotImplemented');
  if (request.method === 'PUT') await put(folder, file, request, response);
  else if (request.method === 'DELETE') {
    const version = searchParams.get('versionId');
    const found = await stat(file, { bigint: true }).catch(() => undefined);
    if (found && (version === null || version === versionOf(found))) await rm(file, { force: true });
    response.writeHead(204).end();
  } else if (request.method === 'GET' || request.method === 'HEAD') {
    await get(file, searchParams.get('versionId'), request, response);
  } else throw new Refusal('NotImplemented');
}

function pathOf(folders: Folders, pathname: string): { folder: string; file: string } {
  const [, first = '', ...segments] = pathname.split('/').map(decoded);
  const folder = bucketAt(folders, first);
  const isInvalid = (segment: string) => segment === '' || segment.startsWith(hidden) || /[\0/\\]/.test(segment);
  if (segments.length === 0 || segments.some(isInvalid)) throw new Refusal('InvalidArgument');
  return { folder, file: join(folder, segments.join(sep)) };
}

function bucketAt(folders: Folders, name = ''): string {
  const folder = Object.hasOwn(folders, name) ? folders[name] : undefined;
  if (folder === undefined) throw new Refusal('NoSuchKey');
  return folder;
}

/** All versions in one page. */
async function listVersions(folder: string, prefix: string, response: ServerResponse): Promise<void> {
  const versions = [...(await versionsIn(folder))]
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, { version, at }]) => {
      const time = new Date(Number(at / 1_000_000n)).toISOString();
      const of = `<Key>${escapedXml(key)}</Key><VersionId>${version}</VersionId><LastModified>${time}</LastModified>`;
      return `<Version>${of}</Version>`;
    });
  const list = `<ListVersionsResult><IsTruncated>false</IsTruncated>${versions.join('')}</ListVersionsResult>`;
  response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0" encoding="UTF-8"?>${list}`);
}

/** Control characters too: a name of a file can have them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
const escapedXml = (text: string) => text.replace(/[&<>\x00-\x1f]/g, (each) => `&#${each.charCodeAt(0)};`);

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal('InvalidArgument');
  }
}

async function get(path: string, version: string | null, request: IncomingMessage, response: ServerResponse) {
  await using file = await open(path).catch(() => undefined);
  if (!file) throw new Refusal('NoSuchKey');
  const found = await file.stat({ bigint: true });
  if (!found.isFile()) throw new Refusal('NoSuchKey');
  if (version !== null && version !== versionOf(found)) throw new Refusal('NoSuchVersion');
  const size = Number(found.size);
  const start = rangeStart(request.headers.range);
  if (start !== undefined && start >= size) throw new Refusal('InvalidRange');
  const from = start ?? 0;
  response.writeHead(start === undefined ? 200 : 206, {
    'content-length': size - from,
    etag: `"${versionOf(found)}"`,
    'x-amz-version-id': versionOf(found),
    ...(start === undefined ? {} : { 'content-range': `bytes ${start}-${size - 1}/${size}` }),
  });
  if (request.method === 'HEAD' || size === from) response.end();
  // A client that has read enough closes the connection.
  else await pipeline(file.createReadStream({ start: from, autoClose: false }), response).catch(() => {});
}

function rangeStart(range: string | undefined): number | undefined {
  if (range === undefined) return undefined;
  const [, start] = /^bytes=(\d+)-$/.exec(range) ?? [];
  if (start === undefined) throw new Refusal('NotImplemented');
  return Number(start);
}

/** Writes to a draft and renames it, so that readers never see a partial file. */
async function put(folder: string, path: string, request: IncomingMessage, response: ServerResponse) {
  const draft = join(folder, `${hidden}${randomUUID()}`);
  const isChunked = String(request.headers['x-amz-content-sha256']).startsWith('STREAMING-');
  try {
    await pipeline(isChunked ? unchunked(request) : request, createWriteStream(draft, { mode: 0o600 }));
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  const version = versionOf(await stat(path, { bigint: true }));
  response.writeHead(200, { etag: `"${version}"`, 'x-amz-version-id': version, 'content-length': 0 }).end();
}

function refuse(response: ServerResponse, error: unknown): void {
  const code = error instanceof Refusal ? error.code : 'InternalError';
  if (code === 'InternalError') console.error('The local drop box failed:', error);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const status = error instanceof Refusal ? errors[error.code] : 500;
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml', connection: 'close' }).end(body);
}

/**
 * Decodes a body in S3's `aws-chunked` encoding, in which the SDKs send streams: `<length in hex>[;signature]`, the
 * bytes, and at the end an empty chunk with trailers. Checksums and signatures are not checked.
 */
export async function* unchunked(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let kept: Buffer = Buffer.alloc(0);
  /** Bytes of the current chunk that were not read yet. */
  let left = 0;
  for await (const part of body) {
    kept = kept.length > 0 ? Buffer.concat([kept, part]) : part;
    while (kept.length > 0) {
      if (left > 0) {
        const taken = kept.subarray(0, left);
        left -= taken.length;
        kept = kept.subarray(taken.length);
        yield taken;
        continue;
      }
      const end = kept.indexOf('\r\n');
      if (end === -1) break;
      const head = kept.toString('latin1', 0, end);
      kept = kept.subarray(end + 2);
      // The line end after a chunk.
      if (head === '') continue;
      left = Number.parseInt(head, 16);
      if (!(left > 0)) return;
    }
  }
}

/** Milliseconds between two reads of the folder. A file that is the same in both counts as completely written. */
const interval = 500;

/**
 * Sends S3's event notification for every file in the folder, present or new.
 * @returns a function that stops it
 */
export function startBucketEvents(bucket: Bucket, send: (notification: string) => Promise<unknown>): () => void {
  let before = new Map<string, FileVersion>();
  const sent = new Map<string, string>();
  return every(interval, async () => {
    const found = await versionsIn(bucket.folder);
    for (const key of sent.keys()) if (!found.has(key)) sent.delete(key);
    for (const [key, { version, size }] of found) {
      if (before.get(key)?.version !== version || sent.get(key) === version) continue;
      const etag = await etagOf(join(bucket.folder, key));
      await send(JSON.stringify({ Records: [recordOf(bucket.name, key, { version, size, etag })] }));
      sent.set(key, version);
    }
    before = found;
  });
}

/** As S3 makes it: the MD5 of the bytes. `undefined` if the file cannot be read. */
async function etagOf(path: string): Promise<string | undefined> {
  const hash = createHash('md5');
  await using file = await open(path).catch(() => undefined);
  if (!file) return undefined;
  await pipeline(file.createReadStream({ autoClose: false }), hash);
  return hash.digest('hex');
}

type FileVersion = { version: string; size: number; at: bigint };

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
  return new Map(inOrder.map(({ key, ...version }) => [key, version]));
}

/** The key is encoded as in S3's notifications, with `+` for a space. */
const recordOf = (
  bucket: string,
  key: string,
  object: { version: string; size: number; etag: string | undefined },
) => ({
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
      versionId: object.version,
      size: object.size,
      eTag: object.etag,
      sequencer: Date.now().toString(16).toUpperCase(),
    },
  },
});

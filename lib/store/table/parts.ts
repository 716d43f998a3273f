import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzip, gzipSync } from 'node:zlib';

/** A value that is too large for one item is compressed and split into parts. DynamoDB allows 400 KB for each item. */
const bytesPerPart = 350 * 1024;

/**
 * Up to this size, compressing in this thread is faster than in another one: 0.1 ms instead of 0.5 ms for 5,000 bytes.
 */
const syncLimit = { text: 32 * 1024, compressed: 8 * 1024 };

const options = { level: 3 };
const compressAsync = promisify(gzip);
const expandAsync = promisify(gunzip);

const compress = async (text: string): Promise<Buffer> =>
  text.length <= syncLimit.text ? gzipSync(text, options) : compressAsync(text, options);
const expand = async (bytes: Buffer): Promise<Buffer> =>
  bytes.byteLength <= syncLimit.compressed ? gunzipSync(bytes) : expandAsync(bytes);

/** The JSON text of the value, compressed and split into parts. */
export async function partsOf(value: unknown): Promise<Buffer[]> {
  const bytes = await compress(JSON.stringify(value));
  const parts = Math.ceil(bytes.byteLength / bytesPerPart);
  return Array.from({ length: parts }, (_, part) => bytes.subarray(part * bytesPerPart, (part + 1) * bytesPerPart));
}

/** The text from its parts in their order. @throws if a part is missing or was not written by `partsOf`. */
export const textOf = async (parts: readonly Uint8Array[]): Promise<string> =>
  (await expand(Buffer.concat(parts))).toString('utf8');

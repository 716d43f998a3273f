import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** What outgrows an item lies compressed in as many as it needs; DynamoDB allows 400 KB for each. */
const bytesPerPart = 350 * 1024;

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** The JSON of the value, compressed and cut. */
export async function partsOf(value: unknown): Promise<Buffer[]> {
  const bytes = await compress(JSON.stringify(value), { level: 3 });
  const parts = Math.ceil(bytes.byteLength / bytesPerPart);
  return Array.from({ length: parts }, (_, part) => bytes.subarray(part * bytesPerPart, (part + 1) * bytesPerPart));
}

/** The text that was cut, from its parts in their order. @throws when one is missing or none is ours. */
export const textOf = async (parts: readonly Uint8Array[]): Promise<string> =>
  (await expand(Buffer.concat(parts))).toString('utf8');

import { type Bytes, FileRefused, peek } from './bytes.ts';
import { isUtf8Start } from './encoding.ts';
import { FileCut, gunzipped, isGzip } from './gunzip.ts';

/** A file, or the rest of it, is not text: a spreadsheet, an archive, encrypted or damaged data. */
export class NotText extends Error {
  override readonly name = 'NotText';
}

/** Bytes by which the encoding is decided. */
const headBytes = 64 * 1024;

/**
 * The text of a file that cannot be read as rows, part by part: UTF-8, UTF-16 or Latin-1, also compressed with gzip and
 * cut off.
 * @throws NotText after the last part that can be decoded
 */
export async function* decodedText(bytes: Bytes): AsyncGenerator<string> {
  const raw = await peek(bytes, 2);
  const content = await peek(isGzip(raw.head) ? gunzippedAsFar(raw.bytes) : raw.bytes, headBytes);
  const decoder = new TextDecoder(encodingOf(content.head));
  for await (const part of content.bytes) yield decoder.decode(part, { stream: true });
  yield decoder.decode();
}

/** Small, because what was decompressed together with a damaged byte is lost. */
const chunkSize = 1024;

/** A file that is cut off ends without an error. @throws NotText where the data is damaged */
async function* gunzippedAsFar(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* gunzipped(bytes, { chunkSize });
  } catch (error) {
    if (error instanceof FileCut) return;
    throw error instanceof FileRefused ? new NotText() : error;
  }
}

/** Files whose text is compressed or encrypted although their first bytes are text. */
const containers = ['PK\x03\x04', '%PDF-', '-----BEGIN PGP'];
/** Other control characters than white space. Compressed and encrypted data has about a tenth of them, text none. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is searched
const controls = /[\x00-\x08\x0e-\x1f]/g;
const maxControls = 0.03;

/** @throws NotText */
function encodingOf(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  for (let at = 0; at < head.length; at++) if (head[at] === 0) zeros[at % 2]! += 1;
  const [even, odd] = zeros as [number, number];
  // Without a mark, most characters of the texts that banks exchange have a zero byte in UTF-16.
  if (even + odd > head.length / 4 && Math.min(even, odd) < Math.max(even, odd) / 20) {
    return odd > even ? 'utf-16le' : 'utf-16be';
  }
  const text = head.toString('latin1');
  const found = text.match(controls)?.length ?? 0;
  if (containers.some((start) => text.startsWith(start)) || found > head.length * maxControls) throw new NotText();
  return isUtf8Start(head) ? 'utf-8' : 'latin1';
}

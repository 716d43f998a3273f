import type { FileLayout } from '../../lib/domain/drop-box/file-position.ts';
import { type Bytes, FileRefused, peek } from '../../lib/files/bytes.ts';
import { encodingNamed, encodingOf, isUtf8Start } from '../../lib/files/encoding.ts';
import { contentOf } from '../../lib/files/file.ts';
import { gunzipped, isGzip } from '../../lib/files/gunzip.ts';
import type { FileKind } from '../../lib/files/kinds.ts';
import { RecordReader } from '../../lib/files/records.ts';

const sampleRows = 1000;
const headBytes = 64 * 1024;
const maxBytes = 1_000_000;
/** Delimiters that are not found by themselves. */
const rareDelimiters = ['^', '~', '\x01', '\x1f', '#', '¦', ':'];

type SampleOptions = { kind: FileKind; name: string; encoding: string | undefined };

/**
 * The header and the first rows of a CSV file whose columns need not be known. `found` is the delimiter that reading
 * finds by itself; `encoding` is set if it must be named.
 * @throws FileRefused
 */
export async function sampleOf(bytes: Bytes, { kind, name, encoding: given }: SampleOptions) {
  const raw = await peek(bytes, 2);
  const plain = await peek(isGzip(raw.head) ? gunzipped(raw.bytes) : raw.bytes, headBytes);
  const declared = given === undefined ? undefined : encodingNamed(given);
  if (given !== undefined && declared === undefined) throw new FileRefused(`${given} is not the name of an encoding.`);
  const isMarked = encodingOf(plain.head, undefined).encoding !== undefined;
  const encoding = declared ?? (isMarked || isUtf8Start(plain.head) ? undefined : 'windows-1252');
  const mapping = { columns: new Map(), constants: new Map(), encoding };
  const { content, start } = await contentOf(plain.bytes, { kind, name, mapping });
  if (start.layout.format !== 'csv') throw new FileRefused('The file is NDJSON: its keys are the names of the fields.');
  const text = await sampleBytes(content);
  const { delimiter: found, header } = start.layout;
  const line = header.join(found);
  const delimiter = (header.length === 1 && rareDelimiters.find((each) => line.includes(each))) || found;
  const layout: FileLayout = { ...start.layout, delimiter, header: line.split(delimiter) };
  const reader = new RecordReader({ ...start, layout }, undefined);
  const rows = Iterator.from(reader.push(text)).flatMap(({ cells }) => (cells ? [cells] : []));
  return { layout, found, encoding, rows: [...rows.take(sampleRows)] };
}

/** The beginning of the content, with a line end, or what of it can be read. */
async function sampleBytes(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of content) {
      parts.push(part);
      length += part.length;
      if (length > maxBytes) return Buffer.concat(parts);
    }
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
  }
  return Buffer.concat([...parts, Buffer.from('\n')]);
}

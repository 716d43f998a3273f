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
      const line = nextLine(kept);
      if (line === undefined) break;
      kept = line.rest;
      // The line end after a chunk.
      if (line.text === '') continue;
      left = Number.parseInt(line.text, 16);
      if (!(left > 0)) return;
    }
  }
}

function nextLine(bytes: Buffer): { text: string; rest: Buffer } | undefined {
  const end = bytes.indexOf('\r\n');
  return end === -1 ? undefined : { text: bytes.toString('latin1', 0, end), rest: bytes.subarray(end + 2) };
}

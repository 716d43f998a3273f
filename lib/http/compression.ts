import { compressedTag } from './entity-tag.ts';
import type { Event, Result } from './request.ts';

/** Bytes. Smaller responses gain nothing from compression (contract, section 1). */
const minBytes = 4096;
const compressible = /^(?:application\/json|text\/html)\b/;
/** True if one of the codings in `Accept-Encoding` is gzip, but not with `q=0` (RFC 9110, section 12.5.3). */
export const acceptsGzip = ({ headers }: Event): boolean =>
  (headers['accept-encoding'] ?? '').split(',').some((coding) => acceptedGzip.test(coding));

const acceptedGzip = /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i;

export type Gzip = (text: string) => Promise<Buffer>;

/** Compresses large responses for clients that accept it, because API Gateway does not compress responses. */
export async function compressed(response: Result, event: Event, gzip: Gzip): Promise<Result> {
  const { body, headers = {}, isBase64Encoded } = response;
  const isLarge = body !== undefined && !isBase64Encoded && Buffer.byteLength(body) >= minBytes;
  if (!isLarge || !compressible.test(String(headers['content-type']))) return response;
  const varying = { ...headers, vary: [headers.vary, 'accept-encoding'].filter(Boolean).join(', ') };
  if (!acceptsGzip(event)) return { ...response, headers: varying };
  const packed = (await gzip(body)).toString('base64');
  const tag = headers.etag === undefined ? {} : { etag: compressedTag(String(headers.etag)) };
  const packedHeaders = { ...varying, ...tag, 'content-encoding': 'gzip' };
  return { ...response, headers: packedHeaders, body: packed, isBase64Encoded: true };
}

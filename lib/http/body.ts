import { isJsonObject, type JsonObject, type JsonValue, MalformedJson, parseJson } from '../domain/values/json.ts';
import { jsonErrorPosition } from '../domain/values/json-position.ts';
import { invalidRequest, Problem } from '../domain/values/problem.ts';
import type { Event } from './request.ts';

/** Bytes. API Gateway accepts slightly more, so that this service sends the 413 in its own format. */
export const maxBodyBytes = 4 * 1024 * 1024;
/** Bytes, for endpoints without a token: the token endpoint and the pages. */
export const maxPublicBodyBytes = 16 * 1024;

/** Checks only the length. @throws Problem `payload_too_large`. */
export function refuseLargeBody({ body = '', isBase64Encoded }: Event, limit: number): void {
  const bytes = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes > limit) throw new Problem('payload_too_large');
}

/** The declared media type without its parameters, in lowercase. */
export function mediaType({ headers }: Event): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() || undefined;
}

/** A 415 whose message names the header at fault. */
const unsupported = (hint: string) => new Problem('unsupported_media_type', undefined, { hint });
/** @param types the media types that the endpoint takes */
export const unsupportedType = (...types: string[]) =>
  unsupported(`Send the header Content-Type with ${types.join(' or ')}.`);

export const formType = 'application/x-www-form-urlencoded';
export const jsonType = 'application/json';

/** The body as text. @throws Problem 400 or 415 if its encoding is wrong. */
export function bodyText({ headers, body = '', isBase64Encoded }: Event): string {
  const encoding = headers['content-encoding'] ?? 'identity';
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  if (encoding.toLowerCase() !== 'identity') throw unsupported('Send it without the header Content-Encoding.');
  if (!/^utf-?8$/i.test(charset)) throw unsupported('Content-Type must have no charset other than utf-8.');
  if (isBase64Encoded) return utf8Text(Buffer.from(body, 'base64'));
  // API Gateway passes JSON on as text, with U+FFFD instead of bytes that are not UTF-8. The text is then longer than the
  // sent body. A sequence that was cut off after three bytes is not detected.
  const sent = headers['content-length'];
  if (sent !== undefined && body.includes('\ufffd') && Number(sent) !== Buffer.byteLength(body)) throw notUtf8();
  return body;
}

const notUtf8 = () => invalidRequest({ path: '', message: 'must be UTF-8' });

function utf8Text(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw notUtf8();
  }
}

/**
 * The body as a JSON object.
 * @param otherTypes media types that the endpoint also takes, for the message of a 415
 * @throws Problem 400 or 415 as in section 1 of the contract.
 */
export function jsonBody(event: Event, ...otherTypes: string[]): JsonObject {
  const text = bodyText(event);
  const type = mediaType(event);
  if (type !== undefined && type !== jsonType && !type.endsWith('+json'))
    throw unsupportedType(jsonType, ...otherTypes);
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    throw error instanceof MalformedJson ? malformed(text, error) : error;
  }
  if (!isJsonObject(value)) throw invalidRequest({ path: '', message: 'must be a JSON object' });
  return value;
}

function malformed(text: string, { message }: MalformedJson): Problem {
  if (text.trim() === '') return invalidRequest({ path: '', message: 'must be a JSON object, and is empty' });
  const at = jsonErrorPosition(text);
  const where = at ? ` at line ${at.line}, column ${at.column}` : '';
  return invalidRequest({ path: '', message: `must be JSON: ${message}${where}` });
}

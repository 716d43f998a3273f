import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { isJsonObject, type JsonObject, type JsonValue, MalformedJson, parseJson } from '../domain/json.ts';
import { jsonErrorPosition } from '../domain/json-position.ts';
import { invalidRequest, Problem } from '../domain/problem.ts';

/** Bytes. API Gateway accepts slightly more, so that this service sends the 413 in its own format. */
export const maxBodyBytes = 4 * 1024 * 1024;
/** Bytes, for endpoints without a token: the token endpoint and the pages. */
export const maxPublicBodyBytes = 16 * 1024;

/** The body as a JSON object. @throws Problem 400, 413 or 415 as in section 1 of the contract. */
export function jsonBody(event: APIGatewayProxyEventV2): JsonObject {
  const text = bodyText(event);
  const type = mediaType(event);
  if (type !== undefined && type !== 'application/json' && !type.endsWith('+json')) {
    throw new Problem('unsupported_media_type');
  }
  const value = parsed(text);
  if (!isJsonObject(value)) throw invalidRequest({ path: '', message: 'must be a JSON object' });
  return value;
}

/** The body as text. @throws Problem 400, 413 or 415 if its encoding or size is wrong. */
export function bodyText(event: APIGatewayProxyEventV2): string {
  refuseEncodings(event);
  refuseLargeBody(event, maxBodyBytes);
  const { body = '', isBase64Encoded } = event;
  const text = isBase64Encoded ? utf8Text(Buffer.from(body, 'base64')) : body;
  if (!isBase64Encoded && holdsReplacedBytes(event, text)) throw notUtf8();
  return text;
}

/** Checks only the length. @throws Problem `payload_too_large`. */
export function refuseLargeBody({ body = '', isBase64Encoded }: APIGatewayProxyEventV2, limit: number): void {
  const bytes = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes > limit) throw new Problem('payload_too_large');
}

/** The declared media type without its parameters, in lowercase. */
export function mediaType(event: APIGatewayProxyEventV2): string | undefined {
  return event.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() || undefined;
}

function refuseEncodings({ headers }: APIGatewayProxyEventV2): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  if (encoding.toLowerCase() !== 'identity' || !/^utf-?8$/i.test(charset)) throw new Problem('unsupported_media_type');
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
 * True if API Gateway replaced bytes that are not UTF-8 with U+FFFD, which it does because it passes JSON on as text.
 * The text is then longer than the sent body. A sequence that was cut off after three bytes is not detected.
 */
function holdsReplacedBytes({ headers }: APIGatewayProxyEventV2, text: string): boolean {
  const sent = headers['content-length'];
  return sent !== undefined && text.includes('\ufffd') && Number(sent) !== Buffer.byteLength(text);
}

function parsed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    if (text.trim() === '') throw invalidRequest({ path: '', message: 'must be a JSON object, and is empty' });
    const at = jsonErrorPosition(text);
    const where = at ? ` at line ${at.line}, column ${at.column}` : '';
    throw invalidRequest({ path: '', message: `must be JSON: ${error.message}${where}` });
  }
}

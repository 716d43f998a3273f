import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { isJsonObject, type JsonObject, type JsonValue, MalformedJson, parseJson } from '../domain/json.ts';
import { invalidRequest, Problem } from '../domain/problem.ts';

/** Bytes. The gateway in front takes a little more, so that we answer in our own shape. */
export const maxBodyBytes = 4 * 1024 * 1024;

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

/** The body as text, its size and encoding checked. */
export function bodyText(event: APIGatewayProxyEventV2): string {
  const encoding = event.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw new Problem('unsupported_media_type');
  const body = event.body ?? '';
  const bytes = event.isBase64Encoded ? Buffer.from(body, 'base64') : undefined;
  if ((bytes?.byteLength ?? Buffer.byteLength(body)) > maxBodyBytes) throw new Problem('payload_too_large');
  if (!bytes) return body;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest({ path: '', message: 'must be UTF-8' });
  }
}

/** The declared media type without its parameters, in lower case. */
export function mediaType(event: APIGatewayProxyEventV2): string | undefined {
  return event.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() || undefined;
}

function parsed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    throw invalidRequest({ path: '', message: `must be JSON: ${error.message}` });
  }
}

import { type ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';

export type GatewayResponse = {
  status: number;
  headers: Record<string, string>;
  cookies: readonly string[];
  body: Buffer;
};

/** A response of API Gateway itself, in its own format. */
export const gatewayResponse = (status: number, message: string): GatewayResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  cookies: [],
  body: Buffer.from(JSON.stringify({ message })),
});

/** The maximum size of a function's response as JSON. */
const maxResponseBytes = 6 * 1024 * 1024;

/** Headers of the connection, which the gateway sets. */
const notForwarded = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding', 'upgrade']);

/**
 * Interprets a function's response as API Gateway does (payload format 2.0): without a `statusCode` the whole value is
 * the body of a 200.
 * @throws if the response is invalid
 */
export function responseOf(result: unknown): GatewayResponse {
  const text = JSON.stringify(result) ?? 'null';
  if (Buffer.byteLength(text) > maxResponseBytes) throw new Error('the response is too large');
  if (!isStructured(result)) {
    const body = Buffer.from(typeof result === 'string' ? result : text);
    return { status: 200, headers: { 'content-type': 'application/json' }, cookies: [], body };
  }
  const status = Number(result.statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new Error('the response has no valid status');
  const body = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8');
  const headers = headersOf(result.headers ?? {});
  if (body.length > 0) headers['content-type'] ??= 'text/plain;charset=UTF-8';
  const { cookies = [] } = result;
  for (const cookie of cookies) validateHeaderValue('set-cookie', cookie);
  return { status, headers, cookies, body };
}

export function send(response: ServerResponse, result: GatewayResponse, requestId: string): void {
  for (const [name, value] of Object.entries(result.headers)) response.setHeader(name, value);
  if (result.cookies.length > 0) response.setHeader('set-cookie', result.cookies);
  response.setHeader('apigw-requestid', requestId);
  if (result.status !== 204 && result.status !== 304) response.setHeader('content-length', result.body.length);
  response.writeHead(result.status).end(result.body);
}

type Structured = {
  statusCode: unknown;
  headers?: Record<string, unknown>;
  cookies?: string[];
  body?: string;
  isBase64Encoded?: boolean;
};

const isStructured = (result: unknown): result is Structured =>
  typeof result === 'object' && result !== null && 'statusCode' in result;

/** Names are not case-sensitive. Of two names that differ only in case, the later one is used. */
function headersOf(headers: Record<string, unknown>): Record<string, string> {
  const merged = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, String(value));
    if (!notForwarded.has(name.toLowerCase())) merged.set(name.toLowerCase(), String(value));
  }
  return Object.fromEntries(merged);
}

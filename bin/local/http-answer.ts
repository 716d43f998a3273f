import { type ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';

export type Answer = { status: number; headers: Record<string, string>; cookies: readonly string[]; body: Buffer };

/** What API Gateway says by itself, in its own shape rather than the contract's. */
export const gatewayAnswer = (status: number, message: string): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  cookies: [],
  body: Buffer.from(JSON.stringify({ message })),
});

/** A function's answer is at most this many bytes of JSON. */
export const maxAnswerBytes = 6 * 1024 * 1024;

/** These belong to the connection, which is the gateway's. */
const notForwarded = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding', 'upgrade']);

/**
 * Reads a function's answer as API Gateway does (payload format 2.0): without a `statusCode` the whole value is the
 * body of a 200.
 * @throws where the answer has no such reading.
 */
export function answerOf(result: unknown): Answer {
  const text = JSON.stringify(result) ?? 'null';
  if (Buffer.byteLength(text) > maxAnswerBytes) throw new Error('the answer is too large');
  if (!isStructured(result)) {
    const body = Buffer.from(typeof result === 'string' ? result : text);
    return { status: 200, headers: { 'content-type': 'application/json' }, cookies: [], body };
  }
  const status = Number(result.statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new Error('the answer has no valid status');
  const body = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8');
  const headers = headersOf(result.headers ?? {});
  if (body.length > 0) headers['content-type'] ??= 'text/plain;charset=UTF-8';
  const { cookies = [] } = result;
  for (const cookie of cookies) validateHeaderValue('set-cookie', cookie);
  return { status, headers, cookies, body };
}

export function send(response: ServerResponse, answer: Answer, requestId: string): void {
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  if (answer.cookies.length > 0) response.setHeader('set-cookie', answer.cookies);
  response.setHeader('apigw-requestid', requestId);
  if (answer.status !== 204 && answer.status !== 304) response.setHeader('content-length', answer.body.length);
  response.writeHead(answer.status).end(answer.body);
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

/** Names are the same whatever their case; of two that differ only in it the later wins. */
function headersOf(headers: Record<string, unknown>): Record<string, string> {
  const merged = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, String(value));
    if (!notForwarded.has(name.toLowerCase())) merged.set(name.toLowerCase(), String(value));
  }
  return Object.fromEntries(merged);
}

import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/** What a handler answers; `endpoint.ts` turns it into the gateway's form. Header names in lower case. */
export type Reply = {
  status: number;
  /** Sent as JSON. */
  body?: unknown;
  /** What is not JSON: a page, a style sheet, an image (`base64`). Stands instead of `body`. */
  content?: { type: string; text: string; base64?: boolean };
  headers?: Record<string, string>;
};

export const ok = (body: unknown): Reply => ({ status: 200, body });
export const created = (body: unknown): Reply => ({ status: 201, body });
export const accepted = (body: unknown): Reply => ({ status: 202, body });

/** After a form: where the browser goes on. What it shows there has changed just now, so nothing of this is kept. */
export const seeOther = (location: string, headers: Record<string, string> = {}): Reply => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', ...headers },
});

/** A page for people, with the headers that it needs. */
export const htmlReply = (page: { html: string; headers: Record<string, string> }, status = 200): Reply => ({
  status,
  headers: page.headers,
  content: { type: 'text/html; charset=utf-8', text: page.html },
});

/** For documents that are the same for everybody and may be kept for a while. */
export const cacheable = (body: unknown, seconds: number): Reply => ({
  status: 200,
  body,
  headers: { 'cache-control': `public, max-age=${seconds}` },
});

/** A page of a list, with the address of the next one (RFC 8288). */
export const pageBefore = (body: unknown, next: string): Reply => ({
  status: 200,
  body,
  headers: { link: `<${next}>; rel="next"` },
});

/** Bytes of an answer's JSON (contract, section 1). */
const maxAnswerBytes = 5 * 1024 * 1024;
/** Bytes of a function's whole response, which carries the JSON once more escaped, less what its headers need. */
const maxResponseBytes = 6 * 1024 * 1024 - 16 * 1024;

/** Whether an answer is small enough to be given. */
export function fits(answer: unknown): boolean {
  const text = JSON.stringify(answer);
  return Buffer.byteLength(text) <= maxAnswerBytes && Buffer.byteLength(JSON.stringify(text)) <= maxResponseBytes;
}

export function render(reply: Reply, requestId: string): APIGatewayProxyStructuredResultV2 {
  const headers = { 'x-request-id': requestId, ...reply.headers };
  if (reply.content) {
    const { type, text, base64 = false } = reply.content;
    return {
      statusCode: reply.status,
      headers: { 'content-type': type, ...headers },
      body: text,
      isBase64Encoded: base64,
    };
  }
  if (reply.body === undefined) return { statusCode: reply.status, headers };
  return {
    statusCode: reply.status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(reply.body),
  };
}

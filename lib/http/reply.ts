import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/** What a handler answers; `endpoint.ts` turns it into the gateway's form. Header names in lower case. */
export type Reply = {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
};

export const ok = (body: unknown): Reply => ({ status: 200, body });
export const created = (body: unknown): Reply => ({ status: 201, body });
export const accepted = (body: unknown): Reply => ({ status: 202, body });

/** For documents that are the same for everybody and may be kept for a while. */
export const cacheable = (body: unknown, seconds: number): Reply => ({
  status: 200,
  body,
  headers: { 'cache-control': `public, max-age=${seconds}` },
});

export function render(reply: Reply, requestId: string): APIGatewayProxyStructuredResultV2 {
  const headers = { 'x-request-id': requestId, ...reply.headers };
  if (reply.body === undefined) return { statusCode: reply.status, headers };
  return {
    statusCode: reply.status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(reply.body),
  };
}

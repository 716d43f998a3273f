import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type * as z from 'zod';
import type { Contract, MediaType, Responses } from './contract.ts';

/** Header names in lower case. */
export type Headers = Record<string, string>;

/** What a handler returns. `render` converts it to the format of API Gateway. */
export type Reply = {
  status: number;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged, instead of `body`: a page, a style sheet or an image (`base64`). */
  content?: Content<string>;
  headers?: Headers;
};
type Content<Type extends string> = { type: Type; text: string; base64?: boolean };

type Json<Status extends number, Body> = { status: Status; body: Body; headers?: Headers };
type Other<Status extends number, Type extends string> = { status: Status; content: Content<Type>; headers?: Headers };
type Empty<Status extends number> = { status: Status; body?: never; content?: never; headers?: Headers };

type ReplyAs<Status extends number, Declared> = Declared extends { schema: infer Schema extends z.ZodType }
  ? Json<Status, z.output<Schema>>
  : Declared extends { mediaType: infer Type extends MediaType }
    ? Other<Status, Type extends 'image/*' ? `image/${string}` | 'font/woff2' : Type | `${Type}; charset=utf-8`>
    : Empty<Status>;

/** The replies that a contract allows: each status with the body declared for it. */
export type ReplyOf<Of extends Pick<Contract, 'responses'>> = RepliesOf<NonNullable<Of['responses']>>;
type RepliesOf<Declared extends Responses> = {
  [Status in keyof Declared & number]: ReplyAs<Status, Declared[Status]>;
}[keyof Declared & number];

/** A JSON response. */
export const reply = <Status extends number, Body>(
  status: Status,
  body: Body,
  headers: Headers = {},
): Json<Status, Body> => ({ status, body, headers });

/** An HTML page with the headers that it needs. */
export const pageReply = <Status extends number>(
  status: Status,
  page: { html: string; headers: Headers },
  headers: Headers = {},
): Other<Status, 'text/html; charset=utf-8'> => ({
  status,
  headers: { ...page.headers, ...headers },
  content: { type: 'text/html; charset=utf-8', text: page.html },
});

/** Redirects the browser after a form. Not cached, because the page at `location` has just changed. */
export const seeOther = (location: string, headers: Headers = {}): Empty<303> => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', ...headers },
});

/** Leads to another path of this service. Not cached, because a later version can lead elsewhere. */
export const found = (location: string): Empty<302> => ({
  status: 302,
  headers: { location, 'cache-control': 'no-store' },
});

export const noContent: Empty<204> = { status: 204 };

/** For responses that are the same for all callers. */
export const cachedFor = (seconds: number): Headers => ({ 'cache-control': `public, max-age=${seconds}` });

/** The `Link` header to the next page of the list at `url`, if there is one (RFC 8288). */
export const linkToNext = (url: string, cursor: string | undefined, others: Record<string, string> = {}): Headers =>
  cursor === undefined ? {} : { link: `<${url}?${new URLSearchParams({ cursor, ...others })}>; rel="next"` };

/** Bytes of a response's JSON (contract, section 1). */
const maxJsonBytes = 5 * 1024 * 1024;
/** Bytes of a function's whole response, in which the JSON is an escaped string. 16 KB are reserved for headers. */
const maxResponseBytes = 6 * 1024 * 1024 - 16 * 1024;

/** True if a body is small enough to be sent as JSON. */
export function fits(body: unknown): boolean {
  const text = JSON.stringify(body);
  return Buffer.byteLength(text) <= maxJsonBytes && Buffer.byteLength(JSON.stringify(text)) <= maxResponseBytes;
}

/** The reply in the format of API Gateway. */
export function render({ status, body, content, headers }: Reply): APIGatewayProxyStructuredResultV2 {
  if (content) {
    const { type, text, base64 = false } = content;
    return { statusCode: status, headers: { 'content-type': type, ...headers }, body: text, isBase64Encoded: base64 };
  }
  if (body === undefined) return { statusCode: status, headers: { ...headers } };
  return {
    statusCode: status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

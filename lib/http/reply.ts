import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type * as z from 'zod';
import type { Contract, MediaType } from './contract.ts';

/** Header names in lower case. */
export type Headers = Record<string, string>;

/** What a handler returns; `endpoint.ts` turns it into the form that the gateway takes. */
export type Reply = {
  status: number;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is: a page, a style sheet, an image (`base64`). Used instead of `body`. */
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
    ? Other<Status, Type extends 'image/*' ? `image/${string}` : Type | `${Type}; charset=utf-8`>
    : Empty<Status>;

/** The replies that a contract allows: each of its statuses with what it declares for that status. */
export type ReplyOf<Of extends Pick<Contract, 'responses'>> = {
  [Status in keyof Of['responses'] & number]: ReplyAs<Status, Of['responses'][Status]>;
}[keyof Of['responses'] & number];

/** A JSON response. */
export const reply = <Status extends number, Body>(
  status: Status,
  body: Body,
  headers: Headers = {},
): Json<Status, Body> => ({ status, body, headers });

/** A page for people, with the headers that it needs. */
export const pageReply = <Status extends number>(
  status: Status,
  page: { html: string; headers: Headers },
  headers: Headers = {},
): Other<Status, 'text/html; charset=utf-8'> => ({
  status,
  headers: { ...page.headers, ...headers },
  content: { type: 'text/html; charset=utf-8', text: page.html },
});

/** Where the browser continues after a form. What that page shows has just changed, so this is not cached. */
export const seeOther = (location: string, headers: Headers = {}): Empty<303> => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', ...headers },
});

export const noContent: Empty<204> = { status: 204 };

/** For what is the same for everybody. */
export const cachedFor = (seconds: number): Headers => ({ 'cache-control': `public, max-age=${seconds}` });

/** On a page of the list at `url`: the URL of the next one, if there is one (RFC 8288). */
export const linkToNext = (url: string, cursor: string | undefined): Headers =>
  cursor === undefined ? {} : { link: `<${url}?cursor=${cursor}>; rel="next"` };

/** Bytes of a response's JSON (contract, section 1). */
const maxJsonBytes = 5 * 1024 * 1024;
/** Bytes of a function's whole response, which carries the JSON once more escaped, less what its headers need. */
const maxResponseBytes = 6 * 1024 * 1024 - 16 * 1024;

/** Whether a body is small enough to be sent as JSON. */
export function fits(body: unknown): boolean {
  const text = JSON.stringify(body);
  return Buffer.byteLength(text) <= maxJsonBytes && Buffer.byteLength(JSON.stringify(text)) <= maxResponseBytes;
}

/** The reply in the form that the gateway takes. */
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

import type * as z from 'zod';
import type { Contract } from '../http/contract.ts';
import type { Call, HttpHandler } from '../http/endpoint.ts';
import type { Reply } from '../http/reply.ts';
import type { WebPage } from '../web/document.ts';
import { type NoticeName, renderNotice } from '../web/notice.ts';
import { publicEndpoint } from './base.ts';

export const htmlReply = ({ html, headers }: WebPage, status = 200): Reply => ({
  status,
  headers,
  content: { type: 'text/html; charset=utf-8', text: html },
});

export function noticeReply(name: NoticeName): Reply {
  const notice = renderNotice(name);
  return htmlReply(notice, notice.status);
}

/** A page for people: what goes wrong is told them in words, where other endpoints answer in JSON. */
export function pageEndpoint<Body extends z.ZodType, Query extends z.ZodType>(
  contract: Contract<Body, Query>,
  handle: (call: Call<z.output<Body>, z.output<Query>>) => Promise<Reply> | Reply,
): HttpHandler {
  const answered = publicEndpoint(contract, handle);
  return async (event) => {
    const response = await answered(event);
    if (response.headers?.['content-type'] !== 'application/json') return response;
    const { html, headers, status } = renderNotice(noticeOf(response.statusCode));
    return {
      statusCode: status,
      headers: { ...response.headers, ...headers, 'content-type': 'text/html; charset=utf-8' },
      body: html,
    };
  };
}

function noticeOf(status: number | undefined): NoticeName {
  if (status === 500) return 'fault';
  return status === 429 || status === 503 ? 'busy' : 'unknown';
}

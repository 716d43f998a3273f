import type * as z from 'zod';
import { compressed } from '../http/compression.ts';
import type { Contract } from '../http/contract.ts';
import type { Call, HttpHandler } from '../http/endpoint.ts';
import { htmlReply, type Reply } from '../http/reply.ts';
import type { WebPage } from '../web/document.ts';
import { type NoticeName, renderNotice } from '../web/notice.ts';
import { gzip, publicEndpoint } from './base.ts';

export function noticeReply(name: NoticeName): Reply {
  const notice = renderNotice(name);
  return htmlReply(notice, notice.status);
}

type Notice = WebPage & { status: number };

const noticeOf = (name: NoticeName): Notice => renderNotice(name);

/** For content in frames: whoever may not frame it sees as much, so every site may. */
export const framedNoticeOf = (name: NoticeName): Notice => renderNotice(name === 'unknown' ? 'content' : name, '*');

/**
 * A page for people: what goes wrong is told them in words, where other endpoints answer in JSON. What no browser does
 * by itself, such as a body that is no form, is refused as everywhere.
 */
export function pageEndpoint<Body extends z.ZodType, Query extends z.ZodType>(
  contract: Contract<Body, Query>,
  handle: (call: Call<z.output<Body>, z.output<Query>>) => Promise<Reply> | Reply,
  notice = noticeOf,
): HttpHandler {
  const answered = publicEndpoint(contract, handle);
  return async (event) => {
    const response = await answered(event);
    const name = response.headers?.['content-type'] === 'application/json' && noticeName(response.statusCode);
    if (!name) return response;
    const { html, headers, status } = notice(name);
    const type = { 'content-type': 'text/html; charset=utf-8' };
    return compressed(
      { statusCode: status, headers: { ...response.headers, ...headers, ...type }, body: html },
      event,
      gzip,
    );
  };
}

function noticeName(status: number | undefined): NoticeName | undefined {
  if (status === 404) return 'unknown';
  if (status === 500) return 'fault';
  return status === 429 || status === 503 ? 'busy' : undefined;
}

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod';
import { compressed } from '../http/compression.ts';
import type { Contract } from '../http/contract.ts';
import type { Call, HttpHandler } from '../http/endpoint.ts';
import { htmlReply, type Reply } from '../http/reply.ts';
import type { WebPage } from '../web/document.ts';
import { type NoticeName, renderNotice } from '../web/notice.ts';
import { languageOfBrowser } from '../web/words/browser.ts';
import { gzip, publicEndpoint } from './base.ts';

/** @param language of the team, or of the template */
export function noticeReply(name: NoticeName, language: string | null): Reply {
  const notice = renderNotice(name, language);
  return htmlReply(notice, notice.status);
}

/** Where nobody knows whose address it is: in the language of the browser. */
export function noticeToBrowser(name: NoticeName, event: APIGatewayProxyEventV2): Reply {
  const reply = noticeReply(name, languageOfBrowser(event.headers['accept-language']));
  return { ...reply, headers: { ...reply.headers, vary: 'accept-language' } };
}

type Notice = WebPage & { status: number };

const noticeOf = (name: NoticeName, language: string | null): Notice => renderNotice(name, language);

/** For content in frames: whoever may not frame it sees as much, so every site may. */
export const framedNoticeOf = (name: NoticeName, language: string | null): Notice =>
  renderNotice(name === 'unknown' ? 'content' : name, language, '*');

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
    const { html, headers, status } = notice(name, languageOfBrowser(event.headers['accept-language']));
    const type = { 'content-type': 'text/html; charset=utf-8', vary: 'accept-language' };
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

import type { Contract } from '../http/contract.ts';
import type { Handler } from '../http/endpoint.ts';
import { problemReply, problems, type RenderError } from '../http/errors.ts';
import type { HttpHandler } from '../http/handler.ts';
import { pageReply } from '../http/reply.ts';
import { type NoticeName, notices, renderNotice } from '../web/notice.ts';
import { publicEndpoint } from './base.ts';

export const noticeReply = <Name extends NoticeName>(name: Name) =>
  pageReply<(typeof notices)[Name]['status']>(notices[name].status, renderNotice(name));

/**
 * A page for people: its errors are pages too, where other endpoints have JSON. What no browser sends by itself, such
 * as a body that is not a form, is refused as everywhere.
 */
export const pageEndpoint = <Of extends Contract>(
  contract: Of,
  handle: Handler<Of>,
  notice: Notice = renderNotice,
): HttpHandler => publicEndpoint(contract, handle, errorPage(notice));

type Notice = (name: NoticeName) => ReturnType<typeof renderNotice>;

/** For content in frames. Every site may frame it: one that may not frame the content learns nothing from it. */
export const framedNotice: Notice = (name) => renderNotice(name === 'unknown' ? 'content' : name, '*');

const errorPage =
  (notice: Notice): RenderError =>
  (problem, context) => {
    const json = problemReply(problem, context);
    const name = noticeNames[problems[problem.code].status];
    if (!name) return json;
    const { status, ...page } = notice(name);
    return pageReply(status, { ...page, headers: { ...json.headers, ...page.headers } });
  };

const noticeNames: Partial<Record<number, NoticeName>> = { 404: 'unknown', 429: 'busy', 500: 'fault', 503: 'busy' };

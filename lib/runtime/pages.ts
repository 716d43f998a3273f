import type { Contract } from '../http/contract.ts';
import type { Handler } from '../http/endpoint.ts';
import { problemReply, problems, type RenderError } from '../http/errors.ts';
import type { HttpHandler } from '../http/handler.ts';
import type { Event } from '../http/middleware.ts';
import { pageReply } from '../http/reply.ts';
import { type NoticeName, type NoticeSender, notices, renderNotice } from '../web/notice.ts';
import { languageOfBrowser } from '../web/words/browser.ts';
import { publicEndpoint } from './base.ts';

type StatusOf<Name extends NoticeName> = (typeof notices)[Name];

/** In the name of the team. @param language of the template, else of the team */
export const noticeReply = <Name extends NoticeName>(name: Name, language: string | null, sender: NoticeSender) =>
  pageReply<StatusOf<Name>>(notices[name], renderNotice(name, language, { sender }));

/** In the language of the browser, where the URL does not tell whose it is. */
export const noticeToBrowser = <Name extends NoticeName>(name: Name, { headers }: Event) =>
  pageReply<StatusOf<Name>>(
    notices[name],
    renderNotice(name, languageOfBrowser(headers['accept-language'])),
    variesByLanguage,
  );

const variesByLanguage = { vary: 'accept-language' };

/**
 * A page for people: its errors are pages too, where other endpoints have JSON. What no browser sends by itself, such
 * as a body that is not a form, is refused as everywhere.
 */
export const pageEndpoint = <Of extends Contract>(
  contract: Of,
  handle: Handler<Of>,
  notice: Notice = renderNotice,
): HttpHandler => publicEndpoint(contract, handle, errorPage(notice));

type Notice = (name: NoticeName, language: string | null) => ReturnType<typeof renderNotice>;

/** For content in frames. Every site may frame it: one that may not frame the content learns nothing from it. */
export const framedNotice: Notice = (name, language) =>
  renderNotice(name === 'unknown' ? 'content' : name, language, { frameAncestors: '*' });

const errorPage =
  (notice: Notice): RenderError =>
  (problem, context) => {
    const json = problemReply(problem, context);
    const name = noticeNames[problems[problem.code].status];
    if (!name) return json;
    const { status, ...page } = notice(name, languageOfBrowser(context.acceptLanguage));
    return pageReply(status, { ...page, headers: { ...json.headers, ...page.headers, ...variesByLanguage } });
  };

const noticeNames: Partial<Record<number, NoticeName>> = { 404: 'unknown', 429: 'busy', 500: 'fault', 503: 'busy' };

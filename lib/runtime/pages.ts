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

/**
 * A notice with the name or the logo of the team.
 * @param language of the template, otherwise of the team
 */
export const noticeReply = <Name extends NoticeName>(name: Name, language: string | null, sender: NoticeSender) =>
  pageReply<StatusOf<Name>>(notices[name], renderNotice(name, language, { sender }));

/** A notice in the language of the browser, for URLs that do not identify a team. */
export const noticeToBrowser = <Name extends NoticeName>(name: Name, { headers }: Event) =>
  pageReply<StatusOf<Name>>(
    notices[name],
    renderNotice(name, languageOfBrowser(headers['accept-language'])),
    variesByLanguage,
  );

const variesByLanguage = { vary: 'accept-language' };

/**
 * An endpoint that shows a page to people. Its errors are pages too, where other endpoints return JSON. Errors that a
 * browser does not cause by itself, such as a body that is not a form, are returned as JSON like everywhere else.
 */
export const pageEndpoint = <Of extends Contract>(
  contract: Of,
  handle: Handler<Of>,
  notice: Notice = renderNotice,
): HttpHandler => publicEndpoint(contract, handle, errorPage(notice));

/**
 * An endpoint that scripts and forms send actions to. If a form was sent without a script, its error is a page that says
 * how to get back to what was typed. Every other client gets JSON.
 */
export const formEndpoint = <Of extends Contract>(contract: Of, handle: Handler<Of>, notice: Notice = renderNotice) =>
  publicEndpoint(contract, handle, (problem, context) => {
    const json = problemReply(problem, context);
    if (!context.accept?.includes('text/html')) return json;
    const { html, headers } = notice('unsent', languageOfBrowser(context.acceptLanguage));
    const { status } = problems[problem.code];
    return pageReply(status, { html, headers: { ...json.headers, ...headers, ...variesByLanguage } });
  });

type Notice = (name: NoticeName, language: string | null) => ReturnType<typeof renderNotice>;

/** For content in frames. Every site may frame this notice, because it contains nothing that must be protected. */
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

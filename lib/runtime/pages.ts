import type { ProblemCode } from '../domain/problem.ts';
import { refuseLargeBody } from '../http/body.ts';
import type { Contract } from '../http/contract.ts';
import type { Handler } from '../http/endpoint.ts';
import { type ProblemContext, problemReply, problems, type RenderError } from '../http/errors.ts';
import { formFields } from '../http/form.ts';
import type { HttpHandler } from '../http/handler.ts';
import type { Event } from '../http/middleware.ts';
import { pageReply } from '../http/reply.ts';
import type { RefusedForm } from '../web/blocks/context.ts';
import { type NoticeName, type NoticeOptions, type NoticeSender, notices, renderNotice } from '../web/notice.ts';
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
 * An endpoint that shows a page to people. Its errors are pages too, where other endpoints return JSON. Errors that the
 * page itself does not cause, such as a body that is not a form, are pages only for browsers.
 */
export const pageEndpoint = <Of extends Contract>(
  contract: Of,
  handle: Handler<Of>,
  notice: Notice = renderNotice,
): HttpHandler => publicEndpoint(contract, handle, errorPage(notice));

/**
 * An endpoint that scripts and forms send actions to. If a form was sent without a script, its error is a page: that of
 * the form, with what was entered. If this page cannot be shown, it is a notice. Every other client gets JSON.
 * @param showAgain replies with the page of the form
 */
export const formEndpoint = <Of extends Contract>(
  contract: Of,
  handle: Handler<Of>,
  showAgain: (event: Event, status: number, refused: RefusedForm) => Promise<PageReply>,
  notice: Notice = renderNotice,
): HttpHandler =>
  publicEndpoint(contract, handle, async (problem, context, event) => {
    const { headers, ...json } = problemReply(problem, context);
    if (!acceptsPage(context)) return { headers: headers ?? {}, ...json };
    const { status } = problems[problem.code];
    const fields = enteredIn(event);
    const message = messages[problem.code] ?? 'unsent';
    // What another site filled in is not shown as if the person had entered it.
    const page = problem.code === 'forbidden' ? undefined : await shown(showAgain(event, status, { fields, message }));
    if (page) return { ...page, headers: { ...headers, ...page.headers } };
    const isRetried = (status >= 500 || status === 429) && Object.keys(fields).length > 0;
    const name = isRetried ? 'unsent' : (noticeNames[status] ?? 'foreign');
    const language = languageOfBrowser(context.acceptLanguage);
    const { html, headers: own } = notice(name, language, isRetried ? { fields } : {});
    return pageReply(status, { html, headers: { ...headers, ...own, ...variesByLanguage } });
  });

type PageReply = ReturnType<typeof pageReply<number>>;

/** Browsers accept HTML for forms that they send. The page's script does not. */
const acceptsPage = ({ accept }: ProblemContext): boolean => accept?.includes('text/html') ?? false;

/** Undefined if the page cannot be shown either, for example because the store is not available. */
const shown = (page: Promise<PageReply>): Promise<PageReply | undefined> => page.catch(() => undefined);

const messages: { [Code in ProblemCode]?: RefusedForm['message'] } = {
  payload_too_large: 'unsent_too_long',
  identity_required: 'unsent_first',
};

/** Bytes. A page with more is not sent back, because a response has a limit too. */
const maxKept = 256 * 1024;

/** The fields of the form. None if they cannot be read, or are too large to be sent back. */
function enteredIn(event: Event): Readonly<Record<string, string>> {
  try {
    refuseLargeBody(event, maxKept);
    return formFields(event);
  } catch {
    return {};
  }
}

type Notice = (
  name: NoticeName,
  language: string | null,
  options?: Pick<NoticeOptions, 'fields'>,
) => ReturnType<typeof renderNotice>;

/** For content in frames. Every site may frame this notice, because it contains nothing that must be protected. */
export const framedNotice: Notice = (name, language, options) =>
  renderNotice(name === 'unknown' ? 'content' : name, language, { ...options, frameAncestors: '*' });

const errorPage =
  (notice: Notice): RenderError =>
  (problem, context) => {
    const json = problemReply(problem, context);
    const { status } = problems[problem.code];
    const name = noticeNames[status] ?? (acceptsPage(context) ? 'foreign' : undefined);
    if (!name) return json;
    const page = notice(name, languageOfBrowser(context.acceptLanguage));
    return pageReply(status, { ...page, headers: { ...json.headers, ...page.headers, ...variesByLanguage } });
  };

const noticeNames: Partial<Record<number, NoticeName>> = {
  403: 'foreign',
  404: 'unknown',
  429: 'busy',
  500: 'fault',
  503: 'busy',
};

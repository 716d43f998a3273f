import { type NoticeName, type NoticeOptions, type NoticeSender, notices, renderNotice } from '../../web/notice.ts';
import { languageOfBrowser } from '../../web/words/words.ts';
import { problemReply, problems, type RenderError } from '../errors.ts';
import { pageReply } from '../reply.ts';
import type { Event } from '../request.ts';
import { acceptsPage } from './forms.ts';

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

export const variesByLanguage = { vary: 'accept-language' };

export type Notice = (
  name: NoticeName,
  language: string | null,
  options?: Pick<NoticeOptions, 'fields'>,
) => ReturnType<typeof renderNotice>;

/** For content in frames. Every site may frame this notice, because it contains nothing that must be protected. */
export const framedNotice: Notice = (name, language, options) =>
  renderNotice(name === 'unknown' ? 'content' : name, language, { ...options, frameAncestors: '*' });

/**
 * Errors of an endpoint that shows a page to people: pages too, where other endpoints return JSON. Errors that the page
 * itself does not cause, such as a body that is not a form, are pages only for browsers.
 */
export const errorPage =
  (notice: Notice = renderNotice): RenderError =>
  (problem, event) => {
    const json = problemReply(problem, event);
    const { status } = problems[problem.code];
    const name = noticeNames[status] ?? (acceptsPage(event) ? 'foreign' : undefined);
    if (!name) return json;
    const page = notice(name, languageOfBrowser(event.headers['accept-language']));
    return pageReply(status, { ...page, headers: { ...json.headers, ...page.headers, ...variesByLanguage } });
  };

export const noticeNames: Partial<Record<number, NoticeName>> = {
  403: 'foreign',
  404: 'unknown',
  429: 'busy',
  500: 'fault',
  503: 'busy',
};

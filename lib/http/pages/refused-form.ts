import type { ProblemCode } from '../../domain/values/problem.ts';
import type { RefusedForm } from '../../web/blocks/context.ts';
import { languageOfBrowser } from '../../web/words/words.ts';
import { refuseLargeBody } from '../body.ts';
import { problemReply, problems, type RenderError } from '../errors.ts';
import { formFields } from '../form.ts';
import { pageReply } from '../reply.ts';
import type { Event } from '../request.ts';
import { type Notice, noticeNames, variesByLanguage } from './notices.ts';

/**
 * Renders the error of a form: its page with what was entered. If this page cannot be shown, a notice.
 * @param showAgain replies with the page of the form
 */
export const refusedForm =
  (
    showAgain: (event: Event, status: number, refused: RefusedForm) => Promise<PageReply>,
    notice: Notice,
  ): RenderError =>
  async (problem, event) => {
    const { headers } = problemReply(problem, event);
    const { status } = problems[problem.code];
    const fields = enteredIn(event);
    const message = messages[problem.code] ?? 'unsent';
    // What another site filled in is not shown as if the person had entered it.
    const page = problem.code === 'forbidden' ? undefined : await shown(showAgain(event, status, { fields, message }));
    if (page) return { ...page, headers: { ...headers, ...page.headers } };
    const isRetried = (status >= 500 || status === 429) && Object.keys(fields).length > 0;
    const name = isRetried ? 'unsent' : (noticeNames[status] ?? 'foreign');
    const language = languageOfBrowser(event.headers['accept-language']);
    const { html, headers: own } = notice(name, language, isRetried ? { fields } : {});
    return pageReply(status, { html, headers: { ...headers, ...own, ...variesByLanguage } });
  };

/** The language in which the form was shown, so that what was entered fits it. As `Accept-Language`. */
export const shownLanguageOf = ({ headers }: Event, { fields }: RefusedForm): string | undefined =>
  fields.language ?? headers['accept-language'];

type PageReply = ReturnType<typeof pageReply<number>>;

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

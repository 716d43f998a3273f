import type { ShownAnswer } from '../../domain/journeys/answer.ts';
import type { Paragraph } from '../../domain/journeys/markup.ts';
import { type Child, type Html, html, inOrder } from '../html.ts';
import { hasForm } from '../page-script.ts';
import { paragraphs } from '../prose.ts';
import type { Words } from '../words/words.ts';
import { type PageContext, type RefusedForm, refusedFieldsOf } from './context.ts';

type FormOptions = {
  look?: string;
  /** The block that the form answers. */
  blockId?: string | undefined;
  /** The answer that the form sends. */
  answer?: 'accepted' | 'declined';
  fields?: Child;
  /** True if the fields say what is missing, so that the form does not say that it could not be sent. */
  isExplained?: boolean;
};

/**
 * A form that completes the page. With the script it is sent without leaving the page. The service checks its fields,
 * not the browser, whose messages are in its own language and disappear. If the page needs a proof of identity first, it
 * is a link to the check, which says so, because it would look like an answer.
 */
export function completionForm(
  page: PageContext,
  label: string,
  words: Words,
  { look = 'button', blockId, answer, fields, isExplained = false }: FormOptions = {},
): Child {
  if (page.proof !== undefined) return answer !== 'declined' && proofMark(page.proof, words);
  const refused = refusedFieldsOf(page, blockId);
  const isRefused = refused !== undefined && refused.answer === answer && !isExplained;
  return html`<form class="completion" method="post" action="${page.actions}" target="_self"${fields !== undefined && html` novalidate`}><input type="hidden" name="type" value="page_completed"><input type="hidden" name="page_id" value="${page.id}"><input type="hidden" name="next" value="yes">${
    blockId !== undefined &&
    html`<input type="hidden" name="block_id" value="${blockId}">${
      page.language && html`<input type="hidden" name="language" value="${page.language}">`
    }`
  }${answer && html`<input type="hidden" name="answer" value="${answer}">`}${fields}<button class="${look}">${inOrder(label)}</button><p class="unsent" role="alert">${isRefused && words.text(page.refused!.message)}</p></form>`;
}

/** The words with which the script sends forms, as attributes of `main`. */
export const sendingWords = (content: Html, words: Words): Child =>
  hasForm(String(content)) &&
  html` data-unsent="${words.text('unsent')}" data-long="${words.text('unsent_too_long')}" data-sending="${words.text('sending')}"`;

/** In the place of a form: why there is none, and the way to the proof. Of several, only the first shows its button. */
const proofMark = (url: string, words: Words): Html =>
  html`<div class="proof-first"><p>${words.text('personal_first')}</p><a class="button" href="${url}">${words.text('personal_show')}</a></div>`;

/** True if the content has the way to the proof in the place of a form. */
export const offersProof = (content: Html): boolean => String(content).includes('class="proof-first"');

/**
 * The attributes of a field whose text can have any direction. An empty field has that of its page: browsers take
 * `dir="auto"` as from left to right while nothing is typed, and the styles find an empty field by its placeholder.
 */
export const typed = ({ direction }: Words): Html => html` dir="auto"${direction === 'rtl' && html` placeholder=" "`}`;

/** The message beside a field, which describes the field. */
export const fault = (id: string, message: string): Html =>
  html`<span class="unanswered" id="${faultId(id)}">${message}</span>`;
export const faultId = (id: string): string => `${id}-fault`;

/**
 * At the top of a page whose form was refused, because without scripts the browser shows the top first. If a field says
 * what is missing, the browser shows the field.
 */
export const refusal = (page: RefusedForm | undefined, content: Html, words: Words): Child =>
  page &&
  !String(content).includes('class="unanswered"') &&
  html`<div class="faults" role="alert" tabindex="-1" autofocus><p>${words.text(page.message)}</p></div>`;

/** The message for an answer, with its time and the typed name. */
export function outcomeOf({ at, typed_name }: ShownAnswer, message: string | readonly Paragraph[], words: Words): Html {
  const date = words.dateTime(at);
  const said = typed_name ? words.text('signed', { name: typed_name, date }) : words.text('answered', { date });
  return outcome(html`<div>${paragraphs(message)}<small>${said}</small></div>`);
}

/** The same for a declined answer. It must not look like an accepted one. @param support how to reach the institution */
export function refusalOf(
  { at }: ShownAnswer,
  message: string | readonly Paragraph[],
  words: Words,
  support: Child,
): Html {
  const declined = words.text('declined_on', { date: words.dateTime(at) });
  return outcome(
    html`<div><p><strong>${declined}</strong></p>${paragraphs(message)}${support}</div>`,
    'outcome declined',
  );
}

/** A form that replaces an answer. It opens without scripts too. */
export const changeOf = (label: string, form: Child, isOpen: boolean): Html =>
  html`<details${isOpen && html` open`}><summary class="quiet">${label}</summary>${form}</details>`;

/** The result of an action. Screen readers announce it when the script puts it in the place of the form. */
export const outcome = (text: Child, look = 'outcome'): Html =>
  html`<div class="${look}" role="status" tabindex="-1">${text}</div>`;

import { type Child, type Html, html } from '../html.ts';
import type { PageContext } from './context.ts';

type FormOptions = {
  look?: string;
  /** The block that the form answers. */
  blockId?: string | undefined;
  /** What the form decides. */
  answer?: 'accepted' | 'declined';
  fields?: Child;
};

/** Completes the page, with and without the script: a plain form that the script sends without leaving the page. */
export const completionForm = (
  page: PageContext,
  label: string,
  { look = 'button', blockId, answer, fields }: FormOptions = {},
): Html =>
  html`<form class="completion" method="post" action="${page.actions}" target="_self"><input type="hidden" name="type" value="page_completed"><input type="hidden" name="page_id" value="${page.id}"><input type="hidden" name="stay" value="yes">${
    blockId !== undefined && html`<input type="hidden" name="block_id" value="${blockId}">`
  }${answer && html`<input type="hidden" name="answer" value="${answer}">`}${fields}<button class="${look}">${label}</button><p class="unsent" role="alert"></p></form>`;

/** What came of the person's act. Announced when the script puts it where the form was. */
export const outcome = (text: Child): Html => html`<div class="outcome" role="status" tabindex="-1">${text}</div>`;

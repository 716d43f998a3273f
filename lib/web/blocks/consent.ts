import { html, paragraphs } from '../html.ts';
import { type BlockData, type BlockType, canComplete, type PageContext } from './context.ts';
import { completionForm, outcome } from './forms.ts';
import { documentOf } from './links.ts';
import { headingOf } from './texts.ts';

/** Longer than this it is what the person agrees to, not what stands on the button. */
const longestLabel = 40;

/**
 * Agree or disagree, signed with a typed name where the block asks for one. Agreeing completes the page. Disagreeing
 * is not recorded anywhere: the interface has no place for it.
 */
export const agreement: BlockType = (data, { page }) => {
  const statement = data.text('agreementText');
  const isLabel = statement !== undefined && statement.length <= longestLabel;
  return html`<section class="consent" aria-label="${data.text('name', 'heading') ?? 'Agreement'}">${headingOf(data)}${bodyOf(data)}${
    statement !== undefined && !isLabel && html`<div class="statement">${paragraphs(statement)}</div>`
  }${documentOf(data)}${answerOf(data, page, isLabel ? statement : 'I agree')}</section>`;
};

/** A confirmation alone, signed where the block asks for it. */
export const confirmation: BlockType = (data, { page }) => {
  const label = data.text('text', 'label', 'buttonText') ?? 'Confirm';
  return html`<section class="consent" aria-label="${data.text('name', 'heading') ?? 'Confirmation'}">${headingOf(data)}${bodyOf(data)}${documentOf(data)}${answerOf(data, page, label)}</section>`;
};

const bodyOf = (data: BlockData) => {
  const body = data.text('body');
  return body !== undefined && html`<div class="prose">${paragraphs(body)}</div>`;
};

function answerOf(data: BlockData, page: PageContext | undefined, label: string) {
  if (page?.isCompleted)
    return outcome(paragraphs(data.text('acceptedConfirmationText') ?? 'Thank you. It is recorded.'));
  if (!canComplete(page)) return undefined;
  const signature = data.text('signatureBoxText');
  return html`<div class="answer">${completionForm(page, label, 'button', signature !== undefined && signatureBox(signature))}${declining(data)}</div>`;
}

/** The field has no name, so that no browser sends what is typed into it. */
const signatureBox = (label: string) =>
  html`<p class="signature"><label>${label}<input type="text" required autocomplete="name" maxlength="200" data-signature></label><small>Typing your name is your signature. We record that you agreed, and when; the name you type is neither sent nor kept.</small></p>`;

function declining(data: BlockData) {
  const label = data.text('disagreeText');
  if (label === undefined) return undefined;
  const answer = data.text('declinedConfirmationText') ?? 'All right. Nothing changes.';
  return html`<details class="declining"><summary>${label}</summary><div class="prose">${paragraphs(answer)}</div></details>`;
}

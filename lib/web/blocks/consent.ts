import { type Child, html, paragraphs } from '../html.ts';
import {
  type BlockContext,
  type BlockData,
  type BlockType,
  canAct,
  type PageContext,
  refusedFieldsOf,
} from './context.ts';
import { completionForm, outcome, outcomeOf } from './forms.ts';
import { documentOf } from './links.ts';
import { headingOf } from './texts.ts';

/** Characters. A longer `agreementText` is shown above the button, and not as its label. */
const longestLabel = 40;

/**
 * Agree or disagree, with a typed name as signature if the block asks for one. Both answers are recorded. Agreeing
 * completes the page. The block can be answered until it is agreed to, also if the page is already completed.
 */
export const agreement: BlockType = (data, context) => {
  const { words } = context;
  const statement = data.text('agreementText');
  // Before a proof of identity there is no button that could show the text.
  const isLabel = statement !== undefined && statement.length <= longestLabel && context.page?.proof === undefined;
  const form =
    canAct(context.page) && consentForm(data, context.page, context, isLabel ? statement : words.text('agree'));
  return html`<section class="consent" aria-label="${data.text('name', 'heading') ?? words.text('agreement')}">${headingOf(data)}${bodyOf(data)}${
    statement !== undefined && !isLabel && html`<div class="statement">${paragraphs(statement)}</div>`
  }${documentOf(data)}${answered(data, context, form)}</section>`;
};

/** A confirmation, with a signature if the block asks for one. */
export const confirmation: BlockType = (data, context) => {
  const { words, page } = context;
  const label = data.text('text', 'label', 'buttonText') ?? words.text('confirm');
  // Viewing completes the page before anything is answered, so such a page still asks.
  const form =
    page?.isCompleted && page.condition !== 'view'
      ? outcome(html`<p>${words.text('page_completed')}</p>`)
      : canAct(page) && consentForm(data, page, context, label);
  return html`<section class="consent" aria-label="${data.text('name', 'heading') ?? words.text('confirmation')}">${headingOf(data)}${bodyOf(data)}${documentOf(data)}${answered(data, context, form)}</section>`;
};

const bodyOf = (data: BlockData) => {
  const body = data.text('body');
  return body !== undefined && html`<div class="prose">${paragraphs(body)}</div>`;
};

/** The message for the latest answer to this block. It never says accepted for an answer that was not. */
function answered(data: BlockData, { words, page, blockId }: BlockContext, form: Child): Child {
  const latest = blockId === undefined ? undefined : page?.answers.get(blockId);
  if (latest?.answer === 'accepted') {
    return outcomeOf(latest, data.text('acceptedConfirmationText') ?? words.text('accepted'), words);
  }
  if (latest?.answer !== 'declined') return form;
  return [outcomeOf(latest, data.text('declinedConfirmationText') ?? words.text('declined'), words), form];
}

function consentForm(data: BlockData, page: PageContext, { words, blockId }: BlockContext, label: string) {
  const signature = data.text('signatureBoxText');
  const typed = refusedFieldsOf(page, blockId)?.typed_name;
  const fields = signature !== undefined && signatureBox(signature, words.text('signature_note'), typed);
  const declining = data.text('disagreeText');
  return html`<div class="answer">${completionForm(page, label, words, { blockId, answer: 'accepted', fields })}${
    declining !== undefined && completionForm(page, declining, words, { look: 'quiet', blockId, answer: 'declined' })
  }</div>`;
}

const signatureBox = (label: string, note: string, typed: string | undefined) =>
  html`<p class="signature"><label>${label}<input type="text" name="typed_name" required pattern=".*\\S.*" autocomplete="name" maxlength="200"${typed !== undefined && html` value="${typed}"`}></label><small>${note}</small></p>`;

import { isSignature } from '../../domain/journeys/answer.ts';
import { isMarked } from '../../domain/journeys/markup.ts';
import { type Child, html, inOrder } from '../html.ts';
import { paragraphs } from '../prose.ts';
import type { Words } from '../words/words.ts';
import {
  type BlockContext,
  type BlockData,
  type BlockType,
  canAct,
  canLackAnswers,
  type PageContext,
  refusedFieldsOf,
} from './context.ts';
import { changeOf, completionForm, fault, faultId, outcome, outcomeOf, refusalOf, typed } from './forms.ts';
import { documentOf } from './links.ts';
import { bodyOf, headingOf } from './texts.ts';

/** Characters. A longer `agreementText` is shown above the button, and not as its label. */
const longestLabel = 40;

/**
 * Agree or disagree, with a typed name as signature if the block asks for one. Both answers are recorded. Agreeing
 * completes the page. The block can be answered until it is agreed to, also if the page is already completed.
 */
export const agreement: BlockType = (data, context) => {
  const { words } = context;
  const before = agreedBefore(context);
  if (before) return before;
  const { statement, label } = statementOf(data, context);
  const form = canAct(context.page) && consentForm(data, context.page, context, label ?? words.text('agree'));
  return html`<section class="consent" aria-label="${data.text('name', 'heading') ?? words.text('agreement')}">${headingOf(data)}${bodyOf(data)}${statement}${documentOf(data)}${answered(data, context, form)}</section>`;
};

/** What the person agrees to: a short text is the label of the button, unless the button has a text of its own. */
function statementOf(data: BlockData, { page, blockId }: BlockContext) {
  const [said, text] = [data.text('agreementText'), data.text('text')];
  // Before a proof of identity and after an answer there is no button that could show the text.
  const isAnswered = blockId !== undefined && page?.answers.get(blockId) !== undefined;
  const canBeLabel = text === undefined && page?.proof === undefined && !isAnswered;
  const isShort = (data.plain('agreementText') ?? '').length <= longestLabel;
  const isLabel = said !== undefined && canBeLabel && isShort && !isMarked(data.prose('agreementText') ?? []);
  const statement = !isLabel && bodyOf(data, 'agreementText', 'statement');
  return { statement, label: isLabel ? said : text };
}

/** The same with a button that has a text of its own. After the page is completed, it no longer asks. */
export const confirmation: BlockType = (data, context) => {
  const { words, page, blockId, isOneOfSeveral = false } = context;
  const before = agreedBefore(context);
  if (before) return before;
  const { statement, label = words.text('confirm') } = statementOf(data, context);
  const isDeclined = blockId !== undefined && page?.answers.get(blockId)?.answer === 'declined';
  const form =
    page && isConfirmed(page, isOneOfSeveral) && !isDeclined
      ? outcome(html`<p>${words.text('page_completed')}</p>`)
      : canAct(page) && consentForm(data, page, context, label);
  return html`<section class="consent" aria-label="${data.text('name', 'heading') ?? words.text('confirmation')}">${headingOf(data)}${bodyOf(data)}${statement}${documentOf(data)}${answered(data, context, form)}</section>`;
};

/** What the person agreed to, if the block has another text now: nobody has accepted that one. */
function agreedBefore({ words, page, blockId }: BlockContext): Child {
  const latest = blockId === undefined ? undefined : page?.answers.get(blockId);
  if (latest?.answer !== 'accepted' || !latest.isOfOtherText) return undefined;
  const text =
    latest.text !== undefined &&
    html`<p class="note">${words.text('accepted_before')}</p><div class="statement">${paragraphs(latest.text)}</div>`;
  return html`<section class="consent" aria-label="${words.text('agreement')}">${text}${outcomeOf(latest, words.text('accepted'), words)}</section>`;
}

/**
 * True if the completed page shows that the confirmation is given. Viewing, or the answer to another block, completes
 * the page before this block is answered, so it still asks.
 */
export const isConfirmed = (page: PageContext, isOneOfSeveral: boolean): boolean =>
  page.isCompleted && page.condition !== 'view' && !isOneOfSeveral;

/** The message for the latest answer to this block. It never says accepted for an answer that was not. */
function answered(data: BlockData, { words, page, blockId, support }: BlockContext, form: Child): Child {
  const latest = blockId === undefined ? undefined : page?.answers.get(blockId);
  if (latest?.answer === 'accepted') {
    return outcomeOf(latest, data.prose('acceptedConfirmationText') ?? words.text('accepted'), words);
  }
  if (latest?.answer !== 'declined') return form;
  return [refusalOf(latest, data.prose('declinedConfirmationText') ?? words.text('declined'), words, support), form];
}

function consentForm(data: BlockData, page: PageContext, { words, blockId, elementId }: BlockContext, label: string) {
  const signature = data.text('signatureBoxText');
  const refused = refusedFieldsOf(page, blockId);
  const given = refused?.typed_name;
  const isMissing = canLackAnswers(page) && refused?.answer === 'accepted' && !isSignature(given);
  const box = signature !== undefined && {
    fields: signatureBox(`${elementId}-name`, signature, words, given, isMissing),
  };
  const accepting = { blockId, answer: 'accepted', ...box, isExplained: box !== false && isMissing } as const;
  if (blockId !== undefined && page.answers.get(blockId)?.answer === 'declined') {
    const form = html`<div class="answer">${completionForm(page, label, words, accepting)}</div>`;
    return changeOf(words.text('change_answer'), form, refused !== undefined);
  }
  const declining = data.text('disagreeText');
  return html`<div class="answer">${completionForm(page, label, words, accepting)}${
    declining !== undefined && completionForm(page, declining, words, { look: 'quiet', blockId, answer: 'declined' })
  }</div>`;
}

function signatureBox(id: string, label: string, words: Words, given: string | undefined, isMissing: boolean) {
  const message = isMissing && fault(id, words.text('signature_required'));
  const invalid = isMissing && html` aria-invalid="true" aria-describedby="${faultId(id)}" autofocus`;
  return html`<p class="signature"><label for="${id}">${inOrder(label)}</label>${message}<input type="text" id="${id}"${typed(words)} name="typed_name" required autocomplete="name" maxlength="200"${given !== undefined && html` value="${given}"`}${invalid}><small>${words.text('signature_note')}</small></p>`;
}

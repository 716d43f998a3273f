import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import { valuePrefix } from '../../domain/response.ts';
import { html, paragraphs } from '../html.ts';
import { type BlockData, type BlockType, canAct } from './context.ts';
import { completionForm, outcome } from './forms.ts';
import { headingOf } from './texts.ts';

/**
 * Questions, whose answers are kept where the page completes by being confirmed or done. Elsewhere there is nowhere to
 * send them to, and the page says so.
 */
export const survey: BlockType = (data, { page, blockId }) => {
  const raw = data.raw('questions');
  const questions = (Array.isArray(raw) ? raw : []).map((each) => questionOf(data, each));
  const isAnswered = blockId !== undefined && page?.answers.has(blockId);
  const done = isAnswered && outcome(paragraphs(data.text('acceptedConfirmationText') ?? 'Thank you.'));
  const label = data.text('text', 'buttonText') ?? 'Done';
  const unkept = html`<p class="note">Your answers stay on this device: they are neither sent nor kept.</p>`;
  const asked = canAct(page) ? completionForm(page, label, { blockId, fields: questions }) : [questions, unkept];
  return html`<section class="survey" aria-label="${data.text('name', 'heading') ?? 'Survey'}">${headingOf(data)}${done || asked}</section>`;
};

function questionOf(data: BlockData, question: JsonValue) {
  const own = data.within(isJsonObject(question) ? question : { text: question });
  const text = own.text('text', 'question', 'label', 'heading');
  if (text === undefined) return undefined;
  const choices = choicesOf(own);
  if (choices.length === 0) {
    return html`<p class="question"><label>${text}<textarea rows="3" name="${valuePrefix}${text}" maxlength="4000"></textarea></label></p>`;
  }
  const options = choices.map(
    (choice) =>
      html`<label class="choice"><input type="radio" name="${valuePrefix}${text}" value="${choice}"><span>${choice}</span></label>`,
  );
  return html`<fieldset class="question"><legend>${text}</legend><div class="choices">${options}</div></fieldset>`;
}

/** More steps than that are no choice any more. */
const longestScale = 11;

function choicesOf(question: BlockData): string[] {
  const scale = question.raw('scale');
  if (Array.isArray(scale)) {
    const [first = 0, last = 0] = scale.map(Number);
    const steps = last - first + 1;
    if (Number.isInteger(first) && steps > 1 && steps <= longestScale) {
      return Array.from({ length: steps }, (_, step) => String(first + step));
    }
  }
  const list = ['options', 'choices', 'answers'].map((name) => question.raw(name)).find(Array.isArray) ?? [];
  return list.flatMap((each) => {
    const choice = question.within(isJsonObject(each) ? each : { text: typeof each === 'number' ? `${each}` : each });
    return choice.text('text', 'label') ?? [];
  });
}

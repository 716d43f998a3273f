import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import { html, paragraphs } from '../html.ts';
import { type BlockData, type BlockType, canComplete } from './context.ts';
import { completionForm, outcome } from './forms.ts';
import { headingOf } from './texts.ts';

/**
 * Questions to think about. The interface has no place for answers, so none is sent, and the page says so; that the
 * person is done is recorded where the page completes by that.
 */
export const survey: BlockType = (data, { page }) => {
  const raw = data.raw('questions');
  const questions = (Array.isArray(raw) ? raw : []).map((each) => questionOf(data, each));
  const note = html`<p class="note">Your answers stay on this device: they are neither sent nor kept.</p>`;
  const done = page?.isCompleted && outcome(paragraphs(data.text('acceptedConfirmationText') ?? 'Thank you.'));
  const label = data.text('text', 'buttonText') ?? 'Done';
  return html`<section class="survey" aria-label="${data.text('name', 'heading') ?? 'Survey'}">${headingOf(data)}${
    done || [questions, note, canComplete(page) && completionForm(page, label)]
  }</section>`;
};

function questionOf(data: BlockData, question: JsonValue) {
  const own = data.within(isJsonObject(question) ? question : { text: question });
  const text = own.text('text', 'question', 'label', 'heading');
  if (text === undefined) return undefined;
  const choices = choicesOf(own);
  if (choices.length === 0) {
    return html`<p class="question"><label>${text}<textarea rows="3"></textarea></label></p>`;
  }
  const options = choices.map(
    (choice) => html`<label class="choice"><input type="radio" name="${text}"><span>${choice}</span></label>`,
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

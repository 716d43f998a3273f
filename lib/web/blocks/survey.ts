import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import { type ShownAnswer, valuePrefix } from '../../domain/response.ts';
import { type Child, html } from '../html.ts';
import type { Words } from '../words/words.ts';
import { type BlockData, type BlockType, canAct, refusedFieldsOf } from './context.ts';
import { completionForm, outcomeOf } from './forms.ts';
import { headingOf } from './texts.ts';

/**
 * A list of questions. The answers are stored if the page has the condition `view`, `confirm` or `action`. Otherwise
 * they cannot be sent, and the page says so. Stored answers are shown, and a new answer can be given.
 */
export const survey: BlockType = (data, { words, page, blockId }) => {
  const raw = data.raw('questions');
  const given = blockId === undefined ? undefined : page?.answers.get(blockId);
  const refused = refusedFieldsOf(page, blockId);
  const values = refused ? valuesIn(refused) : new Map(given?.values?.map(({ question, value }) => [question, value]));
  const questions = (Array.isArray(raw) ? raw : []).map((each) => questionOf(data, each, { words, values }));
  const label = data.text('text', 'buttonText') ?? words.text('survey_submit');
  const unkept = html`<p class="note">${words.text('survey_not_kept')}</p>`;
  const asked = canAct(page) ? completionForm(page, label, words, { blockId, fields: questions }) : [questions, unkept];
  const thanks = data.text('acceptedConfirmationText') ?? words.text('survey_thanks');
  const shown = given
    ? [outcomeOf(given, thanks, words), answersOf(given), again(words, asked, refused !== undefined)]
    : asked;
  return html`<section class="survey" aria-label="${data.text('name', 'heading') ?? words.text('survey')}">${headingOf(data)}${shown}</section>`;
};

/** What was answered, as it was answered. */
const answersOf = ({ values = [] }: ShownAnswer) =>
  values.length > 0 &&
  html`<dl class="given">${values.map(({ question, value }) => html`<div><dt>${question}</dt><dd>${value}</dd></div>`)}</dl>`;

const valuesIn = (fields: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(fields).flatMap(([name, value]) =>
      name.startsWith(valuePrefix) ? [[name.slice(valuePrefix.length), value]] : [],
    ),
  );

const again = (words: Words, form: Child, isOpen: boolean) =>
  html`<details${isOpen && html` open`}><summary>${words.text('survey_change')}</summary>${form}</details>`;

type Asked = { words: Words /** The stored answers by question. */; values: ReadonlyMap<string, string> };

function questionOf(data: BlockData, question: JsonValue, { words, values }: Asked) {
  const own = data.within(isJsonObject(question) ? question : { text: question });
  const text = own.text('text', 'question', 'label', 'heading');
  if (text === undefined) return undefined;
  const choices = choicesOf(own, words);
  const given = values.get(text);
  if (choices.length === 0) {
    return html`<p class="question"><label>${text}<textarea rows="3" name="${valuePrefix}${text}" maxlength="4000">${given}</textarea></label></p>`;
  }
  const options = choices.map(
    ({ value, label }) =>
      html`<label class="choice"><input type="radio" name="${valuePrefix}${text}" value="${value}"${value === given && html` checked`}><span>${label}</span></label>`,
  );
  return html`<fieldset class="question"><legend>${text}</legend><div class="choices">${options}</div></fieldset>`;
}

/** A scale with more steps is not shown as choices. */
const longestScale = 11;

/** The value of a choice is stored, its label is shown. */
type Choice = { value: string; label: string };

function choicesOf(question: BlockData, words: Words): Choice[] {
  const scale = question.raw('scale');
  if (Array.isArray(scale)) {
    const [first = 0, last = 0] = scale.map(Number);
    const steps = last - first + 1;
    if (Number.isInteger(first) && steps > 1 && steps <= longestScale) {
      return Array.from({ length: steps }, (_, step) => ({
        value: String(first + step),
        label: words.number(first + step),
      }));
    }
  }
  const list = ['options', 'choices', 'answers'].map((name) => question.raw(name)).find(Array.isArray) ?? [];
  return list.flatMap((each) => {
    const choice = question.within(isJsonObject(each) ? each : { text: typeof each === 'number' ? `${each}` : each });
    const label = choice.text('text', 'label');
    return label === undefined ? [] : [{ value: label, label }];
  });
}

import { option, question as questionShape } from '../../domain/content/block-types.ts';
import { isolated } from '../../domain/direction.ts';
import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import type { ShownAnswer } from '../../domain/response.ts';
import { uniqueNames, valuePrefix } from '../../domain/survey.ts';
import { html, inOrder } from '../html.ts';
import type { Words } from '../words/words.ts';
import { type BlockData, type BlockType, canAct, refusedFieldsOf } from './context.ts';
import { changeOf, completionForm, outcomeOf } from './forms.ts';
import { headingOf } from './texts.ts';

/**
 * A list of questions. The answers are stored if the page has the condition `view`, `confirm` or `action`. Otherwise
 * they cannot be sent, and the page says so. Stored answers are shown, and a new answer can be given.
 */
export const survey: BlockType = (data, { words, page, blockId }) => {
  const given = blockId === undefined ? undefined : page?.answers.get(blockId);
  const refused = refusedFieldsOf(page, blockId);
  const values = refused ? valuesIn(refused) : new Map(given?.values?.map(({ question, value }) => [question, value]));
  const nameOf = uniqueNames();
  const questions = data
    .list('questions')
    .map((each) => questionOf(data, each, { words, values, nameOf, isRefused: refused !== undefined }));
  const label = data.text('text') ?? words.text('survey_submit');
  const unkept = html`<p class="note">${words.text('survey_not_kept')}</p>`;
  const asked = canAct(page) ? completionForm(page, label, words, { blockId, fields: questions }) : [questions, unkept];
  const thanks = data.text('acceptedConfirmationText') ?? words.text('survey_thanks');
  const shown = given
    ? [
        outcomeOf(given, thanks, words),
        answersOf(given, words),
        changeOf(words.text('survey_change'), asked, refused !== undefined),
      ]
    : asked;
  return html`<section class="survey" aria-label="${data.text('name', 'heading') ?? words.text('survey')}">${headingOf(data)}${shown}</section>`;
};

/** What was answered, as it was answered. */
const answersOf = ({ values = [] }: ShownAnswer, { direction }: Words) =>
  values.length > 0 &&
  html`<dl class="given">${values.map(({ question, value }) => html`<div><dt>${inOrder(question)}</dt><dd>${inOrder(isolated(value, direction))}</dd></div>`)}</dl>`;

const valuesIn = (fields: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(fields).flatMap(([name, value]) =>
      name.startsWith(valuePrefix) ? [[name.slice(valuePrefix.length), value]] : [],
    ),
  );

type Asked = {
  words: Words;
  /** The stored answers by the name of the question. */
  values: ReadonlyMap<string, string>;
  /** Gives the text of a question a name that no other question of the survey has. */
  nameOf(text: string): string;
  /** True if the values were sent and could not be recorded. */
  isRefused: boolean;
};

function questionOf(data: BlockData, question: JsonValue, { words, values, nameOf, isRefused }: Asked) {
  const own = data.within(isJsonObject(question) ? question : { text: question }, questionShape.fields);
  const text = own.text('text');
  if (text === undefined) return undefined;
  const choices = choicesOf(own, words);
  const name = nameOf(own.plain('text')!);
  const given = values.get(name);
  const isRequired = own.raw('required') === true;
  const required = isRequired && html` required`;
  // Screen readers announce the attribute instead.
  const star = isRequired && html`<span aria-hidden="true">\u00a0*</span>`;
  const told = isRequired && html` data-missing="${words.text('survey_required')}"`;
  const isMissing = isRefused && isRequired && (given ?? '').trim() === '';
  const missing = isMissing && html`<span class="unanswered">${words.text('survey_required')}</span>`;
  if (choices.length === 0) {
    return html`<p class="question"${told}><label>${inOrder(text)}${star}${missing}<textarea rows="3" name="${valuePrefix}${name}"${required} maxlength="4000">${given}</textarea></label></p>`;
  }
  const options = choices.map(
    ({ value, label }) =>
      html`<label class="choice"><input type="radio" name="${valuePrefix}${name}"${required} value="${value}"${value === given && html` checked`}><span>${inOrder(label)}</span></label>`,
  );
  return html`<fieldset class="question"${told}><legend>${inOrder(text)}${star}${missing}</legend><div class="choices">${options}</div></fieldset>`;
}

/** A scale with more steps is not shown as choices. */
const longestScale = 11;

/** The numbers of a scale from the lowest to the highest. Undefined if the value is no scale. */
export function scaleOf(value: JsonValue | undefined): number[] | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [first = 0, last = 0] = value.map(Number);
  const steps = last - first + 1;
  const isScale = Number.isInteger(first) && Number.isInteger(last) && steps > 1 && steps <= longestScale;
  return isScale ? Array.from({ length: steps }, (_, step) => first + step) : undefined;
}

/** The value of a choice is stored, its label is shown. */
type Choice = { value: string; label: string };

function choicesOf(question: BlockData, words: Words): Choice[] {
  const scale = scaleOf(question.raw('scale'));
  if (scale) return scale.map((step) => ({ value: String(step), label: words.number(step) }));
  return question.list('options').flatMap((each) => {
    const own = isJsonObject(each) ? each : { text: typeof each === 'number' ? `${each}` : each };
    const shown = question.within(own, option.fields);
    const label = shown.text('text');
    return label === undefined ? [] : [{ value: shown.plain('text')!, label }];
  });
}

import { option, question as questionShape } from '../../domain/campaigns/block-types.ts';
import type { ShownAnswer } from '../../domain/journeys/answer.ts';
import {
  fieldOf,
  isTyped,
  isWithin,
  optionKeyAt,
  optionText,
  questionKeyAt,
  questionOfField,
  type Several,
  scaleOf,
  severalOf,
  typeOf,
  uniqueNames,
} from '../../domain/journeys/survey.ts';
import { pathOfNamedFile } from '../../domain/teams/team-file.ts';
import { isolated } from '../../domain/values/direction.ts';
import { isBlank } from '../../domain/values/fields.ts';
import { isJsonObject } from '../../domain/values/json.ts';
import { type Child, type Html, html, inOrder } from '../html.ts';
import type { Words } from '../words/words.ts';
import {
  type BlockContext,
  type BlockData,
  type BlockType,
  canAct,
  canLackAnswers,
  refusedFieldsOf,
} from './context.ts';
import { changeOf, completionForm, fault, faultId, outcomeOf, typed } from './forms.ts';
import { headingOf } from './texts.ts';

/**
 * A list of questions. The answers are stored if the page has the condition `view`, `confirm` or `action`. Otherwise
 * they cannot be sent, and the page says so. Stored answers are shown, and a new answer can be given.
 */
export const survey: BlockType = (data, context) => {
  const { words, page, blockId } = context;
  const given = blockId === undefined ? undefined : page?.answers.get(blockId);
  const refused = refusedFieldsOf(page, blockId);
  const questions = questionsIn(data, context);
  const missing = questions.filter(({ isMissing }) => isMissing);
  const fields = [missing.length > 1 && summary(missing, words), questions.map((each) => field(each, missing, words))];
  const label = data.text('text') ?? words.text('survey_submit');
  const unkept = html`<p class="note">${words.text('survey_not_kept')}</p>`;
  const options = { blockId, fields, isExplained: missing.length > 0 };
  const asked = canAct(page) ? completionForm(page, label, words, options) : [fields, unkept];
  const thanks = data.prose('acceptedConfirmationText') ?? words.text('survey_thanks');
  const shown = given
    ? [
        outcomeOf(given, thanks, words),
        answersOf(given, words),
        changeOf(words.text('survey_change'), asked, refused !== undefined),
      ]
    : asked;
  return html`<section class="survey" aria-label="${data.text('name', 'heading') ?? words.text('survey')}">${headingOf(data)}${shown}</section>`;
};

/** What was answered, as it was answered. Dates are in the form of the language. */
export const answersOf = ({ values = [] }: ShownAnswer, words: Words) =>
  values.length > 0 &&
  html`<dl class="given">${[...Map.groupBy(values, ({ question }) => question)].map(([question, given]) => html`<div><dt>${inOrder(question)}</dt>${given.map(({ value }) => html`<dd>${inOrder(valueShown(value, words))}</dd>`)}</div>`)}</dl>`;

const valueShown = (value: string, words: Words): string =>
  isolated(isTyped('date', value) ? words.date(value.trim()) : value, words.direction);

/** An answer of a form that was refused, which has no keys, or a stored one. */
type Given = { question: string | null; value: string; key?: string | undefined; option_key?: string | undefined };

const valuesIn = (fields: Readonly<Record<string, string>>): Given[] =>
  Object.entries(fields).map(([name, value]) => ({ question: questionOfField(name) ?? null, value }));

/** A question as it is asked. */
type Question = {
  /** Id of its first input. */
  id: string;
  /** Its name among the questions. */
  name: string;
  text: string;
  isRequired: boolean;
  several: Several | undefined;
  type: 'number' | 'date' | undefined;
  /** The answers that are shown in the form. */
  given: readonly string[];
  /** True if the form was sent without the required answer, with too few or too many, or with one that is no such. */
  isMissing: boolean;
  /** None if the person types a text. */
  choices: readonly (Choice & { isGiven: boolean })[];
  isScale: boolean;
  /** What the ends of the scale mean. */
  ends: readonly End[];
};

function questionsIn(data: BlockData, { words, page, blockId, elementId }: BlockContext): Question[] {
  const refused = refusedFieldsOf(page, blockId);
  const stored = blockId === undefined ? undefined : page?.answers.get(blockId)?.values;
  const values: readonly Given[] = refused ? valuesIn(refused) : (stored ?? []);
  const nameOf = uniqueNames();
  return data.list('questions').flatMap((each, at) => {
    const own = data.within(isJsonObject(each) ? each : { text: each }, questionShape.fields);
    const text = own.text('text');
    if (text === undefined) return [];
    const name = nameOf(own.plain('text')!);
    const key = questionKeyAt(each, at);
    const answers = values.filter((value) => (value.key === undefined ? value.question === name : value.key === key));
    const given = answers.map(({ value }) => value);
    const isRequired = own.raw('required') === true;
    const several = severalOf(each);
    const isAnswered = given.some((value) => !isBlank(value));
    const type = typeOf(each);
    const isFitting = several ? isWithin(several, given.length) : !type || isTyped(type, given[0] ?? '');
    const isWrong = isAnswered ? !isFitting : isRequired;
    const isMissing = isWrong && refused !== undefined && canLackAnswers(page);
    const names = { id: `${elementId}-${at + 1}`, name };
    const scale = scaleOf(own.raw('scale'));
    const choices = choicesOf(own, scale, words, answers);
    const ends = scale ? endsOf(scale, own, words) : [];
    const kind = { several, type, isScale: scale !== undefined };
    return [{ ...names, ...kind, text, isRequired, given, isMissing, choices, ends }];
  });
}

/** Takes the focus, so that screen readers read it first. Its links lead to the questions. */
const summary = (missing: readonly Question[], words: Words): Html =>
  html`<div class="faults" role="alert" tabindex="-1" autofocus><h2>${words.text('survey_required_several')}</h2><ul>${missing.map(({ id, text }) => html`<li><a href="#${id}" target="_self">${inOrder(text)}</a></li>`)}</ul></div>`;

function field(question: Question, missing: readonly Question[], words: Words): Html {
  const { id, name, text, isRequired, several, type, given, isMissing, choices, isScale, ends } = question;
  const required = isRequired && html` required`;
  // Screen readers announce the attribute instead.
  const label = html`${inOrder(text)}${isRequired && html`<span aria-hidden="true">\u00a0*</span>`}`;
  const range = several && rangeOf(several, choices.length, words);
  const message = isMissing && fault(id, range ?? faultOf(question, words));
  const hint = range !== undefined && !isMissing && html`<p class="note" id="${endsId(id)}">${range}</p>`;
  const described = [...(ends.length > 0 || hint ? [endsId(id)] : []), ...(isMissing ? [faultId(id)] : [])].join(' ');
  const state = html`${isMissing && html` aria-invalid="true"`}${described !== '' && html` aria-describedby="${described}"`}`;
  const focus = isMissing && missing.length === 1 && html` autofocus`;
  if (choices.length === 0 && type !== undefined) {
    const decimal = type === 'number' && html` step="any" inputmode="decimal"`;
    return html`<p class="question"><label for="${id}">${label}</label>${message}<input type="${type}" id="${id}"${decimal} name="${fieldOf(name)}"${required} value="${given[0] ?? ''}"${state}${focus}></p>`;
  }
  if (choices.length === 0) {
    return html`<p class="question"><label for="${id}">${label}</label>${message}<textarea id="${id}"${typed(words)} rows="3" name="${fieldOf(name)}"${required} maxlength="4000"${state}${focus}>${given[0]}</textarea></p>`;
  }
  const options = choices.map(
    ({ value, label: shown, image, isGiven }, at) =>
      html`<label class="choice"><input type="${several ? 'checkbox' : 'radio'}"${at === 0 && html` id="${id}"${focus}`} name="${fieldOf(name, several && at)}"${!several && required} value="${value}"${isGiven && html` checked`}><span>${image}${inOrder(shown)}</span></label>`,
  );
  const shown = isScale
    ? html`<div class="scaled"><div class="scale of${choices.length}">${options}</div>${endsRow(ends, id)}</div>`
    : html`<div class="choices${choices.some(({ image }) => image) && ' pictures'}">${options}</div>`;
  return html`<fieldset class="question" role="${several ? 'group' : 'radiogroup'}"${state}><legend>${label}</legend>${message}${hint}${shown}</fieldset>`;
}

/** How many options can be chosen. `undefined` if the marks of the options say it all. */
function rangeOf({ min, max }: Several, offered: number, words: Words): string | undefined {
  if (min === max) return words.text('survey_several_exactly', { count: words.number(min) });
  if (min === 1 && max === offered) return undefined;
  if (min === 1) return words.text('survey_several_most', { max: words.number(max) });
  return words.text('survey_several', { min: words.number(min), max: words.number(max) });
}

const faultOf = ({ type, given }: Question, words: Words): string => {
  if (type === undefined || isBlank(given[0])) return words.text('survey_required');
  if (type === 'date') return words.text('survey_wrong_date');
  // The form takes a point, whatever the language writes.
  return words.text('survey_wrong_number', { example: '12.5' });
};

const endsId = (id: string): string => `${id}-ends`;

/** With the numbers, because a narrow screen shows the scale in several rows. Screen readers read it with the question. */
const endsRow = (ends: readonly End[], id: string) =>
  ends.length > 0 &&
  html`<p class="ends" id="${endsId(id)}">${ends.map(
    ({ number, text, isHighest }, at) =>
      html`${at > 0 && html`<span class="unseen">, </span>`}<span${isHighest && html` class="highest"`}><b>${number}</b> ${inOrder(text)}</span>`,
  )}</p>`;

/** The value of a choice is stored, its label is shown. The key is the same in every language. */
type Choice = { key: string; value: string; label: string; image?: Child };

const choicesOf = (question: BlockData, scale: number[] | undefined, words: Words, answers: readonly Given[]) =>
  (scale ? stepsOf(scale, words) : optionsOf(question)).map((choice) => {
    return { ...choice, isGiven: answers.some((answer) => isChosen(choice, answer)) };
  });

const isChosen = ({ key, value }: Choice, answer: Given): boolean =>
  answer.option_key === undefined ? answer.value === value : answer.option_key === key;

const stepsOf = (scale: readonly number[], words: Words): Choice[] =>
  scale.map((step) => ({ key: String(step), value: String(step), label: words.number(step) }));

const optionsOf = (question: BlockData): Choice[] =>
  question.list('options').flatMap((each, at) => {
    const own = isJsonObject(each) ? each : {};
    const shown = question.within({ ...own, text: optionText(each) ?? null }, option.fields);
    const label = shown.text('text');
    return label === undefined
      ? []
      : [{ key: optionKeyAt(each, at), value: shown.plain('text')!, label, image: pictureOf(shown) }];
  });

/** The image of an option, as an image of the team. The text beside it describes it, unless the campaign does. */
function pictureOf(shown: BlockData): Child {
  const source = pathOfNamedFile(shown.raw('image'));
  return source !== undefined && html`<img src="${source}" alt="${shown.text('altText') ?? ''}">`;
}

type End = { number: string; text: string; isHighest: boolean };

const endsOf = (scale: readonly number[], question: BlockData, words: Words): End[] =>
  (['lowestText', 'highestText'] as const).flatMap((name) => {
    const text = question.text(name);
    const isHighest = name === 'highestText';
    return text === undefined ? [] : [{ number: words.number(scale.at(isHighest ? -1 : 0)!), text, isHighest }];
  });

import type { Page, TemplatePage } from '../../domain/campaigns/page.ts';
import { journeyPath } from '../../domain/journeys/journey.ts';
import { type Child, html } from '../html.ts';
import type { Words } from '../words/words.ts';
import type { JourneyPageInput } from './input.ts';

type StepsInput = Pick<JourneyPageInput, 'journey' | 'pages' | 'shown' | 'analytics' | 'refused' | 'answers'>;

/**
 * The number of each step by page id. Only pages with a condition are steps that can be completed, so only they have a
 * number.
 */
function numbersOf(pages: readonly TemplatePage[]): ReadonlyMap<string, number> {
  const conditional = pages.filter(({ page }) => page.completion_condition !== null);
  return new Map((conditional.length === 0 ? pages : conditional).map(({ page }, at) => [page.id, at + 1]));
}

/** The list of steps, with the navigation titles of the pages. On small screens it opens below the name of the current step. */
export function steps(input: StepsInput, words: Words) {
  const { pages, shown, analytics } = input;
  if (pages.length < 2) return undefined;
  const numbers = numbersOf(pages);
  const items = pages.map((each) => {
    const number = numbers.get(each.page.id);
    const isDone = analytics.pages_completed.includes(each.page.id);
    return html`<li><a href="${base(input)}${addressOf(each)}"${isDone && html` class="done"`}${
      each === shown && html` aria-current="step"`
    }><i aria-hidden="true">${isDone && each !== shown ? '' : number === undefined ? '•' : words.number(number)}</i><span>${nameOf(each.page, words)}${isDone && html`<span class="unseen"> ${words.text('step_completed')}</span>`}</span></a></li>`;
  });
  return html`<nav class="steps" aria-label="${words.text('steps')}"><details><summary>${currentStep(shown, numbers, words)}</summary><ol>${items}</ol></details></nav>`;
}

function currentStep({ page }: TemplatePage, numbers: ReadonlyMap<string, number>, words: Words): Child {
  const at = numbers.get(page.id);
  const title = nameOf(page, words);
  const counted = { at: words.number(at ?? 0), count: words.number(numbers.size), title };
  return html`<span>${at === undefined ? title : words.text('step_at', counted)}</span>`;
}

function around({ pages, shown, analytics }: StepsInput) {
  const at = pages.indexOf(shown);
  const [before, after] = [pages[at - 1], pages[at + 1]];
  return { before, after, ends: !after && analytics.is_completed };
}

/** True if the page has a link to the next page or to the ending. */
export function leadsOn(input: StepsInput): boolean {
  const { after, ends } = around(input);
  return after !== undefined || ends;
}

/** True if the person has to do something on the page before it is completed, and has not declined it. */
export const asksFirst = ({ shown: { page }, analytics, answers }: StepsInput): boolean =>
  page.completion_condition !== null &&
  page.completion_condition !== 'view' &&
  !analytics.pages_completed.includes(page.id) &&
  !answers.some((each) => each.page_id === page.id && each.answer === 'declined');

/**
 * Links to the previous and the next page. After the last page of a completed journey, a link to its ending.
 * @param isAsking true if the page has a form to answer first, so that its button is the primary one
 */
export function onward(input: StepsInput, words: Words, isAsking: boolean) {
  const { before, after, ends } = around(input);
  if (!before && !after && !ends) return undefined;
  const isSkipping = isAsking || asksFirst(input);
  const look = isSkipping ? 'plain' : 'button';
  const label = after && (isSkipping ? words.text('skip') : words.text('next', { title: nameOf(after.page, words) }));
  const next = after && html`<a class="${look} next" rel="next" href="${base(input)}${addressOf(after)}">${label}</a>`;
  const last =
    ends && html`<a class="${look} next" rel="next" href="${base(input)}?page=ending">${words.text('finish')}</a>`;
  const back =
    before && html`<a class="plain" rel="prev" href="${base(input)}${addressOf(before)}">${words.text('back')}</a>`;
  // The primary button comes first. Where there is none, the links are in the order of the pages.
  return html`<div class="onward">${isSkipping ? [back, next, last] : [next, last, back]}</div>`;
}

/** A page that answers a form has the URL to which the form was sent. Elsewhere the query is enough. */
const base = ({ journey, refused }: StepsInput): string => (refused ? journeyPath(journey.slug) : '');

export const addressOf = ({ page }: TemplatePage): string => `?page=${page.id}`;

export const nameOf = ({ navigation_title, content_name }: Page, words: Words): string =>
  navigation_title ?? content_name ?? words.text('step_untitled');

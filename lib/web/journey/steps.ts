import type { Page, TemplatePage } from '../../domain/content/page.ts';
import { html } from '../html.ts';
import type { Words } from '../words/words.ts';
import type { JourneyPageInput } from './input.ts';

/** The list of steps, with the navigation titles of the pages. */
export function steps({ pages, shown, analytics }: JourneyPageInput, words: Words) {
  if (pages.length < 2) return undefined;
  const items = pages.map((each) => {
    const isDone = analytics.pages_completed.includes(each.page.id);
    return html`<li><a href="${addressOf(each)}"${isDone && html` class="done"`}${
      each === shown && html` aria-current="step"`
    }><span>${nameOf(each.page, words)}${isDone && html`<span class="unseen"> ${words.text('step_completed')}</span>`}</span></a></li>`;
  });
  return html`<nav class="steps" aria-label="${words.text('steps')}"><ol>${items}</ol></nav>`;
}

/** Links to the previous and the next page. */
export function onward({ pages, shown, analytics }: JourneyPageInput, words: Words) {
  const at = pages.indexOf(shown);
  const [before, after] = [pages[at - 1], pages[at + 1]];
  if (!before && !after) return undefined;
  const { id, completion_condition: condition } = shown.page;
  const asksFirst = condition !== null && condition !== 'view' && !analytics.pages_completed.includes(id);
  return html`<div class="onward">${before && html`<a class="quiet" rel="prev" href="${addressOf(before)}">${words.text('back')}</a>`}${
    after &&
    html`<a class="${asksFirst ? 'quiet' : 'button'} next" rel="next" href="${addressOf(after)}">${words.text('next', { title: nameOf(after.page, words) })}</a>`
  }</div>`;
}

const addressOf = ({ page }: TemplatePage): string => `?page=${page.id}`;

const nameOf = ({ navigation_title, content_name }: Page, words: Words): string =>
  navigation_title ?? content_name ?? words.text('step_untitled');

import type { Page, TemplatePage } from '../../domain/content/page.ts';
import { html } from '../html.ts';
import type { JourneyPageInput } from './input.ts';

/** The way from page to page, by the titles that are meant for it. */
export function steps({ pages, shown, analytics }: JourneyPageInput) {
  if (pages.length < 2) return undefined;
  const items = pages.map((each) => {
    const isDone = analytics.pages_completed.includes(each.page.id);
    return html`<li><a href="${addressOf(each)}"${isDone && html` class="done"`}${
      each === shown && html` aria-current="step"`
    }><span>${nameOf(each.page)}${isDone && html`<span class="unseen"> (completed)</span>`}</span></a></li>`;
  });
  return html`<nav class="steps" aria-label="Steps"><ol>${items}</ol></nav>`;
}

/** To the pages before and after. */
export function onward({ pages, shown, analytics }: JourneyPageInput) {
  const at = pages.indexOf(shown);
  const [before, after] = [pages[at - 1], pages[at + 1]];
  if (!before && !after) return undefined;
  const { id, completion_condition: condition } = shown.page;
  const asksFirst = condition !== null && condition !== 'view' && !analytics.pages_completed.includes(id);
  return html`<div class="onward">${before && html`<a class="quiet" rel="prev" href="${addressOf(before)}">Back</a>`}${
    after &&
    html`<a class="${asksFirst ? 'quiet' : 'button'} next" rel="next" href="${addressOf(after)}">Next: ${nameOf(after.page)}</a>`
  }</div>`;
}

const addressOf = ({ page }: TemplatePage): string => `?page=${page.id}`;

const nameOf = ({ navigation_title, content_name }: Page): string => navigation_title ?? content_name ?? 'Untitled';

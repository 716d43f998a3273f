import { html } from '../html.ts';
import type { Words } from '../words/words.ts';

/** How many of the pages with a condition are completed. */
export type Progress = { done: number; of: number; isCompleted: boolean };

export function progressBar({ done, of, isCompleted }: Progress, words: Words) {
  if (of === 0) return undefined;
  const percent = isCompleted ? 100 : Math.round((100 * done) / of);
  const told = isCompleted ? words.text('progress_all') : words.plural('progress', of, { done: words.number(done) });
  return html`<svg class="progress" viewBox="0 0 100 1" preserveAspectRatio="none" role="img" aria-label="${told}"><rect width="${percent}" height="1"/></svg>`;
}

import { html } from '../html.ts';
import type { Words } from '../words/words.ts';

/** How many of the pages with a condition are completed. */
export type Progress = { done: number; of: number; isCompleted: boolean };

/** The circumference is 100, so that the length of a dash is a percentage. */
const radius = 15.915;

export function progressRing({ done, of, isCompleted }: Progress, words: Words) {
  if (of === 0) return undefined;
  const percent = isCompleted ? 100 : Math.round((100 * done) / of);
  const counted = { done: words.number(done) };
  const told = isCompleted ? words.text('progress_all') : words.plural('progress', of, counted);
  const short = isCompleted ? words.text('progress_all_short') : words.plural('progress_short', of, counted);
  const arc =
    percent > 0 &&
    html`<circle class="arc" cx="18" cy="18" r="${radius}" stroke-dasharray="${percent} 100" transform="rotate(-90 18 18)"/>`;
  return html`<div class="progress"><svg class="ring" viewBox="0 0 36 36" role="img" aria-label="${told}"><circle class="track" cx="18" cy="18" r="${radius}"/>${arc}<text x="18" y="18.5" text-anchor="middle" dominant-baseline="middle">${isCompleted ? '✓' : words.percent(percent / 100)}</text></svg><span class="words" aria-hidden="true">${short}</span></div>`;
}

import { html } from '../html.ts';

/** How many of the pages that can be completed are. */
export type Progress = { done: number; of: number; isCompleted: boolean };

/** A circumference of 100, so that dashes are percents. */
const radius = 15.915;

export function progressRing({ done, of, isCompleted }: Progress) {
  if (of === 0) return undefined;
  const percent = isCompleted ? 100 : Math.round((100 * done) / of);
  const words = isCompleted ? 'All steps completed' : `${done} of ${of} steps completed`;
  const arc =
    percent > 0 &&
    html`<circle class="arc" cx="18" cy="18" r="${radius}" stroke-dasharray="${percent} 100" transform="rotate(-90 18 18)"/>`;
  return html`<div class="progress"><svg class="ring" viewBox="0 0 36 36" role="img" aria-label="${words}"><circle class="track" cx="18" cy="18" r="${radius}"/>${arc}<text x="18" y="18.5" text-anchor="middle" dominant-baseline="middle">${isCompleted ? '✓' : `${done}/${of}`}</text></svg><span class="words" aria-hidden="true"><b>${percent} %</b>${isCompleted ? 'completed' : `${done} of ${of} steps`}</span></div>`;
}

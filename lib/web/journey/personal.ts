import { journeyPath } from '../../domain/journeys/journey.ts';
import { type Child, html } from '../html.ts';
import type { Words } from '../words/words.ts';
import type { JourneyPageInput } from './input.ts';

/**
 * For a page with private values or answers: a link to the identity check, or a button that removes the proof.
 * @param isOffered true if the link is in the place of a form of the page
 */
export function personalBar(
  { journey, shown, identityNeed, isIdentityValidated }: JourneyPageInput,
  words: Words,
  isOffered: boolean,
): Child {
  if (identityNeed === undefined) return undefined;
  const { id } = shown.page;
  if (!isIdentityValidated) {
    if (isOffered) return undefined;
    return html`<aside class="personal" aria-label="${words.text('personal')}"><p>${words.text('personal_hidden')}</p><a class="quiet" href="${proofUrl({ journey, shown })}">${words.text('personal_show')}</a></aside>`;
  }
  return html`<aside class="personal shown" aria-label="${words.text('personal')}"><p>${words.text('personal_shown')}</p><form method="post" action="${journeyPath(journey.slug)}/identity"><input type="hidden" name="page" value="${id}"><input type="hidden" name="forget" value="yes"><button class="quiet">${words.text('personal_hide')}</button></form></aside>`;
}

/** URL of the identity check, which leads back to the shown page. */
export const proofUrl = ({ journey, shown }: Pick<JourneyPageInput, 'journey' | 'shown'>): string =>
  `${journeyPath(journey.slug)}/identity?page=${shown.page.id}`;

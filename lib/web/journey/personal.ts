import { journeyPath } from '../../domain/journey.ts';
import { type Child, html } from '../html.ts';
import type { JourneyPageInput } from './input.ts';

/** On a page that has something to show only to its contact: the way to that, or away from it again. */
export function personalBar({ journey, shown, identityNeed, isIdentityValidated }: JourneyPageInput): Child {
  if (identityNeed === undefined) return undefined;
  const { id } = shown.page;
  if (!isIdentityValidated) {
    return html`<aside class="personal" aria-label="Personal details"><p>Some of this page is meant for you alone, and left out until you confirm that it is you.</p><a class="quiet" href="${journeyPath(journey.slug)}/identity?page=${id}">Confirm that it is you</a></aside>`;
  }
  return html`<aside class="personal" aria-label="Personal details"><p>You have confirmed that it is you. Personal details are shown for half an hour.</p><form method="post" action="${journeyPath(journey.slug)}/identity"><input type="hidden" name="page" value="${id}"><input type="hidden" name="forget" value="yes"><button class="quiet">Hide them now</button></form></aside>`;
}

import { fill, namesAccount, namesPrivateData } from '../../domain/journeys/placeholders.ts';
import { isJsonObject } from '../../domain/values/json.ts';
import { type Child, html, inOrder } from '../html.ts';
import type { Words } from '../words/words.ts';
import type { JourneyPageInput } from './input.ts';
import { addressOf, nameOf } from './steps.ts';
import { valuesOf } from './values.ts';

/** After an answer that led on: what was saved, and a link back. It takes the focus, so that screen readers read it. */
export function saved(input: JourneyPageInput, words: Words): Child {
  const { answered, refused } = input;
  if (!answered || refused) return undefined;
  const message = messageOf(answered);
  const variables = answered.content_variables ?? {};
  // The page that follows withholds private values, and reads an account, only if its own texts have them.
  const isShown =
    message !== undefined && ![namesPrivateData, namesAccount].some((names) => names([message], variables));
  const own = isShown ? fill(message, valuesOf({ ...input, shown: answered }, words.direction)) : undefined;
  const said = own ?? words.text('saved', { title: nameOf(answered.page, words) });
  return html`<p class="saved" role="status" tabindex="-1" autofocus><span>${inOrder(said)}</span> <a href="${addressOf(answered)}">${words.text('saved_change')}</a></p>`;
}

/** The campaign's text on the answer, or on the completion of the page. */
function messageOf({ page, answer }: NonNullable<JourneyPageInput['answered']>): string | undefined {
  const { data } = page.content_blocks.find(({ id }) => id === answer?.block_id) ?? {};
  const name = answer?.answer === 'declined' ? 'declinedConfirmationText' : 'acceptedConfirmationText';
  const own = isJsonObject(data) ? data[name] : undefined;
  return typeof own === 'string' ? own : (page.completion_message ?? undefined);
}

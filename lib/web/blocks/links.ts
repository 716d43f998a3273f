import type { Values } from '../../domain/journeys/placeholders.ts';
import { html, inOrder } from '../html.ts';
import { link, safeUrl } from '../links.ts';
import type { Words } from '../words/words.ts';
import {
  type BlockContext,
  type BlockData,
  type BlockType,
  type CallPlace,
  canComplete,
  type PageContext,
} from './context.ts';
import { completionForm } from './forms.ts';
import { bodyOf, headingOf } from './texts.ts';

/**
 * A call to action. On a page with the condition `action`, following the link or pressing "done" completes it. If a
 * page has several, the first is its primary button, and the last has the one "done" button of all. A link that does not
 * complete the page is not primary if the page has another primary button.
 */
export const callToAction: BlockType = (data, context) => {
  const { words, page, values, calls = alone } = context;
  const label = data.text('text', 'name');
  if (label === undefined) return undefined;
  const address = data.address('url');
  return callOf(label, address, leadsHome(address, values) ? undefined : page, words, calls);
};

/** A link to the journey itself is not the action. */
const leadsHome = (address: string | undefined, { journeyUrl }: Values): boolean =>
  address !== undefined && address === journeyUrl;

/** True if the call to action is a link that completes its page. */
export function isCompletingLink(data: BlockData, { page, values }: BlockContext): boolean {
  const address = data.address('url');
  const isLink = data.text('text', 'name') !== undefined && address !== undefined && safeUrl(address) !== undefined;
  return isLink && !leadsHome(address, values) && completesByAction(page);
}

/** True if the call to action completes its page, as a link or as a button without a URL. */
export const isCompletingCall = (data: BlockData, { page, values }: BlockContext): boolean =>
  !leadsHome(data.address('url'), values) && completesByAction(page);

const completesByAction = (page: PageContext | undefined): page is PageContext =>
  page?.condition === 'action' && canComplete(page);

const alone: CallPlace = { isPrimary: true, isLast: true, isOneOfSeveral: false };

/** The place of the `cta` of a page. */
export const placeOfPage = ({ page, hasPrimary }: BlockContext): CallPlace => ({
  ...alone,
  isPrimary: completesByAction(page) ? page.proof === undefined : !hasPrimary,
});

/** A call to action for the `cta` of a page. */
export function callOf(
  label: string,
  address: string | undefined,
  page: PageContext | undefined,
  words: Words,
  { isPrimary, isLast, isOneOfSeveral } = alone,
) {
  const look = isPrimary ? 'button' : 'quiet';
  const leads = address !== undefined && safeUrl(address) !== undefined;
  if (!completesByAction(page)) return leads && html`<p class="call">${link(address, inOrder(label), look)}</p>`;
  if (!leads) return completionForm(page, label, words, { look });
  const completing = page.proof === undefined && html` data-completes="${page.id}"`;
  const note = isOneOfSeveral && html`<p class="note">${words.text('one_is_enough')}</p>`;
  const done = isLast && [note, completionForm(page, words.text('done_this'), words, { look: 'quiet' })];
  return html`<div class="call"${completing}>${link(address, inOrder(label), look)}${done}</div>`;
}

export const documentLink: BlockType = (data) => [headingOf(data), bodyOf(data), documentOf(data)];

/** The document of a block, if it has one. */
export function documentOf(data: BlockData) {
  const address = data.address('documentLinkUrl');
  const label = data.text('documentLinkText', 'name');
  if (label === undefined || address === undefined) return undefined;
  return html`<p class="document">${link(address, inOrder(label))}</p>`;
}

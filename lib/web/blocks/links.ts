import { html, paragraphs } from '../html.ts';
import { link, safeUrl } from '../links.ts';
import type { Words } from '../words/words.ts';
import { type BlockData, type BlockType, canComplete, type PageContext } from './context.ts';
import { completionForm } from './forms.ts';
import { headingOf } from './texts.ts';

/** A call to action. On a page with the condition `action`, following the link or pressing "done" completes it. */
export const callToAction: BlockType = (data, { words, page, values }) => {
  const label = data.text('text', 'label', 'buttonText', 'heading', 'name');
  if (label === undefined) return undefined;
  const address = data.address('url', 'href', 'link');
  // A link to the journey itself is not the action.
  const leadsHome = address !== undefined && address === values.journeyUrl;
  return callOf(label, address, leadsHome ? undefined : page, words);
};

/** The same for the `cta` of a page. */
export function callOf(label: string, address: string | undefined, page: PageContext | undefined, words: Words) {
  const leads = address !== undefined && safeUrl(address) !== undefined;
  const completes = page?.condition === 'action' && canComplete(page);
  if (!completes) return leads && html`<p class="call">${link(address, label, 'button')}</p>`;
  if (!leads) return completionForm(page, label, words);
  const completing = page.proof === undefined && html` data-completes="${page.id}"`;
  return html`<div class="call"${completing}>${link(address, label, 'button')}${completionForm(page, words.text('done_this'), words, { look: 'quiet' })}</div>`;
}

export const documentLink: BlockType = (data) => {
  const body = data.text('body', 'text');
  return [headingOf(data), body !== undefined && html`<div class="prose">${paragraphs(body)}</div>`, documentOf(data)];
};

/** The document of a block, if it has one. */
export function documentOf(data: BlockData) {
  const address = data.address('documentLinkUrl');
  const label = data.text('documentLinkText', 'name');
  if (label === undefined || address === undefined) return undefined;
  return html`<p class="document">${link(address, label)}</p>`;
}

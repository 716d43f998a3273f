import { type Child, html } from '../html.ts';
import type { Words } from '../words/words.ts';
import type { ChannelContentInput, Neighbour } from './input.ts';

/** Links to the contact's other pages with content for the channel, which open in the frame, and to the journey. */
export function bar({ channel, offered }: ChannelContentInput, words: Words): Child {
  if (!channel.show_navigation || !offered) return undefined;
  const { around, journeyUrl } = offered;
  return html`<nav class="bar" aria-label="${words.text('channel_more')}">${
    around.length > 1 && html`<ol>${around.map(item)}</ol>`
  }<a class="whole" href="${journeyUrl}" rel="noopener noreferrer">${words.text('channel_all_steps')}<span class="unseen"> ${words.text('channel_new_tab')}</span></a></nav>`;
}

const item = ({ title, address, isShown }: Neighbour) =>
  html`<li><a href="${address}" target="_self"${isShown && html` aria-current="page"`}>${title}</a></li>`;

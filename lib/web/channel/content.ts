import { isTeaser } from '../../domain/journeys/channel-content.ts';
import { fill, noValues, type Values } from '../../domain/journeys/placeholders.ts';
import type { Direction } from '../../domain/values/direction.ts';
import type { JsonObject } from '../../domain/values/json.ts';
import { renderBlocks } from '../blocks/blocks.ts';
import type { Block, BlockContext } from '../blocks/context.ts';
import { refusal, sendingWords } from '../blocks/forms.ts';
import { contentCss } from '../css/base.ts';
import { confine } from '../css/confine.ts';
import { partsCss } from '../css/parts.ts';
import { cssOfObject } from '../css/style-object.ts';
import { renderDocument, type WebPage } from '../document.ts';
import { type Child, type Html, html, inOrder } from '../html.ts';
import { reach } from '../reach.ts';
import { unscriptedView } from '../unscripted-view.ts';
import { type Words, wordsIn } from '../words/words.ts';
import { channelCss, heightOf, sizeCss } from './css.ts';
import type { ChannelContentInput, Neighbour, OfferedInput } from './input.ts';
import { channelScript, fitScript } from './script.ts';
import { channelTheme } from './theme.ts';

const root = '#campaign';

/** A channel's content for a contact, or its default content, as a complete document for a frame. */
export function renderChannelContent(input: ChannelContentInput): WebPage {
  const { channel, teamName, offered, frameAncestors } = input;
  const words = wordsIn(input.language, offered?.contact.timezone, input.timeZone).with(
    input.teamWords,
    offered?.template.words,
  );
  const content = offered ? offeredContent(input, offered, words) : defaultContent(input, words);
  const fits = heightOf(channel) === undefined;
  const body = html`<div class="box"${fits && html` data-fits`}>
<main tabindex="0" aria-label="${content.title}"${content.attributes}><h1 class="unseen">${content.title}</h1><div class="stage"><div id="campaign" class="inner">${content.html}</div></div></main>
${bar(input, words)}</div>`;
  const css = [
    channelTheme(channel, offered?.template),
    contentCss,
    partsCss(String(body)),
    channelCss,
    sizeCss(channel),
    content.css,
  ].join('');
  const title = [...new Set([content.title, teamName])].join(' · ');
  const script = offered ? channelScript(String(body)) : fits ? fitScript : undefined;
  return renderDocument({ words, title, css, body, isFramed: true, frameAncestors, ...(script ? { script } : {}) });
}

type Content = { title: string; html: Child; css: string; attributes?: Html };
type Source = {
  content_blocks: readonly Block[];
  layout_basis: string | null;
  styles: JsonObject | null;
  css: string | null;
};

function offeredContent(input: ChannelContentInput, offered: OfferedInput, words: Words): Content {
  const { container, shown, address, isCompleted, answers, identityNeed, refused } = offered;
  const { id, completion_condition: condition, completion_message: message } = shown.page;
  const values = valuesOf(input, offered, words.direction);
  const actions = `${address}/actions`;
  // A page that needs a proof of identity cannot be completed in a frame, so it offers no action.
  const page =
    identityNeed === undefined || isCompleted
      ? { page: { id, condition, isCompleted, language: input.language, actions, answers, refused } }
      : {};
  const support = reach(offered.template, input.teamName, words, 'p');
  const blocks = blocksOf(input, container, { words, values, support, ...page });
  const told = isCompleted && message !== null ? fill(message, values) : '';
  const isCounted = identityNeed !== 'journey' && !isTeaser(shown.page, container);
  const unseen = !isCounted ? '' : condition === 'view' && !isCompleted ? 'completes' : 'yes';
  const unscripted = isCounted ? unscriptedView(`${address}/viewed.gif`) : undefined;
  const content = html`${refusal(refused, blocks.html, words)}${blocks.html}${
    told !== '' &&
    html`<div class="page-notes"><div class="told" role="status" tabindex="-1">${inOrder(told)}</div></div>`
  }${unscripted?.html}`;
  return {
    title: titleOf(shown.page, words),
    html: content,
    css: blocks.css + (unscripted?.css ?? ''),
    attributes: html` data-page="${id}" data-actions="${actions}" data-unseen="${unseen}"${sendingWords(content, words)}`,
  };
}

/** The channel's default content, or the institution's name if it has none. */
function defaultContent(input: ChannelContentInput, words: Words): Content {
  const { channel, teamName } = input;
  const source = channel.default_content;
  if (!source) return { title: teamName, html: html`<p class="neutral">${teamName}</p>`, css: '' };
  return {
    title: teamName,
    ...blocksOf(input, source, { words, values: { ...noValues, teamName, direction: words.direction } }),
  };
}

/** The blocks and the styles of their container, after the styles of the channel. */
function blocksOf(
  { channel }: ChannelContentInput,
  source: Source,
  context: BlockContext,
): { html: Html; css: string } {
  const { palette, typography, ...overrides } = channel.theme_styles?.overrides ?? {};
  const styles = [channel.theme_styles?.custom, overrides, source.styles].map(cssOfObject);
  const blocks = renderBlocks(source.content_blocks, context, { root, prefix: 'b', layout: source.layout_basis });
  return { html: blocks.html, css: confine([...styles, source.css ?? ''], root) + blocks.css };
}

/**
 * A person cannot prove their identity in a frame, so private values are never available. If the campaign has
 * `is_auth_required`, no value of the contact is.
 */
const valuesOf = (
  { teamName }: ChannelContentInput,
  { contact, account, template, shown, journeyUrl }: OfferedInput,
  direction: Direction,
): Values => ({
  contact: template.is_auth_required ? undefined : contact,
  account: template.is_auth_required ? undefined : account,
  isIdentityValidated: false,
  isWithheld: template.is_auth_required === true,
  journeyUrl,
  teamName,
  templateName: template.name ?? undefined,
  variables: shown.content_variables ?? {},
  direction,
});

export const titleOf = ({ navigation_title, content_name }: OfferedInput['shown']['page'], words: Words): string =>
  navigation_title ?? content_name ?? words.text('channel_untitled');

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

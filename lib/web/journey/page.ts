import { asks } from '../../domain/campaigns/block-types.ts';
import type { Page } from '../../domain/campaigns/page.ts';
import type { Template } from '../../domain/campaigns/template.ts';
import { latestAnswers } from '../../domain/journeys/given-answer.ts';
import { journeyPath } from '../../domain/journeys/journey.ts';
import { fill, fillUrl, type Values } from '../../domain/journeys/placeholders.ts';
import { isBlank } from '../../domain/values/fields.ts';
import { isJsonObject } from '../../domain/values/json.ts';
import { hasOpenForm, offersCompletion, renderBlocks } from '../blocks/blocks.ts';
import { type BlockContext, canAct, type PageContext } from '../blocks/context.ts';
import { completionForm, offersProof, refusal, sendingWords } from '../blocks/forms.ts';
import { callOf, placeOfPage } from '../blocks/links.ts';
import { preview } from '../brand.ts';
import { contentCss, frameCss } from '../css/base.ts';
import { confine } from '../css/confine.ts';
import { partsCss } from '../css/parts.ts';
import { cssOfObject } from '../css/style-object.ts';
import { renderDocument, type WebPage } from '../document.ts';
import { type Child, type Html, html, inOrder } from '../html.ts';
import { paragraphs, proseOf } from '../prose.ts';
import { reach } from '../reach.ts';
import { unscriptedView } from '../unscripted-view.ts';
import type { Words } from '../words/words.ts';
import { footer, titleOf, topBar } from './frame.ts';
import type { JourneyPageInput } from './input.ts';
import { personalBar, proofUrl } from './personal.ts';
import { endedPage, proofEnd } from './proof-end.ts';
import { saved } from './saved.ts';
import { journeyScript } from './script.ts';
import { asksFirst, leadsOn, onward, steps } from './steps.ts';
import { lookOf } from './theme.ts';
import { valuesOf, wordsFor } from './values.ts';

const root = '#campaign';

/** One page of a journey as a complete document. */
export function renderJourneyPage(input: JourneyPageInput): WebPage {
  const { template, pages, shown, analytics } = input;
  const words = wordsFor(input);
  const values = valuesOf(input, words.direction);
  const title = titleOf(input, values);
  const page = pageContextOf(input);
  const content = contentOf(input, page, values, words);
  const { id, completion_condition } = shown.page;
  const isCompleting = completion_condition === 'view' && !analytics.pages_completed.includes(id);
  const unseen = isCompleting ? 'completes' : 'yes';
  const unscripted = unscriptedView(`${journeyPath(input.journey.slug)}/pages/${id}/viewed.gif`);
  const body = html`<a class="skip" href="#main">${words.text('skip_to_content')}</a>
${topBar(input, title, words)}
<div class="frame body${pages.length > 1 ? ' with-steps' : ''}">
${steps(input, words)}
<main id="main" tabindex="-1" data-page="${id}" data-actions="${actionsOf(input)}" data-unseen="${unseen}"${proofEnd(input, id)}${sendingWords(content.html, words)}>
<div class="sheet">${personalBar(input, words, isProofFirst(input, page) && offersProof(content.html))}<div class="stage">${saved(input, words)}${refusal(input.refused, content.html, words)}<div id="campaign">${content.html}</div></div>${onward(input, words, hasOpenForm(shown.page.content_blocks, page))}</div>
${unscripted.html}</main>
</div>
${footer(template, values, words)}${endedPage(input, content.html, words)}`;
  const look = lookOf(template);
  const css = [look.css, contentCss, partsCss(String(body)), frameCss, content.css, unscripted.css].join('');
  const named = documentTitle(title, shown.page, template);
  const head = preview(template.team?.name, template, input.journeyUrl, look.iconFile);
  return renderDocument({
    ...{ words, head, css, body, script: journeyScript(String(body)) },
    title: input.refused ? words.text('error_title', { title: named }) : named,
  });
}

const actionsOf = ({ journey }: JourneyPageInput): string => `${journeyPath(journey.slug)}/actions`;

const documentTitle = (title: string | undefined, page: Page, template: Template): string =>
  [...new Set([page.navigation_title ?? page.content_name, title ?? template.name, template.team?.name])]
    .filter(Boolean)
    .join(' · ');

/** The campaign's content of this page, with its styles, which are confined to that content. */
function contentOf(
  input: JourneyPageInput,
  pageContext: PageContext,
  values: Values,
  words: Words,
): { html: Html; css: string } {
  const { template, pages, shown, analytics } = input;
  const { page } = shown;
  const marks = input.identityNeed === 'page' && !input.isIdentityValidated ? { withheld: words.text('withheld') } : {};
  const support = reach(template, template.team?.name, words, 'p');
  const isPrimary = hasPrimary(input, pageContext);
  const surroundings = { words, values, support, hasPrimary: isPrimary, isDark: lookOf(template).isDark, ...marks };
  const context: BlockContext = { ...surroundings, page: pageContext };
  const isFirst = pages[0] === shown && template.content_block_status !== 'draft';
  const blocksOn = { root, layout: page.layout_basis };
  const intro = renderBlocks(isFirst ? template.content_blocks : [], surroundings, { ...blocksOn, prefix: 't' });
  const own = renderBlocks(page.content_blocks, context, { ...blocksOn, prefix: 'b' });
  // The page's own text is only shown if it has no blocks.
  const lead =
    typeof page.content === 'string' && page.content_blocks.length === 0 ? proseOf(page.content, values) : undefined;
  const css = [
    cssOfObject(template.styles?.custom),
    cssOfObject(cssOverrides(template)),
    template.css,
    template.custom_css,
    cssOfObject(page.styles),
    page.css,
  ];
  return {
    html: html`${isFirst && template.content_blocks.length > 0 && html`<div class="intro">${intro.html}</div>`}${own.html}${
      lead && html`<div class="lead">${paragraphs(lead)}</div>`
    }${completion(page, context, analytics)}`,
    css:
      confine(
        css.map((each) => each ?? ''),
        root,
      ) +
      intro.css +
      own.css,
  };
}

/** The overrides without palette and typography, which belong to the theme. */
function cssOverrides({ styles }: Template) {
  const { palette, typography, ...overrides } = styles?.overrides ?? {};
  return overrides;
}

/** True if the page has a primary button without its links: one that completes it, else the one to the next page. */
function hasPrimary(input: JourneyPageInput, page: PageContext): boolean {
  const { cta, content_blocks: blocks, completion_condition: condition } = input.shown.page;
  if (hasOpenForm(blocks, page)) return true;
  if (!asksFirst(input)) return leadsOn(input);
  return condition === 'action' || blocks.some(({ type }) => asks(type)) || (cta === null && !offersCompletion(blocks));
}

/** True if the page has a form that needs a proof of identity first. */
const isProofFirst = (input: JourneyPageInput, page: PageContext): boolean =>
  page.proof !== undefined &&
  (hasOpenForm(input.shown.page.content_blocks, page) || (canAct(page) && asksFirst(input)));

function pageContextOf(input: JourneyPageInput): PageContext {
  const { id, completion_condition: condition } = input.shown.page;
  const isRequired = input.identityNeed === 'journey' || input.identityNeed === 'page';
  return {
    id,
    condition,
    isCompleted: input.analytics.pages_completed.includes(id),
    language: input.language,
    actions: actionsOf(input),
    answers: latestAnswers(input.answers, id),
    refused: input.refused,
    proof: isRequired && !input.isIdentityValidated ? proofUrl(input) : undefined,
  };
}

/** The page's call to action, or a completion button if no block completes the page, and the messages on completion. */
function completion(page: Page, context: BlockContext, analytics: JourneyPageInput['analytics']): Child {
  const isCompleted = analytics.pages_completed.includes(page.id);
  const message = page.completion_message === null ? undefined : fill(page.completion_message, context.values);
  const notes = [
    isCompleted &&
      message !== undefined &&
      html`<div class="told" role="status" tabindex="-1">${inOrder(message)}</div>`,
    analytics.is_completed &&
      html`<div class="banner" role="status" tabindex="-1">${context.words.text('journey_completed')}</div>`,
  ];
  const call = callOfPage(page, context);
  const noticed = isNoticed(page) && !isCompleted && html`<p class="note">${noticedText(page, context)}</p>`;
  return [
    (call || noticed) && html`<div class="page-call">${call}${noticed}</div>`,
    notes.some(Boolean) && html`<div class="page-notes">${notes}</div>`,
  ];
}

/** True if something that happens elsewhere completes the page, so that there is nothing to press. */
const isNoticed = ({ completion_condition: condition, objective_id }: Page): boolean =>
  condition === 'open' || (condition === 'objective' && objective_id !== null);

/** A call to action without a URL is the text. */
function noticedText({ cta }: Page, { values, words }: BlockContext): Child {
  const call = isJsonObject(cta ?? undefined) ? (cta as Record<string, unknown>) : { text: cta, url: undefined };
  const own = typeof call.text === 'string' && isBlank(call.url) ? fill(call.text, values) : '';
  return own === '' ? words.text('noticed') : inOrder(own);
}

function callOfPage({ cta, content_blocks, completion_condition: condition }: Page, context: BlockContext) {
  const { words, values, page } = context;
  const offered = offersCompletion(content_blocks);
  const call = isJsonObject(cta ?? undefined) ? (cta as Record<string, unknown>) : undefined;
  const label =
    typeof call?.text === 'string' ? fill(call.text, values) : typeof cta === 'string' ? fill(cta, values) : '';
  const address = typeof call?.url === 'string' ? fillUrl(call.url, values) : undefined;
  if (offered) return undefined;
  if (label !== '') {
    const named = callOf(label, address, page, words, placeOfPage(context));
    if (named) return named;
  }
  const isOpen = page && !page.isCompleted && (condition === 'confirm' || condition === 'action');
  // A call to action without a URL is the text of the button.
  const own = label === '' ? words.text(condition === 'confirm' ? 'confirm' : 'done_this') : label;
  return isOpen ? completionForm(page, own, words) : undefined;
}

import type { ShownAnswer } from '../../domain/journeys/answer.ts';
import { fill, fillUrl, type Values } from '../../domain/journeys/placeholders.ts';
import { isJsonObject } from '../../domain/values/json.ts';
import { answersOf } from '../blocks/survey.ts';
import { preview } from '../brand.ts';
import { contentCss, endingCss, frameCss } from '../css/base.ts';
import { partsCss } from '../css/parts.ts';
import { renderDocument, type WebPage } from '../document.ts';
import { type Child, html, inOrder } from '../html.ts';
import { link } from '../links.ts';
import { paragraphs, proseOf } from '../prose.ts';
import { reach } from '../reach.ts';
import type { Words } from '../words/words.ts';
import { footer, titleOf, topBar } from './frame.ts';
import { endingName, type JourneyPageInput } from './input.ts';
import { proofEnd } from './proof-end.ts';
import { saved } from './saved.ts';
import { endingScript } from './script.ts';
import { addressOf, nameOf } from './steps.ts';
import { lookOf } from './theme.ts';
import { valuesOf, wordsFor } from './values.ts';

/** The page of a completed journey: what was achieved, what comes next, and how to reach the institution. */
export function renderEnding(input: JourneyPageInput): WebPage {
  const { template } = input;
  const look = lookOf(template);
  const words = wordsFor(input);
  const values = valuesOf(input, words.direction);
  const title = titleOf(input, values);
  const heading = filled(template.ending?.heading, values) ?? words.text('ending_title');
  const body = html`<a class="skip" href="#main">${words.text('skip_to_content')}</a>
${topBar(input, title, words)}
<div class="frame body"><main id="main" class="narrow" tabindex="-1"${proofEnd(input, endingName)}><div class="sheet"><div class="stage ending">${saved(input, words)}
<div class="lead"><h2>${inOrder(heading)}</h2>${paragraphs(proseOf(template.ending?.body ?? '', values) ?? words.text('ending_text'))}</div>
${achieved(input, words)}${next(input, values, words)}${reach(template, template.team?.name, words, 'h3')}
</div></div></main></div>
${footer(template, values, words)}`;
  const script = endingScript(String(body));
  return renderDocument({
    ...(script === undefined ? {} : { script }),
    ...{ words, body, css: look.css + contentCss + partsCss(String(body)) + frameCss + endingCss },
    head: preview(template.team?.name, template, input.journeyUrl, look.iconFile),
    title: [...new Set([heading, title ?? template.name, template.team?.name])].filter(Boolean).join(' · '),
  });
}

const filled = (text: string | null | undefined, values: Values): string | undefined =>
  text === null || text === undefined ? undefined : fill(text, values).trim() || undefined;

/** The completed steps with what was answered, to read, print or keep. Each leads to its page. */
function achieved({ published, analytics, answers }: JourneyPageInput, words: Words): Child {
  const done = published.filter(({ page }) => analytics.pages_completed.includes(page.id));
  if (done.length === 0) return undefined;
  const items = done.map(
    (each) =>
      html`<li><a href="${addressOf(each)}">${nameOf(each.page, words)}</a>${answers
        .filter(({ page_id }) => page_id === each.page.id)
        .map((answer) => kept(answer, words))}</li>`,
  );
  return html`<section><h3>${words.text('ending_achieved')}</h3><ul class="achieved">${items}</ul></section>`;
}

/** What was answered, or what was agreed to. A person who has not proved to be the contact does not see all answers. */
function kept(given: ShownAnswer, words: Words): Child {
  const { answer, typed_name, text, at } = given;
  if (answer === null) return answersOf(given, words);
  if (answer === 'declined') return html`<small>${words.text('declined_on', { date: words.dateTime(at) })}</small>`;
  const date = words.dateTime(at);
  const said = typed_name ? words.text('signed', { name: typed_name, date }) : words.text('answered', { date });
  return html`${text !== undefined && html`<div class="statement">${paragraphs(text)}</div>`}<small>${said}</small>`;
}

/** The campaign's own text and call to action, and pages that do not belong to the progress. */
function next({ template, pages }: JourneyPageInput, values: Values, words: Words): Child {
  const { next: text, cta } = template.ending ?? {};
  const said = proseOf(text ?? '', values);
  const extra = pages.filter(({ page }) => page.completion_condition === null);
  const call = isJsonObject(cta) ? cta : {};
  const button =
    typeof call.text === 'string' &&
    typeof call.url === 'string' &&
    html`<p class="call">${link(fillUrl(call.url, values), inOrder(fill(call.text, values)), 'button')}</p>`;
  if (said === undefined && extra.length === 0 && !button) return undefined;
  const more =
    extra.length > 0 &&
    html`<p>${words.text('ending_more')}</p><ul class="links">${extra.map((each) => html`<li><a href="${addressOf(each)}">${nameOf(each.page, words)}</a></li>`)}</ul>`;
  return html`<section><h3>${words.text('ending_next')}</h3>${said !== undefined && paragraphs(said)}${button}${more}</section>`;
}

import type { Template } from '../../domain/campaigns/template.ts';
import { fill, fillUrl, type Values } from '../../domain/journeys/placeholders.ts';
import { isJsonObject, type JsonValue } from '../../domain/values/json.ts';
import { brand } from '../brand.ts';
import { type Html, html, inOrder } from '../html.ts';
import { link } from '../links.ts';
import { paragraphs, proseOf } from '../prose.ts';
import type { Words } from '../words/words.ts';
import type { JourneyPageInput } from './input.ts';
import { progressBar } from './progress.ts';

/** The journey's title by its options. The journey's own name by default. */
export function titleOf({ template, journey }: JourneyPageInput, values: Values): string | undefined {
  const options = template.journey_title_options;
  switch (options?.type ?? null) {
    case 'NONE':
      return undefined;
    case 'CONTACT_NAME':
      return text(fill('{{name_first}} {{name_last}}', values));
    case 'CUSTOM':
      return text(fill(options?.custom ?? '', values));
    case 'TEAM_NAME':
      return template.team?.name;
    case 'TEMPLATE_NAME':
      return template.name ?? undefined;
    case null:
      return journey.name ?? template.name ?? undefined;
  }
}

const text = (value: string): string | undefined => value.trim() || undefined;

export function topBar(
  { template, published, shown, analytics }: JourneyPageInput,
  title: string | undefined,
  words: Words,
): Html {
  const conditional = published.filter(({ page }) => page.completion_condition !== null);
  const done = conditional.filter(({ page }) => analytics.pages_completed.includes(page.id)).length;
  const progress = { done, of: conditional.length, isCompleted: analytics.is_completed };
  const heading = title ?? shown.page.navigation_title ?? shown.page.content_name ?? words.text('journey');
  return html`<header class="top"><div class="frame">${brand(template.team?.name, template, title)}<h1${title === undefined && html` class="unseen"`}>${inOrder(heading)}</h1></div>${
    !template.hide_progress_ring && progressBar(progress, words)
  }</header>`;
}

export function footer({ footer_content, team }: Template, values: Values, words: Words): Html {
  const links = [
    ...linksOf(footer_content),
    { text: words.text('privacy'), url: team?.privacy_policy_url ?? undefined },
    { text: words.text('terms'), url: team?.terms_of_service_url ?? undefined },
  ].flatMap(({ text: label, url }) =>
    url === undefined ? [] : [html`<li>${link(fillUrl(url, values), inOrder(fill(label, values)))}</li>`],
  );
  const said = proseOf(textOf(footer_content) ?? '', values);
  return html`<footer class="bottom"><div class="frame">${
    said && html`<div>${paragraphs(said)}</div>`
  }${links.length > 0 && html`<ul>${links}</ul>`}</div></footer>`;
}

function textOf(content: JsonValue | null): string | undefined {
  if (typeof content === 'string') return content;
  return isJsonObject(content ?? undefined) ? stringOf((content as Record<string, JsonValue>).text) : undefined;
}

function linksOf(content: JsonValue | null): { text: string; url: string | undefined }[] {
  const links = isJsonObject(content ?? undefined) ? (content as Record<string, JsonValue>).links : undefined;
  return (Array.isArray(links) ? links : []).flatMap((each) => {
    const url = isJsonObject(each) ? stringOf(each.url) : undefined;
    return isJsonObject(each) && url !== undefined ? [{ text: stringOf(each.text) ?? url, url }] : [];
  });
}

const stringOf = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

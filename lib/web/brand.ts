import type { Template } from '../domain/content/template.ts';
import { pathOfNamedFile } from '../domain/team-file.ts';
import { type Child, type Html, html } from './html.ts';

/**
 * Whose page it is: the logo, or the team's name where there is none. Where the image does not load, browsers show the
 * name in its place.
 * @param heading of the page: the name is not said twice
 */
export function brand(
  teamName: string | undefined,
  { logo_file_id }: Pick<Template, 'logo_file_id'>,
  heading?: string,
): Child {
  const logo = pathOfNamedFile(logo_file_id);
  const name = teamName === heading ? undefined : teamName;
  if (logo !== undefined) return html`<p class="brand"><img class="logo" src="${logo}" alt="${name ?? ''}"></p>`;
  return name !== undefined && html`<p class="brand">${name}</p>`;
}

/**
 * What browsers and messengers show of a journey beside its page: an icon and a link preview. The preview names the
 * campaign and never the person, because others see it.
 * @param url of the page, whole, since a preview needs the image by its whole URL
 */
export function preview(
  teamName: string | undefined,
  { name, logo_file_id }: Pick<Template, 'name' | 'logo_file_id'>,
  url: string,
): Html {
  const title = name ?? teamName;
  const logo = pathOfNamedFile(logo_file_id);
  return html`<meta property="og:type" content="website">
${title !== undefined && html`<meta property="og:title" content="${title}">\n`}${
  logo !== undefined && html`<meta property="og:image" content="${new URL(logo, url).href}">\n`
}${icon({ logo_file_id })}`;
}

/** The icon of a tab. */
export function icon({ logo_file_id }: Pick<Template, 'logo_file_id'>): Child {
  const logo = pathOfNamedFile(logo_file_id);
  return logo !== undefined && html`<link rel="icon" href="${logo}">\n`;
}

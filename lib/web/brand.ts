import type { Template } from '../domain/campaigns/template.ts';
import { pathOfNamedFile } from '../domain/teams/team-file.ts';
import { type Child, type Html, html } from './html.ts';
import { lookOf } from './journey/theme.ts';
import { inScheme } from './picture.ts';

/**
 * The logo, or the team's name if there is no logo. If the image does not load, browsers show the name instead.
 * @param heading of the page. If it is the team's name, the name is not repeated
 */
export function brand(teamName: string | undefined, template: Template, heading?: string): Child {
  const logo = pathOfNamedFile(template.logo_file_id);
  const name = teamName === heading ? undefined : teamName;
  const image = logo !== undefined && html`<img class="logo" src="${logo}" alt="${name ?? ''}">`;
  if (image) return html`<p class="brand">${inScheme(image, lookOf(template).darkLogo)}</p>`;
  return name !== undefined && html`<p class="brand">${name}</p>`;
}

/**
 * The icon and the link preview that browsers and messengers show for a journey. The preview names the campaign and
 * never the person, because others see it.
 * @param url of the page, absolute, because a preview needs the absolute URL of the image
 * @param iconFileId the file of the icon; the logo by default
 */
export function preview(
  teamName: string | undefined,
  { name, logo_file_id }: Pick<Template, 'name' | 'logo_file_id'>,
  url: string,
  iconFileId: string | null = logo_file_id,
): Html {
  const title = name ?? teamName;
  const logo = pathOfNamedFile(logo_file_id);
  return html`<meta property="og:type" content="website">
${title !== undefined && html`<meta property="og:title" content="${title}">\n`}${
  logo !== undefined && html`<meta property="og:image" content="${new URL(logo, url).href}">\n`
}${icon(iconFileId)}`;
}

/** The icon of the browser tab. */
export function icon(fileId: string | null): Child {
  const path = pathOfNamedFile(fileId);
  return path !== undefined && html`<link rel="icon" href="${path}">\n`;
}

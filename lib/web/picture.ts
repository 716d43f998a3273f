import { pathOfNamedFile } from '../domain/teams/team-file.ts';
import { type Html, html } from './html.ts';

/** The image, with another file in its place on devices that ask for dark colors. */
export function inScheme(image: Html, darkFile: unknown): Html {
  const path = pathOfNamedFile(darkFile);
  if (path === undefined) return image;
  return html`<picture><source srcset="${path}" media="(prefers-color-scheme:dark)">${image}</picture>`;
}

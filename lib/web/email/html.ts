import { raw } from 'hono/html';
import { type Paragraph, plainParagraphsOf } from '../../domain/journeys/markup.ts';
import type { emailTheme } from '../css/theme.ts';
import { type Child, type Html, html, inOrder } from '../html.ts';
import { renderProse } from '../prose.ts';
import type { Words } from '../words/words.ts';
import type { Part } from './parts.ts';

/**
 * HTML that mail programs show: tables, and styles on the elements themselves. Only what cannot be there, the dark
 * colors, is in a style element, which some programs drop.
 */

export type EmailTheme = ReturnType<typeof emailTheme>;

export type EmailDocument = {
  words: Words;
  theme: EmailTheme;
  subject: string;
  /** Shown beside the subject in the list of messages. */
  preview: string | undefined;
  /** The name of the institution, and the URL of its logo. */
  sender: { name: string; logo: string | undefined };
  parts: readonly Part[];
  foot: readonly FootPart[];
};
/** Lines of text, or links side by side. */
export type FootPart = { text: string } | { links: readonly { label: string; url: string }[] };

/** Pixels. */
const width = 600;
const space = 24;

export function htmlOf({ words, theme, subject, preview, sender, parts, foot }: EmailDocument): string {
  const { ground, surface, text } = theme.light;
  const font = fontOf(theme.bodyFont);
  const scheme = theme.dark ? 'light dark' : 'light only';
  const hidden = 'display:none;max-height:0;overflow:hidden;mso-hide:all';
  const shape = `width:100%;max-width:${width}px;margin:0 auto;table-layout:fixed`;
  const page = html`<!doctype html>
<html lang="${words.tag}" dir="${words.direction}">
<head>
<meta charset="utf-8">
<title>${subject}</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="${scheme}">
<meta name="supported-color-schemes" content="${scheme}">
<style>${raw(styles(theme, scheme))}</style>
</head>
<body class="ground" style="margin:0;padding:0;background-color:${ground}">
${preview !== undefined && html`<div style="${hidden}">${preview}</div>\n`}<div role="main" lang="${words.tag}" dir="${words.direction}">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:${ground};table-layout:fixed"><tr><td style="padding:${space}px 12px">
${raw(`<!--[if mso]><table role="presentation" align="center" width="${width}"><tr><td><![endif]-->`)}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${shape}">
<tr><td style="padding:0 12px ${space / 2}px">${brand(sender, theme)}</td></tr>
<tr><td class="surface" style="background-color:${surface};color:${text};${font};padding:${space}px;border-radius:12px;word-break:break-word">
${bodyOf(parts, theme)}
</td></tr>
<tr><td class="on-ground" style="color:${theme.light['on-ground']};${font};font-size:13px;padding:${space}px 12px;word-break:break-word">${footOf(foot, theme, words)}</td></tr>
</table>
${raw('<!--[if mso]></td></tr></table><![endif]-->')}
</td></tr></table>
</div>
</body>
</html>
`;
  // Many programs drop `bdi`, but keep the attribute that isolates a text as well.
  return page
    .toString()
    .replaceAll('<bdi>', '<span dir="auto">')
    .replaceAll('<bdi dir="ltr">', '<span dir="ltr">')
    .replaceAll('</bdi>', '</span>');
}

/** Cells name it again, because in some programs a table inside a table does not inherit it. */
const fontOf = (family: string): string => `font-family:${family};font-size:16px;line-height:1.5`;

/** What the dark colors replace: the color of a class of elements, by the property. */
const classes = {
  ground: { 'background-color': 'ground' },
  'on-ground': { color: 'on-ground' },
  surface: { 'background-color': 'surface', color: 'text' },
  text: { color: 'text' },
  soft: { color: 'soft' },
  link: { color: 'link' },
  tint: { 'background-color': 'tint' },
  line: { 'border-color': 'line' },
  primary: { 'background-color': 'primary' },
  'on-primary': { color: 'on-primary' },
} as const;

function styles({ dark }: EmailTheme, scheme: string): string {
  const root = `:root{color-scheme:${scheme}}`;
  if (!dark) return root;
  const rules = Object.entries(classes).map(([name, properties]) => {
    const declarations = Object.entries(properties).map(([property, color]) => `${property}:${dark[color]}!important`);
    return `.${name}{${declarations.join(';')}}`;
  });
  return `${root}@media (prefers-color-scheme:dark){${rules.join('')}}`;
}

/** A logo is drawn for the light colors, so it has them around it in every scheme. */
function brand({ name, logo }: EmailDocument['sender'], { light, bodyFont }: EmailTheme): Html {
  const font = `font-family:${bodyFont};font-size:18px;line-height:1.3;font-weight:700`;
  if (logo === undefined) {
    return html`<p class="on-ground" style="margin:0;color:${light['on-ground']};${font}">${name}</p>`;
  }
  const plate = `background-color:${light.surface};color:${light.text};padding:8px 12px;border-radius:8px`;
  const size = 'display:block;border:0;width:auto;max-width:100%;height:40px';
  return html`<img src="${logo}" alt="${name}" height="40" style="${size};${plate};${font}">`;
}

function bodyOf(parts: readonly Part[], theme: EmailTheme): Child {
  const first = parts.findIndex(({ is }) => is === 'heading');
  return parts.map((part, at) => partOf(part, theme, { isFirst: at === 0, isTitle: at === first }));
}

type Place = { isFirst: boolean; isTitle: boolean };

function partOf(part: Part, theme: EmailTheme, { isFirst, isTitle }: Place): Html {
  const { light } = theme;
  const top = isFirst ? 0 : 16;
  switch (part.is) {
    case 'heading': {
      const font = `font-family:${theme.headingFont};font-weight:700;line-height:1.25`;
      const style = `margin:${isFirst ? 0 : space}px 0 0;color:${light.text};${font}`;
      return isTitle
        ? html`<h1 class="text" style="${style};font-size:26px">${inOrder(part.text)}</h1>`
        : html`<h2 class="text" style="${style};font-size:20px">${inOrder(part.text)}</h2>`;
    }
    case 'text':
      return html`${paragraphs(part.text, { className: 'text', style: `color:${light.text}` }, top, theme)}`;
    case 'note':
      return html`${paragraphs(plainParagraphsOf(part.text), { className: 'soft', style: `color:${light.soft};font-size:14px` }, top, theme)}`;
    case 'terms':
      return terms(part.terms, theme, top);
    case 'image': {
      const style = 'display:block;border:0;width:auto;max-width:100%;height:auto';
      return html`<p class="soft" style="margin:${top}px 0 0;color:${light.soft}"><img src="${part.url}" alt="${part.alt}" width="${width - 2 * space}" style="${style}"></p>`;
    }
    case 'divider':
      return html`<hr class="line" style="margin:${space}px 0;border:0;border-top:1px solid ${light.line};height:0">`;
    case 'button':
      return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:${isFirst ? 0 : space}px 0 0"><tr><td class="primary" style="background-color:${light.primary};border-radius:${theme.radius}"><a class="on-primary" href="${part.url}" style="display:inline-block;padding:12px 24px;font-family:${theme.bodyFont};font-size:16px;line-height:20px;font-weight:700;color:${light['on-primary']};text-decoration:none">${inOrder(part.label)}</a></td></tr></table>`;
    case 'link':
      return html`<p style="margin:${top}px 0 0">${linkOf(part, theme)}</p>`;
    case 'card':
      return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:${top}px 0 0;table-layout:fixed"><tr><td class="tint" style="${fontOf(theme.bodyFont)};background-color:${light.tint};padding:16px;border-radius:8px">${part.parts.map((each, at) => partOf(each, theme, { isFirst: at === 0, isTitle: false }))}</td></tr></table>`;
  }
}

const linkOf = ({ label, url }: { label: Child; url: string }, { light }: EmailTheme): Html =>
  html`<a class="link" href="${url}" style="color:${light.link};text-decoration:underline">${typeof label === 'string' ? inOrder(label) : label}</a>`;

/** URLs in the text are links too. */
function paragraphs(
  text: readonly Paragraph[],
  { className, style }: { className: string; style: string },
  top: number,
  theme: EmailTheme,
): Html[] {
  return renderProse(text, (at) => {
    const shape = (padding: string) => `margin:${at === 0 ? top : 16}px 0 0;${padding}${style}`;
    return {
      paragraph: (lines) => html`<p class="${className}" style="${shape('')}">${lines}</p>`,
      list: (items) =>
        html`<ul class="${className}" style="${shape('padding:0 24px;')}">${items.map((each) => html`<li>${each}</li>`)}</ul>`,
      text: (line) => html`${withLinks(line, theme)}`,
      link: (url, label) => linkOf({ label, url }, theme),
    };
  });
}

/** The isolation of a value that is a URL is not part of it. A link that is not well-formed, or a value, is text. */
const urls = /(?<!\]\(\u2068?)\u2068?(https?:\/\/[^\s<>"'\u2068\u2069]*[^\s<>"'\u2068\u2069.,;:!?)\]])\u2069?/;

const withLinks = (line: string, theme: EmailTheme): Child[] =>
  line
    .split(urls)
    .map((part, at) => (at % 2 === 0 ? inOrder(part) : linkOf({ label: html`${part}`, url: part }, theme)));

/** A label and its value are below one another, because a phone has no space for two columns. */
function terms(pairs: Extract<Part, { is: 'terms' }>['terms'], { light, bodyFont }: EmailTheme, top: number): Html {
  const rows = pairs.map(
    ({ label, value }) =>
      html`<tr><td class="line" style="${fontOf(bodyFont)};padding:8px 0;border-bottom:1px solid ${light.line}"><span class="soft" style="color:${light.soft};font-size:14px">${inOrder(label)}</span><br><span class="text" style="color:${light.text};font-weight:700"><bdi>${inOrder(value)}</bdi></span></td></tr>`,
  );
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:${top}px 0 0;table-layout:fixed">${rows}</table>`;
}

function footOf(foot: readonly FootPart[], { light }: EmailTheme, { direction }: Words): Child {
  const padding = direction === 'rtl' ? '12px 0 12px 16px' : '12px 16px 12px 0';
  return foot.map((part, at) => {
    const style = `margin:${at === 0 ? 0 : 12}px 0 0;color:${light['on-ground']}`;
    if ('text' in part) {
      const lines = part.text.split('\n').map((line, number) => [number > 0 && html`<br>`, inOrder(line)]);
      return html`<p class="on-ground" style="${style}">${lines}</p>`;
    }
    const links = part.links.map(
      ({ label, url }) =>
        html`<a class="on-ground" href="${url}" style="display:inline-block;padding:${padding};color:${light['on-ground']};text-decoration:underline">${label}</a>`,
    );
    return html`<p class="on-ground" style="${style}">${links}</p>`;
  });
}

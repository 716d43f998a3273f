import { createHash } from 'node:crypto';
import { raw } from 'hono/html';
import { type Child, type Html, html } from './html.ts';
import type { Words } from './words/words.ts';

/** A whole document and the headers that it is safe with. */
export type WebPage = { html: string; headers: Record<string, string> };

export type DocumentParts = {
  /** Whose language and direction the document has. */
  words: Words;
  title: string;
  /** Further elements of the head. */
  head?: Child;
  /** Of this code's making, or confined by it: nothing in it may end the style element. */
  css: string;
  body: Html;
  /** The page's own script; content brings none. */
  script?: string;
  /** Links lead to a tab of their own unless they say otherwise: in a frame there is no room, and often no leave. */
  isFramed?: boolean;
  /** Which sites may show it in a frame, as CSP says it. */
  frameAncestors?: string;
};

/** One request brings the whole page: styles and script stand in it, each allowed by its hash and nothing else. */
export function renderDocument({
  words,
  title,
  head,
  css: own,
  body,
  script,
  isFramed = false,
  frameAncestors = "'none'",
}: DocumentParts): WebPage {
  const css = own + counterCss(words);
  const scripts = script === undefined ? '' : html`<script>${raw(script)}</script>`;
  const page = html`<!doctype html>
<html lang="${words.tag}" dir="${words.direction}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
${head}${isFramed && raw('<base target="_blank">')}<style>${raw(css)}</style>
</head>
<body>
${body}${scripts}
</body>
</html>
`;
  return { html: page.toString(), headers: headersFor({ css, script, frameAncestors }) };
}

/** The numbers that the style sheet counts by are written as those of the words. */
const counterCss = ({ counterStyle }: Words): string =>
  counterStyle === undefined ? '' : `:root{--counter:${counterStyle}}`;

const headersFor = ({
  css,
  script,
  frameAncestors,
}: {
  css: string;
  script: string | undefined;
  frameAncestors: string;
}) => ({
  'content-security-policy': [
    "default-src 'none'",
    `style-src ${hashOf(css)}`,
    `script-src ${script === undefined ? "'none'" : hashOf(script)}`,
    "img-src 'self' data:",
    `connect-src ${script === undefined ? "'none'" : "'self'"}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
});

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

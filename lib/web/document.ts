import { createHash } from 'node:crypto';
import { raw } from 'hono/html';
import { type Child, type Html, html } from './html.ts';
import type { Words } from './words/words.ts';

/** A complete HTML document and its security headers. */
export type WebPage = { html: string; headers: Record<string, string> };

export type DocumentParts = {
  /** The words, which also determine the language and the direction of the document. */
  words: Words;
  title: string;
  /** Further elements of the head. */
  head?: Child;
  /** Must be written or confined by this code, so that it cannot end the style element. */
  css: string;
  body: Html;
  /** The page's own script. Content never has one. */
  script?: string;
  /** Links open in a new tab by default, because a frame is small and other sites often forbid to be framed. */
  isFramed?: boolean;
  /** The sites that may show the document in a frame, in the syntax of CSP. */
  frameAncestors?: string;
};

/** The document includes its styles and its script, so that it needs one request. CSP allows only their hashes. */
export function renderDocument({
  words,
  title,
  head,
  css,
  body,
  script,
  isFramed = false,
  frameAncestors = "'none'",
}: DocumentParts): WebPage {
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
    ...(css.startsWith('@font-face') ? ["font-src 'self'"] : []),
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

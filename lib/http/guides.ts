import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { guides } from './docs.ts';

/** The guides of `docs/` as pages, for partners who read `/docs` of a stack and have no copy of the project. */

const fileOf = (name: string) => `onboarding-service/docs/${name}.md`;

/** The files that the function ships. */
export const guideFiles: readonly string[] = [...guides.keys()].map(fileOf);

/** @param read returns the text of a file of this package */
export function guidePage(name: string, read: (file: string) => string): string {
  const text = marked
    .parse(read(fileOf(name)), { async: false })
    // What is wider than the page is scrolled, with the keyboard too.
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Onboarding Service: ${guides.get(name)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<nav class="guides" aria-label="Guides"><p><a href="/docs">API reference</a></p></nav>
<main class="guide">
${text}</main>
</body>
</html>
`;
}

const marked = new Marked(gfmHeadingId(), {
  renderer: {
    // Links to guides stay within the service. The other pages and the files of the project are not served.
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const [, guide, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
      if (guide !== undefined && guides.has(guide)) return `<a href="/docs/${guide}${anchor}">${text}</a>`;
      return /^(?:#|https?:)/.test(href) ? `<a href="${href}">${text}</a>` : text;
    },
    image: ({ text }) => `<em>${text}</em>`,
  },
});

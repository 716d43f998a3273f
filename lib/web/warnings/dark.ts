import type { Template } from '../../domain/content/template.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { withoutComments } from '../css/text.ts';
import { isDark } from '../journey/theme.ts';
import type { GivenTemplate } from './given.ts';

/** CSS for dark devices in a campaign whose pages stay light. @param path of the template */
export function darkWarnings(template: GivenTemplate, path: string): ErrorDetail[] {
  const template_pages = template.template_pages.filter(({ page }) => page !== null);
  if (isDark({ ...template, template_pages } as unknown as Template)) return [];
  return sheetsOf(template, path)
    .filter(({ css }) => /prefers-color-scheme\s*:\s*dark/i.test(withoutComments(css ?? '')))
    .map((sheet) => ({ path: sheet.path, message: staysLight }));
}

const staysLight =
  'has rules for dark devices, but the rest of the page stays light: write dark colors into `palette.dark` of `theme`, or leave the rules out';

const sheetsOf = ({ css, custom_css, template_pages }: GivenTemplate, path: string) => [
  { css, path: `${path}/css` },
  { css: custom_css, path: `${path}/custom_css` },
  ...template_pages.flatMap(({ page }, index) => {
    const at = `${path}/template_pages/${index}/page`;
    const blocks = page?.content_blocks ?? [];
    return [
      { css: page?.css, path: `${at}/css` },
      ...blocks.map((block, place) => ({ css: block.css, path: `${at}/content_blocks/${place}/css` })),
    ];
  }),
];

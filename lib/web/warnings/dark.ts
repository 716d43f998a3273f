import type { Template } from '../../domain/content/template.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { withoutComments } from '../css/text.ts';
import { isDark } from '../journey/theme.ts';
import type { GivenTemplate } from './given.ts';
import { sheetsOfPages } from './sheets.ts';

/** CSS for dark devices in a campaign whose pages stay light. @param path of the template */
export function darkWarnings(template: GivenTemplate, path: string): ErrorDetail[] {
  if (hasDark(template)) return [];
  return sheetsOfPages(template, path)
    .filter(({ css }) => /prefers-color-scheme\s*:\s*dark/i.test(withoutComments(css)))
    .map((sheet) => ({ path: sheet.path, message: staysLight }));
}

/** Whether the pages of the document have dark colors. */
export function hasDark(template: GivenTemplate): boolean {
  const template_pages = template.template_pages.filter(({ page }) => page !== null);
  return isDark({ ...template, template_pages } as unknown as Template);
}

const staysLight =
  'has rules for dark devices, but the rest of the page stays light: write dark colors into `palette.dark` of `theme`, or leave the rules out';

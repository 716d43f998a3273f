import { isPublished } from '../../domain/completion.ts';
import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import type { GivenTemplate } from './given.ts';

/** Pages with the same title, which people see one below the other in the list of steps. @param path of the template */
export function titleWarnings(templatePages: GivenTemplate['template_pages'], path: string): ErrorDetail[] {
  const titles = templatePages.map(({ page }) =>
    page && isPublished(page) ? (page.navigation_title?.trim().toLowerCase() ?? '') : '',
  );
  return titles.flatMap((title, index) => {
    const first = titles.indexOf(title);
    if (title === '' || first === index) return [];
    const message = `is also the title of page ${first + 1}: people cannot tell the steps apart`;
    return [{ path: `${path}/template_pages/${index}/page/navigation_title`, message }];
  });
}

/** The id of a template without an `id` is made from its name, with its spaces. */
export const spaceWarnings = (name: string | null, path: string): ErrorDetail[] =>
  name !== null && name.trim() !== '' && /^[\s\u200b\ufeff]|[\s\u200b\ufeff]$/.test(name)
    ? [
        {
          path,
          message: 'begins or ends with a space, with which it is the name of another campaign: delete the space',
        },
      ]
    : [];

/** When a journey is completed, its URL shows the ending. */
export const homeWarnings = (cta: JsonValue | undefined, path: string): ErrorDetail[] =>
  isJsonObject(cta) && /^\s*\{\{\s*journey_url\s*\}\}\s*$/.test(String(cta.url))
    ? [{ path, message: 'leads to the ending itself: write the URL of another page' }]
    : [];

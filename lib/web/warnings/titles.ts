import { isPublished } from '../../domain/completion.ts';
import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { wordsIn } from '../words/words.ts';
import type { GivenPage, GivenTemplate } from './given.ts';
import { textOf } from './members.ts';

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

/** Pages without a title, if the journey has a list of steps. @param path of the template */
export function untitledWarnings({ template_pages, language }: GivenTemplate, path: string): ErrorDetail[] {
  const isShown = ({ page }: GivenTemplate['template_pages'][number]) => !page || isPublished(page);
  if (template_pages.filter(isShown).length < 2) return [];
  const untitled = wordsIn(language).text('step_untitled');
  return template_pages.flatMap(({ page }, index) => {
    if (!page || !isPublished(page) || (page.navigation_title ?? page.content_name) !== null) return [];
    const message = `is not set, so the list of steps shows "${untitled}": write a title${exampleOf(page)}`;
    return [{ path: `${path}/template_pages/${index}/page/navigation_title`, message }];
  });
}

/** Characters of a title that fits into the list of steps. */
const longestTitle = 40;

/** The first heading of the page, if it can be a title, in which no placeholder is filled in. */
function exampleOf({ content_blocks }: GivenPage): string {
  const headings = content_blocks.map(({ data }) => textOf(data, ['heading'])?.trim());
  const first = headings.find((each) => each !== undefined);
  return first === undefined || first.length > longestTitle || first.includes('{{') ? '' : `, such as "${first}"`;
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
  isJsonObject(cta) && typeof cta.url === 'string' && /^\s*\{\{\s*journey_url\s*\}\}\s*$/.test(cta.url)
    ? [{ path, message: 'leads to the ending itself: write the URL of another page' }]
    : [];

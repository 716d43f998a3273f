import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { endingCall, footer, support } from '../content/open-fields.ts';
import { partsOfBlocks } from './blocks.ts';
import { contrastWarnings } from './contrast.ts';
import type { GivenTemplate } from './given.ts';
import { partsOfPage } from './page.ts';
import { lost, noted, type Part, partOf } from './parts.ts';
import type { SharedVariables } from './placeholders.ts';
import { readingOf } from './shapes.ts';
import { cssWarnings, styleSheetWarnings, themeWarnings } from './styles.ts';
import { partsOfVariables, type VariableNames, variablesOfAll, variablesOfFirst } from './variables.ts';

/**
 * @property names the variables of all templates
 * @property isPartial true if a list of blocks or pages is in a field that is not known. What is missing follows from that
 */
type Given = { names: VariableNames; isPartial: boolean };

/** What pages read of a template, and warnings for everything that they do not show. */
export function partsOfTemplate(template: GivenTemplate, path: string, { names, isPartial }: Given): Part[] {
  const { content_blocks, template_pages } = template;
  return [
    ...partsOfTexts(template, path, variablesOfAll(template)),
    noted(isPartial ? [] : endingWarnings(template, `${path}/ending`)),
    noted(themeAndCssWarnings(template, path)),
    ...partsOfBlocks(content_blocks, path, {
      ...{ condition: null, surface: 'journey', isIntroduction: true },
      ...variablesOfFirst(template),
    }),
    ...template_pages.flatMap((each, index) => {
      const at = `${path}/template_pages/${index}`;
      const variables = each.content_variables ?? {};
      return [
        ...partsOfVariables(variables, names, at),
        ...(each.page ? partsOfPage(each.page, { template, variables, isPartial }, `${at}/page`) : []),
      ];
    }),
  ];
}

/** What pages do not use of the theme and the CSS of a template, and colors that cannot be read. */
function themeAndCssWarnings(template: GivenTemplate, path: string): ErrorDetail[] {
  const { theme_base, theme, theme_overrides, styles, css, custom_css } = template;
  const themes = { theme_base, theme, theme_overrides };
  const parts = Object.entries({ ...themes, styles, 'styles/overrides': styles?.overrides });
  return [
    ...Object.entries(themes).flatMap(([name, value]) => themeWarnings(value, `${path}/${name}`)),
    ...styleSheetWarnings(styles, `${path}/styles`),
    ...contrastWarnings(parts.map(([name, value]) => ({ value, path: `${path}/${name}` }))),
    ...cssWarnings(css, `${path}/css`),
    ...cssWarnings(custom_css, `${path}/custom_css`),
  ];
}

/** A journey ends when its pages with a condition are completed. */
function endingWarnings({ ending, template_pages }: GivenTemplate, path: string): ErrorDetail[] {
  // A page that is given only by its id can have a condition.
  const canEnd = template_pages.some(({ page }) => page?.completion_condition !== null);
  if (ending === null || canEnd) return [];
  return [{ path, message: 'is never shown, because no page has a `completion_condition`: then a journey has no end' }];
}

/** The texts of the template itself. */
function partsOfTexts(template: GivenTemplate, path: string, variables: SharedVariables): Part[] {
  const { name, logo_file_id, footer_content, support_owner_options, ending } = template;
  const { heading, body, next, cta } = ending ?? {};
  return [
    partOf(readingOf(name, { is: 'text' }, `${path}/name`), 'none'),
    partOf(readingOf(logo_file_id, { is: 'file', type: 'image' }, `${path}/logo_file_id`), 'none'),
    partOf(readingOf(footer_content, footer, `${path}/footer_content`), 'journey', variables),
    partOf(readingOf(support_owner_options, { is: 'object', of: support }, `${path}/support_owner_options`), 'none'),
    ...Object.entries({ heading, body, next }).map(([field, value]) =>
      partOf(readingOf(value, { is: 'text' }, `${path}/ending/${field}`), 'journey', variables),
    ),
    partOf(readingOf(cta, { is: 'object', of: endingCall }, `${path}/ending/cta`), 'journey', variables),
    partOfTitle(template, `${path}/journey_title_options`, variables),
  ];
}

function partOfTitle(
  { journey_title_options: options }: GivenTemplate,
  path: string,
  variables: SharedVariables,
): Part {
  const { type = null, custom = null } = options ?? {};
  const at = `${path}/custom`;
  if (custom !== null && type !== 'CUSTOM') {
    return lost([{ path: at, message: 'is not shown: write "CUSTOM" into `type`' }]);
  }
  if ((custom ?? '').trim() === '' && type === 'CUSTOM') {
    return noted([{ path: at, message: 'is empty, so journeys have no title: write the title into it' }]);
  }
  return partOf(readingOf(custom, { is: 'text' }, at), 'journey', variables);
}

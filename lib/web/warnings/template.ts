import { isPublished } from '../../domain/completion.ts';
import { endingCall, footer, support } from '../../domain/content/open-fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { darkScheme, lightScheme } from '../css/scheme.ts';
import { partsOfBlocks } from './blocks.ts';
import { blocksOfPages, scopeOfTemplate, type UsedClasses } from './classes.ts';
import { contrastWarnings, paletteOf, type ThemePart } from './contrast.ts';
import { cssContrastWarnings, type Schemes } from './css-contrast.ts';
import { cssVariableWarnings } from './css-variables.ts';
import { darkWarnings, hasDark } from './dark.ts';
import { emptyTextWarnings, footerLinkWarnings } from './empty.ts';
import { fontWarnings } from './fonts.ts';
import type { GivenTemplate } from './given.ts';
import { withoutInvisible } from './invisible.ts';
import { orderWarnings } from './order.ts';
import { partsOfPage } from './page.ts';
import { lost, noted, type Part, partOf } from './parts.ts';
import type { SharedVariables } from './placeholders.ts';
import { readingOf } from './shapes.ts';
import { sheetsOfContainers, sheetsOfPages } from './sheets.ts';
import { cssWarnings, styleSheetWarnings, themeWarnings } from './styles.ts';
import { partsOfVariables, type VariableNames, variablesOfAll, variablesOfFirst } from './variables.ts';

type Given = {
  /** The variables of all templates. */
  names: VariableNames;
  usedClasses: UsedClasses | undefined;
  /** True if a list of blocks or pages is in a field that is not known. What is missing then follows from that. */
  isPartial: boolean;
};

/** What pages read of a template, and warnings for everything that they do not show. */
export function partsOfTemplate(
  template: GivenTemplate,
  path: string,
  { names, usedClasses, isPartial }: Given,
): Part[] {
  const { theme_base, theme, theme_overrides, styles, css, custom_css, content_blocks, template_pages } = template;
  const themes = { theme_base, theme, theme_overrides, styles, 'styles/overrides': styles?.overrides };
  const themeParts = Object.entries(themes).map(([name, value]) => ({ value, path: `${path}/${name}` }));
  const scope = isPartial ? undefined : scopeOfTemplate(template);
  return [
    ...partsOfTexts(template, path, variablesOfAll(template)),
    noted(isPartial ? [] : endingWarnings(template, `${path}/ending`)),
    noted([
      ...themeWarnings(theme_base, `${path}/theme_base`),
      ...themeWarnings(theme, `${path}/theme`),
      ...themeWarnings(theme_overrides, `${path}/theme_overrides`),
      ...styleSheetWarnings(styles, `${path}/styles`, scope),
      ...contrastWarnings(themeParts, 'pages'),
      ...fontWarnings(themeParts),
      ...cssWarnings(css, `${path}/css`, scope),
      ...cssWarnings(custom_css, `${path}/custom_css`, scope),
      ...darkWarnings(template, path),
      ...cssContrastWarnings(sheetsOfPages(template, path), schemesOf(template, themeParts), blocksOfPages(template)),
      ...cssContrastWarnings(sheetsOfContainers(template, path), {}),
      ...cssVariableWarnings(sheetsOfPages(template, path)),
    ]),
    ...partsOfBlocks(content_blocks, path, {
      ...{ condition: null, surface: 'journey', template, usedClasses: usedClasses?.names },
      ...variablesOfFirst(template),
    }),
    noted([...orderWarnings(template_pages, `${path}/template_pages`), ...titleWarnings(template_pages, path)]),
    ...template_pages.flatMap((each, index) => {
      const at = `${path}/template_pages/${index}`;
      const around = { template, variables: each.content_variables ?? {}, usedClasses, isPartial };
      return [
        ...partsOfVariables(around.variables, names, at),
        ...(each.page ? partsOfPage(each.page, around, `${at}/page`) : []),
      ];
    }),
  ];
}

function schemesOf(template: GivenTemplate, themeParts: readonly ThemePart[]): Schemes {
  const palette = paletteOf(themeParts);
  return { light: lightScheme(palette), ...(hasDark(template) ? { dark: darkScheme(palette) } : {}) };
}

/** Pages with the same title, which people see one below the other in the list of steps. @param path of the template */
function titleWarnings(templatePages: GivenTemplate['template_pages'], path: string): ErrorDetail[] {
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
const spaceWarnings = (name: string | null, path: string): ErrorDetail[] =>
  name !== null && name.trim() !== '' && withoutInvisible(name).trim() !== name
    ? [
        {
          path,
          message:
            'begins or ends with a space, or has an invisible character: with another space it is the name of another campaign',
        },
      ]
    : [];

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
  const text = { is: 'text' } as const;
  const { heading, body, next, cta } = ending ?? {};
  return [
    noted([
      ...emptyTextWarnings({ name, logo_file_id }, path),
      ...spaceWarnings(name, `${path}/name`),
      ...emptyTextWarnings({ heading, body, next }, `${path}/ending`),
      ...footerLinkWarnings(footer_content as JsonValue, `${path}/footer_content`),
    ]),
    partOf(readingOf(name, text, `${path}/name`), 'none'),
    partOf(readingOf(logo_file_id, { is: 'file', type: 'image' }, `${path}/logo_file_id`), 'none'),
    partOf(readingOf(footer_content, footer, `${path}/footer_content`), 'journey', variables),
    partOf(readingOf(support_owner_options, { is: 'object', of: support }, `${path}/support_owner_options`), 'none'),
    ...Object.entries({ heading, body, next }).map(([field, value]) =>
      partOf(readingOf(value, text, `${path}/ending/${field}`), 'journey', variables),
    ),
    partOf(readingOf(cta, { is: 'object', of: endingCall }, `${path}/ending/cta`), 'journey', variables),
    noted(homeWarnings(cta, `${path}/ending/cta/url`)),
    ...partsOfTitle(template, `${path}/journey_title_options`, variables),
  ];
}

/** When a journey is completed, its URL shows the ending. */
const homeWarnings = (cta: JsonValue | undefined, path: string): ErrorDetail[] =>
  isJsonObject(cta ?? null) && /^\s*\{\{\s*journey_url\s*\}\}\s*$/.test(String((cta as JsonObject).url))
    ? [{ path, message: 'leads to the ending itself: write the URL of another page' }]
    : [];

function partsOfTitle(
  { journey_title_options: options }: GivenTemplate,
  path: string,
  variables: SharedVariables,
): Part[] {
  const { type = null, custom = null } = options ?? {};
  if (custom !== null && type !== 'CUSTOM') {
    return [lost([{ path: `${path}/custom`, message: 'is not shown: write "CUSTOM" into `type`' }])];
  }
  if ((custom ?? '').trim() === '' && type === 'CUSTOM') {
    return [
      noted([
        {
          path: `${path}/custom`,
          message: `is ${custom === null ? 'not set' : 'empty'}, so journeys have no title: write the title into it`,
        },
      ]),
    ];
  }
  return [partOf(readingOf(custom, { is: 'text' }, `${path}/custom`), 'journey', variables)];
}

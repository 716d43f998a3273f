import { endingCall, footer, support } from '../../domain/content/open-fields.ts';
import type { JsonValue } from '../../domain/json.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { darkScheme, lightScheme } from '../css/scheme.ts';
import { partsOfBlocks } from './blocks.ts';
import { blocksOfPages, scopeOfTemplate, type UsedClasses } from './classes.ts';
import { contrastWarnings, paletteOf, type ThemePart } from './contrast.ts';
import { cssContrastWarnings, type Schemes } from './css-contrast.ts';
import { darkWarnings, hasDark } from './dark.ts';
import { emptyTextWarnings, footerLinkWarnings } from './empty.ts';
import { fontWarnings } from './fonts.ts';
import type { GivenTemplate } from './given.ts';
import { partsOfPage } from './page.ts';
import { lost, noted, type Part, partOf } from './parts.ts';
import type { SharedVariables } from './placeholders.ts';
import { readingOf } from './shapes.ts';
import { sheetsOfContainers, sheetsOfPages } from './sheets.ts';
import { cssWarnings, styleSheetWarnings, themeWarnings } from './styles.ts';
import { type Names, partsOfVariables, variablesOfAll, variablesOfFirst } from './variables.ts';

type Given = {
  /** The names of the placeholders of all templates. */
  used: Names;
  usedClasses: UsedClasses | undefined;
  /** True if a list of blocks or pages is in a field that is not known. What is missing then follows from that. */
  isPartial: boolean;
};

/** What pages read of a template, and warnings for everything that they do not show. */
export function partsOfTemplate(
  template: GivenTemplate,
  path: string,
  { used, usedClasses, isPartial }: Given,
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
    ]),
    ...partsOfBlocks(content_blocks, path, {
      ...{ condition: null, surface: 'journey', template, usedClasses: usedClasses?.names },
      ...variablesOfFirst(template),
    }),
    ...template_pages.flatMap((each, index) => {
      const at = `${path}/template_pages/${index}`;
      const around = { template, variables: each.content_variables ?? {}, usedClasses, isPartial };
      return [
        ...partsOfVariables(around.variables, used, at),
        ...(each.page ? partsOfPage(each.page, around, `${at}/page`) : []),
      ];
    }),
  ];
}

function schemesOf(template: GivenTemplate, themeParts: readonly ThemePart[]): Schemes {
  const palette = paletteOf(themeParts);
  return { light: lightScheme(palette), ...(hasDark(template) ? { dark: darkScheme(palette) } : {}) };
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
  const text = { is: 'text' } as const;
  const { heading, body, next, cta } = ending ?? {};
  return [
    noted([
      ...emptyTextWarnings({ name, logo_file_id }, path),
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
    ...partsOfTitle(template, `${path}/journey_title_options`, variables),
  ];
}

function partsOfTitle(
  { journey_title_options: options }: GivenTemplate,
  path: string,
  variables: SharedVariables,
): Part[] {
  const { type = null, custom = null } = options ?? {};
  if (custom !== null && type !== 'CUSTOM') {
    return [lost([{ path: `${path}/custom`, message: 'is not shown: write "CUSTOM" into `type`' }])];
  }
  if (custom === null && type === 'CUSTOM') {
    return [
      noted([{ path: `${path}/custom`, message: 'is not set, so journeys have no title: write the title into it' }]),
    ];
  }
  return [partOf(readingOf(custom, { is: 'text' }, `${path}/custom`), 'journey', variables)];
}

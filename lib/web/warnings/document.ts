import type { GivenDocument } from '../../domain/content/document.ts';
import { endingCall, footer, support } from '../../domain/content/open-fields.ts';
import { isArchived } from '../../domain/content/template.ts';
import { unknownFieldWarnings } from '../../domain/content/unknown-fields.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import { textsIn } from '../../domain/placeholders.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { lengthOf } from '../channel/css.ts';
import { partsOfBlocks } from './blocks.ts';
import { contrastWarnings } from './contrast.ts';
import { type GivenTemplate, partsOfPage } from './page.ts';
import { lost, noted, type Part, partOf, warningsOf } from './parts.ts';
import { readingOf } from './shapes.ts';
import { cssWarnings, styleSheetWarnings, styleWarnings, themeWarnings } from './styles.ts';
import { languageWarnings, translationWarnings } from './translations.ts';

type GivenChannel = GivenDocument['engagement_channels'][number];

/**
 * What the import accepts but a page cannot show or complete (contract, section 9). Messages are not looked at but for
 * their fields: no page shows them.
 * @param value the document as it was sent @param document what was read of it
 */
export function contentWarnings(value: JsonValue, document: GivenDocument): ErrorDetail[] {
  const { engagement_channels, templates } = document;
  const defaultTexts = new Set(
    engagement_channels.flatMap(({ default_content }) =>
      (default_content?.content_blocks ?? []).flatMap(({ data }) => textsIn(data)),
    ),
  );
  return [
    ...unknownFieldWarnings(value),
    ...engagement_channels.flatMap((each, index) => channelWarnings(each, `/engagement_channels/${index}`)),
    ...templates.flatMap((each, index) => templateWarnings(each, `/templates/${index}`, defaultTexts)),
  ];
}

function channelWarnings({ properties, theme_styles, default_content: content }: GivenChannel, path: string) {
  const at = `${path}/default_content`;
  const themes = [
    { value: theme_styles, path: `${path}/theme_styles` },
    { value: theme_styles?.overrides, path: `${path}/theme_styles/overrides` },
  ];
  return [
    ...(['height', 'width'] as const).flatMap((name) =>
      lengthWarnings(properties?.[name], `${path}/properties/${name}`),
    ),
    ...styleSheetWarnings(theme_styles, `${path}/theme_styles`),
    ...contrastWarnings(themes),
    ...cssWarnings(content?.css, `${at}/css`),
    ...styleWarnings(content?.styles, `${at}/styles`),
    ...warningsOf(partsOfBlocks(content?.content_blocks ?? [], at, { condition: null, surface: 'default content' })),
  ];
}

const lengthWarnings = (length: JsonValue | undefined, path: string): ErrorDetail[] =>
  length === undefined || length === null || lengthOf(length) !== undefined
    ? []
    : [{ path, message: 'is not a length that a page can use, such as 320px or 100%' }];

function templateWarnings(template: GivenTemplate, path: string, defaultTexts: ReadonlySet<string>): ErrorDetail[] {
  const parts = partsOfTemplate(template, path);
  const unread = parts.flatMap((part) => part.unread);
  return [
    ...languageWarnings(template.language, `${path}/language`),
    ...translationWarnings(template, path, unread, defaultTexts),
    ...warningsOf(parts),
  ];
}

function partsOfTemplate(template: GivenTemplate, path: string): Part[] {
  const { theme_base, theme, theme_overrides, styles, css, custom_css, content_blocks, template_pages } = template;
  const themes = { theme_base, theme, theme_overrides, styles, 'styles/overrides': styles?.overrides };
  // The footer and the ending are shown with the variables of several pages.
  const variables: JsonObject = Object.assign({}, ...template_pages.map((each) => each.content_variables ?? {}));
  return [
    ...partsOfTexts(template, path, variables),
    noted([
      ...themeWarnings(theme_base, `${path}/theme_base`),
      ...themeWarnings(theme, `${path}/theme`),
      ...themeWarnings(theme_overrides, `${path}/theme_overrides`),
      ...styleSheetWarnings(styles, `${path}/styles`),
      ...contrastWarnings(Object.entries(themes).map(([name, value]) => ({ value, path: `${path}/${name}` }))),
      ...cssWarnings(css, `${path}/css`),
      ...cssWarnings(custom_css, `${path}/custom_css`),
    ]),
    ...partsOfBlocks(content_blocks, path, { condition: null, variables, surface: 'journey' }),
    noted(emptyWarnings(template, path)),
    ...template_pages.flatMap(({ page, content_variables }, index) =>
      page ? partsOfPage(page, template, `${path}/template_pages/${index}/page`, content_variables ?? {}) : [],
    ),
  ];
}

/** A journey ends when its pages with a condition are completed. */
function endingWarnings({ ending, template_pages }: GivenTemplate, path: string): ErrorDetail[] {
  const canEnd = template_pages.some(({ page }) => (page?.completion_condition ?? null) !== null);
  if (ending === null || canEnd) return [];
  return [{ path, message: 'is never shown: no page has a `completion_condition`' }];
}

/** The texts of the template itself. */
function partsOfTexts(template: GivenTemplate, path: string, variables: JsonObject): Part[] {
  const { name, logo_file_id, footer_content, support_owner_options, ending } = template;
  const text = { is: 'text' } as const;
  const { heading, body, next, cta } = ending ?? {};
  return [
    partOf(readingOf(name, text, `${path}/name`), 'none'),
    partOf(readingOf(logo_file_id, { is: 'file', type: 'image' }, `${path}/logo_file_id`), 'none'),
    partOf(readingOf(footer_content, footer, `${path}/footer_content`), 'journey', variables),
    partOf(readingOf(support_owner_options, { is: 'object', of: support }, `${path}/support_owner_options`), 'none'),
    ...Object.entries({ heading, body, next }).map(([field, value]) =>
      partOf(readingOf(value, text, `${path}/ending/${field}`), 'journey', variables),
    ),
    partOf(readingOf(cta, { is: 'object', of: endingCall }, `${path}/ending/cta`), 'journey', variables),
    noted(endingWarnings(template, `${path}/ending`)),
    ...partsOfTitle(template, `${path}/journey_title_options`, variables),
  ];
}

function partsOfTitle({ journey_title_options: options }: GivenTemplate, path: string, variables: JsonObject): Part[] {
  const { type = null, custom = null } = options ?? {};
  if (custom !== null && type !== 'CUSTOM') {
    return [lost([{ path: `${path}/custom`, message: 'is not shown: the `type` must be CUSTOM' }])];
  }
  if (custom === null && type === 'CUSTOM') {
    return [
      noted([{ path: `${path}/custom`, message: 'is not set, so journeys have no title: write the title into it' }]),
    ];
  }
  return [partOf(readingOf(custom, { is: 'text' }, `${path}/custom`), 'journey', variables)];
}

const emptyWarnings = (template: GivenTemplate, path: string): ErrorDetail[] =>
  template.template_pages.length > 0 || isArchived(template) || template.status === 'draft'
    ? []
    : [{ path: `${path}/template_pages`, message: 'is empty: a journey of this template has nothing to show' }];

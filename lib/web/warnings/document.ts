import type { GivenDocument } from '../../domain/content/document.ts';
import { unknownFieldWarnings } from '../../domain/content/unknown-fields.ts';
import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { lengthOf } from '../channel/css.ts';
import { languageOf } from '../words/words.ts';
import { urlWarnings } from './addresses.ts';
import { blockListWarnings } from './blocks.ts';
import { conditionWarnings, type GivenPage } from './completion.ts';
import { cssWarnings, styleSheetWarnings, styleWarnings, themeWarnings } from './styles.ts';
import { translationWarnings } from './translations.ts';

type GivenTemplate = GivenDocument['templates'][number];
type GivenChannel = GivenDocument['engagement_channels'][number];

/**
 * What the import accepts but a page cannot show or complete (contract, section 9). Messages are not looked at but for
 * their fields: no page shows them.
 * @param value the document as it was sent @param document what was read of it
 */
export const contentWarnings = (value: JsonValue, document: GivenDocument): ErrorDetail[] => [
  ...unknownFieldWarnings(value),
  ...document.engagement_channels.flatMap((each, index) => channelWarnings(each, `/engagement_channels/${index}`)),
  ...document.templates.flatMap((each, index) => templateWarnings(each, `/templates/${index}`)),
];

function channelWarnings({ properties, theme_styles, default_content: content }: GivenChannel, path: string) {
  const at = `${path}/default_content`;
  return [
    ...(['height', 'width'] as const).flatMap((name) =>
      lengthWarnings(properties?.[name], `${path}/properties/${name}`),
    ),
    ...styleSheetWarnings(theme_styles, `${path}/theme_styles`),
    ...cssWarnings(content?.css, `${at}/css`),
    ...styleWarnings(content?.styles, `${at}/styles`),
    ...blockListWarnings(content?.content_blocks ?? [], at, { condition: null }),
  ];
}

const lengthWarnings = (length: JsonValue | undefined, path: string): ErrorDetail[] =>
  length === undefined || length === null || lengthOf(length) !== undefined
    ? []
    : [{ path, message: 'is not a length that a page can use, such as 320px or 100%' }];

function templateWarnings(template: GivenTemplate, path: string): ErrorDetail[] {
  const { theme_base, theme, theme_overrides, styles, css, custom_css, content_blocks, template_pages } = template;
  return [
    ...languageWarnings(template, path),
    ...translationWarnings(template, path),
    ...footerWarnings(template, path),
    ...reachWarnings(template, path),
    ...themeWarnings(theme_base, `${path}/theme_base`),
    ...themeWarnings(theme, `${path}/theme`),
    ...themeWarnings(theme_overrides, `${path}/theme_overrides`),
    ...styleSheetWarnings(styles, `${path}/styles`),
    ...cssWarnings(css, `${path}/css`),
    ...cssWarnings(custom_css, `${path}/custom_css`),
    ...blockListWarnings(content_blocks, path, { condition: null }),
    ...template_pages.flatMap(({ page, content_variables }, index) =>
      page ? pageWarnings(page, `${path}/template_pages/${index}/page`, content_variables ?? {}) : [],
    ),
  ];
}

const languageWarnings = ({ language }: GivenTemplate, path: string): ErrorDetail[] =>
  language === null || languageOf(language) !== undefined
    ? []
    : [{ path: `${path}/language`, message: 'is a language without words: its pages use English' }];

/** How to reach the institution, and the call to action of the ending. */
function reachWarnings({ support_owner_options: options, ending }: GivenTemplate, path: string): ErrorDetail[] {
  const at = `${path}/support_owner_options`;
  const { url } = (isJsonObject(options ?? null) ? options : {}) as Record<string, JsonValue>;
  const call = (isJsonObject(ending?.cta ?? null) ? ending?.cta : {}) as Record<string, JsonValue>;
  return [...urlWarnings(url, `${at}/url`), ...urlWarnings(call.url, `${path}/ending/cta/url`)];
}

function footerWarnings({ footer_content: footer }: GivenTemplate, path: string): ErrorDetail[] {
  const links = isJsonObject(footer ?? null) ? (footer as Record<string, JsonValue>).links : undefined;
  return (Array.isArray(links) ? links : []).flatMap((link, index) =>
    isJsonObject(link) ? urlWarnings(link.url, `${path}/footer_content/links/${index}/url`) : [],
  );
}

function pageWarnings(page: GivenPage, path: string, variables: NonNullable<GivenTemplatePage['content_variables']>) {
  const { completion_condition: condition, cta, content_blocks, content_containers, css, styles } = page;
  const place = { condition, variables };
  return [
    ...conditionWarnings(page, path, variables),
    ...(isJsonObject(cta ?? null)
      ? urlWarnings((cta as Record<string, JsonValue>).url, `${path}/cta/url`, variables)
      : []),
    ...cssWarnings(css, `${path}/css`),
    ...styleWarnings(styles, `${path}/styles`),
    ...blockListWarnings(content_blocks, path, place),
    ...content_containers.flatMap((container, index) => {
      const at = `${path}/content_containers/${index}`;
      return [
        ...cssWarnings(container.css, `${at}/css`),
        ...styleWarnings(container.styles, `${at}/styles`),
        ...blockListWarnings(container.content_blocks, at, place),
      ];
    }),
  ];
}

type GivenTemplatePage = GivenTemplate['template_pages'][number];

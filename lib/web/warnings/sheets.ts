import { blockKindOf } from '../../domain/content/block-types.ts';
import type { GivenDocument } from '../../domain/content/document.ts';
import { isFilledText, type JsonObject } from '../../domain/json.ts';
import { cssOfObject } from '../css/style-object.ts';
import type { GivenBlock, GivenTemplate } from './given.ts';

/**
 * A style sheet of a campaign. `owner`: JSON Pointer of the object whose blocks it applies to. `hasTexts`: false for a
 * block whose only text is that of a button.
 */
export type Sheet = { css: string; path: string; owner: string; hasTexts: boolean };

type Styled = { css?: string | null; styles?: JsonObject | null };

/** The style sheets of a template and its pages, in which the content of channels is not included. @param path of the template */
export function sheetsOfPages(template: GivenTemplate, path: string): Sheet[] {
  const { css, custom_css, styles, content_blocks, template_pages } = template;
  const { palette, typography, button_radius, ...overrides } = styles?.overrides ?? {};
  return [
    ...sheetsOf({ css, styles: styles?.custom ?? null }, path, { styles: 'styles/custom' }),
    ...sheetsOf({ css: custom_css, styles: overrides }, path, { css: 'custom_css', styles: 'styles/overrides' }),
    ...sheetsOfBlocks(content_blocks, path),
    ...template_pages.flatMap(({ page }, index) => {
      const at = `${path}/template_pages/${index}/page`;
      return page ? [...sheetsOf(page, at), ...sheetsOfBlocks(page.content_blocks, at)] : [];
    }),
  ];
}

/** Those of the content of its pages for channels. */
export const sheetsOfContainers = ({ template_pages }: GivenTemplate, path: string): Sheet[] =>
  template_pages.flatMap(({ page }, index) =>
    (page?.content_containers ?? []).flatMap((container, place) =>
      sheetsOfContent(container, `${path}/template_pages/${index}/page/content_containers/${place}`),
    ),
  );

/** All style sheets of a document. */
export const sheetsOfDocument = ({ templates, engagement_channels }: GivenDocument): Sheet[] => [
  ...templates.flatMap((template) => [...sheetsOfPages(template, ''), ...sheetsOfContainers(template, '')]),
  ...engagement_channels.flatMap(({ theme_styles, default_content }) => [
    ...sheetsOf({ styles: theme_styles?.custom ?? null }, ''),
    ...sheetsOf({ styles: theme_styles?.overrides ?? null }, ''),
    ...(default_content ? sheetsOfContent(default_content, '') : []),
  ]),
];

/** @param path of an object with blocks */
export const sheetsOfContent = (content: Styled & { content_blocks: readonly GivenBlock[] }, path: string): Sheet[] => [
  ...sheetsOf(content, path),
  ...sheetsOfBlocks(content.content_blocks, path),
];

const sheetsOfBlocks = (blocks: readonly GivenBlock[], path: string): Sheet[] =>
  blocks.flatMap((block, index) =>
    sheetsOf(block, `${path}/content_blocks/${index}`).map((sheet) => ({ ...sheet, hasTexts: hasTexts(block) })),
  );

function sheetsOf({ css, styles }: Styled, owner: string, names = {}): Sheet[] {
  const { css: cssName, styles: stylesName } = { css: 'css', styles: 'styles', ...names };
  return [
    { css: cssOfObject(styles), path: `${owner}/${stylesName}`, owner, hasTexts: true },
    { css: css ?? '', path: `${owner}/${cssName}`, owner, hasTexts: true },
  ].filter((sheet) => sheet.css !== '');
}

/** Whether a block has texts on the background of the page. */
export function hasTexts({ type, data }: GivenBlock): boolean {
  const kind = blockKindOf(type);
  return kind === 'image' ? isFilledText(data?.caption) : kind !== 'call' && kind !== 'divider';
}

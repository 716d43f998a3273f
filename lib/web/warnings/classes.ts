import { rulesOf } from './css-rules.ts';
import { classesIn } from './css-subjects.ts';
import type { GivenBlock, GivenPage, GivenTemplate } from './given.ts';

/** What the selectors of a style sheet can name. `undefined` if not all blocks are known that it applies to. */
export type StyleScope =
  | {
      /** The `customClass` names of the blocks that the style sheet applies to. */
      classes: ReadonlySet<string>;
      /** Those of other blocks of the template. */
      elsewhere: ReadonlySet<string>;
      /** How many blocks a page has, and the introduction. Their ids are `b1` and `t1` and so on. */
      ids: { b: number; t: number };
    }
  | undefined;

/** The names in a block's `customClass`. */
export const classNamesOf = ({ data }: GivenBlock): string[] => data?.customClass?.split(/\s+/).filter(Boolean) ?? [];

/** The `customClass` names of blocks. */
export const classesOf = (blocks: readonly GivenBlock[]): ReadonlySet<string> => new Set(blocks.flatMap(classNamesOf));

/** The scope of styles that apply to these blocks only. */
export const scopeOfBlocks = (blocks: readonly GivenBlock[], template?: GivenTemplate): StyleScope => ({
  classes: classesOf(blocks),
  elsewhere: classesOf(template ? blocksOf(template) : []),
  ids: { b: blocks.length, t: 0 },
});

/** The scope of the styles of a template: all of its pages. */
export function scopeOfTemplate(template: GivenTemplate): StyleScope {
  const { content_blocks, template_pages } = template;
  if (template_pages.some(({ page }) => page === null)) return undefined;
  return {
    classes: classesOf(blocksOfPages(template)),
    elsewhere: classesOf(blocksOf(template)),
    ids: { b: Math.max(0, ...template_pages.map(({ page }) => page!.content_blocks.length)), t: content_blocks.length },
  };
}

/** The scope of the styles of a page: its blocks and the introduction, which the first page shows. */
export const scopeOfPage = ({ content_blocks }: GivenPage, template: GivenTemplate): StyleScope => ({
  classes: classesOf([...content_blocks, ...template.content_blocks]),
  elsewhere: classesOf(blocksOf(template)),
  ids: { b: content_blocks.length, t: template.content_blocks.length },
});

/** The blocks that journey pages show. */
export const blocksOfPages = ({ content_blocks, template_pages }: GivenTemplate): GivenBlock[] => [
  ...content_blocks,
  ...template_pages.flatMap(({ page }) => page?.content_blocks ?? []),
];

/** All blocks of a template that people can see. */
export const blocksOf = (template: GivenTemplate): GivenBlock[] => [
  ...blocksOfPages(template),
  ...template.template_pages.flatMap(({ page }) =>
    (page?.content_containers ?? []).flatMap((container) => container.content_blocks),
  ),
];

/** The classes that CSS of the document has rules for, and the channels whose CSS it has. */
export type UsedClasses = { names: ReadonlySet<string>; channels: ReadonlySet<string | null> };

/** The classes in the selectors of style sheets. */
export const classesUsedIn = (sheets: readonly { css: string }[]): ReadonlySet<string> =>
  new Set(sheets.flatMap(({ css }) => rulesOf(css)).flatMap(({ selectors }) => selectors.flatMap(classesIn)));

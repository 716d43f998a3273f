import type { GivenBlock, GivenTemplate } from './given.ts';
import type { Classes } from './styles.ts';

/** The names in a block's `customClass`. */
export const classNamesOf = ({ data }: GivenBlock): string[] => data?.customClass?.split(/\s+/) ?? [];

/** The `customClass` names of blocks. */
export const classesOf = (blocks: readonly GivenBlock[]): ReadonlySet<string> => new Set(blocks.flatMap(classNamesOf));

/** Those of all blocks of a template. `undefined` if it has pages that are not in the document. */
export const classesOfTemplate = (template: GivenTemplate): Classes =>
  template.template_pages.every(({ page }) => page !== null) ? classesOf(blocksOf(template)) : undefined;

/** All blocks of a template that people can see. */
export const blocksOf = ({ content_blocks, template_pages }: GivenTemplate): GivenBlock[] => [
  ...content_blocks,
  ...template_pages.flatMap(({ page }) => [
    ...(page?.content_blocks ?? []),
    ...(page?.content_containers ?? []).flatMap((container) => container.content_blocks),
  ]),
];

import type { GivenDocument } from '../../domain/content/document.ts';

/** The parts of a document as the import reads it. */
export type GivenTemplate = GivenDocument['templates'][number];
/** @property page `null` if the page is stored or elsewhere in the document */
export type GivenTemplatePage = GivenTemplate['template_pages'][number];
export type GivenPage = NonNullable<GivenTemplatePage['page']>;
export type GivenBlock = GivenTemplate['content_blocks'][number];

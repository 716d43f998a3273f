import type { Page, TemplatePage } from './content/page.ts';
import type { Template } from './content/template.ts';
import { namesPrivateData } from './placeholders.ts';

/**
 * What a person must prove to be the contact for: the whole journey, of which nothing is shown before; or some of what
 * a page says, which is left empty before.
 */
export type IdentityNeed = 'journey' | 'page';

type Shown = Pick<TemplatePage, 'content_variables'> & {
  page: Pick<Page, 'content' | 'content_blocks' | 'completion_message' | 'cta'>;
};
type Around = Pick<Template, 'is_auth_required' | 'content_blocks' | 'footer_content' | 'journey_title_options'>;

/** @param isFirst of the pages to choose from, which also shows what the template itself says */
export function identityNeed(
  template: Around,
  { page, content_variables }: Shown,
  isFirst: boolean,
): IdentityNeed | undefined {
  if (template.is_auth_required) return 'journey';
  const blocks = [...(isFirst ? template.content_blocks : []), ...page.content_blocks];
  const texts = [
    template.journey_title_options?.custom,
    template.footer_content,
    page.content,
    page.completion_message,
    page.cta,
    ...blocks.map(({ data }) => data),
  ];
  return namesPrivateData(texts, content_variables ?? {}) ? 'page' : undefined;
}

import type { ContentContainer, Page, TemplatePage } from './content/page.ts';
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
export function identityNeed(template: Around, shown: Shown, isFirst: boolean): IdentityNeed | undefined {
  if (template.is_auth_required) return 'journey';
  return namesPrivateData(textsOf(template, shown, isFirst), shown.content_variables ?? {}) ? 'page' : undefined;
}

/** All that a page says. @param isFirst as above */
export function textsOf(template: Around, { page }: Shown, isFirst: boolean): unknown[] {
  const blocks = [...(isFirst ? template.content_blocks : []), ...page.content_blocks];
  return [
    template.journey_title_options?.custom,
    template.footer_content,
    page.content,
    page.completion_message,
    page.cta,
    ...blocks.map(({ data }) => data),
  ];
}

/**
 * The same for content of the page in a channel, where nobody can prove anything: what the page itself withholds counts
 * too, so that nobody gets past it there.
 */
export function identityNeedInChannel(
  template: Around,
  shown: Shown,
  container: Pick<ContentContainer, 'content_blocks'>,
): IdentityNeed | undefined {
  const texts = container.content_blocks.map(({ data }) => data);
  const isPrivate = namesPrivateData(texts, shown.content_variables ?? {});
  return identityNeed(template, shown, false) ?? (isPrivate ? 'page' : undefined);
}

import type { ContentContainer, Page, TemplatePage } from '../campaigns/page.ts';
import type { Template } from '../campaigns/template.ts';
import { namesPrivateData } from './placeholders.ts';

/**
 * What requires a proof of identity: the whole journey, of which nothing is shown before, or some values of a page, in
 * whose place a mark is shown before.
 */
export type IdentityNeed = 'journey' | 'page';

/** The same, or answers on the page that were given with a proof. Without a proof, these are not shown in full. */
export type ProofUse = IdentityNeed | 'answers';

type Shown = Pick<TemplatePage, 'content_variables'> & {
  page: Pick<Page, 'content' | 'content_blocks' | 'completion_message' | 'cta'>;
};
type Around = Pick<Template, 'is_auth_required' | 'content_blocks' | 'footer_content' | 'journey_title_options'>;

/** @param isFirst true for the first page of the list, which also shows the content of the template itself */
export function identityNeed(template: Around, shown: Shown, isFirst: boolean): IdentityNeed | undefined {
  if (template.is_auth_required) return 'journey';
  return namesPrivateData(textsOf(template, shown, isFirst), shown.content_variables ?? {}) ? 'page' : undefined;
}

/** All texts of a page. @param isFirst as in {@link identityNeed} */
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
 * The same for content of the page in a channel, where an identity cannot be proved. What the page itself withholds
 * counts too, so that the channel cannot be used to bypass the proof.
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

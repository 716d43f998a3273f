import type { GivenDocument } from '../../lib/domain/content/document.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';

/** The ids of products that complete pages of the document, each with its JSON Pointer. */
type NamedProduct = { productId: string; path: string };

/** Only for the condition `open`. With another, the fields have no effect, which is another warning. */
export const productsNamedIn = ({ templates }: GivenDocument): NamedProduct[] =>
  templates.flatMap(({ template_pages }, index) =>
    template_pages.flatMap(({ page }, place) => {
      if (page?.completion_condition !== 'open') return [];
      const at = `/templates/${index}/template_pages/${place}/page`;
      const { completion_product_id: id, completion_product_ids: ids } = page;
      return [
        ...(id === null ? [] : [{ productId: id, path: `${at}/completion_product_id` }]),
        ...ids.map((productId, each) => ({ productId, path: `${at}/completion_product_ids/${each}` })),
      ];
    }),
  );

/**
 * A warning for each product that the team does not have. Imports create products, so a team without any is not ready
 * yet. @param products all of the team
 */
export function productWarnings(named: readonly NamedProduct[], products: readonly { id: string }[]): ErrorDetail[] {
  if (products.length === 0) return [];
  const known = new Set(products.map(({ id }) => id.toLowerCase()));
  return named
    .filter(({ productId }) => !known.has(productId.toLowerCase()))
    .map(({ path }) => ({
      path,
      message:
        'is not the id of a product of the team, so no account completes the page by it: write the `id` that the `product` of an account has in the API',
    }));
}

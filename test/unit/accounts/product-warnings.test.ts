import { expect, test } from 'vitest';
import { productsNamedIn, productWarnings } from '../../../bin/warnings/files.ts';
import { readDocument } from '../../../lib/content/read.ts';
import type { GivenDocument } from '../../../lib/domain/campaigns/document.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { id, templateWith } from '../../support/samples/content-documents.ts';

const at = '/templates/0/template_pages/0/page';
const documentOf = (page: object) =>
  readDocument(templateWith({ completion_condition: 'open', ...page }) as unknown as JsonValue)
    .document as GivenDocument;
const found = (page: object, products: string[]) =>
  productWarnings(
    productsNamedIn(documentOf(page)),
    products.map((id) => ({ id })),
  ).map(({ path }) => path);

test.each<[what: string, page: object, products: string[], paths: string[]]>([
  ['another product', { completion_product_id: id(1) }, [id(2)], [`${at}/completion_product_id`]],
  [
    'one of a set',
    { completion_product_ids: [id(1), id(2), id(3)] },
    [id(1), id(3)],
    [`${at}/completion_product_ids/1`],
  ],
  ['its own products', { completion_product_id: id(1), completion_product_ids: [id(2)] }, [id(2), id(1)], []],
  [
    'its own product in capital letters',
    { completion_product_id: 'ABCDEF00-0000-4000-8000-000000000000' },
    ['abcdef00-0000-4000-8000-000000000000'],
    [],
  ],
  ['no product yet', { completion_product_id: id(1) }, [], []],
  ['another condition', { completion_condition: 'view', completion_product_id: id(1) }, [id(2)], []],
  ['no product in the document', { completion_product_type: 'savings' }, [id(2)], []],
])('a team with %s', (_what, page, products, paths) => {
  expect(found(page, products)).toEqual(paths);
});

test('a page that is given by its id names no product', () => {
  const { document } = readDocument({ templates: [{ template_pages: [{ page_id: id(1) }] }] });
  expect(productsNamedIn(document!)).toEqual([]);
});

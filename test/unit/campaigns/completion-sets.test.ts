import { describe, expect, test } from 'vitest';
import { completionSetErrors } from '../../../bin/content/checks.ts';
import { noContent } from '../../../lib/domain/campaigns/link.ts';
import { type TeamFeature, teamFeatures } from '../../../lib/domain/teams/team.ts';
import { id, inPage } from '../../support/samples/content-documents.ts';
import { apply, errorsOf } from './content-imports.ts';

describe('the rule on completion product sets', () => {
  type Sets = Parameters<typeof completionSetErrors>[0];
  const none: Sets = { completion_product_ids: [], completion_standardized_types: [] };
  const products = (...ids: number[]): Sets => ({ ...none, completion_product_ids: ids.map(id) });
  const types = (...values: Sets['completion_standardized_types']): Sets => ({
    ...none,
    completion_standardized_types: values,
  });
  const both: Sets = { ...products(1), completion_standardized_types: ['cd'] };
  const [one, two] = teamFeatures;

  test.each<[what: string, given: Sets, stored: Sets | undefined, features: TeamFeature[], paths: string[]]>([
    ['empty sets are always right', none, products(1), [], []],
    ['products are taken with both features', products(1), none, [one, two], []],
    ['standardized types are taken with both features', types('cd'), none, [two, one], []],
    ['never both', both, none, [one, two], ['/p/completion_standardized_types']],
    ['never both, though it is stored so', both, both, [one, two], ['/p/completion_standardized_types']],
    ['refused without features', products(1), none, [], ['/p/completion_product_ids']],
    ['refused with the first feature alone', products(1), undefined, [one], ['/p/completion_product_ids']],
    ['refused with the second feature alone', types('cd'), none, [two], ['/p/completion_standardized_types']],
    ['the stored set may be said again', products(1, 2), products(2, 1), [], []],
    ['a smaller set changes it too', products(1), products(1, 2), [], ['/p/completion_product_ids']],
    ['so does one other product', products(1, 2), products(1, 3), [], ['/p/completion_product_ids']],
    ['so do other types', types('loc'), types('cd'), [one], ['/p/completion_standardized_types']],
  ])('%s', (_what, given, stored, features, paths) => {
    expect(completionSetErrors(given, stored, features, '/p').map(({ path }) => path)).toEqual(paths);
  });

  test('says what is wrong', () => {
    const message = 'must be empty when completion_product_ids is not empty';
    expect(completionSetErrors(both, both, [], '/p')).toEqual([{ path: '/p/completion_standardized_types', message }]);
  });

  test('is held at an import against the stored page', () => {
    const document = (n: number) => ({
      templates: [{ id: id(1), template_pages: [{ page: { id: id(2), completion_product_ids: [id(n)] } }] }],
    });
    const { content } = apply(noContent, document(5), { features: [one, two] });
    expect(errorsOf(content, document(5))).toEqual([]);
    expect(errorsOf(content, document(6))).toEqual([
      `${inPage}/completion_product_ids must not change: the team does not have the features ${one}, ${two}`,
    ]);
  });
});

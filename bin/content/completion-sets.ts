import type { StoredPage } from '../../lib/domain/content/document.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { missingForCompletionSets, type TeamFeature } from '../../lib/domain/team.ts';

type Sets = Pick<StoredPage, 'completion_product_ids' | 'completion_standardized_types'>;

/**
 * The rule of the specification on completion product sets: a page names products or standardized types, never both.
 * For a team without both reporting features, a non-empty value must be equal to the stored set.
 * @param path path of the page
 */
export function completionSetErrors(
  given: Sets,
  stored: Sets | undefined,
  features: readonly TeamFeature[],
  path: string,
): ErrorDetail[] {
  const both = given.completion_product_ids.length > 0 && given.completion_standardized_types.length > 0;
  const errors = both
    ? [
        {
          path: `${path}/completion_standardized_types`,
          message: 'must be empty when completion_product_ids is not empty',
        },
      ]
    : [];
  const missing = missingForCompletionSets(features);
  if (missing.length === 0) return errors;
  for (const name of ['completion_product_ids', 'completion_standardized_types'] as const) {
    if (given[name].length === 0 || isSameSet(given[name], stored?.[name] ?? [])) continue;
    const message = `must not change: the team does not have the features ${missing.join(', ')}`;
    errors.push({ path: `${path}/${name}`, message });
  }
  return errors;
}

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  new Set(a).size === new Set(b).size && a.every((each) => b.includes(each));

import type { Fault } from '../problem.ts';
import type { TeamFeature } from '../team.ts';
import type { StoredPage } from './document.ts';

type Sets = Pick<StoredPage, 'completion_product_ids' | 'completion_standardized_types'>;

const needed: readonly TeamFeature[] = ['product_objective_reporting', 'product_objective_reporting_phase_2'];

/** Whether the team may use the sets of products by which opened accounts complete a page. */
export const hasCompletionSets = (features: readonly TeamFeature[]): boolean =>
  needed.every((feature) => features.includes(feature));

/**
 * The specification's rule on completion product sets: a page names products or standardized types, never both, and of
 * a team without both reporting features a non-empty value must leave the stored set as it is.
 * @param path of the page
 */
export function completionSetFaults(
  given: Sets,
  stored: Sets | undefined,
  features: readonly TeamFeature[],
  path: string,
): Fault[] {
  const both = given.completion_product_ids.length > 0 && given.completion_standardized_types.length > 0;
  const faults = both
    ? [{ path: `${path}/completion_standardized_types`, message: 'must be empty where completion_product_ids is not' }]
    : [];
  if (hasCompletionSets(features)) return faults;
  for (const name of ['completion_product_ids', 'completion_standardized_types'] as const) {
    if (given[name].length === 0 || isSameSet(given[name], stored?.[name] ?? [])) continue;
    const message = `must not change: the team lacks ${needed.filter((each) => !features.includes(each)).join(', ')}`;
    faults.push({ path: `${path}/${name}`, message });
  }
  return faults;
}

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  new Set(a).size === new Set(b).size && a.every((each) => b.includes(each));

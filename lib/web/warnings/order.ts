import type { ErrorDetail } from '../../domain/problem.ts';

/**
 * A list in which only some objects have an `order`. Those are shown first, so an object with `"order": 3` is shown
 * before the objects that are written above it. @param path of the list
 */
export function orderWarnings(list: readonly { order: number | null }[], path: string): ErrorDetail[] {
  const sorted = list.flatMap(({ order }) => order ?? []).toSorted((a, b) => a - b);
  const isMoved = ({ order }: { order: number | null }, index: number) => {
    const above = list.slice(0, index).map((each) => each.order);
    if (order === null || !above.includes(null)) return false;
    // A single object with `"order": 1` is meant as the first.
    return order !== sorted.indexOf(order) + 1 || above.some((each) => each !== null);
  };
  const index = list.findIndex(isMoved);
  if (index < 0) return [];
  const message = `is an \`order\` that others in the list do not have, so it is shown before them, at place ${sorted.indexOf(list[index]!.order!) + 1}: write an \`order\` for each of them, or for none`;
  return [{ path: `${path}/${index}/order`, message }];
}

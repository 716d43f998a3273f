import type { ErrorDetail } from '../../domain/problem.ts';

/**
 * A list in which only some objects have an `order`. Those are shown first, so an object with `"order": 3` is shown
 * before the objects that are written above it. @param path of the list
 */
export function orderWarnings(list: readonly { order: number | null }[], path: string): ErrorDetail[] {
  const sorted = list.flatMap(({ order }) => order ?? []).toSorted((a, b) => a - b);
  const isMoved = ({ order }: { order: number | null }, index: number) =>
    order !== null && order > sorted.indexOf(order) + 1 && list.slice(0, index).some((above) => above.order === null);
  const index = list.findIndex(isMoved);
  if (index < 0) return [];
  const message = `is an \`order\` that others in the list do not have, so it is shown before them, at place ${sorted.indexOf(list[index]!.order!) + 1}: write an \`order\` for each of them, or for none`;
  return [{ path: `${path}/${index}/order`, message }];
}

import { similarTo } from '../../domain/content/similar.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { isClassName } from '../blocks/blocks.ts';
import { isOwnClass } from '../css/matching.ts';
import { classNamesOf } from './classes.ts';
import type { GivenBlock } from './given.ts';

/** Classes around the blocks whose rules apply to every element. */
const aroundBlocks: ReadonlySet<string> = new Set(
  `achieved at bar body bottom box brand ending frame links logo next notice onward progress ring sheet skip stage steps
  top unseen whole`.split(/\s+/),
);

/** True for a class that the service uses itself. */
const isTaken = (name: string): boolean => aroundBlocks.has(name) || isOwnClass(name);

/** Names in `customClass` that the service uses itself. @param path of the block */
export const customClassWarnings = (block: GivenBlock, path: string): ErrorDetail[] =>
  [...new Set(classNamesOf(block))].filter(isTaken).map((name) => ({
    path: `${path}/data/customClass`,
    message: `has the name \`${name}\`, which the service uses itself, so the block takes the look of another part of the page: write a name of your own, such as \`my-${name}\``,
  }));

/**
 * Names in `customClass` for which no style sheet has a rule. Those of the service have another warning, and so has a
 * rule with a similar name. @param path of the block
 */
export function unusedClassWarnings(block: GivenBlock, path: string, used: ReadonlySet<string>): ErrorDetail[] {
  const names = [...new Set(classNamesOf(block))];
  // A name that cannot be a class has a warning of its own.
  if (!names.every(isClassName)) return [];
  return names
    .filter((name) => !isTaken(name) && similarTo(name, [...used]) === undefined)
    .map((name) => ({
      path: `${path}/data/customClass`,
      message: `has the name \`${name}\`, which has no effect: no CSS of the document has a rule for \`.${name}\``,
    }));
}

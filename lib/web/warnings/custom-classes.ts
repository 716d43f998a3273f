import type { ErrorDetail } from '../../domain/problem.ts';
import { isOwnClass } from '../css/matching.ts';
import { classNamesOf } from './classes.ts';
import type { GivenBlock } from './given.ts';

/** Classes around the blocks whose rules apply to every element. */
const aroundBlocks: ReadonlySet<string> = new Set(
  `achieved at bar body bottom box brand ending frame links logo next notice onward progress ring sheet skip stage steps
  top unseen whole`.split(/\s+/),
);

/** Names in `customClass` that the service uses itself. @param path of the block */
export const customClassWarnings = (block: GivenBlock, path: string): ErrorDetail[] =>
  [...new Set(classNamesOf(block))]
    .filter((name) => aroundBlocks.has(name) || isOwnClass(name))
    .map((name) => ({
      path: `${path}/data/customClass`,
      message: `has the name \`${name}\`, which the service uses itself, so the block takes the look of another part of the page: write a name of your own, such as \`my-${name}\``,
    }));

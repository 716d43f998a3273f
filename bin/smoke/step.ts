import type { FunctionId } from './failure.ts';
import type { World } from './world.ts';

/**
 * Permissions that a step uses: by the name of the policy statement, the actions, partitions, indexes and objects.
 * Statements with a single action on a single resource have an empty list.
 */
export type Uses = { readonly [statement: string]: readonly string[] };

export type Step = {
  /** What the step does, as an imperative. */
  readonly name: string;
  readonly function: FunctionId;
  /** In addition to what every call of the function uses. */
  readonly uses?: Uses;
  /** The reason if this step cannot run here. */
  skip?(world: World): string | undefined;
  run(world: World): Promise<void>;
};

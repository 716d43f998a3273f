import type { backgroundFunctions } from '../../lib/background.ts';
import type { defaultRoute, docsRoutes, RouteId } from '../../lib/routes.ts';
import type { World } from './world.ts';

export type FunctionId =
  | RouteId
  | (typeof docsRoutes)[number]['id']
  | (typeof defaultRoute)['id']
  | (typeof backgroundFunctions)[number]['id'];

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

/** The step found something wrong. The message says what, in one line. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';
  /** The function of the request that failed. It can be another one than that of the step. */
  readonly functionId: FunctionId | undefined;
  readonly requestId: string | undefined;
  /** The service itself failed: the function lacks a permission, or it crashed. */
  readonly isInternal: boolean;

  constructor(
    message: string,
    {
      functionId,
      requestId,
      isInternal = false,
    }: { functionId?: FunctionId; requestId?: string; isInternal?: boolean } = {},
  ) {
    super(message);
    this.functionId = functionId;
    this.requestId = requestId;
    this.isInternal = isInternal;
  }
}

/** @throws StepFailure unless the value is as the step expects it */
export function expect(condition: unknown, message: string, functionId?: FunctionId): asserts condition {
  if (!condition) throw new StepFailure(message, functionId === undefined ? {} : { functionId });
}

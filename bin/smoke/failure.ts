import type { backgroundFunctions } from '../../lib/background.ts';
import type { defaultRoute, docsRoutes, RouteId } from '../../lib/routes.ts';

export type FunctionId =
  | RouteId
  | (typeof docsRoutes)[number]['id']
  | (typeof defaultRoute)['id']
  | (typeof backgroundFunctions)[number]['id'];

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

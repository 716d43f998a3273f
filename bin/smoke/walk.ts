import { type FunctionId, StepFailure } from './failure.ts';
import { deniedParts, likelyParts } from './grants.ts';
import type { Step } from './step.ts';
import type { World } from './world.ts';

export type StepResult = {
  name: string;
  function: FunctionId;
  result: 'passed' | 'failed' | 'skipped';
  milliseconds: number;
  /** Why it was skipped, or what was wrong. */
  reason?: string;
  /** The function that seems to have failed. */
  failed_function?: FunctionId;
  /** Permissions that this function may lack: parts of its policy. Only if the service itself failed. */
  likely_grants?: string[];
  request_id?: string;
  /** What the log of this function says. */
  log?: string;
};

/** Runs the steps one after another. A step that fails does not end the walk. */
export async function walk(
  world: World,
  steps: readonly Step[],
  onResult: (result: StepResult) => void = () => {},
): Promise<StepResult[]> {
  const results: StepResult[] = [];
  const passed: Step[] = [];
  for (const step of steps) {
    const result = await runStep(world, step, passed);
    if (result.result === 'passed') passed.push(step);
    results.push(result);
    onResult(result);
  }
  return results;
}

/** Runs one step. @param passed the steps that have passed before, to say which permissions are likely missing */
export async function runStep(world: World, step: Step, passed: readonly Step[]): Promise<StepResult> {
  const { name, function: id } = step;
  const reason = step.skip?.(world);
  if (reason !== undefined) return { name, function: id, result: 'skipped', milliseconds: 0, reason };
  const startedAt = Date.now();
  const milliseconds = () => Date.now() - startedAt;
  try {
    await step.run(world);
    return { name, function: id, result: 'passed', milliseconds: milliseconds() };
  } catch (error) {
    const failed = { name, function: id, result: 'failed' as const, milliseconds: milliseconds() };
    return explained(world, { ...failed, ...failureOf(error, step, passed) }, startedAt);
  }
}

/** With the reason in the log of the function that failed, if the logs can be read. */
async function explained(world: World, result: StepResult, startedAt: number): Promise<StepResult> {
  const { failed_function, request_id = world.teamId, likely_grants = [] } = result;
  if (failed_function === undefined || !world.reach?.readLog) return result;
  const log = await world.reach.readLog(failed_function, request_id, startedAt);
  if (log === undefined) return result;
  const likely = log.denied === undefined ? undefined : deniedParts(failed_function, log.denied, likely_grants);
  return { ...result, log: log.text, ...(likely ? { likely_grants: likely } : {}) };
}

function failureOf(error: unknown, step: Step, passed: readonly Step[]): Partial<StepResult> {
  if (!(error instanceof StepFailure)) return { reason: error instanceof Error ? error.message : String(error) };
  const { message, functionId = step.function, requestId } = error;
  return {
    reason: message,
    failed_function: functionId,
    likely_grants: likelyParts(step, passed, functionId),
    ...(requestId === undefined ? {} : { request_id: requestId }),
  };
}

import { likelyParts } from './grants.ts';
import { type FunctionId, type Step, StepFailure } from './step.ts';
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

async function runStep(world: World, step: Step, passed: readonly Step[]): Promise<StepResult> {
  const { name, function: id } = step;
  const reason = step.skip?.(world);
  if (reason !== undefined) return { name, function: id, result: 'skipped', milliseconds: 0, reason };
  const startedAt = performance.now();
  const milliseconds = () => Math.round(performance.now() - startedAt);
  try {
    await step.run(world);
    return { name, function: id, result: 'passed', milliseconds: milliseconds() };
  } catch (error) {
    return { name, function: id, result: 'failed', milliseconds: milliseconds(), ...failureOf(error, step, passed) };
  }
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

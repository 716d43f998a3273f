import type { FunctionId } from '../smoke/failure.ts';
import type { Step } from '../smoke/step.ts';
import { steps } from '../smoke/steps.ts';
import { runStep } from '../smoke/walk.ts';
import { World } from '../smoke/world.ts';
import { type Policy, policyOf, putPolicy, restartFunction, type Statement } from './aws.ts';
import type { Deployed } from './deployed.ts';

/** A part of a policy that was removed, and the step that failed without it. */
export type Removal = {
  function: FunctionId;
  /** The statement, and the action, partition, index or object pattern that was removed from it; or {@link nothing}. */
  removed: string;
  /** `undefined` if every step passed. */
  found_by?: string;
  reason?: string;
  /** Whether the removed part was among those that the smoke test named. */
  named?: boolean;
  /** What the log of the function said. */
  log?: string;
  milliseconds: number;
};

/** A first run with the whole policy, which must pass: otherwise a later failure shows nothing. */
export const nothing = 'nothing';

/** The statement that lets a function write its log, which the emulator does itself. */
const notEnforced = new Set(['Log']);
/** Actions that the emulator takes itself, for a queue that triggers a function. */
const ofTrigger = new Set(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes']);

type Part = { label: string; without: Statement | undefined };

/**
 * Removes each part of a function's policy, one at a time, and runs the steps of the function with a new team. The
 * function is started again before, so that it has nothing cached. The first run is with the whole policy.
 */
export async function removeParts(
  deployed: Deployed,
  id: FunctionId,
  onRemoval: (removal: Removal) => void,
): Promise<void> {
  const { role, lambda } = deployed.names.get(id)!;
  const policy = await policyOf(role);
  const own = steps.filter((step) => step.function === id);
  try {
    onRemoval(await tryWithout(deployed, { id, role, lambda, label: nothing, changed: policy }, own));
    for (const [at, statement] of policy.Statement.entries()) {
      for (const { label, without } of partsOfStatement(statement)) {
        const changed = { ...policy, Statement: policy.Statement.toSpliced(at, 1, ...(without ? [without] : [])) };
        onRemoval(await tryWithout(deployed, { id, role, lambda, label, changed }, own));
      }
    }
  } finally {
    await putPolicy(role, policy);
    await restartFunction(lambda);
  }
}

type Attempt = { id: FunctionId; role: string; lambda: string; label: string; changed: Policy };

async function tryWithout(
  deployed: Deployed,
  { id, role, lambda, label, changed }: Attempt,
  own: typeof steps,
): Promise<Removal> {
  const startedAt = Date.now();
  await putPolicy(role, changed);
  await restartFunction(lambda);
  const world = await World.make(deployed);
  const passed: Step[] = [];
  for (const step of own) {
    const { result, name: found_by, reason = '', likely_grants = [], log } = await runStep(world, step, passed);
    if (result !== 'failed') {
      passed.push(step);
      continue;
    }
    const named = isNamed(label, likely_grants);
    const times = { milliseconds: Date.now() - startedAt };
    return { function: id, removed: label, found_by, reason, named, ...(log === undefined ? {} : { log }), ...times };
  }
  return { function: id, removed: label, milliseconds: Date.now() - startedAt };
}

/** A statement that was removed as a whole is named by any of its parts. */
const isNamed = (label: string, likely: readonly string[]): boolean =>
  likely.includes(label) || likely.some((part) => label === `${part.split(' ')[0]} ${whole}`);

const whole = '(whole)';

/** The statement without each of its parts. A statement with a single part is removed as a whole. */
export function partsOfStatement(statement: Statement): Part[] {
  const { Sid = '' } = statement;
  if (notEnforced.has(Sid)) return [];
  const actions = [statement.Action].flat();
  const resources = [statement.Resource].flat();
  const partitions = partitionsOf(statement);
  const parts: Part[] = [];
  const label = (text: string) => `${Sid} ${text}`;
  if (actions.length > 1) {
    for (const action of actions.filter((each) => !ofTrigger.has(each))) {
      const without = { ...statement, Action: actions.filter((each) => each !== action) };
      parts.push({ label: label(action.split(':')[1]!), without });
    }
  }
  if (resources.length > 1) {
    for (const resource of resources) {
      const without = { ...statement, Resource: resources.filter((each) => each !== resource) };
      parts.push({ label: label(nameOf(resource)), without });
    }
  }
  if (partitions.length > 1) {
    for (const partition of partitions) {
      parts.push({
        label: label(partition),
        without: withPartitions(
          statement,
          partitions.filter((p) => p !== partition),
        ),
      });
    }
  }
  const isTrigger = actions.every((each) => ofTrigger.has(each));
  if (parts.length === 0 && !isTrigger) parts.push({ label: label(whole), without: undefined });
  return parts;
}

const operator = 'ForAllValues:StringLike';
const leadingKeys = 'dynamodb:LeadingKeys';

const partitionsOf = ({ Condition }: Statement): string[] => [Condition?.[operator]?.[leadingKeys] ?? []].flat();

const withPartitions = (statement: Statement, partitions: string[]): Statement => ({
  ...statement,
  Condition: { ...statement.Condition, [operator]: { [leadingKeys]: partitions } },
});

/** The index of a table, or the pattern of objects in a bucket. */
const nameOf = (arn: string): string =>
  /\/index\/(.+)$/.exec(arn)?.[1] ?? /^arn:aws:s3:::[^/]+\/(.+)$/.exec(arn)?.[1] ?? arn;

import { CloudFormationClient, ListStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { longRequests } from '../../lib/store/connections.ts';
import { failure } from '../admin/failure.ts';
import type { FunctionId } from './failure.ts';

export type StackResource = { logical: string; type: string; name: string };

/** All resources of a stack, with their logical ids and physical names. */
export async function stackResources(stackName: string): Promise<StackResource[]> {
  const client = new CloudFormationClient({ requestHandler: longRequests });
  const found: StackResource[] = [];
  for (let NextToken: string | undefined; ; ) {
    const page = await client.send(new ListStackResourcesCommand({ StackName: stackName, NextToken }));
    for (const resource of page.StackResourceSummaries ?? []) {
      found.push({
        logical: resource.LogicalResourceId ?? '',
        type: resource.ResourceType ?? '',
        name: resource.PhysicalResourceId ?? '',
      });
    }
    NextToken = page.NextToken;
    if (NextToken === undefined) return found;
  }
}

/**
 * The physical name of a part of a function, by the ids that the stack gives its constructs.
 * @throws AdminFailure if the stack has no such part
 */
export function partOf(
  resources: readonly StackResource[],
  id: FunctionId,
  part: 'Function' | 'Role' | 'Logs',
): string {
  const pattern = new RegExp(`^${id.replaceAll('-', '')}${part}[0-9A-F]{8}$`);
  const resource = resources.find(({ logical }) => pattern.test(logical));
  if (!resource) throw failure('no_such_stack', `The stack has no ${part} of ${id}.`);
  return resource.name;
}

import { randomUUID } from 'node:crypto';
import { CloudFormationClient, DescribeStacksCommand, ListStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { longRequests, shortRequests } from '../../lib/store/connections.ts';
import type { Database } from '../../lib/store/database.ts';
import { DynamoDatabase } from '../../lib/store/dynamodb.ts';
import { signingKeyKey } from '../../lib/store/keys.ts';
import { loadPublicKeys } from '../../lib/store/signing-keys.ts';
import { deployedInstallation } from '../admin/installation.ts';
import { functionIds } from '../smoke/grants.ts';
import type { FunctionId } from '../smoke/step.ts';
import type { Target } from '../smoke/world.ts';
import { stackName } from './assembly.ts';
import { invokeFunction } from './aws.ts';
import { CannotRun } from './cannot-run.ts';

/** The names of a function and its role in the emulator. */
export type Names = { lambda: string; role: string };

/** The stack as it is deployed in the emulator. */
export type Deployed = Target & { names: ReadonlyMap<FunctionId, Names> };

/** What every release of the stack has. */
export type Basics = { baseUrl: string; database: Database; signingKeys: string };

/** The stack of this or an earlier release. */
export async function openBasics(endpoint: string): Promise<Basics> {
  const client = new CloudFormationClient({ requestHandler: longRequests });
  const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
  const output = (name: string): string => {
    const found = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
    if (found === undefined) throw new CannotRun(`The stack has no output ${name}.`);
    return found;
  };
  const table = new DynamoDBClient({ maxAttempts: 1, requestHandler: shortRequests });
  return {
    // `POST /oauth2/token` on the API's own host goes to the emulator's Cognito.
    baseUrl: `${endpoint}/_aws/execute-api/${new URL(output('ApiUrl')).hostname.split('.')[0]}/$default`,
    database: new DynamoDatabase({ tableName: output('TableName'), client: table }),
    signingKeys: output('SigningKeysArn'),
  };
}

/** @param patience seconds that a step of the smoke test waits for a background function */
export async function openDeployed(endpoint: string, patience: number): Promise<Deployed> {
  const [installation, basics] = await Promise.all([deployedInstallation(stackName), openBasics(endpoint)]);
  const resources = await stackResources();
  const names = new Map(
    functionIds.map((id) => [id, { lambda: nameOf(resources, id, 'Function'), role: nameOf(resources, id, 'Role') }]),
  );
  return {
    installation,
    baseUrl: basics.baseUrl,
    names,
    reach: {
      patience,
      skipsSchedules: true,
      invoke: (id, event) => invokeFunction(names.get(id)!.lambda, event),
      rotate: () => rotate(basics),
    },
  };
}

type StackResource = { logical: string; name: string };

async function stackResources(): Promise<StackResource[]> {
  const client = new CloudFormationClient({ requestHandler: longRequests });
  const found: StackResource[] = [];
  for (let NextToken: string | undefined; ; ) {
    const page = await client.send(new ListStackResourcesCommand({ StackName: stackName, NextToken }));
    for (const { LogicalResourceId: logical = '', PhysicalResourceId: name = '' } of page.StackResourceSummaries ??
      []) {
      found.push({ logical, name });
    }
    NextToken = page.NextToken;
    if (NextToken === undefined) return found;
  }
}

/** The physical name of a part of a function, by the ids that the stack gives its constructs. */
function nameOf(resources: readonly StackResource[], id: FunctionId, part: 'Function' | 'Role'): string {
  const pattern = new RegExp(`^${id.replaceAll('-', '')}${part}[0-9A-F]{8}$`);
  const resource = resources.find(({ logical }) => pattern.test(logical));
  if (!resource) throw new CannotRun(`The stack has no ${part} of ${id}.`);
  return resource.name;
}

const rotationSteps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;

/** Runs the steps of a rotation in the order of Secrets Manager. Earlier keys are made usable, or it would be refused. */
export async function rotate({ database, signingKeys }: Basics): Promise<void> {
  const published = await loadPublicKeys(database);
  const waiting = published.filter(({ usable_from }) => usable_from > Date.now());
  await database.write(
    waiting.map(({ kid }) => ({
      kind: 'update' as const,
      key: signingKeyKey(kid),
      set: { usable_from: Date.now() - 1 },
      expect: {},
    })),
  );
  const lambda = nameOf(await stackResources(), 'rotate-signing-key', 'Function');
  const ClientRequestToken = randomUUID();
  for (const Step of rotationSteps) {
    await invokeFunction(lambda, { SecretId: signingKeys, ClientRequestToken, Step });
  }
}

import { randomUUID } from 'node:crypto';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { longRequests } from '../../lib/store/connections.ts';
import type { Database } from '../../lib/store/database.ts';
import { DynamoDatabase } from '../../lib/store/dynamodb.ts';
import { signingKeyKey } from '../../lib/store/keys.ts';
import { loadPublicKeys } from '../../lib/store/signing-keys.ts';
import { tableClient } from '../../lib/store/table-client.ts';
import { deployedInstallation } from '../admin/installation.ts';
import { type FunctionId, StepFailure } from '../smoke/failure.ts';
import { functionIds } from '../smoke/grants.ts';
import { logsOf } from '../smoke/logs.ts';
import { partOf, stackResources } from '../smoke/stack-resources.ts';
import type { Target } from '../smoke/world.ts';
import { stackName } from './assembly.ts';
import { invokeFunction } from './aws.ts';
import { CannotRun } from './cannot-run.ts';
import { controlOf } from './control.ts';

/** The names of a function and its role in the emulator. */
export type Names = { lambda: string; role: string };

/** The stack as it is deployed in the emulator. */
export type Deployed = Target & { names: ReadonlyMap<FunctionId, Names> };

/** Seconds. The emulator writes logs at once. */
const logDelay = 0.2;

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
  const api = (await stackResources(stackName)).find(({ type }) => type === 'AWS::ApiGatewayV2::Api');
  if (!api) throw new CannotRun('The stack has no API.');
  return {
    // `POST /oauth2/token` on the API's own host goes to the emulator's Cognito.
    baseUrl: `${endpoint}/_aws/execute-api/${api.name}/$default`,
    database: new DynamoDatabase({ tableName: output('TableName'), client: tableClient() }),
    signingKeys: output('SigningKeysArn'),
  };
}

/** @param patience seconds that a step of the smoke test waits for a background function */
export async function openDeployed(endpoint: string, patience: number): Promise<Deployed> {
  const [installation, basics] = await Promise.all([deployedInstallation(stackName), openBasics(endpoint)]);
  const resources = await stackResources(stackName);
  const names = new Map(
    functionIds.map((id) => [id, { lambda: partOf(resources, id, 'Function'), role: partOf(resources, id, 'Role') }]),
  );
  return {
    installation,
    baseUrl: basics.baseUrl,
    names,
    reach: {
      patience,
      skipsSchedules: true,
      readLog: logsOf(stackName, logDelay),
      invoke: (id, event) => asStep(id, invokeFunction(names.get(id)!.lambda, event)),
      control: controlOf((id) => names.get(id)!.lambda),
      rotate: () => asStep('rotate-signing-key', rotate(basics)),
    },
  };
}

/** An invocation as a part of a step. @throws StepFailure that names the function */
async function asStep<T>(functionId: FunctionId, invocation: Promise<T>): Promise<T> {
  try {
    return await invocation;
  } catch (error) {
    throw new StepFailure(error instanceof Error ? error.message : String(error), { functionId });
  }
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
  const lambda = partOf(await stackResources(stackName), 'rotate-signing-key', 'Function');
  const ClientRequestToken = randomUUID();
  for (const Step of rotationSteps) {
    await invokeFunction(lambda, { SecretId: signingKeys, ClientRequestToken, Step });
  }
}

import { randomUUID } from 'node:crypto';
import { CloudFormationClient, ListStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { loadPublicKeys } from '../../lib/store/access/signing-keys.ts';
import { longRequests } from '../../lib/store/aws/connections.ts';
import { tableClient } from '../../lib/store/aws/table-client.ts';
import type { Database } from '../../lib/store/table/database.ts';
import { DynamoDatabase } from '../../lib/store/table/dynamodb.ts';
import { signingKeyKey } from '../../lib/store/table/keys.ts';
import { stackOutputs } from '../admin/installation.ts';
import { stackName } from './assembly.ts';
import { CannotRun } from './processes.ts';

/** The stack of this or an earlier release, as it is deployed in the emulator. */
export type Deployed = { baseUrl: string; tableName: string; database: Database; signingKeys: string };

export async function openDeployed(endpoint: string): Promise<Deployed> {
  const { TableName: tableName, SigningKeysArn: signingKeys } = await stackOutputs(stackName);
  if (tableName === undefined || signingKeys === undefined)
    throw new CannotRun('The stack has no outputs TableName and SigningKeysArn.');
  return {
    // `POST /oauth2/token` on the API's own host goes to the emulator's Cognito.
    baseUrl: `${endpoint}/_aws/execute-api/${await nameOf(/Api/, 'AWS::ApiGatewayV2::Api')}/$default`,
    tableName,
    database: new DynamoDatabase({ tableName, client: tableClient() }),
    signingKeys,
  };
}

/** The physical name of a resource of the stack. */
async function nameOf(logicalId: RegExp, type: string): Promise<string> {
  const client = new CloudFormationClient({ requestHandler: longRequests });
  for (let NextToken: string | undefined; ; ) {
    const page = await client.send(new ListStackResourcesCommand({ StackName: stackName, NextToken }));
    const found = page.StackResourceSummaries?.find(
      ({ LogicalResourceId = '', ResourceType }) => ResourceType === type && logicalId.test(LogicalResourceId),
    );
    if (found) return found.PhysicalResourceId!;
    NextToken = page.NextToken;
    if (NextToken === undefined) throw new CannotRun(`The stack has no ${type} like ${logicalId}.`);
  }
}

const rotationSteps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;

/** Runs the steps of a rotation in the order of Secrets Manager. Earlier keys are made usable, or it would be refused. */
export async function rotate({ database, signingKeys }: Deployed): Promise<void> {
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
  const lambda = await nameOf(/^rotatesigningkeyFunction[0-9A-F]{8}$/, 'AWS::Lambda::Function');
  const ClientRequestToken = randomUUID();
  for (const Step of rotationSteps) {
    await invokeFunction(lambda, { SecretId: signingKeys, ClientRequestToken, Step });
  }
}

/**
 * Invokes a function and waits for its end. The root user's signature is not checked by the emulator.
 * @throws Error with the message of the function
 */
async function invokeFunction(name: string, event: object): Promise<void> {
  const credential = 'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/lambda/aws4_request';
  const path = `/2015-03-31/functions/${encodeURIComponent(name)}/invocations`;
  const response = await fetch(`${process.env.AWS_ENDPOINT_URL}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `${credential}, SignedHeaders=host, Signature=none` },
    body: JSON.stringify(event),
  });
  const result = await response.text();
  if (!response.ok) throw new CannotRun(`lambda ${path}: ${response.status} ${result}`);
  if (response.headers.has('x-amz-function-error')) throw new Error(`the function failed: ${result.slice(0, 300)}`);
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { longRequests, shortRequests } from '../../lib/store/connections.ts';
import type { Database, Item } from '../../lib/store/database.ts';
import type { DropBoxFiles } from '../../lib/store/drop-box-files.ts';
import { DynamoDatabase } from '../../lib/store/dynamodb.ts';
import { scanTeam } from '../../lib/store/table-scan.ts';
import { deployedDropBox, FolderDropBox } from './drop-box.ts';
import { failure } from './failure.ts';

/** What the verbs work on: a running local service or a deployed stack. */
export type Installation = {
  baseUrl: string;
  database: Database;
  queueUrl: string;
  deadLetterQueueUrl: string;
  sqs(): SQSClient;
  dropBox(): DropBoxFiles;
  /** Every item of the team, page by page. */
  scanTeam(teamId: string): AsyncIterable<Item[]>;
};

const descriptionSchema = z.object({
  base_url: z.url(),
  dynamodb_endpoint: z.url(),
  sqs_endpoint: z.url(),
  table_name: z.string(),
  queue_url: z.url(),
  dead_letter_queue_url: z.url(),
  drop_box_folder: z.string(),
  pid: z.int(),
});

/** @throws AdminFailure `not_running` */
export function localInstallation(directory: string): Installation {
  const local = description(join(directory, 'local.json'));
  // Nothing that another profile of this terminal names must be meant by mistake.
  const shared = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  const client = new DynamoDBClient({
    ...shared,
    endpoint: local.dynamodb_endpoint,
    maxAttempts: 1,
    requestHandler: shortRequests,
  });
  return {
    baseUrl: local.base_url,
    database: new DynamoDatabase({ tableName: local.table_name, client }),
    queueUrl: local.queue_url,
    deadLetterQueueUrl: local.dead_letter_queue_url,
    sqs: () => new SQSClient({ ...shared, endpoint: local.sqs_endpoint, requestHandler: shortRequests }),
    dropBox: () => new FolderDropBox(local.drop_box_folder),
    scanTeam: (teamId) => scanTeam(client, local.table_name, teamId),
  };
}

function description(path: string): z.output<typeof descriptionSchema> {
  const notRunning = (reason: string) =>
    failure('not_running', `${reason} Start the local service with npm start, or name a stack with --stack NAME.`);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw notRunning(`No local service is running: there is no ${path}.`);
  }
  const local = descriptionSchema.safeParse(jsonOf(text)).data;
  if (!local) throw notRunning(`${path} is not what a running local service writes.`);
  if (!isAlive(local.pid)) throw notRunning(`The local service that wrote ${path} has ended.`);
  return local;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process is there all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const outputsSchema = z.object({
  ApiUrl: z.url(),
  TableName: z.string(),
  QueueUrl: z.url(),
  DeadLetterQueueUrl: z.url(),
  DropBoxBucket: z.string(),
});

/** By the stack's outputs, with this terminal's own AWS credentials and region. @throws AdminFailure `no_such_stack` */
export async function deployedInstallation(stackName: string): Promise<Installation> {
  const outputs = outputsSchema.safeParse(await stackOutputs(stackName)).data;
  if (!outputs) throw failure('no_such_stack', `${stackName} is not a stack of this service: it lacks its outputs.`);
  const client = new DynamoDBClient({ maxAttempts: 1, requestHandler: shortRequests });
  return {
    baseUrl: outputs.ApiUrl,
    database: new DynamoDatabase({ tableName: outputs.TableName, client }),
    queueUrl: outputs.QueueUrl,
    deadLetterQueueUrl: outputs.DeadLetterQueueUrl,
    sqs: () => new SQSClient({ requestHandler: shortRequests }),
    dropBox: () => deployedDropBox(outputs.DropBoxBucket),
    scanTeam: (teamId) => scanTeam(scanning(), outputs.TableName, teamId),
  };
}

/** A scan is throttled like anything else, and retried by the SDK. */
const scanning = () => new DynamoDBClient({ maxAttempts: 10, requestHandler: longRequests });

async function stackOutputs(stackName: string): Promise<Record<string, string | undefined>> {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  try {
    const answer = await new CloudFormationClient({ requestHandler: longRequests }).send(
      new DescribeStacksCommand({ StackName: stackName }),
    );
    const outputs = answer.Stacks?.[0]?.Outputs ?? [];
    return Object.fromEntries(outputs.map(({ OutputKey, OutputValue }) => [OutputKey ?? '', OutputValue]));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw failure('no_such_stack', `The stack ${stackName} cannot be looked up: ${reason}`);
  }
}

import { userInfo } from 'node:os';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { isJsonObject } from '../../lib/domain/json.ts';
import {
  auditRetentionOf,
  defaultAuditRetentionDays,
  payloadDaysOf,
  type Retention,
} from '../../lib/domain/retention.ts';
import type { Webhook } from '../../lib/domain/webhook.ts';
import { bucketClient, busClient, queueClient } from '../../lib/store/aws-clients.ts';
import { longRequests } from '../../lib/store/connections.ts';
import type { Database, Item } from '../../lib/store/database.ts';
import { DynamoDatabase } from '../../lib/store/dynamodb.ts';
import { EventBus } from '../../lib/store/event-bus.ts';
import { type ImageStore, S3ImageStore } from '../../lib/store/images.ts';
import { type ImportQueue, SqsImportQueue } from '../../lib/store/queue.ts';
import { tableClient } from '../../lib/store/table-client.ts';
import { webhookWaker } from '../../lib/store/webhook-queue.ts';
import { jsonOf, type LocalDescription, localService, NotRunning } from '../local/description.ts';
import { localAccess } from '../local/environment.ts';
import type { TableStream } from '../local/stream-records.ts';
import { failure } from './failure.ts';
import { retentionOf } from './retention-classes.ts';
import { type DropBoxFiles, deployedDropBox, FolderDropBox } from './store/drop-box-files.ts';
import { type ErasureList, FolderErasureList, S3ErasureList } from './store/erasure-list.ts';
import { commandLimits, scanTeam } from './store/table-scan.ts';

/** The installation that a verb works on: a running local service or a deployed stack. */
export type Installation = {
  baseUrl: string;
  database: Database;
  queueUrl: string;
  deadLetterQueueUrl: string;
  importQueue(): ImportQueue;
  /** Wakes the function that delivers webhooks. */
  wakeWebhook(webhook: Pick<Webhook, 'team_id' | 'webhook_id'>): Promise<void>;
  isLocal: boolean;
  /** The on-failure queue of the publisher of events, and the stream that its messages name. */
  eventFailures(): { client: SQSClient; url: string; stream(streamArn: string): Promise<TableStream> };
  /** The bus that gets every event, if there is one. */
  eventBus(): EventBus | undefined;
  /** The user who runs the command, for the audit log. @throws AdminFailure if AWS does not return the identity */
  who(): Promise<string>;
  auditRetentionDays: number;
  /** How long data is kept. `notes`: what the numbers do not say. */
  retention: { days: Retention; notes?: string };
  /** ARN of the secret with the signing keys of a stack. */
  signingKeys: string | undefined;
  images(): ImageStore;
  dropBox(): DropBoxFiles;
  erasures(): ErasureList;
  /** All items of the team, page by page. */
  scanTeam(teamId: string): AsyncIterable<Item[]>;
};

/** The deployed stack, or else the running local service. @throws AdminFailure `not_running`, `no_such_stack` */
export const installationOf = async (stack: string | undefined): Promise<Installation> =>
  stack === undefined ? localInstallation(process.env.DATA_DIR || '.data') : deployedInstallation(stack);

/** @throws AdminFailure `not_running` */
export function localInstallation(directory: string): Installation {
  const local = serviceOf(directory);
  // Fixed values, so that an AWS profile of the terminal is never used by mistake.
  const client = tableClient({ ...localAccess, endpoint: local.dynamodb_endpoint });
  return {
    baseUrl: local.base_url,
    database: new DynamoDatabase({ tableName: local.table_name, client, retryLimits: commandLimits }),
    queueUrl: local.queue_url,
    deadLetterQueueUrl: local.dead_letter_queue_url,
    importQueue: () =>
      new SqsImportQueue(local.queue_url, queueClient({ ...localAccess, endpoint: local.sqs_endpoint })),
    wakeWebhook: (webhook) =>
      webhookWaker(local.webhook_queue_url, queueClient({ ...localAccess, endpoint: local.sqs_endpoint }))(webhook),
    isLocal: true,
    eventFailures: () => ({
      client: queueClient({ ...localAccess, endpoint: local.sqs_endpoint }),
      url: local.event_failure_queue_url,
      stream: (streamArn) => openStream({ endpoint: local.dynamodb_endpoint, streamArn }),
    }),
    eventBus: () => undefined,
    who: async () => localUser(),
    auditRetentionDays: localAuditDays(),
    retention: {
      days: retentionOf({
        audit: localAuditDays(),
        payloads: payloadDaysOf(process.env.PAYLOAD_RETENTION_DAYS ?? ''),
      }),
      notes: 'The local service keeps files until you delete them, and has no logs, access logs and backups.',
    },
    signingKeys: undefined,
    images: () =>
      new S3ImageStore(local.image_bucket, bucketClient({ ...localAccess, endpoint: local.drop_box_endpoint })),
    dropBox: () => new FolderDropBox(local.drop_box_folder),
    erasures: () => new FolderErasureList(local.erasures_folder),
    scanTeam: (teamId) => scanTeam(client, local.table_name, teamId),
  };
}

const openStream = async (of: { endpoint?: string; streamArn: string }): Promise<TableStream> =>
  (await import('../local/stream-api.ts')).streamOfApi(of);

const localAuditDays = (): number =>
  auditRetentionOf(process.env.AUDIT_RETENTION_DAYS ?? '') ?? defaultAuditRetentionDays;

function serviceOf(directory: string): LocalDescription {
  try {
    return localService(directory);
  } catch (error) {
    if (!(error instanceof NotRunning)) throw error;
    const remedy = 'Start the local service with npm start, or name a stack with --stack NAME.';
    throw failure('not_running', `${error.message} ${remedy}`);
  }
}

const outputsSchema = z.object({
  ApiUrl: z.url(),
  TableName: z.string(),
  QueueUrl: z.url(),
  DeadLetterQueueUrl: z.url(),
  /** Stacks of earlier versions have no webhooks and events. */
  WebhookQueueUrl: z.url().optional(),
  EventFailureQueueUrl: z.url().optional(),
  EventBusArn: z.string().optional(),
  AuditRetentionDays: z.string().transform(auditRetentionOf).optional(),
  /** The settings of the retention, as JSON. Stacks of earlier versions do not have it. */
  Retention: z.string().transform(jsonOf).optional(),
  ImageBucket: z.string(),
  DropBoxBucket: z.string(),
  SigningKeysArn: z.string().optional(),
});

/** Uses the stack's outputs, and the AWS credentials and region of the terminal. @throws AdminFailure `no_such_stack` */
export async function deployedInstallation(stackName: string): Promise<Installation> {
  const outputs = outputsSchema.safeParse(await stackOutputs(stackName)).data;
  if (!outputs) throw failure('no_such_stack', `${stackName} is not a stack of this service: its outputs are missing.`);
  const client = tableClient();
  const auditRetentionDays = outputs.AuditRetentionDays ?? defaultAuditRetentionDays;
  const days = { audit: auditRetentionDays, ...(isJsonObject(outputs.Retention) ? outputs.Retention : {}) };
  return {
    baseUrl: outputs.ApiUrl,
    database: new DynamoDatabase({ tableName: outputs.TableName, client, retryLimits: commandLimits }),
    queueUrl: outputs.QueueUrl,
    deadLetterQueueUrl: outputs.DeadLetterQueueUrl,
    importQueue: () => new SqsImportQueue(outputs.QueueUrl, queueClient()),
    wakeWebhook: (webhook) => webhookWaker(outputs.WebhookQueueUrl ?? '', queueClient())(webhook),
    isLocal: false,
    eventFailures: () => ({
      client: queueClient(),
      url: outputs.EventFailureQueueUrl ?? '',
      stream: (streamArn) => openStream({ streamArn }),
    }),
    eventBus: () => (outputs.EventBusArn === undefined ? undefined : new EventBus(outputs.EventBusArn, busClient())),
    who: callerArn,
    auditRetentionDays,
    retention: {
      days: retentionOf(days),
      ...(outputs.Retention === undefined
        ? {
            notes: 'The stack does not output its settings: all numbers except that of the audit log are the defaults.',
          }
        : {}),
    },
    signingKeys: outputs.SigningKeysArn,
    images: () => new S3ImageStore(outputs.ImageBucket, bucketClient()),
    dropBox: () => deployedDropBox(outputs.DropBoxBucket),
    erasures: () => new S3ErasureList(outputs.ImageBucket, bucketClient()),
    scanTeam: (teamId) => scanTeam(client, outputs.TableName, teamId),
  };
}

export async function stackOutputs(stackName: string): Promise<Record<string, string | undefined>> {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  try {
    const response = await new CloudFormationClient({ requestHandler: longRequests }).send(
      new DescribeStacksCommand({ StackName: stackName }),
    );
    const outputs = response.Stacks?.[0]?.Outputs ?? [];
    return Object.fromEntries(outputs.map(({ OutputKey, OutputValue }) => [OutputKey ?? '', OutputValue]));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw failure('no_such_stack', `The stack ${stackName} cannot be read: ${reason}`);
  }
}

/** The user of this computer; the number of a user without a name, as in a container. */
export function localUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** The ARN of this terminal's AWS identity. The request needs no permission. @throws AdminFailure `unknown_caller` */
export async function callerArn(): Promise<string> {
  const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
  const reason = await new STSClient({ requestHandler: longRequests }).send(new GetCallerIdentityCommand({})).then(
    ({ Arn }) => (Arn === undefined ? new Error('no ARN') : Arn),
    (error: unknown) => error,
  );
  if (typeof reason === 'string') return reason;
  const message = reason instanceof Error ? reason.message : String(reason);
  throw failure('unknown_caller', `The owner of the AWS credentials cannot be read: ${message}`);
}

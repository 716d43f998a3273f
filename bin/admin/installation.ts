import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { newSecret, newSlug } from '../../lib/auth/secrets.ts';
import {
  auditRetentionOf,
  payloadDaysOf,
  type Retention,
  retentionDefaults,
} from '../../lib/domain/teams/retention.ts';
import { isSandbox } from '../../lib/domain/teams/sandbox.ts';
import { isJsonObject } from '../../lib/domain/values/json.ts';
import type { Lane } from '../../lib/domain/waiting-work/lane.ts';
import type { Sender } from '../../lib/email/sender.ts';
import type { ImportService, Service, SuppressionService } from '../../lib/operations/service.ts';
import { longRequests } from '../../lib/store/aws/connections.ts';
import { tableClient } from '../../lib/store/aws/table-client.ts';
import type { ImageStore } from '../../lib/store/campaigns/images.ts';
import type { DropBoxFiles } from '../../lib/store/drop-box/drop-box-files.ts';
import type { ErasureList } from '../../lib/store/erasure/erasure-list.ts';
import type { EventBus } from '../../lib/store/events/event-bus.ts';
import type { Item } from '../../lib/store/table/database.ts';
import { DynamoDatabase } from '../../lib/store/table/dynamodb.ts';
import { randomDelay } from '../../lib/store/table/retrying.ts';
import { jsonOf, type LocalDescription, localService, NotRunning } from '../local/description.ts';
import { localAccess } from '../local/functions/environment.ts';
import type { TableStream } from '../local/stream/records.ts';
import { type AdminFailure, failure } from './failure.ts';
import type { FindFailedRequests } from './store/access/failed-requests.ts';
import { commandLimits, scanTeam } from './store/table-scan.ts';

/**
 * The installation that a verb works on, as operations take it: a running local service or a deployed stack. The clients
 * of AWS besides that of the table are loaded when a verb needs them.
 */
export type Installation = Service & {
  baseUrl: string;
  isLocal: boolean;
  /** How long data is kept. `notes`: what the numbers do not say. */
  retention: { days: Retention; notes?: string };
  /** The user who runs the command, for the audit log. @throws AdminFailure if AWS does not return the identity */
  who(): Promise<string>;
  /** All items of the team, page by page. */
  scanTeam(teamId: string): AsyncIterable<Item[]>;
  /** For operations that accept chunks or wake the workers. The sweeper replaces a wake that is lost. */
  imports(): Promise<ImportService>;
  images(): Promise<ImageStore>;
  dropBox(): Promise<DropBoxFiles>;
  erasures(): Promise<ErasureList>;
  /** Finds failed requests in the log. */
  failedRequests(): Promise<FindFailedRequests>;
  /** The secret of messages, and the journal of listed addresses; `undefined` if the stack sends no messages. */
  suppression(): Promise<Pick<SuppressionService, 'messages' | 'journal'> | undefined>;
  /** The sender of messages for the team. @throws AdminFailure `messages_off` */
  sender(teamId: string): Promise<Sender>;
  /** Wakes the function that delivers webhooks, judges contacts or sends messages. */
  wake(lane: Lane): Promise<void>;
  /** Whose each sender is on this stack. `undefined`: every team may have any sender. */
  senderTeams?: SenderTeams | undefined;
  /** The on-failure queue of the publisher of events, and the stream that its messages name. */
  eventFailures(): Promise<{ client: SQSClient; url: string; stream(streamArn: string): Promise<TableStream> }>;
  /** Differs after a restore of the table. */
  eventEpoch: string;
  /** The bus that gets every event, if there is one. */
  eventBus(): Promise<EventBus | undefined>;
};

/** The ids of the teams that may send from each address and domain. No ids: every team may. */
export type SenderTeams = Readonly<Record<string, readonly string[]>>;

/** Where the parts of an installation are. Clients get what is in `access`, and else find AWS as every SDK does. */
type Site = Pick<
  Installation,
  'baseUrl' | 'isLocal' | 'retention' | 'who' | 'dropBox' | 'erasures' | 'failedRequests' | 'eventEpoch' | 'senderTeams'
> & {
  tableName: string;
  queues: {
    imports: string;
    webhooks: string;
    targeting: string;
    eventFailures: string;
    messages?: string | undefined;
  };
  imageBucket: string;
  eventBusArn?: string | undefined;
  /** The location of the secret, the bucket of the journal, and where messages go. */
  messagesAt?: { secret: string; bucket: string; sender: string } | undefined;
  access: Partial<Record<'table' | 'queues' | 'buckets', { endpoint: string } & typeof localAccess>>;
};

const pauseAfter = randomDelay(50, 1500);
/** Milliseconds that a wake may take. No request waits for it, and the command fails without it. */
const commandWakeTimeout = 10_000;
const clients = () => import('../../lib/store/aws/aws-clients.ts');

function installationAt(site: Site): Installation {
  const { tableName, queues, access, eventBusArn, messagesAt } = site;
  const client = tableClient(access.table);
  // As `lib/runtime/table.ts` makes them, which loads the log and the endpoints of functions too: a tenth of a second.
  const service: Service = {
    database: new DynamoDatabase({ tableName, client, retryLimits: commandLimits }),
    ...{ now: Date.now, newId: randomUUID, newSecret, newSlug, wait: (milliseconds) => wait(milliseconds) },
    pause: (round) => wait(pauseAfter(round)),
  };
  const queueClient = async () => (await clients()).queueClient(access.queues);
  return {
    ...service,
    ...site,
    scanTeam: (teamId) => scanTeam(client, tableName, teamId),
    imports: async () => {
      const { SqsWakeQueue } = await import('../../lib/store/waiting-work/wake-queue.ts');
      const { ProductRegistry } = await import('../../lib/store/accounts/products.ts');
      const { requestSweep } = await import('../../lib/store/erasure/erasure-requests.ts');
      return {
        ...{ ...service, payloadDays: site.retention.days.payloads, onLostWake: () => {} },
        onErased: (...erased) => requestSweep(service, ...erased),
        queue: new SqsWakeQueue(queues.imports, await queueClient()),
        products: new ProductRegistry(service.database),
      };
    },
    images: async () => {
      const { S3ImageStore } = await import('../../lib/store/campaigns/images.ts');
      return new S3ImageStore(site.imageBucket, (await clients()).bucketClient(access.buckets));
    },
    sender: async (teamId) => {
      if (!messagesAt) throw messagesOff();
      const { isOutbox, noProvider, senderNamed } = await import('../../lib/email/senders.ts');
      const { sesClient } = await import('../../lib/email/ses.ts');
      if (isSandbox(teamId) && !isOutbox(messagesAt.sender)) return noProvider;
      return senderNamed(messagesAt.sender, { now: Date.now, ses: () => sesClient() });
    },
    suppression: async () => {
      if (!messagesAt) return undefined;
      const { S3SuppressionJournal } = await import('../../lib/store/suppression/journal.ts');
      const { readMessagesSecret } = await import('../../lib/store/suppression/secret.ts');
      const { bucketClient, secretsClient } = await clients();
      let secret: Promise<string> | undefined;
      const read = () => readMessagesSecret(messagesAt.secret, () => secretsClient());
      return {
        messages: { secret: () => (secret ??= read()) },
        journal: new S3SuppressionJournal(messagesAt.bucket, bucketClient(access.buckets)),
      };
    },
    wake: async (lane) => {
      const { SqsWakeQueue } = await import('../../lib/store/waiting-work/wake-queue.ts');
      const { webhooks, targeting, messages } = queues;
      const url = lane.work === 'webhooks' ? webhooks : lane.work === 'messages' ? messages : targeting;
      if (url === undefined) throw messagesOff();
      return new SqsWakeQueue(url, await queueClient(), commandWakeTimeout).wake(lane);
    },
    eventFailures: async () => ({
      ...{ client: await queueClient(), url: queues.eventFailures },
      stream: async (streamArn) => {
        const { streamOfApi } = await import('../local/stream/api.ts');
        return streamOfApi({ streamArn, ...(access.table ? { endpoint: access.table.endpoint } : {}) });
      },
    }),
    eventBus: async () => {
      if (eventBusArn === undefined) return undefined;
      const { EventBus } = await import('../../lib/store/events/event-bus.ts');
      return new EventBus(eventBusArn, (await clients()).busClient());
    },
  };
}

/** The deployed stack, or else the running local service. @throws AdminFailure `not_running`, `no_such_stack` */
export const installationOf = async (stack: string | undefined): Promise<Installation> =>
  stack === undefined ? localInstallation(process.env.DATA_DIR || '.data') : deployedInstallation(stack);

/** @throws AdminFailure `not_running` */
export function localInstallation(directory: string): Installation {
  const local = serviceOf(directory);
  const { AUDIT_RETENTION_DAYS: audit = '', PAYLOAD_RETENTION_DAYS: payloads = '' } = process.env;
  // Fixed values, so that an AWS profile of the terminal is never used by mistake.
  const at = (endpoint: string) => ({ ...localAccess, endpoint });
  return installationAt({
    ...{ baseUrl: local.base_url, isLocal: true, tableName: local.table_name, imageBucket: local.image_bucket },
    queues: {
      imports: local.queue_url,
      webhooks: local.webhook_queue_url,
      targeting: local.targeting_queue_url,
      messages: local.message_queue_url,
      eventFailures: local.event_failure_queue_url,
    },
    access: {
      table: at(local.dynamodb_endpoint),
      queues: at(local.sqs_endpoint),
      buckets: at(local.drop_box_endpoint),
    },
    retention: {
      days: retentionOf({ audit: auditRetentionOf(audit), payloads: payloadDaysOf(payloads) }),
      notes: 'The local service keeps files until you delete them, and has no logs, access logs and backups.',
    },
    eventEpoch: local.event_epoch,
    messagesAt: {
      secret: pathToFileURL(local.messages_secret_file).href,
      bucket: local.messages_bucket,
      sender: local.message_sender,
    },
    who: async () => process.env.ADMIN_USER || localUser(),
    dropBox: async () => new (await import('./store/drop-box/drop-box-files.ts')).FolderDropBox(local.drop_box_folder),
    erasures: async () =>
      new (await import('./store/erasure/erasure-list.ts')).FolderErasureList(local.erasures_folder),
    failedRequests: async () => (await import('./store/access/failed-requests.ts')).inFile(local.request_log),
  });
}

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
  WebhookQueueUrl: z.url(),
  TargetingQueueUrl: z.url(),
  MessageQueueUrl: z.url().optional(),
  MessagesSecretArn: z.string().optional(),
  MessagesBucket: z.string().optional(),
  MessageSender: z.string().optional(),
  /** The setting of the senders, as JSON. */
  MessageSenders: z
    .string()
    .transform(jsonOf)
    .pipe(z.record(z.string(), z.array(z.string())))
    .optional(),
  EventFailureQueueUrl: z.url(),
  EventBusArn: z.string().optional(),
  EventEpoch: z.string().default(''),
  /** The settings of the retention, as JSON. */
  Retention: z.string().transform(jsonOf),
  ImageBucket: z.string(),
  DropBoxBucket: z.string(),
});

/** Uses the stack's outputs, and the AWS credentials and region of the terminal. @throws AdminFailure `no_such_stack` */
export async function deployedInstallation(stackName: string): Promise<Installation> {
  const outputs = outputsSchema.safeParse(await stackOutputs(stackName)).data;
  if (!outputs) throw failure('no_such_stack', `${stackName} is not a stack of this service: its outputs are missing.`);
  const { Retention: settings, ImageBucket: imageBucket } = outputs;
  return installationAt({
    ...{ baseUrl: outputs.ApiUrl, isLocal: false, tableName: outputs.TableName, imageBucket, access: {} },
    queues: {
      imports: outputs.QueueUrl,
      webhooks: outputs.WebhookQueueUrl,
      targeting: outputs.TargetingQueueUrl,
      messages: outputs.MessageQueueUrl,
      eventFailures: outputs.EventFailureQueueUrl,
    },
    senderTeams: outputs.MessageSenders,
    ...{ eventBusArn: outputs.EventBusArn, eventEpoch: outputs.EventEpoch },
    messagesAt:
      outputs.MessagesSecretArn === undefined ||
      outputs.MessagesBucket === undefined ||
      outputs.MessageSender === undefined
        ? undefined
        : { secret: outputs.MessagesSecretArn, bucket: outputs.MessagesBucket, sender: outputs.MessageSender },
    retention: { days: retentionOf(isJsonObject(settings) ? settings : {}) },
    who: callerArn,
    dropBox: async () =>
      (await import('../../lib/store/drop-box/drop-box-files.ts')).deployedDropBox(outputs.DropBoxBucket),
    erasures: async () => {
      const { S3ErasureList } = await import('../../lib/store/erasure/erasure-list.ts');
      return new S3ErasureList(imageBucket, (await clients()).bucketClient());
    },
    failedRequests: async () => (await import('./store/access/failed-requests.ts')).inLogsOf(stackName),
  });
}

/** For what needs the setting `messages` of the stack. */
export const messagesOff = (): AdminFailure =>
  failure(
    'messages_off',
    'This stack does not send messages. Set messages in infra/stages.ts and deploy: see docs/messages.md.',
  );

/** The settings that are a number of days, and the defaults of the others. */
export function retentionOf(settings: object): Retention {
  const set = Object.entries(settings).filter(([, days]) => Number.isInteger(days) && days >= 1);
  return { ...retentionDefaults, ...Object.fromEntries(set) };
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
    throw failure('no_such_stack', `The stack ${stackName} cannot be read: ${(error as Error).message}`);
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
  try {
    const { Arn } = await new STSClient({ requestHandler: longRequests }).send(new GetCallerIdentityCommand({}));
    if (Arn === undefined) throw new Error('no ARN');
    return Arn;
  } catch (error) {
    const reason = (error as Error).message;
    throw failure('unknown_caller', `The owner of the AWS credentials cannot be read: ${reason}`);
  }
}

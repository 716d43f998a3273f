import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { dropKinds } from '../../lib/domain/drop-box/drop.ts';
import type { Feedback } from '../../lib/domain/messages/feedback.ts';
import { kindsOfWork } from '../../lib/domain/waiting-work/lane.ts';
import type { SweepReport } from '../../lib/operations/waiting-work/sweep.ts';
import { throttles } from '../../lib/route.ts';
import { defaultRoute, docsRoutes, routes } from '../../lib/routes.ts';
import { guardRequestLog } from '../../lib/runtime/base.ts';
import { databasePath, lockDirectory, temporaryFolder, writeSecret } from './data-directory.ts';
import { descriptionPath, type LocalDescription } from './description.ts';
import { type DemoCredential, demoCredential, ensureSigningKey, messagesSecretAt } from './first-start.ts';
import { startBackground } from './functions/background.ts';
import { clearAwsEnvironment } from './functions/environment.ts';
import { type InvokeFunction, serviceInvoker } from './functions/functions.ts';
import { functionThread } from './functions/thread.ts';
import { type GatewayOptions, startGateway } from './gateway/gateway.ts';
import { answerOutbox } from './outbox/outbox.ts';
import { keepFailedRequests } from './request-log.ts';
import type { Settings } from './settings.ts';
import { startBucket, startBucketEvents } from './storage/bucket.ts';
import { type Engine, externalEngine, startEngine, startGuard } from './storage/engine.ts';
import { type Queue, startQueues } from './storage/queue.ts';
import { openTable } from './storage/table.ts';
import { indexStream } from './stream/engine.ts';

export type LocalService = {
  description: LocalDescription;
  /** Resolves if the engine ends unexpectedly: then no request can succeed. */
  lost: Promise<void>;
  stop(): Promise<void>;
};

/** Longer than the 30 seconds of API Gateway, which times out first. */
const endpointSeconds = 60;
const sweepSeconds = 60;
/** How long stopping waits for requests, and then for work from the queues. */
const graceMilliseconds = 600;

/** Runs everything that the stack deploys on this machine. @throws StartFailure */
export async function startLocalService(settings: Settings): Promise<LocalService> {
  // Parts are stopped in reverse order, also if a later part does not start.
  const parts = new AsyncDisposableStack();
  try {
    return { ...(await start(settings, parts)), stop: () => parts.disposeAsync() };
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

async function start(settings: Settings, parts: AsyncDisposableStack): Promise<Omit<LocalService, 'stop'>> {
  parts.defer(lockDirectory(settings.DATA_DIR));
  const local = descriptionPath(settings.DATA_DIR);
  rmSync(local, { force: true });
  clearAwsEnvironment();
  const invoke = serviceInvoker();
  const prepared = Promise.withResolvers<void>();
  const servers: Servers = await startServers(settings, parts, {
    async invoke(id, event) {
      await prepared.promise;
      return invoke(id, event, endpointSeconds);
    },
    async outbox(request) {
      await prepared.promise;
      const report = (feedback: Feedback) => servers.queues.send(servers.queues.feedback, JSON.stringify(feedback));
      return answerOutbox({ folder: join(servers.folder, outboxFolder), now: Date.now, report }, request);
    },
  });
  const { gateway, engine, queues, bucket, folder } = servers;
  guardRequestLog(keepFailedRequests(join(folder, requestLog)));
  const environment = environmentOf(settings, servers);
  const { TABLE_NAME, SIGNING_KEYS } = environment;
  Object.assign(process.env, environment);
  const { database, streamArn, drop } = await openTable(engine.endpoint, TABLE_NAME);
  if (settings.inMemory) parts.defer(drop);
  await ensureSigningKey(database, SIGNING_KEYS, (event) => invoke('rotate-signing-key', event, endpointSeconds));
  const credential = await demoCredential(database, folder);
  const stream = {
    table: { endpoint: engine.endpoint, name: TABLE_NAME, streamArn },
    positionPath: join(folder, 'stream.json'),
    databasePath: streamFile(settings, folder),
  };
  prepared.resolve();
  const thread = functionThread();
  parts.defer(thread.stop);
  const stopBackground = startBackground(queues, stream, thread.invoke);
  parts.defer(() => stopBackground(graceMilliseconds));
  parts.defer(wakeWaitingLanes(thread.invoke));
  for (const kind of dropKinds) {
    mkdirSync(join(bucket.folder, credential.team_id, kind), { recursive: true, mode: 0o700 });
  }
  // Reading of an unfinished file continues after its last accepted chunk.
  parts.defer(startBucketEvents(bucket, (notification) => queues.send(queues.notices, notification)));
  parts.defer(() => gateway.stop(graceMilliseconds));
  const description = describe(servers, environment, credential);
  writeSecret(local, `${JSON.stringify(description, undefined, 2)}\n`);
  parts.defer(() => rmSync(local, { force: true }));
  return { description, lost: engine.lost };
}

/** The gateway starts before the functions, which need its port. Requests wait until everything is prepared. */
async function startServers(
  settings: Settings,
  parts: AsyncDisposableStack,
  answers: Required<Pick<GatewayOptions, 'invoke' | 'outbox'>>,
) {
  const gateway = await startGateway(settings.PORT, {
    routes: [...routes, ...docsRoutes],
    fallback: defaultRoute.id,
    throttles,
    ...answers,
  });
  parts.defer(() => gateway.stop());
  const folder = settings.inMemory ? temporaryFolder() : settings.DATA_DIR;
  if (settings.inMemory) parts.defer(() => rmSync(folder, { recursive: true, force: true }));
  const database = await startDatabase(settings, folder, parts);
  const queues = await startQueues(settings.SQS_PORT);
  parts.defer(queues.stop);
  // Buckets are folders, so that a file can be dropped by copying it there.
  const bucket = await startBucket('drop-box', join(folder, 'drop-box'), {
    [imageBucket]: join(folder, imageBucket),
    [messagesBucket]: join(folder, messagesBucket),
  });
  parts.defer(() => bucket.stop());
  return { gateway, ...database, queues, bucket, folder };
}

type Servers = Awaited<ReturnType<typeof startServers>>;

const imageBucket = 'images';
const messagesBucket = 'messages';
/** One line for each failed request of a client. */
const requestLog = 'failed-requests.jsonl';
/** One file for each message that was sent. */
export const outboxFolder = 'outbox';

/** The embedded engine, with a guard for all programs except the service itself, or the engine of the settings. */
async function startDatabase(
  { inMemory, DYNAMODB_ENDPOINT, DYNAMODB_PORT }: Settings,
  folder: string,
  parts: AsyncDisposableStack,
): Promise<{ engine: Engine; dynamodbEndpoint: string }> {
  if (DYNAMODB_ENDPOINT !== undefined) {
    return { engine: externalEngine(DYNAMODB_ENDPOINT), dynamodbEndpoint: DYNAMODB_ENDPOINT };
  }
  // Also in memory it has a file, because only from a file can records of the stream be deleted.
  const engine = await startEngine(databasePath(folder), inMemory ? folder : undefined);
  parts.defer(engine.stop);
  const guard = await startGuard(engine.endpoint, DYNAMODB_PORT);
  parts.defer(() => guard.stop());
  return { engine, dynamodbEndpoint: guard.endpoint };
}

/** The file in which the embedded engine keeps its stream, or `undefined` if the stream must be read by the API. */
function streamFile({ DYNAMODB_ENDPOINT }: Settings, folder: string): string | undefined {
  if (DYNAMODB_ENDPOINT !== undefined) return undefined;
  if (indexStream(databasePath(folder))) return databasePath(folder);
  console.error('This version of the embedded database stores its stream differently. Writes may get slower.');
  return undefined;
}

/**
 * Wakes each lane that holds work, because the queues start empty. Retries until all are woken.
 * @returns a function that ends the retries
 */
function wakeWaitingLanes(invoke: InvokeFunction): () => void {
  const stopping = new AbortController();
  const run = async () => {
    for (;;) {
      const report = (await invoke('sweeper', { all: true }, sweepSeconds).catch(console.error)) as
        | SweepReport
        | undefined;
      if (report && kindsOfWork.every((kind) => report[kind].not_woken === 0)) return;
      await sleep(1000, undefined, { signal: stopping.signal });
    }
  };
  run().catch(() => {});
  return () => stopping.abort();
}

/** The environment of the deployed functions, and the local endpoints for the SDK. */
function environmentOf(settings: Settings, { gateway, engine, queues, bucket, folder }: Servers) {
  const sqsEndpoint = settings.FUNCTIONS_SQS_ENDPOINT ?? queues.endpoint;
  // Without an endpoint in code, the SDK sends to the host of the queue's URL.
  const queueUrl = ({ url }: Queue) => new URL(new URL(url).pathname, sqsEndpoint).href;
  return {
    // A new name for each run, because an external engine may still contain the data of an earlier run.
    TABLE_NAME: settings.inMemory ? `onboarding-${crypto.randomUUID()}` : 'onboarding',
    ISSUER: gateway.endpoint,
    QUEUE_URL: queueUrl(queues.imports),
    DROP_BUCKET: bucket.name,
    DROP_QUEUE_URL: queueUrl(queues.drops),
    WEBHOOK_QUEUE_URL: queueUrl(queues.webhooks),
    TARGETING_QUEUE_URL: queueUrl(queues.targeting),
    MESSAGE_QUEUE_URL: queueUrl(queues.messages),
    LOCAL_WEBHOOKS: 'allowed',
    IMAGE_BUCKET: imageBucket,
    MESSAGE_SENDER: settings.SMTP_URL ?? pathToFileURL(join(folder, outboxFolder)).href,
    MESSAGES_SECRET: messagesSecretAt(folder),
    MESSAGES_BUCKET: messagesBucket,
    SIGNING_KEYS: pathToFileURL(join(folder, 'signing-keys.json')).href,
    TOKEN_LIFETIME_SECONDS: String(settings.TOKEN_LIFETIME_SECONDS),
    AUDIT_RETENTION_DAYS: String(settings.AUDIT_RETENTION_DAYS),
    PAYLOAD_RETENTION_DAYS: String(settings.PAYLOAD_RETENTION_DAYS),
    EVENT_RETENTION_DAYS: String(settings.EVENT_RETENTION_DAYS),
    EVENT_EPOCH: settings.EVENT_EPOCH,
    EVENT_FAILURE_QUEUE_URL: queueUrl(queues.eventFailures),
    FRAME_ANCESTORS: settings.FRAME_ANCESTORS,
    START_PAGE: docsRoutes[0].path,
    LOG_LEVEL: settings.LOG_LEVEL,
    AWS_ENDPOINT_URL_DYNAMODB: settings.FUNCTIONS_DYNAMODB_ENDPOINT ?? engine.endpoint,
    AWS_ENDPOINT_URL_SQS: sqsEndpoint,
    AWS_ENDPOINT_URL_S3: bucket.endpoint,
  };
}

const describe = (
  { queues, bucket, dynamodbEndpoint, folder }: Servers,
  environment: ReturnType<typeof environmentOf>,
  { client_id, client_secret, team_id }: DemoCredential,
): LocalDescription => ({
  base_url: environment.ISSUER,
  ...{ client_id, client_secret, team_id },
  dynamodb_endpoint: dynamodbEndpoint,
  sqs_endpoint: queues.endpoint,
  table_name: environment.TABLE_NAME,
  queue_url: queues.imports.url,
  dead_letter_queue_url: queues.imports.deadLetters.url,
  webhook_queue_url: queues.webhooks.url,
  targeting_queue_url: queues.targeting.url,
  message_queue_url: queues.messages.url,
  message_sender: environment.MESSAGE_SENDER,
  event_failure_queue_url: queues.eventFailures.url,
  event_epoch: environment.EVENT_EPOCH,
  drop_box_folder: bucket.folder,
  drop_box_endpoint: bucket.endpoint,
  drop_box_bucket: bucket.name,
  image_bucket: imageBucket,
  request_log: join(folder, requestLog),
  // Where the function `erasure-worker` adds to the list.
  erasures_folder: join(folder, imageBucket, 'erasures'),
  messages_secret_file: fileURLToPath(environment.MESSAGES_SECRET),
  messages_bucket: messagesBucket,
  pid: process.pid,
});

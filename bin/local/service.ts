import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { dropKinds } from '../../lib/domain/drop.ts';
import type { SweepReport } from '../../lib/operations/imports/sweep.ts';
import { throttles } from '../../lib/route.ts';
import { defaultRoute, docsRoutes, routes } from '../../lib/routes.ts';
import { startBackground } from './background.ts';
import { type Bucket, startBucket } from './bucket.ts';
import { startBucketEvents } from './bucket-events.ts';
import { databasePath, lockDirectory, streamPositionPath, temporaryFolder, writeSecret } from './data-directory.ts';
import { type DemoCredential, demoCredential } from './demo-team.ts';
import { descriptionPath, type LocalDescription } from './description.ts';
import { type Engine, externalEngine, startEngine } from './engine.ts';
import { clearAwsEnvironment } from './environment.ts';
import { type InvokeFunction, serviceInvoker } from './functions.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { startGuard } from './guard.ts';
import { loopback } from './ports.ts';
import { type Queue, type Queues, startQueues } from './queue.ts';
import type { Settings } from './settings.ts';
import { ensureSigningKey } from './signing-key.ts';
import { indexStream } from './stream-engine.ts';
import { openTable } from './table.ts';
import { functionThread } from './thread.ts';

export type LocalService = {
  description: LocalDescription;
  /** Resolves if the engine ends unexpectedly: then no request can succeed. */
  lost: Promise<void>;
  stop(): Promise<void>;
};

type Servers = {
  gateway: Gateway;
  engine: Engine;
  /** The file of the embedded engine. */
  databasePath: string | undefined;
  /** The endpoint of the engine for all programs except the service itself. */
  dynamodbEndpoint: string;
  queues: Queues;
  bucket: Bucket;
  erasuresFolder: string;
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
  parts.defer(lockDirectory(settings.DATA_DIR).release);
  const local = descriptionPath(settings.DATA_DIR);
  rmSync(local, { force: true });
  clearAwsEnvironment();
  const invoke = serviceInvoker();
  const prepared = Promise.withResolvers<void>();
  const servers = await startServers(settings, parts, async (id, event) => {
    await prepared.promise;
    return invoke(id, event, endpointSeconds);
  });
  const environment = environmentOf(settings, servers);
  Object.assign(process.env, environment);
  const { credential, streamArn, streamFile } = await prepare(settings, servers, environment, parts, invoke);
  prepared.resolve();
  const thread = functionThread();
  parts.defer(thread.stop);
  const stream = {
    table: { endpoint: servers.engine.endpoint, name: environment.TABLE_NAME, streamArn },
    positionPath: settings.inMemory ? undefined : streamPositionPath(settings.DATA_DIR),
    databasePath: streamFile,
  };
  const stopBackground = startBackground(servers.queues, stream, { invoke, invokeInThread: thread.invoke });
  parts.defer(() => stopBackground(graceMilliseconds));
  parts.defer(wakeWaitingTeams(invoke));
  // Reading of an unfinished file continues after its last accepted chunk.
  parts.defer(openDropBox(servers, credential.team_id));
  parts.defer(() => servers.gateway.stop(graceMilliseconds));
  const description = describe(servers, environment, credential);
  writeSecret(local, `${JSON.stringify(description, undefined, 2)}\n`);
  parts.defer(() => rmSync(local, { force: true }));
  return { description, lost: servers.engine.lost };
}

/**
 * Wakes each team with open chunks, because the queue starts empty. Retries until all are woken.
 * @returns a function that ends the retries
 */
function wakeWaitingTeams(invoke: InvokeFunction): () => void {
  const stopping = new AbortController();
  const run = async () => {
    for (;;) {
      const report = await invoke('import-sweeper', { all: true }, sweepSeconds).catch(console.error);
      if ((report as SweepReport | undefined)?.not_woken === 0) return;
      await sleep(1000, undefined, { signal: stopping.signal });
    }
  };
  run().catch(() => {});
  return () => stopping.abort();
}

/** The gateway starts before the functions, which need its port. Requests wait until everything is prepared. */
async function startServers(
  settings: Settings,
  parts: AsyncDisposableStack,
  invoke: (id: string, event: unknown) => Promise<unknown>,
): Promise<Servers> {
  const gateway = await startGateway(settings.PORT, {
    routes: [...routes, ...docsRoutes],
    fallback: defaultRoute.id,
    throttles,
    invoke,
  });
  parts.defer(() => gateway.stop(0));
  const database = await startDatabase(settings, parts);
  const queues = await startQueues(settings.SQS_PORT);
  parts.defer(queues.stop);
  const [folder, images, erasuresFolder] = foldersOf(settings, parts);
  const bucket = await startBucket('drop-box', folder, { [imageBucket]: images });
  parts.defer(bucket.stop);
  return { gateway, ...database, queues, bucket, erasuresFolder };
}

const imageBucket = 'images';

/** The buckets and the list of erasures are folders, so that a file can be dropped by copying it there. */
function foldersOf({ DATA_DIR, inMemory }: Settings, parts: AsyncDisposableStack): [string, string, string] {
  const folderOf = (name: string) => join(DATA_DIR, inMemory ? `${name}.memory` : name);
  const folders: [string, string, string] = [folderOf('drop-box'), folderOf(imageBucket), folderOf('erasures')];
  const empty = () => {
    for (const each of folders) rmSync(each, { recursive: true, force: true });
  };
  if (inMemory) {
    empty();
    parts.defer(empty);
  }
  return folders;
}

/** Creates the folders of the demo team and starts to watch for files. @returns a function that stops watching */
function openDropBox({ bucket, queues }: Servers, teamId: string): () => void {
  for (const kind of dropKinds) {
    mkdirSync(join(bucket.folder, teamId, kind), { recursive: true, mode: 0o700 });
  }
  return startBucketEvents(queues.client, queues.notices, bucket).stop;
}

/** The embedded engine, with a guard for all programs except the service itself, or the engine of the settings. */
async function startDatabase(
  { DATA_DIR, inMemory, DYNAMODB_ENDPOINT, DYNAMODB_PORT }: Settings,
  parts: AsyncDisposableStack,
): Promise<Pick<Servers, 'engine' | 'databasePath' | 'dynamodbEndpoint'>> {
  if (DYNAMODB_ENDPOINT !== undefined) {
    const engine = externalEngine(DYNAMODB_ENDPOINT);
    return { engine, databasePath: undefined, dynamodbEndpoint: engine.endpoint };
  }
  // Only from a file can records of the stream be deleted.
  const folder = inMemory ? temporaryFolder() : undefined;
  if (folder !== undefined) parts.defer(() => rmSync(folder, { recursive: true, force: true }));
  const path = databasePath(folder ?? DATA_DIR);
  const engine = await startEngine(path, folder);
  parts.defer(engine.stop);
  const guard = await startGuard(engine.endpoint, DYNAMODB_PORT);
  parts.defer(guard.stop);
  return { engine, databasePath: path, dynamodbEndpoint: guard.endpoint };
}

/** The environment of the deployed functions, and the local endpoints for the SDK. */
function environmentOf(settings: Settings, { gateway, engine, queues, bucket }: Servers) {
  const { DATA_DIR, inMemory, FRAME_ANCESTORS, LOG_LEVEL } = settings;
  const sqsEndpoint = settings.FUNCTIONS_SQS_ENDPOINT ?? queues.endpoint;
  // Without an endpoint in code, the SDK sends to the host of the queue's URL.
  const queueUrl = ({ url }: Queue) => new URL(new URL(url).pathname, sqsEndpoint).href;
  const keyFile = join(DATA_DIR, inMemory ? 'signing-keys.memory.json' : 'signing-keys.json');
  return {
    // A new name for each run, because an external engine may still contain the data of an earlier run.
    TABLE_NAME: inMemory ? `onboarding-${crypto.randomUUID()}` : 'onboarding',
    ISSUER: `http://${loopback}:${gateway.port}`,
    QUEUE_URL: queueUrl(queues.imports),
    DROP_BUCKET: bucket.name,
    DROP_QUEUE_URL: queueUrl(queues.drops),
    WEBHOOK_QUEUE_URL: queueUrl(queues.webhooks),
    LOCAL_WEBHOOKS: 'allowed',
    IMAGE_BUCKET: imageBucket,
    SIGNING_KEYS: pathToFileURL(keyFile).href,
    TOKEN_LIFETIME_SECONDS: String(settings.TOKEN_LIFETIME_SECONDS),
    AUDIT_RETENTION_DAYS: String(settings.AUDIT_RETENTION_DAYS),
    PAYLOAD_RETENTION_DAYS: String(settings.PAYLOAD_RETENTION_DAYS),
    EVENT_RETENTION_DAYS: String(settings.EVENT_RETENTION_DAYS),
    FRAME_ANCESTORS,
    START_PAGE: docsRoutes[0].path,
    LOG_LEVEL,
    AWS_ENDPOINT_URL_DYNAMODB: settings.FUNCTIONS_DYNAMODB_ENDPOINT ?? engine.endpoint,
    AWS_ENDPOINT_URL_SQS: sqsEndpoint,
    AWS_ENDPOINT_URL_S3: bucket.endpoint,
  };
}

type FunctionEnvironment = ReturnType<typeof environmentOf>;

/** Creates the table, a signing key and the demo team, unless they exist. */
async function prepare(
  { DATA_DIR, inMemory }: Settings,
  { engine, databasePath }: Servers,
  { TABLE_NAME, SIGNING_KEYS }: FunctionEnvironment,
  parts: AsyncDisposableStack,
  invoke: InvokeFunction,
): Promise<{ credential: DemoCredential; streamArn: string; streamFile: string | undefined }> {
  const table = await openTable(engine.endpoint, TABLE_NAME);
  const streamFile = databasePath !== undefined && indexStream(databasePath) ? databasePath : undefined;
  if (databasePath !== undefined && streamFile === undefined) {
    console.error('This version of the embedded database stores its stream differently. Writes may get slower.');
  }
  if (inMemory) {
    parts.defer(table.drop);
    parts.defer(() => rmSync(new URL(SIGNING_KEYS), { force: true }));
  }
  await ensureSigningKey(table.database, SIGNING_KEYS, (event) => invoke('rotate-signing-key', event, endpointSeconds));
  const credential = await demoCredential(table.database, inMemory ? undefined : DATA_DIR);
  return { credential, streamArn: table.streamArn, streamFile };
}

const describe = (
  servers: Servers,
  environment: FunctionEnvironment,
  credential: DemoCredential,
): LocalDescription => ({
  base_url: environment.ISSUER,
  client_id: credential.client_id,
  client_secret: credential.client_secret,
  team_id: credential.team_id,
  dynamodb_endpoint: servers.dynamodbEndpoint,
  sqs_endpoint: servers.queues.endpoint,
  table_name: environment.TABLE_NAME,
  queue_url: servers.queues.imports.url,
  dead_letter_queue_url: servers.queues.imports.deadLetters.url,
  webhook_queue_url: servers.queues.webhooks.url,
  event_failure_queue_url: servers.queues.eventFailures.url,
  drop_box_folder: servers.bucket.folder,
  drop_box_endpoint: servers.bucket.endpoint,
  drop_box_bucket: servers.bucket.name,
  image_bucket: environment.IMAGE_BUCKET,
  erasures_folder: servers.erasuresFolder,
  pid: process.pid,
});

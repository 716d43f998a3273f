import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { backgroundFunctions } from '../../lib/background.ts';
import { defaultRoute, routes } from '../../lib/routes.ts';
import { DynamoDatabase } from '../../lib/store/dynamodb.ts';
import { claimDirectory, descriptionPath, type LocalDescription, writeSecret } from './data-directory.ts';
import { demoCredential } from './demo-team.ts';
import { type Engine, foreignEngine, startEngine } from './engine.ts';
import { startEventSource } from './event-source.ts';
import { type LambdaFunction, loadFunctions } from './functions.ts';
import { startGateway } from './gateway.ts';
import { invokeFunction } from './invoke.ts';
import { loopback } from './ports.ts';
import { type Queues, startQueues } from './queue.ts';
import { startSchedule } from './schedule.ts';
import type { Settings } from './settings.ts';
import { ensureSigningKey } from './signing-key.ts';
import { ensureTable } from './table.ts';

export type LocalService = {
  description: LocalDescription;
  /** Resolves when the engine has ended by itself: nothing can be served any more. */
  lost: Promise<void>;
  stop(): Promise<void>;
};

/** Longer than API Gateway waits; the gateway gives up before the function does. */
const endpointSeconds = 60;
const graceMilliseconds = 700;

/** Everything that the stack deploys, on this machine. @throws StartFailure */
export async function startLocalService(settings: Settings): Promise<LocalService> {
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    return { ...(await start(settings, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(settings: Settings, stops: (() => unknown)[]): Promise<Omit<LocalService, 'stop'>> {
  const { dataDirectory, inMemory } = settings;
  const claimed = claimDirectory(dataDirectory);
  stops.push(claimed.release);
  const local = descriptionPath(dataDirectory);
  rmSync(local, { force: true });

  // Requests wait for the functions, which need to know the port first.
  const ready = Promise.withResolvers<Map<string, LambdaFunction>>();
  ready.promise.catch(() => {});
  const invoke = async (id: string, event: unknown, seconds: number) =>
    invokeFunction(id, (await ready.promise).get(id) as LambdaFunction, event, seconds);
  const gateway = await startGateway(settings.port, {
    routes,
    fallback: defaultRoute.id,
    invoke: (id, event) => invoke(id, event, endpointSeconds),
  });
  const engine = await engineOf(settings);
  stops.push(engine.stop);
  const baseUrl = `http://${loopback}:${gateway.port}`;
  const tableName = inMemory ? `onboarding-${randomBytes(6).toString('hex')}` : 'onboarding';
  const signingKeys = join(dataDirectory, inMemory ? 'signing-keys.memory.json' : 'signing-keys.json');
  setEnvironment({
    TABLE_NAME: tableName,
    ISSUER: baseUrl,
    SIGNING_KEYS: pathToFileURL(signingKeys).href,
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'WARN',
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
    ...awsSettings,
  });
  const queues = await startQueues();
  stops.push(queues.stop);
  setEnvironment({ AWS_ENDPOINT_URL_SQS: queues.endpoint, QUEUE_URL: queues.imports.url });

  const client = new DynamoDBClient({ maxAttempts: 1 });
  const database = new DynamoDatabase({ tableName, client });
  await ensureTable(client, tableName);
  if (inMemory) stops.push(() => rmSync(signingKeys, { force: true }));
  await ensureSigningKey(database);
  const credential = await demoCredential(database, inMemory ? undefined : dataDirectory);
  ready.resolve(await loadFunctions());
  startBackground(queues, invoke, stops);
  await invoke('import-sweeper', { all: true }, 60);
  stops.push(() => gateway.stop(graceMilliseconds));

  const description: LocalDescription = {
    base_url: baseUrl,
    ...credential,
    dynamodb_endpoint: engine.endpoint,
    sqs_endpoint: queues.endpoint,
    table_name: tableName,
    queue_url: queues.imports.url,
    dead_letter_queue_url: queues.deadLetters.url,
    pid: process.pid,
  };
  writeSecret(local, `${JSON.stringify(description, undefined, 2)}\n`);
  stops.push(() => rmSync(local, { force: true }));
  return { description, lost: engine.lost };
}

/** Keys that open nothing, in place of any real ones that this terminal may hold. */
const awsSettings = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_SESSION_TOKEN: undefined,
  AWS_PROFILE: undefined,
  AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: undefined,
};

/** The functions find their settings where Lambda puts them. */
function setEnvironment(variables: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

async function engineOf({ dataDirectory, inMemory, dynamodbEndpoint }: Settings): Promise<Engine> {
  if (dynamodbEndpoint !== undefined) return foreignEngine(dynamodbEndpoint);
  return startEngine(inMemory ? undefined : join(dataDirectory, 'onboarding.db'));
}

type Invoke = (id: string, event: unknown, seconds: number) => Promise<unknown>;

/** Wires the functions that no request calls to their queues and schedules. Keys are rotated by the deployment alone. */
function startBackground(queues: Queues, invoke: Invoke, stops: (() => unknown)[]): void {
  const queueOf = { imports: queues.imports, 'dead-letters': queues.deadLetters };
  for (const { id, trigger, timeout } of backgroundFunctions) {
    if ('queue' in trigger) {
      const { batchSize, maxConcurrency } = trigger;
      const queue = queueOf[trigger.queue];
      const source = startEventSource({
        client: queues.client,
        queue,
        batchSize,
        maxConcurrency,
        invoke: (event) => invoke(id, event, timeout),
      });
      stops.push(() => source.stop(graceMilliseconds));
    } else if ('everySeconds' in trigger) {
      stops.push(startSchedule(trigger.everySeconds, (event) => invoke(id, event, timeout)).stop);
    }
  }
}

import { CfnOutput, Duration, PermissionsBoundary, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import {
  type BackgroundFunction,
  backgroundFunctions,
  importQueue,
  type QueueName,
  webhookQueue,
} from '../lib/background.ts';
import type { Grants } from '../lib/grants.ts';
import type { MetricName } from '../lib/metrics.ts';
import type { Route } from '../lib/route.ts';
import { defaultRoute, docsRoutes, originCheck, routes } from '../lib/routes.ts';
import { Api, gatewayTimeout } from './constructs/api.ts';
import { DataTable } from './constructs/data-table.ts';
import { DropBox } from './constructs/drop-box.ts';
import { copiesMayUse, encryptionKeyOf, logGroupsMayUse, sendersMayUse } from './constructs/encryption-key.ts';
import { EventBus } from './constructs/event-bus.ts';
import { ImageBucket } from './constructs/image-bucket.ts';
import { keyStatements } from './constructs/key-permissions.ts';
import { Monitoring } from './constructs/monitoring.ts';
import { OperationsDashboard } from './constructs/operations-dashboard.ts';
import { OriginSecrets, originAuthorizer } from './constructs/origin-check.ts';
import { consumes, type Resources, rotates, statementsOf } from './constructs/permissions.ts';
import { type QueuePair, queuePair } from './constructs/queues.ts';
import { Releases } from './constructs/releases.ts';
import { ServiceFunction } from './constructs/service-function.ts';
import { metricsNamespace } from './constructs/service-metric.ts';
import { SigningKeys } from './constructs/signing-keys.ts';
import { TableBackups } from './constructs/table-backups.ts';
import { TableStream } from './constructs/table-stream.ts';
import type { Settings } from './settings.ts';

/** Megabytes. Gives more than half a vCPU, which limits the parsing of a 4 MB batch and the cold start. */
const endpointMemory = 1024;

type Definition = {
  id: string;
  grants: Grants;
  description: string;
  timeout: number;
  memory: number;
  statements?: PolicyStatement[];
  environment?: Record<string, string>;
  wakesItself?: boolean;
};

export type OnboardingStackProps = {
  /** Directory with one subdirectory for each function, which contains its `index.mjs`. */
  bundles: string;
  settings: Settings;
};

/** The whole service, built from the route table, the list of background functions and the table definition. */
export class OnboardingStack extends Stack {
  readonly #bundles: string;
  readonly #api: Api;
  readonly #table: DataTable;
  readonly #stream: TableStream;
  readonly #bus: EventBus | undefined;
  readonly #queues: Record<QueueName, QueuePair>;
  readonly #dropBox: DropBox;
  readonly #images: ImageBucket;
  readonly #signingKeys: SigningKeys;
  readonly #monitoring: Monitoring;
  readonly #releases: Releases;
  readonly #settings: Settings;
  readonly #key: IKey | undefined;
  /** By the id of their function. */
  readonly #logs = new Map<string, ILogGroup>();

  constructor(scope: Construct, id: string, props: OnboardingStackProps) {
    const { bundles, settings } = props;
    super(scope, id, {
      description: 'Onboarding service: contacts, accounts, campaigns and journeys.',
      env: environmentOf(settings),
      tags: settings.tags,
      terminationProtection: settings.removal.data === 'retain',
      ...(settings.permissionsBoundary
        ? { permissionsBoundary: PermissionsBoundary.fromArn(settings.permissionsBoundary) }
        : {}),
    });
    this.#bundles = bundles;
    this.#settings = settings;
    const { copies } = settings.backups;
    const services = [
      ...[logGroupsMayUse(this), ...sendersMayUse(this)],
      ...(copies ? copiesMayUse(this, copies.copyTo) : []),
    ];
    const key = encryptionKeyOf(this, 'Key', { ...settings, services });
    this.#key = key;
    this.#table = new DataTable(this, 'Data', { ...settings, key });
    this.#stream = new TableStream(this, 'Stream', { streamArn: this.#table.streamArn, key });
    const { bus } = settings.events;
    this.#bus = bus === undefined ? undefined : new EventBus(this, 'Events', { ...settings, bus });
    const wakes = (name: string, queue: typeof importQueue | typeof webhookQueue) =>
      queuePair(new Construct(this, name), ['Queue', 'DeadLetters'], { ...queue, key, isFifo: true });
    const [imports, webhooks] = [wakes('Imports', importQueue), wakes('Webhooks', webhookQueue)];
    this.#dropBox = new DropBox(this, 'DropBox', { ...settings, key });
    this.#queues = { imports, notices: this.#dropBox.notices, drops: this.#dropBox.files, webhooks };
    this.#images = new ImageBucket(this, 'Images', { ...settings, key, accessLogs: this.#dropBox.accessLogs });
    this.#signingKeys = new SigningKeys(this, 'SigningKeys', key);
    this.#api = new Api(this, 'Api', { ...settings, key, name: id });
    this.#monitoring = new Monitoring(this, 'Monitoring', { ...settings, key });
    this.#releases = new Releases(this, 'Releases', settings.trafficShift);
    if (copies)
      new TableBackups(this, 'Backups', {
        table: this.#table.arn,
        key,
        receiver: this.#monitoring.receiveEvents(),
        ...copies,
      });

    if (settings.edge) this.#checkOrigin(settings.edge);
    for (const route of [...routes, ...(settings.docs ? docsRoutes : [])]) this.#addRoute(route);
    const start = settings.docs ? { START_PAGE: docsRoutes[0].path } : {};
    const fallback = this.#addEndpoint(defaultRoute, 'Requests that match no route', start);
    this.#api.addDefaultRoute(defaultRoute.id, this.#releases.add(defaultRoute.id, fallback.lambda));
    for (const background of backgroundFunctions) this.#addBackground(background);

    this.#addMonitoring();
    this.#addOutputs();
  }

  #addMonitoring(): void {
    this.#monitoring.watchApi(this.#api.stage, this.#api.accessLogs);
    this.#monitoring.watchTable(this.#table);
    this.#monitoring.watchQueues(this.#queues);
    const arrivals = { files: this.#logs.get('drop-box-reader')!, batches: this.#logs.get('import-worker')! };
    this.#releases.shiftTraffic(this.#api.stage, this.#monitoring);
    new OperationsDashboard(this.#monitoring.nested, 'Dashboard', {
      alarms: this.#monitoring.alarms,
      stage: this.#api.stage,
      table: this.#table,
      queues: this.#queues,
      eventFailures: this.#stream.failures,
      arrivals,
      logs: [...this.#logs.values()],
    });
  }

  #checkOrigin({ originSecrets: names, directCertificate }: NonNullable<Settings['edge']>): void {
    const secrets = new OriginSecrets(this, 'OriginSecrets', { names, key: this.#key });
    const { id, grants } = originCheck;
    const [timeout, memory] = [10, 256];
    const settings = { timeout, memory, statements: [secrets.statement], environment: secrets.environment };
    const { lambda } = this.#addFunction({ id, grants, description: 'Requests that CloudFront sent', ...settings });
    this.#monitoring.watchFunction(id, lambda);
    const live = this.#releases.add(id, lambda);
    if (!directCertificate) this.#api.checkOriginBy(originAuthorizer(live));
  }

  #addRoute(route: Route): void {
    const { frameAncestors } = this.#settings;
    const isSet = route.isFramed && frameAncestors.length > 0;
    const environment = isSet ? { FRAME_ANCESTORS: frameAncestors.join(' ') } : {};
    const endpoint = this.#addEndpoint(route, `${route.methods.join(', ')} ${route.path}`, environment);
    this.#api.addRoute(route, this.#releases.add(route.id, endpoint.lambda));
    if (route.grants.signs) this.#signingKeys.readOnlyBy(endpoint.role);
    if (route.grants.images) this.#images.acknowledge(endpoint.role);
  }

  #addEndpoint(
    { id, grants }: { id: string; grants: Grants },
    description: string,
    environment: Record<string, string> = {},
  ): ServiceFunction {
    const [timeout, memory] = [gatewayTimeout, endpointMemory];
    return this.#addFunction({ id, grants, description, timeout, memory, environment });
  }

  #addBackground(background: BackgroundFunction): void {
    const { id, grants, timeout, memory, trigger, alarmOn = {} } = this.#sized(background);
    const description = `Background: ${id}`;
    const made = this.#addFunction({ id, grants, timeout, memory, description, ...this.#needsOf(background) });
    this.#monitoring.watchFunction(id, made.lambda);
    if (grants.files) this.#dropBox.acknowledge(made.role, grants.files);
    for (const [metric, { severity, from }] of Object.entries(alarmOn)) {
      this.#monitoring.watchMetric(id, metric as MetricName, severity, from);
    }
    if ('queue' in trigger) {
      const live = this.#releases.add(id, made.lambda);
      if (trigger.everySeconds !== undefined) this.#schedule(made, live, id, trigger.everySeconds);
      new EventSourceMapping(made.lambda, 'Source', {
        target: live,
        eventSourceArn: this.#queues[trigger.queue].queue.queueArn,
        batchSize: trigger.batchSize,
        maxConcurrency: trigger.maxConcurrency,
        reportBatchItemFailures: true,
      });
    } else if ('stream' in trigger) {
      this.#stream.invoke(this.#releases.add(id, made.lambda), trigger);
      this.#monitoring.watchStream(made.lambda, this.#stream.failures);
    } else if ('everySeconds' in trigger) {
      this.#schedule(made, this.#releases.add(id, made.lambda), id, trigger.everySeconds);
    } else {
      // No alias: the next rotation is days away, so there is no traffic to shift.
      this.#signingKeys.rotateBy(made.lambda, trigger.everyDays);
    }
  }

  #schedule(made: ServiceFunction, live: IFunction, id: string, everySeconds: number): void {
    // No retry: it would run at the same time as the next scheduled run.
    live.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    const schedule = Schedule.rate(Duration.seconds(everySeconds));
    new Rule(made, 'Schedule', { schedule, targets: [new LambdaTarget(live)] });
    this.#monitoring.watchHeartbeat(id, made.lambda);
  }

  /** The background function with the memory and the concurrency of the settings. */
  #sized(background: BackgroundFunction): BackgroundFunction {
    const { id, trigger } = background;
    if (id !== 'import-worker' || !('queue' in trigger)) return background;
    const { memory, maxConcurrency } = this.#settings.importWorker;
    return { ...background, memory, trigger: { ...trigger, maxConcurrency } };
  }

  /** What the trigger of a background function needs in addition to its grants. */
  #needsOf({ trigger, grants, postpones = false }: BackgroundFunction): Partial<Definition> {
    if ('rotation' in trigger) {
      return { statements: [rotates(this.#signingKeys.arn)], environment: this.#signingEnvironment() };
    }
    if ('stream' in trigger) {
      const { statements } = this.#stream;
      if (!this.#bus) return { statements };
      return { statements: [...statements, this.#bus.statement], environment: { EVENT_BUS: this.#bus.arn } };
    }
    if (!('queue' in trigger)) return {};
    const { queue } = this.#queues[trigger.queue];
    return {
      statements: [consumes(queue.queueArn, postpones)],
      ...(postpones && trigger.queue === 'imports' ? { environment: { QUEUE_URL: queue.queueUrl } } : {}),
      wakesItself: isSentTo(trigger.queue, grants),
    };
  }

  #addFunction({ id, grants, statements = [], environment, ...definition }: Definition): ServiceFunction {
    const { retention } = this.#settings;
    const granted = [...statementsOf(grants, this.#resources()), ...statements];
    const made = new ServiceFunction(this, id, {
      ...definition,
      settings: this.#settings,
      key: this.#key,
      bundles: this.#bundles,
      statements: [...granted, ...keyStatements(granted, this.#key)],
      environment: {
        TABLE_NAME: this.#table.name,
        ISSUER: this.#api.url,
        ...(grants.sends ? { QUEUE_URL: this.#queues.imports.queue.queueUrl } : {}),
        ...(grants.sends && grants.write ? { PAYLOAD_RETENTION_DAYS: String(retention.payloads) } : {}),
        ...(grants.forwards || grants.files ? this.#dropBoxEnvironment() : {}),
        ...(grants.notifies ? { WEBHOOK_QUEUE_URL: this.#queues.webhooks.queue.queueUrl } : {}),
        ...(grants.images ? { IMAGE_BUCKET: this.#images.bucket.bucketName } : {}),
        ...(grants.signs ? this.#signingEnvironment() : {}),
        ...(usesEvents(grants) ? { EVENT_RETENTION_DAYS: String(retention.events) } : {}),
        ...(grants.records ? { AUDIT_RETENTION_DAYS: String(retention.audit) } : {}),
        ...(grants.directory ? { SCAN_UNITS_PER_MINUTE: String(this.#settings.scanUnitsPerMinute) } : {}),
        ...(this.#settings.fips ? { AWS_USE_FIPS_ENDPOINT: 'true' } : {}),
        METRICS_NAMESPACE: metricsNamespace(this),
        ...environment,
      },
    });
    this.#logs.set(id, made.logGroup);
    return made;
  }

  #dropBoxEnvironment(): Record<string, string> {
    return { DROP_BUCKET: this.#dropBox.bucket.bucketName, DROP_QUEUE_URL: this.#queues.drops.queue.queueUrl };
  }

  #signingEnvironment(): Record<string, string> {
    return {
      SIGNING_KEYS: this.#signingKeys.arn,
      TOKEN_LIFETIME_SECONDS: String(this.#settings.tokenLifetimeSeconds),
    };
  }

  #resources(): Resources {
    return {
      table: this.#table.arn,
      index: (name) => this.#table.indexArn(name),
      importQueue: this.#queues.imports.queue.queueArn,
      dropQueue: this.#queues.drops.queue.queueArn,
      webhookQueue: this.#queues.webhooks.queue.queueArn,
      file: (pattern) => this.#dropBox.bucket.arnForObjects(pattern),
      images: this.#images.objects,
      signingKeys: this.#signingKeys.arn,
    };
  }

  /** Outputs for operators and for the admin command (`--stack`). */
  #addOutputs(): void {
    const outputs = {
      ApiUrl: this.#api.url,
      TableName: this.#table.name,
      QueueUrl: this.#queues.imports.queue.queueUrl,
      DeadLetterQueueUrl: this.#queues.imports.deadLetters.queueUrl,
      EventFailureQueueUrl: this.#stream.failures.queueUrl,
      ...(this.#bus ? { EventBusArn: this.#bus.arn } : {}),
      WebhookQueueUrl: this.#queues.webhooks.queue.queueUrl,
      DropBoxBucket: this.#dropBox.bucket.bucketName,
      ImageBucket: this.#images.bucket.bucketName,
      SigningKeysArn: this.#signingKeys.arn,
      PageTopicArn: this.#monitoring.topics.page.topicArn,
      NotifyTopicArn: this.#monitoring.topics.notify.topicArn,
      AuditRetentionDays: String(this.#settings.retention.audit),
      Retention: JSON.stringify({
        ...this.#settings.retention,
        backups: this.#settings.backups.pointInTimeDays,
      }),
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}

/** True if a function with these grants sends messages to the queue. */
const isSentTo = (queue: QueueName, { sends = false, forwards = false, notifies = false }: Grants): boolean =>
  ({ imports: sends, drops: forwards, webhooks: notifies, notices: false })[queue];

/** True if the function writes or reads the log of events. */
const usesEvents = ({ read, queries = [], write }: Grants): boolean =>
  [...read, ...queries, ...(write?.partitions ?? [])].includes('T#*#E');

/** Without account and region, the template fits every account and region. */
const environmentOf = ({ account, region }: Settings) => ({
  ...(account ? { account } : {}),
  ...(region ? { region } : {}),
});

import { CfnOutput, Duration, PermissionsBoundary, Stack } from 'aws-cdk-lib';
import { EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import {
  type BackgroundFunction,
  backgroundFunctions,
  importQueue,
  type MessageQueueName,
  messageFunctions,
  type QueueName,
  targetingQueue,
  webhookQueue,
} from '../lib/background.ts';
import type { Grants } from '../lib/grants.ts';
import type { Route } from '../lib/route.ts';
import { defaultRoute, docsRoutes, originCheck, routes } from '../lib/routes.ts';
import { Api, gatewayTimeout } from './constructs/api.ts';
import { DropBox, ImageBucket } from './constructs/buckets.ts';
import { DataTable } from './constructs/data-table.ts';
import { allow, type Deployment } from './constructs/deployment.ts';
import { copiesMayUse, encryptionKeyOf, logGroupsMayUse, sendersMayUse } from './constructs/encryption-key.ts';
import { Messaging } from './constructs/messaging.ts';
import { Monitoring, metricsNamespace } from './constructs/monitoring.ts';
import { OperationsDashboard } from './constructs/operations-dashboard.ts';
import { consumes, keyStatements, type Resources, statementsOf } from './constructs/permissions.ts';
import { queuePair } from './constructs/queues.ts';
import { Releases } from './constructs/releases.ts';
import { OriginSecrets, SigningKeys } from './constructs/secrets.ts';
import { type Network, ServiceFunction } from './constructs/service-function.ts';
import { TableBackups } from './constructs/table-backups.ts';
import { TableStream } from './constructs/table-stream.ts';
import type { Settings } from './settings.ts';

/** For requests: seconds, and megabytes, which give half a vCPU for the parsing of a 4 MB batch and the cold start. */
const endpoint = { timeout: gatewayTimeout, memory: 1024 };

type FunctionDefinition = {
  id: string;
  grants: Grants;
  description: string;
  timeout: number;
  memory: number;
  storage?: number | undefined;
  statements?: PolicyStatement[];
  environment?: Record<string, string>;
  wakesItself?: boolean;
  network?: Network;
};

export type OnboardingStackProps = {
  /** Directory with one subdirectory for each function, which contains its `index.mjs`. */
  bundles: string;
  settings: Settings;
};

/** The whole service, built from the route table, the list of background functions and the table definition. */
export class OnboardingStack extends Stack {
  readonly #bundles: string;
  readonly #deployment: Deployment;
  readonly #resources: Resources;
  readonly #stream: TableStream;
  /** The ARN of the bus that gets every event. */
  readonly #bus: string | undefined;
  readonly #api: Api;
  readonly #monitoring: Monitoring;
  readonly #releases: Releases;
  /** By their ids. */
  readonly #functions = new Map<string, ServiceFunction>();
  /** The versions of the functions of routes that take requests. */
  readonly #live = new Map<string, IFunction>();

  constructor(scope: Construct, id: string, { bundles, settings }: OnboardingStackProps) {
    const { account, region, permissionsBoundary, removal } = settings;
    super(scope, id, {
      description: 'Onboarding service: contacts, accounts, campaigns and journeys.',
      // Without account and region, the template fits every account and region.
      env: { ...(account ? { account } : {}), ...(region ? { region } : {}) },
      tags: settings.tags,
      terminationProtection: removal.data === 'retain',
      ...(permissionsBoundary ? { permissionsBoundary: PermissionsBoundary.fromArn(permissionsBoundary) } : {}),
    });
    this.#bundles = bundles;
    const { copies } = settings.backups;
    const copying = copies ? copiesMayUse(this, copies.copyTo) : [];
    const services = [logGroupsMayUse(this), ...sendersMayUse(this), ...copying];
    const key = encryptionKeyOf(this, 'Key', { ...settings, services });
    const deployment = { settings, key };
    this.#deployment = deployment;
    const table = new DataTable(this, 'Data', deployment);
    this.#stream = new TableStream(this, 'Stream', deployment, table.streamArn);
    this.#bus = this.#eventBus(settings);
    const wakes = (name: string, queue: typeof importQueue | typeof webhookQueue | typeof targetingQueue) =>
      queuePair(new Construct(this, name), ['Queue', 'DeadLetters'], { ...queue, key, isFifo: true });
    const [imports, webhooks] = [wakes('Imports', importQueue), wakes('Webhooks', webhookQueue)];
    const targeting = wakes('Targeting', targetingQueue);
    const dropBox = new DropBox(this, 'DropBox', deployment);
    const queues = { imports, notices: dropBox.notices, drops: dropBox.files, webhooks, targeting };
    const images = new ImageBucket(this, 'Images', deployment, dropBox.accessLogs);
    const signingKeys = new SigningKeys(this, 'SigningKeys', deployment);
    const messaging = settings.messages
      ? new Messaging(this, 'Messaging', deployment, settings.messages, dropBox.accessLogs)
      : undefined;
    this.#resources = { table, queues, dropBox, images, signingKeys, messaging };
    this.#api = new Api(this, 'Api', deployment);
    this.#monitoring = new Monitoring(this, 'Monitoring', deployment);
    this.#releases = new Releases(this, 'Releases', settings.trafficShift);
    if (copies) {
      this.#monitoring.watchBackups(new TableBackups(this, 'Backups', deployment, { table: table.arn, ...copies }));
    }

    if (settings.edge) this.#checkOrigin(settings.edge);
    const offered = routes.filter((route: Route) => route.needs === undefined || settings[route.needs]);
    for (const route of [...offered, ...(settings.docs ? docsRoutes : [])]) this.#addRoute(route);
    this.#addDefaultRoute();
    const background = [...backgroundFunctions, ...(messaging ? messageFunctions : [])];
    for (const each of background) this.#addBackground(each);
    this.#watch();
    this.#addOutputs();
  }

  /** Events contain only ids, so the keys of AWS encrypt the bus and its archive in every stage. */
  #eventBus({ events, retention }: Settings): string | undefined {
    if (events.bus !== 'made') return events.bus;
    const made = new EventBus(new Construct(this, 'Events'), 'Bus', {
      description: 'Events of the onboarding service.',
    });
    made.archive('Archive', { eventPattern: { source: ['onboarding'] }, retention: Duration.days(retention.events) });
    return made.eventBusArn;
  }

  #watch(): void {
    const { stage, accessLogs } = this.#api;
    const { table, queues } = this.#resources;
    const [eventFailures, functions] = [this.#stream.failures, this.#functions];
    const ofMessages = this.#resources.messaging?.queues;
    const watched = { stage, accessLogs, table, queues, eventFailures, functions, ofMessages };
    this.#monitoring.watch(watched);
    this.#releases.shiftTraffic(stage, this.#monitoring);
    const { nested, alarms } = this.#monitoring;
    new OperationsDashboard(nested, 'Dashboard', { ...watched, alarms });
  }

  #checkOrigin({ originSecrets, directCertificate }: NonNullable<Settings['edge']>): void {
    const { arns } = new OriginSecrets(this, 'OriginSecrets', this.#deployment, originSecrets);
    const { lambda } = this.#addFunction({
      ...originCheck,
      description: 'Requests that CloudFront sent',
      timeout: 10,
      memory: 256,
      statements: [allow('CheckOrigin', ['secretsmanager:GetSecretValue'], ...arns)],
      environment: { ORIGIN_SECRETS: arns.join(' ') },
    });
    const live = this.#releases.add(originCheck.id, lambda);
    if (!directCertificate) this.#api.checkOriginBy(live);
  }

  #addRoute(route: Route): void {
    const { id, grants, methods, path, servedBy, isFramed } = route;
    if (servedBy !== undefined) {
      this.#api.addRoute(route, this.#live.get(servedBy)!);
      return;
    }
    const { frameAncestors } = this.#deployment.settings;
    const { lambda, role } = this.#addFunction({
      ...{ id, grants, description: `${methods.join(', ')} ${path}`, ...endpoint },
      ...(isFramed && frameAncestors.length > 0 ? { environment: { FRAME_ANCESTORS: frameAncestors.join(' ') } } : {}),
    });
    const live = this.#releases.add(id, lambda);
    this.#live.set(id, live);
    this.#api.addRoute(route, live);
    if (grants.signs) this.#resources.signingKeys.readOnlyBy(role);
    if (grants.images) this.#resources.images.acknowledge(role);
  }

  #addDefaultRoute(): void {
    const { id, grants } = defaultRoute;
    const environment = this.#deployment.settings.docs ? { START_PAGE: docsRoutes[0].path } : {};
    const description = 'Requests that match no route';
    const { lambda } = this.#addFunction({ id, grants, description, environment, ...endpoint });
    this.#api.addDefaultRoute(id, this.#releases.add(id, lambda));
  }

  #queueOf(name: QueueName | MessageQueueName): IQueue {
    const { queues, messaging } = this.#resources;
    return { ...queues, ...messaging?.queues }[name]!.queue;
  }

  #addBackground(background: BackgroundFunction<QueueName | MessageQueueName>): void {
    const { id, grants, timeout, trigger, storage } = background;
    const sized = id === 'import-worker' ? this.#deployment.settings.importWorker : undefined;
    const memory = sized?.memory ?? background.memory;
    const description = `Background: ${id}`;
    const made = this.#addFunction({ id, grants, timeout, memory, storage, description, ...this.#needsOf(background) });
    if (grants.files) this.#resources.dropBox.acknowledge(made.role, grants.files);
    if (grants.erases) this.#resources.images.acknowledgeErasures(made.role);
    if ('rotation' in trigger) {
      // No alias: the next rotation is days away, so there is no traffic to shift.
      this.#resources.signingKeys.rotateBy(made.lambda, trigger.everyDays);
      return;
    }
    const live = this.#releases.add(id, made.lambda);
    if ('everySeconds' in trigger) this.#schedule(made, live, Duration.seconds(trigger.everySeconds!));
    if ('stream' in trigger) this.#stream.invoke(live, trigger);
    if ('queue' in trigger) {
      new EventSourceMapping(made.lambda, 'Source', {
        target: live,
        eventSourceArn: this.#queueOf(trigger.queue).queueArn,
        enabled: !this.#deployment.settings.closed,
        batchSize: trigger.batchSize,
        maxConcurrency: sized?.maxConcurrency ?? trigger.maxConcurrency,
        reportBatchItemFailures: true,
      });
    }
  }

  /** Without a retry, which would run at the same time as the next scheduled run. */
  #schedule(made: ServiceFunction, live: IFunction, every: Duration): void {
    live.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    const enabled = !this.#deployment.settings.closed;
    new Rule(made, 'Schedule', { enabled, schedule: Schedule.rate(every), targets: [new LambdaTarget(live)] });
  }

  /** What the trigger of a background function needs in addition to its grants. */
  #needsOf({
    trigger,
    grants,
    postpones = false,
  }: BackgroundFunction<QueueName | MessageQueueName>): Partial<FunctionDefinition> {
    if ('rotation' in trigger) {
      return { statements: [this.#resources.signingKeys.rotation], environment: this.#signingEnvironment() };
    }
    if ('stream' in trigger) {
      const { statements } = this.#stream;
      const environment = { EVENT_FAILURE_QUEUE_URL: this.#stream.failures.queueUrl };
      if (!this.#bus) return { statements, environment };
      const publishes = allow('PutEvents', ['events:PutEvents'], this.#bus);
      return { statements: [...statements, publishes], environment: { ...environment, EVENT_BUS: this.#bus } };
    }
    if (!('queue' in trigger)) return {};
    const queue = this.#queueOf(trigger.queue);
    const { sends = false, forwards = false, notifies = false, targets = false, mails = false } = grants;
    return {
      statements: [consumes(queue.queueArn, postpones)],
      ...(postpones && trigger.queue === 'imports' ? { environment: { QUEUE_URL: queue.queueUrl } } : {}),
      ...(trigger.queue === 'webhooks' ? this.#outside() : {}),
      wakesItself: {
        ...{ imports: sends, drops: forwards, webhooks: notifies, targeting: targets, messages: mails },
        ...{ notices: false, feedback: false },
      }[trigger.queue],
    };
  }

  /** Of the function that sends to receivers outside of AWS. */
  #outside(): Partial<FunctionDefinition> {
    const { vpc, webhooks } = this.#deployment.settings;
    return {
      ...(vpc?.webhooks ? { network: vpc.webhooks } : {}),
      ...(webhooks.deniedRanges.length > 0
        ? { environment: { WEBHOOK_DENIED_RANGES: webhooks.deniedRanges.join(' ') } }
        : {}),
    };
  }

  #addFunction({ id, grants, statements = [], environment, ...definition }: FunctionDefinition): ServiceFunction {
    const granted = [...statementsOf(grants, this.#resources), ...statements];
    const made = new ServiceFunction(this, id, this.#deployment, {
      ...definition,
      bundles: this.#bundles,
      statements: [...granted, ...keyStatements(granted, this.#deployment.key)],
      environment: { ...this.#environmentFor(grants), ...environment },
    });
    if (grants.journals) this.#resources.messaging?.acknowledge(made.role);
    this.#functions.set(id, made);
    return made;
  }

  /** The names of what a function with these grants uses, and the settings for it. */
  #environmentFor(grants: Grants): Record<string, string> {
    const { table, queues, dropBox, images, messaging } = this.#resources;
    const { retention, scanUnitsPerMinute, fips } = this.#deployment.settings;
    const { sends, forwards, notifies, targets, files, read, queries = [], write, remove } = grants;
    const usesEvents = [...read, ...queries, ...(write?.items ?? [])].includes('eventPack');
    return {
      TABLE_NAME: table.name,
      ISSUER: this.#api.url,
      METRICS_NAMESPACE: metricsNamespace(this),
      ...(sends ? { QUEUE_URL: queues.imports.queue.queueUrl } : {}),
      ...(sends && remove ? { PAYLOAD_RETENTION_DAYS: String(retention.payloads) } : {}),
      ...(forwards || files ? { DROP_BUCKET: dropBox.bucket.bucketName } : {}),
      ...(forwards ? { DROP_QUEUE_URL: queues.drops.queue.queueUrl } : {}),
      ...(notifies ? { WEBHOOK_QUEUE_URL: queues.webhooks.queue.queueUrl } : {}),
      ...(targets ? { TARGETING_QUEUE_URL: queues.targeting.queue.queueUrl } : {}),
      ...(messaging ? this.#messageEnvironment(grants, messaging) : {}),
      ...(grants.images || grants.erases ? { IMAGE_BUCKET: images.bucket.bucketName } : {}),
      ...(grants.signs ? this.#signingEnvironment() : {}),
      ...(usesEvents ? { EVENT_RETENTION_DAYS: String(retention.events) } : {}),
      ...((usesEvents || grants.mails) && table.eventEpoch ? { EVENT_EPOCH: table.eventEpoch } : {}),
      ...(grants.records ? { AUDIT_RETENTION_DAYS: String(retention.audit) } : {}),
      ...(grants.directory ? { SCAN_UNITS_PER_MINUTE: String(scanUnitsPerMinute) } : {}),
      ...(fips ? { AWS_USE_FIPS_ENDPOINT: 'true' } : {}),
    };
  }

  #messageEnvironment({ mails, hashes, journals, mailsOut }: Grants, messaging: Messaging): Record<string, string> {
    const { queues, secret, journal, configurationSet } = messaging;
    return {
      ...(mails ? { MESSAGE_QUEUE_URL: queues.messages.queue.queueUrl } : {}),
      ...(hashes ? { MESSAGES_SECRET: secret } : {}),
      ...(journals ? { MESSAGES_BUCKET: journal.bucket.bucketName } : {}),
      ...(mailsOut ? { MESSAGE_SENDER: `ses:${configurationSet}` } : {}),
    };
  }

  #signingEnvironment(): Record<string, string> {
    const { tokenLifetimeSeconds } = this.#deployment.settings;
    return { SIGNING_KEYS: this.#resources.signingKeys.arn, TOKEN_LIFETIME_SECONDS: String(tokenLifetimeSeconds) };
  }

  /** Outputs for operators and for the admin command (`--stack`). */
  #addOutputs(): void {
    const { table, queues, dropBox, images, signingKeys } = this.#resources;
    const { retention, backups } = this.#deployment.settings;
    const outputs = {
      ApiUrl: this.#api.url,
      TableName: table.name,
      QueueUrl: queues.imports.queue.queueUrl,
      DeadLetterQueueUrl: queues.imports.deadLetters.queueUrl,
      EventFailureQueueUrl: this.#stream.failures.queueUrl,
      ...(this.#bus ? { EventBusArn: this.#bus } : {}),
      ...(table.eventEpoch ? { EventEpoch: table.eventEpoch } : {}),
      WebhookQueueUrl: queues.webhooks.queue.queueUrl,
      TargetingQueueUrl: queues.targeting.queue.queueUrl,
      DropBoxBucket: dropBox.bucket.bucketName,
      ImageBucket: images.bucket.bucketName,
      SigningKeysArn: signingKeys.arn,
      PageTopicArn: this.#monitoring.topics.page.topicArn,
      NotifyTopicArn: this.#monitoring.topics.notify.topicArn,
      Retention: JSON.stringify({ ...retention, backups: backups.pointInTimeDays }),
      ...this.#messageOutputs(),
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }

  /** The DNS records, too, which prove to Amazon SES whose a domain is. */
  #messageOutputs(): Record<string, string> {
    const { messaging } = this.#resources;
    const { messages } = this.#deployment.settings;
    if (!messaging || !messages) return {};
    const records = Object.entries(messaging.records);
    return {
      MessageQueueUrl: messaging.queues.messages.queue.queueUrl,
      MessageDeadLetterQueueUrl: messaging.queues.messages.deadLetters.queueUrl,
      FeedbackDeadLetterQueueArn: messaging.queues.feedback.deadLetters.queueArn,
      MessagesSecretArn: messaging.secret,
      MessagesBucket: messaging.journal.bucket.bucketName,
      MessageSenders: JSON.stringify(messages.senders),
      MessageSender: `ses:${messaging.configurationSet}`,
      ...Object.fromEntries(records.map(([, value], index) => [`MessageDnsRecords${index + 1}`, value])),
    };
  }
}

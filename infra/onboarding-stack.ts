import { CfnOutput, CfnParameter, Duration, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type BackgroundFunction, backgroundFunctions, type QueueName } from '../lib/background.ts';
import { defaultAuditRetentionDays } from '../lib/domain/audit-retention.ts';
import type { MetricName } from '../lib/metrics.ts';
import { defaultRoute, docsRoutes, type Grants, type Route, routes } from '../lib/routes.ts';
import { Api, type Domain, gatewayTimeout } from './constructs/api.ts';
import { DataTable } from './constructs/data-table.ts';
import { DropBox } from './constructs/drop-box.ts';
import { ImageBucket } from './constructs/image-bucket.ts';
import { ImportQueue } from './constructs/import-queue.ts';
import { Monitoring, type MonitoringProps } from './constructs/monitoring.ts';
import { OperationsDashboard } from './constructs/operations-dashboard.ts';
import { consumes, type Resources, rotates, statementsOf } from './constructs/permissions.ts';
import { ServiceFunction } from './constructs/service-function.ts';
import { metricsNamespace } from './constructs/service-metric.ts';
import { SigningKeys } from './constructs/signing-keys.ts';

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
};

export type OnboardingStackProps = MonitoringProps & {
  /** Directory with one subdirectory for each function, which contains its `index.mjs`. */
  bundles: string;
  /** A custom domain. Without it, the API has the URL that AWS assigns. */
  domain?: Domain | undefined;
  /** Name of a table that was restored from a backup. The stack uses it and creates no table. */
  restoredTable?: string | undefined;
  /** Serves the API reference at `/docs`. */
  docs?: boolean;
  /** Sites that may show channel content in a frame if the channel names no sites, separated by spaces. */
  frameAncestors?: string;
  /** Days that entries of the audit log are kept. */
  auditRetentionDays?: number;
};

/** The whole service, built from the route table, the list of background functions and the table definition. */
export class OnboardingStack extends Stack {
  readonly #bundles: string;
  readonly #api: Api;
  readonly #table: DataTable;
  readonly #imports: ImportQueue;
  readonly #dropBox: DropBox;
  readonly #images: ImageBucket;
  readonly #signingKeys: SigningKeys;
  readonly #monitoring: Monitoring;
  /** By the id of their function. */
  readonly #logs = new Map<string, ILogGroup>();
  readonly #tokenLifetime: CfnParameter;
  readonly #frameAncestors: string;
  readonly #auditRetentionDays: number;

  constructor(scope: Construct, id: string, props: OnboardingStackProps) {
    const { bundles, domain, restoredTable, docs = false, frameAncestors = '' } = props;
    const { auditRetentionDays = defaultAuditRetentionDays } = props;
    super(scope, id, { description: 'Onboarding service: contacts, accounts, campaigns and journeys.' });
    this.#bundles = bundles;
    this.#frameAncestors = frameAncestors;
    this.#auditRetentionDays = auditRetentionDays;
    this.#tokenLifetime = new CfnParameter(this, 'TokenLifetimeSeconds', {
      type: 'Number',
      default: 3600,
      minValue: 60,
      maxValue: 86_400,
      description: 'How long an access token is valid.',
    });
    this.#table = new DataTable(this, 'Data', restoredTable);
    this.#imports = new ImportQueue(this, 'Imports');
    this.#dropBox = new DropBox(this, 'DropBox');
    this.#images = new ImageBucket(this, 'Images', this.#dropBox.accessLogs);
    this.#signingKeys = new SigningKeys(this, 'SigningKeys');
    this.#api = new Api(this, 'Api', { name: id, domain });
    this.#monitoring = new Monitoring(this, 'Monitoring', props);

    for (const route of [...routes, ...(docs ? docsRoutes : [])]) this.#addRoute(route);
    this.#api.addDefaultRoute(defaultRoute.id, this.#addEndpoint(defaultRoute, 'Requests that match no route').lambda);
    for (const background of backgroundFunctions) this.#addBackground(background);

    this.#addMonitoring();
    this.#addOutputs();
  }

  #addMonitoring(): void {
    this.#monitoring.watchApi(this.#api.stage, this.#api.accessLogs);
    this.#monitoring.watchTable(this.#table);
    this.#monitoring.watchImports(this.#imports.deadLetters);
    const { noticeDeadLetters, fileDeadLetters } = this.#dropBox;
    this.#monitoring.watchDropBox({ notices: noticeDeadLetters, files: fileDeadLetters });
    const arrivals = { files: this.#logs.get('drop-box-reader')!, batches: this.#logs.get('import-worker')! };
    new OperationsDashboard(this, 'Dashboard', {
      alarms: this.#monitoring.alarms,
      stage: this.#api.stage,
      table: this.#table,
      queues: { imports: this.#imports, dropBox: this.#dropBox },
      arrivals,
      logs: [...this.#logs.values()],
    });
  }

  #addRoute(route: Route): void {
    const isSet = route.isFramed && this.#frameAncestors !== '';
    const environment = isSet ? { FRAME_ANCESTORS: this.#frameAncestors } : {};
    const endpoint = this.#addEndpoint(route, `${route.methods.join(', ')} ${route.path}`, environment);
    this.#api.addRoute(route, endpoint.lambda);
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
    const { id, grants, timeout, memory, trigger, alarmOn = {} } = background;
    const description = `Background: ${id}`;
    const made = this.#addFunction({ id, grants, timeout, memory, description, ...this.#needsOf(background) });
    this.#monitoring.watchFunction(id, made.lambda);
    if (grants.files) this.#dropBox.acknowledge(made.role, grants.files);
    for (const [metric, severity] of Object.entries(alarmOn)) {
      this.#monitoring.watchMetric(id, metric as MetricName, severity);
    }
    if ('queue' in trigger) {
      made.lambda.addEventSourceMapping('Source', {
        eventSourceArn: this.#queueOf(trigger.queue).queueArn,
        batchSize: trigger.batchSize,
        maxConcurrency: trigger.maxConcurrency,
        reportBatchItemFailures: true,
      });
    } else if ('everySeconds' in trigger) {
      // No retry: it would run at the same time as the next scheduled run.
      made.lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
      const schedule = Schedule.rate(Duration.seconds(trigger.everySeconds));
      new Rule(made, 'Schedule', { schedule, targets: [new LambdaTarget(made.lambda)] });
      this.#monitoring.watchHeartbeat(id, made.lambda);
    } else {
      this.#signingKeys.rotateBy(made.lambda, trigger.everyDays);
    }
  }

  /**
   * Permissions and environment variables that the trigger of a background function needs, in addition to its grants.
   */
  #needsOf({ trigger, postpones = false }: BackgroundFunction): Pick<Definition, 'statements' | 'environment'> {
    if ('rotation' in trigger) {
      return { statements: [rotates(this.#signingKeys.arn)], environment: this.#signingEnvironment() };
    }
    if (!('queue' in trigger)) return {};
    const queue = this.#queueOf(trigger.queue);
    return {
      statements: [consumes(queue.queueArn, postpones)],
      ...(postpones && trigger.queue === 'imports' ? { environment: { QUEUE_URL: queue.queueUrl } } : {}),
    };
  }

  #addFunction({ id, grants, statements = [], environment, ...settings }: Definition): ServiceFunction {
    const made = new ServiceFunction(this, id, {
      ...settings,
      bundles: this.#bundles,
      statements: [...statementsOf(grants, this.#resources()), ...statements],
      environment: {
        TABLE_NAME: this.#table.name,
        ISSUER: this.#api.url,
        ...(grants.sends ? { QUEUE_URL: this.#imports.queue.queueUrl } : {}),
        ...(grants.forwards || grants.files ? this.#dropBoxEnvironment() : {}),
        ...(grants.images ? { IMAGE_BUCKET: this.#images.bucket.bucketName } : {}),
        ...(grants.signs ? this.#signingEnvironment() : {}),
        ...(grants.records ? { AUDIT_RETENTION_DAYS: String(this.#auditRetentionDays) } : {}),
        METRICS_NAMESPACE: metricsNamespace(this),
        ...environment,
      },
    });
    this.#logs.set(id, made.logGroup);
    return made;
  }

  #dropBoxEnvironment(): Record<string, string> {
    const { bucket, files } = this.#dropBox;
    return { DROP_BUCKET: bucket.bucketName, DROP_QUEUE_URL: files.queueUrl };
  }

  #signingEnvironment(): Record<string, string> {
    return {
      SIGNING_KEYS: this.#signingKeys.arn,
      TOKEN_LIFETIME_SECONDS: this.#tokenLifetime.valueAsString,
    };
  }

  #resources(): Resources {
    return {
      table: this.#table.arn,
      index: (name) => this.#table.indexArn(name),
      importQueue: this.#imports.queue.queueArn,
      dropQueue: this.#dropBox.files.queueArn,
      file: (pattern) => this.#dropBox.bucket.arnForObjects(pattern),
      images: this.#images.objects,
      signingKeys: this.#signingKeys.arn,
    };
  }

  #queueOf(name: QueueName): Queue {
    const queues: Record<QueueName, Queue> = {
      imports: this.#imports.queue,
      notices: this.#dropBox.notices,
      drops: this.#dropBox.files,
    };
    return queues[name];
  }

  /** Outputs for operators and for the admin command (`--stack`). */
  #addOutputs(): void {
    const outputs = {
      ApiUrl: this.#api.url,
      TableName: this.#table.name,
      QueueUrl: this.#imports.queue.queueUrl,
      DeadLetterQueueUrl: this.#imports.deadLetters.queueUrl,
      DropBoxBucket: this.#dropBox.bucket.bucketName,
      ImageBucket: this.#images.bucket.bucketName,
      SigningKeysArn: this.#signingKeys.arn,
      PageTopicArn: this.#monitoring.topics.page.topicArn,
      NotifyTopicArn: this.#monitoring.topics.notify.topicArn,
      AuditRetentionDays: String(this.#auditRetentionDays),
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}

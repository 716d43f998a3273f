import { RegionInfo } from 'aws-cdk-lib/region-info';
import * as z from 'zod';
import { backgroundFunctions, messageFunctions } from '../lib/background.ts';
import { defaultScanUnits } from '../lib/domain/access/scan-budget.ts';
import { isEmbedderSetting, maxEmbedders } from '../lib/domain/teams/frame-ancestors.ts';
import { maxAuditRetentionDays, payloadDays, retentionDefaults } from '../lib/domain/teams/retention.ts';
import { type RouteGroup, throttles } from '../lib/route.ts';
import { defaultRoute, docsRoutes, originCheck, ownFunctions } from '../lib/routes.ts';

/**
 * The settings of a deployment: their names, what is allowed, and their defaults. The values of each stage are in
 * `infra/stages.ts`. `docs/deployment.md` explains each setting.
 */

/** Settings that are wrong. The message has one line for each. */
export class InvalidSettings extends Error {
  override name = 'InvalidSettings';
}

const whole = (from: number, to: number) => {
  const error = `must be a whole number from ${from} to ${to}`;
  return z.int({ error }).min(from, { error }).max(to, { error });
};
const text = (pattern: RegExp, error: string) => z.string({ error }).regex(pattern, { error });

const flag = z.boolean({ error: 'must be true or false' }).default(false);
const one = <Value extends z.core.util.Literal>(values: readonly Value[]) =>
  z.literal(values, { error: `must be one of ${values.join(', ')}` });

/** The periods that CloudWatch Logs allows. */
const logPeriods = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288];

const hostName = text(
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
  'must be a host name in lower case, such as api.bank.example',
);
const certificate = text(
  /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
  'must be the ARN of a certificate in AWS Certificate Manager',
);
const domain = z.strictObject({ name: hostName, certificate });

const encryptionKey = text(
  /^(none|made|arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+)$/,
  'must be none, made or the ARN of a key in AWS KMS',
);
const sites = z.custom<readonly string[]>(
  (value) =>
    Array.isArray(value) && value.every((each) => typeof each === 'string') && isEmbedderSetting(value.join(' ')),
  { error: `must be a list of up to ${maxEmbedders} origins such as https://www.bank.example, or only *` },
);

type Throttle = { rateLimit: number; burstLimit: number };

const throttle = (defaults: Throttle) =>
  z
    .strictObject({
      /** Requests per second. */
      rateLimit: whole(1, 100_000).default(defaults.rateLimit),
      /** Requests at one instant. */
      burstLimit: whole(1, 100_000).default(defaults.burstLimit),
    })
    .prefault({});

/** The regions where a new account has a quarter of the requests for API Gateway: 2,500 a second instead of 10,000. */
const smallRegions = [
  ...['af-south-1', 'ap-south-2', 'ap-southeast-3', 'ap-southeast-4', 'ap-southeast-5', 'ap-southeast-7'],
  ...['ca-west-1', 'eu-central-2', 'eu-south-1', 'eu-south-2', 'il-central-1', 'me-central-1', 'mx-central-1'],
];

/** The limit of a group of routes, with the defaults of the region. */
function throttleIn(region: unknown, group: RouteGroup) {
  const { rateLimit, burstLimit } = throttles[group];
  const share = smallRegions.includes(String(region)) ? 4 : 1;
  return throttle({ rateLimit: Math.floor(rateLimit / share), burstLimit: Math.floor(burstLimit / share) });
}

const ids = (kind: 'subnet' | 'sg') =>
  z
    .array(text(new RegExp(`^${kind}-[0-9a-f]{8,17}$`), `must be an id such as ${kind}-0123456789abcdef0`))
    .min(1)
    .max(16);

const network = { subnets: ids('subnet'), securityGroups: ids('sg') };

const functionIds: string[] = [
  ...[...ownFunctions, ...docsRoutes, defaultRoute, originCheck],
  ...[...backgroundFunctions, ...messageFunctions],
].map(({ id }) => id);

const [importWorker] = backgroundFunctions;

/** How the traffic of a function moves to a new version: at once, first a tenth of it, or a tenth every minute. */
const trafficShifts = ['all-at-once', 'canary', 'linear'] as const;

const edge = z.strictObject({
  /** The host name of the API behind CloudFront, with a certificate in the region of the stack. */
  origin: domain,
  /**
   * The certificate of the domain in the region of the stack. While it is set, the API has the domain too and takes
   * requests that did not come through CloudFront, so that DNS can move in either direction.
   */
  directCertificate: certificate.optional(),
  /** The names of the secrets that CloudFront can send. It sends the first one. The API accepts all of them. */
  originSecrets: z
    .array(text(/^[a-z0-9-]{1,20}$/, 'must be 1 to 20 lower-case letters, digits and hyphens'))
    .min(1, { error: 'must have one or two names' })
    .max(2, { error: 'must have one or two names' })
    .default(['a']),
  /** Requests of one IP address in five minutes. */
  requestsByAddress: z
    .strictObject({
      partners: whole(10, 2_000_000_000).default(300_000),
      public: whole(10, 2_000_000_000).default(2000),
    })
    .prefault({}),
  /** The web ACL. */
  webAcl: text(
    /^(made|arn:aws:wafv2:us-east-1:\d{12}:global\/webacl\/[\w/-]+)$/,
    'must be made or the ARN of a global web ACL of AWS WAF',
  ).default('made'),
  encryptionKey: encryptionKey.default('made'),
});

/** Each is a resource of the stack, with three DNS records. */
const maxDomains = 20;

const fieldsIn = (region: unknown) =>
  z.strictObject({
    stackName: text(
      /^[A-Za-z][A-Za-z0-9-]{0,99}$/,
      'must be 1 to 100 letters, digits and hyphens, and begin with a letter',
    ).default('Onboarding'),
    account: text(/^\d{12}$/, 'must be the 12 digits of an AWS account, as text').optional(),
    region: text(/^[a-z]{2,4}(-[a-z]+)+-\d$/, 'must be an AWS region, such as eu-central-1').optional(),
    domain: domain.optional(),
    edge: edge.optional(),
    encryptionKey: encryptionKey.default('none'),
    restoredTable: text(/^[\w.-]{3,255}$/, 'must be the name of a table').optional(),
    restoredStream: text(
      /^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]+\/stream\/[\w:.-]+$/,
      'must be the ARN of the stream of a table',
    ).optional(),
    /** For a restore: the API responds 429 to every request, and no queue, schedule or stream invokes a function. */
    closed: flag,
    docs: flag,
    tokenLifetimeSeconds: whole(60, 86_400).default(3600),
    throttles: z
      .strictObject({
        partners: throttleIn(region, 'partners'),
        public: throttleIn(region, 'public'),
        token: throttleIn(region, 'token'),
      })
      .prefault({}),
    alarmEmails: z.array(z.email({ error: 'must be an email address' })).default([]),
    /** US dollars a month. */
    monthlyBudget: whole(1, 10_000_000).optional(),
    events: z
      .strictObject({
        /** Also gets every event. */
        bus: text(
          /^(made|arn:aws[a-z-]*:events:[a-z0-9-]+:\d{12}:event-bus\/[\w./-]+)$/,
          'must be made or the ARN of an event bus',
        ).optional(),
      })
      .prefault({}),
    scanUnitsPerMinute: whole(1000, 1_000_000_000).default(defaultScanUnits),
    retention: z
      .strictObject({
        logs: one(logPeriods).default(retentionDefaults.logs),
        accessLog: one(logPeriods).default(retentionDefaults.accessLog),
        audit: whole(1, maxAuditRetentionDays).default(retentionDefaults.audit),
        payloads: whole(payloadDays.min, payloadDays.max).default(retentionDefaults.payloads),
        events: whole(1, 3650).default(retentionDefaults.events),
        droppedFiles: whole(15, 3650).default(retentionDefaults.droppedFiles),
        deletedImages: whole(1, 3650).default(retentionDefaults.deletedImages),
        bucketAccessLogs: whole(1, 3650).default(retentionDefaults.bucketAccessLogs),
      })
      .prefault({}),
    backups: z
      .strictObject({
        pointInTimeDays: whole(1, 35).default(retentionDefaults.backups),
        /** Daily backups in a vault of another account or region. */
        copies: z
          .strictObject({
            copyTo: text(
              /^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]{2,50}$/,
              'must be the ARN of a backup vault in another account or region',
            ),
            keepDays: whole(1, 36_500).default(7),
          })
          .optional(),
      })
      .prefault({}),
    trafficShift: one(trafficShifts).default('all-at-once'),
    removal: z
      .strictObject({
        data: one(['retain', 'destroy']).default('retain'),
        logs: one(['retain', 'destroy']).default('retain'),
      })
      .prefault({}),
    logDataProtection: flag,
    frameAncestors: sites.default([]),
    importWorker: z
      .strictObject({
        /** Megabytes. */
        memory: whole(512, 10_240).default(importWorker.memory),
        maxConcurrency: whole(2, 1000).default(importWorker.trigger.maxConcurrency),
      })
      .prefault({}),
    reservedConcurrency: z
      .partialRecord(z.enum(functionIds, { error: 'must be the id of a function' }), whole(1, 10_000))
      .default({}),
    /** Without it, functions run in the network of Lambda. */
    vpc: z
      .strictObject({
        ...network,
        /** For the function that delivers webhooks, which alone needs a way to the internet. */
        webhooks: z.strictObject(network).optional(),
      })
      .optional(),
    webhooks: z
      .strictObject({
        /** Public addresses to which no webhook is sent, for example those that the institution uses internally. */
        deniedRanges: z
          .array(z.union([z.cidrv4(), z.cidrv6()], { error: 'must be a range of addresses, such as 203.0.113.0/24' }))
          .max(100)
          .default([]),
      })
      .prefault({}),
    /** Without it, the service sends no messages. */
    messages: z
      .strictObject({
        /** The domains that messages come from, each with the ids of the teams that may use it. No ids: every team. */
        senders: z
          .record(hostName, z.array(z.uuid({ error: 'must be the id of a team' })))
          .refine((senders) => Object.keys(senders).length > 0, { error: 'must name a domain' })
          .refine((senders) => Object.keys(senders).length <= maxDomains, {
            error: `must name ${maxDomains} domains at most`,
          }),
      })
      .optional(),
    fips: flag,
    tags: z.record(z.string().min(1).max(128), z.string().max(256)).default({}),
    /** Of the bootstrap, if it was made with `--qualifier`. */
    qualifier: text(/^[A-Za-z0-9_-]{1,10}$/, 'must be 1 to 10 letters, digits, hyphens and underscores').optional(),
    permissionsBoundary: text(
      /^arn:aws[a-z-]*:iam::(aws|\d{12}):policy\/[\w+=,.@/-]+$/,
      'must be the ARN of a managed policy of IAM',
    ).optional(),
  });

type Fields = ReturnType<typeof fieldsIn>;
export type Settings = z.output<Fields>;
export type SettingsInput = z.input<Fields>;

/** CloudFront takes its certificate and its web ACL from this region only. */
export const edgeRegion = 'us-east-1';

/** The settings of a stage that has `edge`. */
export type EdgeSettings = Settings & { [Name in 'domain' | 'edge' | 'region']: NonNullable<Settings[Name]> };

export const hasEdge = (settings: Settings): settings is EdgeSettings =>
  settings.edge !== undefined && settings.domain !== undefined && settings.region !== undefined;

/** All stages with the same stack name have their edge in one region. */
export const edgeStackName = ({ stackName, region }: EdgeSettings): string => `${stackName}Edge-${region}`;
/** Of what delivers the log of CloudFront. */
export const edgeLogName = (settings: EdgeSettings): string => `${edgeStackName(settings)}-access-log`;
/** The limit of CloudWatch Logs. */
const maxDeliveryName = 60;

export const budgetName = (stackName: string, region: string): string => `${stackName}-${region}-MonthlyCost`;

type Rule = [setting: string, error: string, holds: (settings: Settings) => boolean];

/** The part of an ARN. `undefined` if the setting is no ARN. */
const partOf = (setting: string | undefined, part: 'partition' | 'region' | 'account') =>
  setting?.split(':')[{ partition: 1, region: 3, account: 4 }[part]];
/** True if the value is that of the stack, or if one of the two is not known. */
const agrees = (value: string | undefined, ofStack: string | undefined) =>
  value === undefined || ofStack === undefined || value === ofStack;

/** True if the setting is no ARN, or one of this region, or if the region is not set. */
const isIn = (region: string | undefined, setting: string | undefined) => agrees(partOf(setting, 'region'), region);
const isInPartition = (region: string | undefined, setting: string | undefined) =>
  agrees(partOf(setting, 'partition'), region && RegionInfo.get(region).partition);
const isInStack = (setting: string, arnOf: (settings: Settings) => string | undefined): Rule => [
  setting,
  'must be in the region of the stack',
  (settings) => isIn(settings.region, arnOf(settings)),
];

/** Rules that concern several settings. */
const rules: Rule[] = [
  [
    'edge',
    `must not be set in a partition without ${edgeRegion}`,
    ({ edge, region }) => edge === undefined || !/^(cn|us-gov|us-iso.*|eusc)-/.test(region ?? ''),
  ],
  [
    'monthlyBudget',
    'must not be set in AWS GovCloud (US), which has no AWS Budgets',
    ({ monthlyBudget, region }) => monthlyBudget === undefined || !/^us-gov-/.test(region ?? ''),
  ],
  [
    'restoredStream',
    'must be the stream of restoredTable',
    ({ restoredTable, restoredStream }) => restoredStream?.split('/')[1] === restoredTable,
  ],
  [
    'restoredStream',
    'must be in the account of the stack',
    ({ account, restoredStream }) => agrees(partOf(restoredStream, 'account'), account),
  ],
  isInStack('restoredStream', ({ restoredStream }) => restoredStream),
  [
    'backups.copies.copyTo',
    'must be a vault in another account or region',
    ({ account, region, backups: { copies } }) =>
      copies === undefined ||
      partOf(copies.copyTo, 'account') !== account ||
      partOf(copies.copyTo, 'region') !== region,
  ],
  [
    'backups.copies.copyTo',
    'must be in the partition of the stack',
    ({ region, backups: { copies } }) => isInPartition(region, copies?.copyTo),
  ],
  [
    'permissionsBoundary',
    'must be in the partition of the stack',
    ({ region, permissionsBoundary }) => isInPartition(region, permissionsBoundary),
  ],
  [
    'region',
    'must be set if encryptionKey is an ARN',
    ({ encryptionKey, region }) => partOf(encryptionKey, 'region') === undefined || region !== undefined,
  ],
  [
    'stackName',
    `must be shorter: with edge, its names of at most ${maxDeliveryName} characters also contain the region`,
    (settings) => !hasEdge(settings) || edgeLogName(settings).length <= maxDeliveryName,
  ],
  [
    'stackName',
    'must be shorter: the name of the budget, which contains it and the region, has at most 100 characters',
    ({ stackName, region = '', monthlyBudget }) =>
      monthlyBudget === undefined || budgetName(stackName, region).length <= 100,
  ],
  ['region', 'must be set if edge is set', ({ edge, region }) => edge === undefined || region !== undefined],
  ['domain', 'must be set if edge is set', ({ edge, domain }) => edge === undefined || domain !== undefined],
  [
    'domain.certificate',
    `must be in the region of the stack or, if edge is set, in ${edgeRegion}`,
    ({ edge, domain, region }) => isIn(edge ? edgeRegion : region, domain?.certificate),
  ],
  [
    'edge.origin.name',
    'must not be the name of the domain',
    ({ edge, domain }) => edge === undefined || edge.origin.name !== domain?.name,
  ],
  [
    'edge.originSecrets',
    'must not have the same name twice',
    ({ edge }) => edge === undefined || new Set(edge.originSecrets).size === edge.originSecrets.length,
  ],
  ['edge.encryptionKey', `must be in ${edgeRegion}`, ({ edge }) => isIn(edgeRegion, edge?.encryptionKey)],
  isInStack('edge.origin.certificate', ({ edge }) => edge?.origin.certificate),
  isInStack('edge.directCertificate', ({ edge }) => edge?.directCertificate),
  isInStack('events.bus', ({ events }) => events.bus),
  isInStack('encryptionKey', ({ encryptionKey }) => encryptionKey),
];

/** @throws InvalidSettings */
export function settingsOf(stages: Record<string, SettingsInput>, stage: string): Settings {
  const given = Object.hasOwn(stages, stage) ? stages[stage] : undefined;
  if (!given) throw new InvalidSettings(`-c stage=<name> must name one of ${Object.keys(stages).join(', ')}`);
  const { data, error } = fieldsIn(given.region).safeParse(given);
  const wrong = data
    ? rules.flatMap(([setting, error, holds]) => (holds(data) ? [] : [`${setting} ${error}`]))
    : error.issues.flatMap(linesOf);
  if (!data || wrong.length > 0) throw new InvalidSettings(wrong.map((line) => `${stage}: ${line}`).join('\n'));
  return data;
}

function linesOf(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${nameOf([...issue.path, key])} is no setting`);
  if (issue.code === 'invalid_key') return [`${nameOf(issue.path)} ${issue.issues[0]?.message}`];
  return [`${nameOf(issue.path)} ${issue.message}`];
}

const nameOf = (path: readonly PropertyKey[]) => path.map(String).join('.');

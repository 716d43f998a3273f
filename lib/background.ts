import type { Grants } from './grants.ts';
import type { MetricName } from './metrics.ts';

/**
 * The functions that are not called by requests, and their queues, as data. The CDK stack and the local service are
 * both built from this file. It imports only types.
 */

/**
 * FIFO, with a message group for each lane of waiting work (`lib/domain/waiting-work/lane.ts`): the imports of a team, and
 * its completions. Times are in seconds.
 */
export const importQueue = {
  /** Slightly more than the timeout of the worker. A worker that dies delays its team for at most this time. */
  visibilityTimeout: 70,
  /** A last limit. The sweeper still wakes a lane after its message went to the dead-letter queue. */
  maxReceiveCount: 100,
  retention: 14 * 24 * 3600,
} as const;

/**
 * The queue for S3 notifications of new objects in the drop box. It is a standard queue, because S3 cannot send to a
 * FIFO queue. Times are in seconds. The visibility timeout is six times the timeout of the function.
 */
export const noticeQueue = { visibilityTimeout: 180, maxReceiveCount: 20, retention: 14 * 24 * 3600 } as const;

/**
 * FIFO. Each team has a message group for each type of file and length (`laneOfDrop`), so that the files in it are read
 * one after another. After some hours, a file that only waits for its accounts gets a new message in a group of its own.
 * Times are in seconds.
 */
export const dropQueue = {
  /**
   * The reader shortens this to slightly more than its own timeout, so that a file does not wait for a reader that
   * died.
   */
  visibilityTimeout: 720,
  /**
   * The maximum of SQS. The message of a long file is received again for each part and each wait. The reader stops
   * working on a file before this limit.
   */
  maxReceiveCount: 1000,
  retention: 14 * 24 * 3600,
} as const;

/** The stream of the table, with the old and the new state of each changed item. Times are in seconds. */
export const tableStream = {
  /**
   * What fails because of an outage is tried again until its records have this age, and then goes to the on-failure
   * queue. Until then later records wait, so events keep their order. A record with a defect holds up nothing: the
   * function sends it to the queue itself.
   */
  maxRecordAge: 6 * 3600,
  failureRetention: 14 * 24 * 3600,
} as const;

/**
 * FIFO, with a message group for each webhook, which is a lane of waiting work, and a few for the slow webhooks of a team
 * (`deliveryGroup`). Times are in seconds.
 */
export const webhookQueue = {
  /** Slightly more than the timeout of the function. */
  visibilityTimeout: 70,
  maxReceiveCount: 100,
  retention: 4 * 24 * 3600,
} as const;

/** FIFO, with a message group for each lane of targeting and for the walks of a team. Times are in seconds. */
export const targetingQueue = {
  /** Slightly more than the timeout of the function. */
  visibilityTimeout: 70,
  maxReceiveCount: 100,
  retention: 4 * 24 * 3600,
} as const;

/** FIFO, with a message group for the messages of each team. Times are in seconds. */
export const messageQueue = targetingQueue;

/** The queue for what the provider reports of messages. Times are in seconds. */
export const feedbackQueue = { visibilityTimeout: 180, maxReceiveCount: 20, retention: 14 * 24 * 3600 } as const;

export type QueueName = 'imports' | 'notices' | 'drops' | 'webhooks' | 'targeting';
/** The queues that there are only if messages are sent. */
export type MessageQueueName = 'messages' | 'feedback';

export type BackgroundFunction<Queue extends string = QueueName> = {
  readonly id: string;
  readonly file: string;
  /** Seconds. */
  readonly timeout: number;
  readonly memory: number;
  /** Gigabytes of temporary files; by default half of one. */
  readonly storage?: number;
  readonly grants: Grants;
  readonly trigger:
    | { readonly queue: Queue; readonly batchSize: number; readonly maxConcurrency: number }
    | { readonly stream: typeof tableStream; readonly batchSize: number; readonly windowSeconds: number }
    | { readonly everySeconds: number }
    | { readonly rotation: 'signing-keys'; readonly everyDays: number };
  /** Changes the visibility timeout of its messages. */
  readonly postpones?: boolean;
  /** Nobody is woken at night if it does not run. */
  readonly canWait?: boolean;
  /** Metrics in its log lines. An alarm of this severity goes off while one of them is at least `from`, or else 1. */
  readonly alarmOn?: Partial<Record<MetricName, { readonly severity: 'page' | 'notify'; readonly from?: number }>>;
};

const page = { severity: 'page' } as const;
const notify = { severity: 'notify' } as const;
const anyWay = ['PartiQLInsert', 'PartiQLUpdate', 'PutItem', 'UpdateItem'] as const;

/** The chunks of a team with what their records change, and the waiting work on completions and results. */
const worksTeams = [
  ...(['product', 'account', 'holder', 'link', 'batch', 'chunk', 'payload', 'importState', 'openChunk'] as const),
  ...(['failedChunk', 'changedWork', 'action', 'journey', 'dueJourney', 'counters'] as const),
  // Of a person who was erased while a chunk was worked.
  'lateLinks',
] as const;

/** A revision of the content, with its history, and the rules that go live with it. */
const publishes = [
  'content',
  'contentPart',
  'contentRevision',
  'pendingContent',
  'targetingRule',
  'eventHead',
] as const;

export const backgroundFunctions = [
  {
    id: 'import-worker',
    file: 'functions/imports/worker.ts',
    timeout: 60,
    memory: 1769,
    grants: {
      read: ['team'],
      queries: ['team'],
      // Messages that are due, and campaigns that are published at a time.
      write: { items: [...worksTeams, ...publishes, 'messageWork'], by: anyWay },
      remove: ['openChunk', 'failedChunk', 'changedWork', 'dueJourney', 'pendingContent'],
      checks: ['journeyId', 'openChunk'],
      ends: true,
      // The journeys of a template whose duration has changed, or messages.
      directory: true,
      // The act of the person who has set the time.
      records: true,
      sends: true,
      mails: true,
    },
    // One lane for each invocation: each gets the whole timeout, and a busy team does not delay the others.
    trigger: { queue: 'imports', batchSize: 1, maxConcurrency: 50 },
    postpones: true,
    alarmOn: { contacts_passed_over: notify },
  },
  {
    id: 'sweeper',
    file: 'functions/waiting-work/sweeper.ts',
    timeout: 60,
    memory: 256,
    // Those of the import worker too, whose work it does while the queue cannot be reached.
    grants: {
      read: ['team', 'teams', 'expectedFile'],
      queries: ['team'],
      // Moves what is due.
      write: { items: [...worksTeams, 'heartbeat', 'walk', 'targetingState'], by: anyWay },
      remove: ['openChunk', 'failedChunk', 'dueJourney'],
      checks: ['openChunk'],
      sends: true,
      notifies: true,
      targets: true,
      mails: true,
    },
    trigger: { everySeconds: 60 },
    alarmOn: {
      ...{ chunks_failed: notify, teams_late: page, files_missing: page, files_unexpected: page },
      ...{ webhooks_failing: notify, oldest_webhook_event: { ...notify, from: 300 } },
      ...{ targeting_stopped: notify, oldest_mark: { ...notify, from: 300 } },
      oldest_message: { ...notify, from: 300 },
    },
  },
  {
    id: 'drop-box-notice',
    file: 'functions/drop-box/notice.ts',
    timeout: 30,
    memory: 256,
    grants: { read: [], forwards: true },
    trigger: { queue: 'notices', batchSize: 10, maxConcurrency: 2 },
  },
  {
    id: 'drop-box-reader',
    file: 'functions/drop-box/reader.ts',
    timeout: 120,
    memory: 1024,
    // The grants of `POST /v1/batches` and `POST /v1/contacts`, the files, and what is expected.
    grants: {
      read: ['team', 'expectedFile'],
      queries: ['team'],
      write: {
        items: [
          ...(['orderCounter', 'batch', 'chunk', 'payload', 'openChunk', 'importState', 'dropFile'] as const),
          ...(['contact', 'journey', 'journeyId', 'slug', 'dueJourney', 'expectedFile'] as const),
        ],
        by: anyWay,
      },
      remove: ['openChunk', 'failedChunk'],
      checks: ['contact'],
      sends: true,
      // Sends a new message for a file that waits for hours.
      forwards: true,
      hashes: true,
      files: {
        read: ['*/accounts/*', '*/contacts/*', 'work/*'],
        write: ['*.report.json', '*.rejected.csv', 'work/*'],
      },
    },
    // As many as import workers: a reader stays with its file while the accounts are applied.
    trigger: { queue: 'drops', batchSize: 1, maxConcurrency: 50 },
    postpones: true,
    alarmOn: { files_failed: notify, rows_rejected_percent: { ...notify, from: 5 } },
  },
  {
    id: 'erasure-worker',
    file: 'functions/contacts/erase-requested.ts',
    // A request is claimed for slightly longer (`lib/operations/erasure/erase-requested.ts`).
    timeout: 900,
    memory: 1024,
    storage: 10,
    grants: {
      read: ['team', 'erasureRequest', 'expectedFile'],
      queries: ['team'],
      write: {
        items: [
          ...(['account', 'chunk', 'contact', 'dropFile', 'identity', 'importState', 'openChunk'] as const),
          ...(['failedChunk', 'counters', 'erasedCounters', 'payload', 'erasure', 'erasureRequest'] as const),
          ...(['suppressed', 'listSecret'] as const),
        ],
        by: anyWay,
      },
      // The partitions of all kinds that an erasure deletes, and no other.
      remove: [
        ...(['holder', 'contact', 'identity', 'journeyId', 'dueJourney', 'payload', 'erasure', 'slug'] as const),
        ...(['erasureRequest', 'messageId', 'heldContact'] as const),
      ],
      checks: ['holder', 'identity'],
      records: true,
      directory: true,
      // Any object of a team can name the person.
      files: { read: ['*'], write: ['*'] },
      erases: true,
      hashes: true,
      journals: true,
    },
    trigger: { everySeconds: 60 },
    canWait: true,
  },
  {
    id: 'event-publisher',
    file: 'functions/events/publish.ts',
    timeout: 60,
    memory: 1024,
    grants: {
      read: ['team'],
      queries: ['team'],
      write: {
        items: [
          ...(['batch', 'action', 'journey', 'eventHead', 'eventPack', 'changedWork', 'counters'] as const),
          ...(['contactMark', 'walk'] as const),
        ],
        by: anyWay,
      },
      checks: ['journeyId'],
      ends: true,
      sends: true,
      notifies: true,
      targets: true,
    },
    trigger: { stream: tableStream, batchSize: 1000, windowSeconds: 1 },
    alarmOn: { counts_set_aside: notify },
  },
  {
    id: 'webhook-delivery',
    file: 'functions/events/deliver.ts',
    timeout: 60,
    memory: 512,
    grants: {
      read: ['webhook', 'eventHead', 'eventPack', 'webhookSecrets'],
      queries: ['retryEvent', 'eventPack'],
      write: {
        items: ['webhook', 'endedWebhook', 'retryEvent', 'failedEvent', 'testEvent'],
        by: ['PartiQLUpdate', 'PutItem', 'UpdateItem'],
      },
      remove: ['webhook', 'retryEvent', 'failedEvent', 'testEvent', 'webhookSecrets'],
      records: true,
      notifies: true,
    },
    // One webhook for each invocation: a slow receiver delays no other.
    trigger: { queue: 'webhooks', batchSize: 1, maxConcurrency: 50 },
    postpones: true,
  },
  {
    id: 'targeting-worker',
    file: 'functions/targeting/worker.ts',
    timeout: 60,
    memory: 1024,
    grants: {
      read: ['team'],
      queries: ['team'],
      write: {
        items: [
          ...(['journey', 'judged', 'journeyId', 'slug', 'targetingRule', 'heldContact'] as const),
          ...(['walk', 'targetingState', 'dueJourney'] as const),
        ],
        by: anyWay,
      },
      remove: ['contactMark', 'heldContact', 'walk'],
      checks: ['contact', 'targetingRule'],
      directory: true,
      targets: true,
    },
    // One lane for each invocation: a team with much to judge delays no other.
    trigger: { queue: 'targeting', batchSize: 1, maxConcurrency: 50 },
    postpones: true,
    alarmOn: { targeting_passed_over: notify },
  },
  {
    id: 'rotate-signing-key',
    file: 'functions/oauth2/rotate-signing-key.ts',
    timeout: 30,
    memory: 256,
    grants: { read: ['signingKey'], write: { items: ['signingKey'], by: ['PartiQLInsert', 'PartiQLUpdate'] } },
    trigger: { rotation: 'signing-keys', everyDays: 90 },
  },
] as const satisfies readonly BackgroundFunction[];

/** The functions that there are only if messages are sent (the setting `messages` of the stack). */
export const messageFunctions = [
  {
    id: 'message-sender',
    file: 'functions/messages/send.ts',
    timeout: 60,
    memory: 1024,
    grants: {
      read: ['team'],
      queries: ['team'],
      write: {
        items: [
          ...(['sendRecord', 'verificationRecord', 'contactWeek', 'addressWeek', 'messageId'] as const),
          ...(['messageWork', 'messageState', 'messageCounts', 'journey', 'dueJourney', 'contact'] as const),
          'listSecret',
        ],
        by: anyWay,
      },
      remove: ['messageWork', 'dueJourney'],
      checks: ['contact', 'journeyId', 'addressWeek'],
      mails: true,
      mailsOut: true,
      hashes: true,
      journals: true,
    },
    // One team for each invocation.
    trigger: { queue: 'messages', batchSize: 1, maxConcurrency: 50 },
    postpones: true,
    alarmOn: { messages_passed_over: notify, messages_stopped: notify, lists_mismatched: page },
  },
  {
    id: 'message-feedback',
    file: 'functions/messages/feedback.ts',
    timeout: 30,
    memory: 512,
    grants: {
      read: ['team'],
      queries: ['team'],
      write: {
        items: [
          ...(['sendRecord', 'verificationRecord', 'messageState', 'messageCounts', 'contact'] as const),
          ...(['addressWeek', 'listSecret'] as const),
        ],
        by: anyWay,
      },
      hashes: true,
      journals: true,
    },
    trigger: { queue: 'feedback', batchSize: 10, maxConcurrency: 5 },
  },
] as const satisfies readonly BackgroundFunction<QueueName | MessageQueueName>[];

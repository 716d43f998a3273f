import type { Grants } from './routes.ts';

/**
 * The functions that no request calls, and the queue between acceptance and work, as data: the CDK stack and the local
 * service are both wired from here. Imports only types.
 */

/** FIFO, message group = team: the chunks of one team are worked one after another. Times in seconds. */
export const importQueue = {
  /** Six times the worker's timeout, as AWS advises for queues that a function reads. */
  visibilityTimeout: 180,
  /**
   * A backstop. The limit of attempts is counted on the chunk's claim; what only gets here could not even reach the
   * store, or died before it did.
   */
  maxReceiveCount: 100,
  retention: 14 * 24 * 3600,
} as const;

/**
 * Where the drop box's bucket tells of new objects. Standard, for S3 knows no message groups. Times in seconds, six
 * times the function's timeout.
 */
export const noticeQueue = { visibilityTimeout: 180, maxReceiveCount: 20, retention: 14 * 24 * 3600 } as const;

/** FIFO, message group = team: the files of one team are read one after another. Times in seconds. */
export const dropQueue = {
  /** The reader itself shortens it to little more than its timeout, so that a file does not wait for a dead reader. */
  visibilityTimeout: 720,
  /** A backstop at the most that SQS knows: a long file comes back once for each of its parts and waits. */
  maxReceiveCount: 1000,
  retention: 14 * 24 * 3600,
} as const;

export type QueueName = 'imports' | 'dead-letters' | 'notices' | 'drops';

export type BackgroundFunction = {
  readonly id: string;
  readonly file: string;
  /** Seconds. */
  readonly timeout: number;
  readonly memory: number;
  readonly grants: Grants;
  readonly trigger:
    | { readonly queue: QueueName; readonly batchSize: number; readonly maxConcurrency: number }
    | { readonly everySeconds: number }
    | { readonly rotation: 'signing-keys'; readonly everyDays: number };
  /** Puts a message back sooner than its visibility timeout. */
  readonly postpones?: boolean;
  /** A field of its log lines: an alarm goes off while its number is above zero. */
  readonly alarmOn?: string;
};

export const backgroundFunctions = [
  {
    id: 'import-worker',
    file: 'functions/imports/worker.ts',
    timeout: 30,
    memory: 1024,
    grants: { read: ['T#*'], write: ['T#*', 'FAILED'], remove: ['OPEN', 'FAILED'] },
    // One chunk an invocation: each has the whole timeout, and a bad one delays nobody else's.
    trigger: { queue: 'imports', batchSize: 1, maxConcurrency: 50 },
    postpones: true,
  },
  {
    id: 'import-dead-letters',
    file: 'functions/imports/dead-letters.ts',
    timeout: 30,
    memory: 256,
    grants: { read: ['T#*'], write: ['T#*', 'FAILED'], remove: ['OPEN'] },
    trigger: { queue: 'dead-letters', batchSize: 1, maxConcurrency: 2 },
  },
  {
    id: 'import-sweeper',
    file: 'functions/imports/sweeper.ts',
    timeout: 60,
    memory: 256,
    grants: { read: ['T#*', 'OPEN', 'FAILED'], write: ['T#*'], sends: true },
    trigger: { everySeconds: 60 },
    alarmOn: 'chunks_failed',
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
    // What `POST /v1/batches` and `POST /v1/contacts` may do, and the files.
    grants: {
      read: ['T#*'],
      queries: true,
      write: ['T#*', 'S#*', 'OPEN'],
      remove: ['T#*#B#*', 'OPEN'],
      sends: true,
      files: {
        read: ['*/accounts/*', '*/contacts/*', 'work/*'],
        write: ['*.report.json', '*.rejected.csv', 'work/*'],
      },
    },
    trigger: { queue: 'drops', batchSize: 1, maxConcurrency: 10 },
    postpones: true,
    alarmOn: 'files_given_up',
  },
  {
    id: 'rotate-signing-key',
    file: 'functions/oauth2/rotate-signing-key.ts',
    timeout: 30,
    memory: 256,
    grants: { read: ['KEYS'], write: ['KEYS'] },
    trigger: { rotation: 'signing-keys', everyDays: 90 },
  },
] as const satisfies readonly BackgroundFunction[];

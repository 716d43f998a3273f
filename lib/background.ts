import type { Grants } from './routes.ts';

/**
 * The functions that no request calls, and the queue between acceptance and work, as data: the CDK stack and the local
 * service are both wired from here. Imports only types.
 */

/**
 * FIFO, message group = team: one worker at a time for each team. A message says that the team has work; what the work
 * is stands in the table. Times in seconds.
 */
export const importQueue = {
  /** Little more than the worker's timeout: a worker that died holds its team up for no longer than this. */
  visibilityTimeout: 70,
  /** A backstop: the sweeper goes on to wake a team whose messages were given up. */
  maxReceiveCount: 100,
  retention: 14 * 24 * 3600,
} as const;

/**
 * Where the drop box's bucket tells of new objects. Standard, for S3 knows no message groups. Times in seconds, six
 * times the function's timeout.
 */
export const noticeQueue = { visibilityTimeout: 180, maxReceiveCount: 20, retention: 14 * 24 * 3600 } as const;

/**
 * FIFO, message group = team: the files of one team are read one after another. One that only waits for its accounts
 * gets a fresh message in a group of its own after some hours. Times in seconds.
 */
export const dropQueue = {
  /** The reader itself shortens it to little more than its timeout, so that a file does not wait for a dead reader. */
  visibilityTimeout: 720,
  /** The most that SQS knows: a long file comes back once for each of its parts and waits, and is given up before. */
  maxReceiveCount: 1000,
  retention: 14 * 24 * 3600,
} as const;

export type QueueName = 'imports' | 'notices' | 'drops';

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
  /** Fields of its log lines: an alarm goes off while the number in one of them is above zero. */
  readonly alarmOn?: readonly string[];
};

export const backgroundFunctions = [
  {
    id: 'import-worker',
    file: 'functions/imports/worker.ts',
    timeout: 60,
    memory: 1769,
    grants: { read: ['T#*'], queries: true, write: ['T#*'], remove: ['T#*#Q'], sends: true },
    // One team an invocation: each has the whole timeout, and a busy team delays no other.
    trigger: { queue: 'imports', batchSize: 1, maxConcurrency: 50 },
    postpones: true,
  },
  {
    id: 'import-sweeper',
    file: 'functions/imports/sweeper.ts',
    timeout: 60,
    memory: 256,
    grants: { read: ['TEAMS', 'T#*#Q'], queries: true, sends: true },
    trigger: { everySeconds: 60 },
    alarmOn: ['chunks_failed', 'teams_late'],
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
      write: ['T#*', 'S#*'],
      remove: ['T#*#Q'],
      sends: true,
      // A fresh message for a file that waits long.
      forwards: true,
      files: {
        read: ['*/accounts/*', '*/contacts/*', 'work/*'],
        write: ['*.report.json', '*.rejected.csv', 'work/*'],
      },
    },
    trigger: { queue: 'drops', batchSize: 1, maxConcurrency: 10 },
    postpones: true,
    alarmOn: ['files_given_up'],
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

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

export type BackgroundFunction = {
  readonly id: string;
  readonly file: string;
  /** Seconds. */
  readonly timeout: number;
  readonly memory: number;
  readonly grants: Grants;
  readonly trigger:
    | { readonly queue: 'imports' | 'dead-letters'; readonly batchSize: number; readonly maxConcurrency: number }
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
    id: 'rotate-signing-key',
    file: 'functions/oauth2/rotate-signing-key.ts',
    timeout: 30,
    memory: 256,
    grants: { read: ['KEYS'], write: ['KEYS'] },
    trigger: { rotation: 'signing-keys', everyDays: 90 },
  },
] as const satisfies readonly BackgroundFunction[];

import { createWriteStream } from 'node:fs';
import type { FaultKind } from './faults.ts';

/**
 * What happened in a run, as JSON lines: everything that the checker judges by. Times are milliseconds since the run
 * began, of a clock that only goes forward.
 *
 * A "write" is one chunk, or one attempt to write one contact. Each leaves a trace that no later write removes (a key of
 * its own in `meta_public`) and its name in the fields that it sets, where only the last one stays.
 */
export type HistoryEvent =
  | ChunkWrite
  | ContactWrite
  | Attempt
  | BatchRead
  | ContactRead
  | AccountRead
  | ContactListed
  | { kind: 'request'; at: number; operation: string; status: number | null }
  | { kind: 'fault'; at: number; fault: FaultKind; part: 'dynamodb' | 'sqs'; operation: string }
  | { kind: 'death'; at: number; of: 'service' | 'engine' }
  | { kind: 'restart'; at: number; milliseconds: number }
  | { kind: 'start-failed'; at: number; output: string }
  /** How long chunks of a team waited because of one fault. */
  | { kind: 'stall'; at: number; cause: string; milliseconds: number }
  /** From here on nothing fails any more. */
  | { kind: 'calm'; at: number };

export type SentRecord = {
  account: string;
  /** The contact that the record links the account to. */
  contact: string;
  /** Each gets the value `<write>.<place of the record in its chunk>`. */
  fields: string[];
};

export type ChunkWrite = {
  kind: 'chunk';
  write: string;
  team: string;
  batch: string;
  /** Without it the service splits the records, and no request is a repeat of another. */
  index: number | null;
  records: SentRecord[];
};

/** Each field gets the name of the write as its value. */
export type ContactWrite = { kind: 'contact'; write: string; team: string; contact: string; fields: string[] };

/** One request that carried the write; a batch of contacts is one for each of them. */
export type Attempt = {
  kind: 'attempt';
  write: string;
  start: number;
  end: number;
  /** `null` where no response came. */
  status: number | null;
  /** Of a chunk that was taken. */
  duplicate?: boolean;
  redriven?: boolean;
  /** Of a contact that was written. */
  created?: boolean;
  id?: string;
};

export type BatchCounts = {
  status: string;
  chunks: { accepted: number; completed: number; failed: number; cancelled?: number };
  records: { accepted: number; applied: number; unchanged: number; superseded: number; rejected: number };
};

export type BatchRead = {
  kind: 'batch-read';
  team: string;
  batch: string;
  start: number;
  end: number;
  status: number;
  counts?: BatchCounts;
  final?: true;
};

/** The state of a contact as the service tells it: the traces in it, and the last writer of each field. */
export type ContactRead = {
  kind: 'contact-read';
  team: string;
  contact: string;
  start: number;
  end: number;
  /** 404 has neither traces nor fields. */
  status: number;
  id?: string;
  traces: string[];
  fields: Record<string, string>;
  final?: true;
};

export type AccountRead = {
  kind: 'account-read';
  team: string;
  account: string;
  start: number;
  end: number;
  product: { id: string; code: string };
  traces: string[];
  fields: Record<string, string>;
  final?: true;
};

/** An entry of the list of all contacts, read at the end. */
export type ContactListed = { kind: 'listed'; team: string; contact: string; id: string };

export class History {
  readonly events: HistoryEvent[] = [];
  readonly file: string;
  readonly #began = performance.now();
  readonly #stream;

  constructor(file: string) {
    this.file = file;
    this.#stream = createWriteStream(file, { mode: 0o600 });
  }

  now(): number {
    return Math.round((performance.now() - this.#began) * 10) / 10;
  }

  add(event: HistoryEvent): void {
    this.events.push(event);
    this.#stream.write(`${JSON.stringify(event)}\n`);
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#stream.end(resolve));
  }
}

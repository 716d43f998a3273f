import { createWriteStream } from 'node:fs';
import type { FaultKind } from './faults.ts';

/**
 * The events of a run as JSON lines: the only input of the checker. Times are milliseconds since the start of the run, of
 * a monotonic clock.
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
  | JourneyStart
  | JourneyAnswer
  | JourneyRead
  | AnswersRead
  | EventRead
  | { kind: 'request'; at: number; operation: string; status: number | null }
  | { kind: 'fault'; at: number; fault: FaultKind; part: 'dynamodb' | 'sqs'; operation: string }
  | { kind: 'death'; at: number; of: 'service' | 'engine' }
  | { kind: 'start-failed'; at: number; output: string }
  /** From here on there are no faults. */
  | { kind: 'calm'; at: number };

export type SentRecord = {
  account: string;
  /** The contact that the record links the account to. */
  contact: string;
  /** Each field gets the value `<write>.<position of the record in its chunk>`. */
  fields: string[];
};

export type ChunkWrite = {
  kind: 'chunk';
  write: string;
  team: string;
  batch: string;
  /** Without it the service splits the records, and no request counts as a repeat of another. */
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
  /** For an accepted chunk. */
  duplicate?: boolean;
  redriven?: boolean;
  /** For a written contact or a started journey. */
  created?: boolean;
  id?: string;
  /** The contact in the response: its traces, and the last writer of each field. */
  shown?: Pick<ContactRead, 'traces' | 'fields'>;
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

/** The state of a contact in a response: its traces, and the last writer of each field. */
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

/** One attempt to start the contact's journey. */
export type JourneyStart = { kind: 'start'; write: string; team: string; contact: string };

/** One attempt to answer on its page, with the name of the write as signature. Accepting completes the page. */
export type JourneyAnswer = { kind: 'answer'; write: string; team: string; contact: string; accepts: boolean };

export type JourneyWrite = { kind: 'start' } | { kind: 'answer'; accepts: boolean };

export type OfJourney = { team: string; contact: string; start: number; end: number; final?: true };
/** The contact's journey in the list of its journeys. Without a journey there is no id. */
export type JourneyRead = OfJourney & { kind: 'journey-read'; id?: string; isCompleted: boolean };
/** The answers of the journey, oldest first. */
export type AnswersRead = OfJourney & { kind: 'answers-read'; shown: { write: string; accepts: boolean }[] };

/** What the check of the feed needs of an event. */
export type FeedEvent = {
  id: string;
  type: string;
  contact_id?: string;
  journey_id?: string;
  batch_id?: string;
  records?: BatchCounts['records'];
};
/** An event, read by a reader that kept its cursor during the run; `final`: by one that began with the oldest. */
export type EventRead = { kind: 'event-read'; team: string; event: FeedEvent; final?: true };

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

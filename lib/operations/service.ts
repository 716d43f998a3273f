import type { ConsentSource } from '../domain/access/consent-source.ts';
import type { ParsedContact } from '../domain/contacts/contact-record.ts';
import type { ContactBatch } from '../domain/contacts/contact-responses.ts';
import type { DropReport } from '../domain/drop-box/drop-report.ts';
import type { RecordCounts } from '../domain/imports/chunk.ts';
import type { Lane } from '../domain/waiting-work/lane.ts';
import type { LateLinks } from '../store/accounts/accounts.ts';
import type { ProductCache, ProductRegistry } from '../store/accounts/products.ts';
import type { ObjectStore } from '../store/aws/objects.ts';
import type { ContentCache } from '../store/campaigns/content.ts';
import type { DropBoxFiles } from '../store/drop-box/drop-box-files.ts';
import type { ErasureList } from '../store/erasure/erasure-list.ts';
import type { SuppressionJournal } from '../store/suppression/journal.ts';
import type { Database } from '../store/table/database.ts';
import type { WakeQueue } from '../store/waiting-work/wake-queue.ts';

/** What every operation gets. `lib/runtime` or a command makes it once. What belongs to one call is an argument. */
export type Service = {
  database: Database;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Returns a new UUID. */
  newId(): string;
  /** Returns a new secret of 256 random bits. */
  newSecret(): string;
  /** Returns a new slug of at least 128 random bits. */
  newSlug(): string;
  /** Waits a random time before retry `n` (from 1), so that concurrent writers do not collide again. */
  pause: (round: number) => Promise<void>;
  wait(milliseconds: number): Promise<unknown>;
};

/** The settings of the installation. An operation names those that it needs. */
export type Settings = {
  /** Base URL of the API and of its pages. It is also the issuer of tokens. */
  baseUrl: string;
  /** Read units that a client may use for scans each minute. */
  scanUnits: number;
  /** Days that entries of the audit log are kept. */
  retentionDays: number;
  /** Days that the records of accepted chunks are kept. */
  payloadDays: number;
  /** Days that events are kept. */
  eventRetentionDays: number;
  /** Differs after a restore of the table, see `derivedEventId`. */
  eventEpoch: string;
};

/** What the setting `messages` of a stack adds. */
export type MessagesAccess = {
  /** The secret of the stack: it seals links and hashes addresses. 32 bytes in base64url, read once. */
  secret(): Promise<string>;
};

/** With the campaigns of teams. A contact record can complete objectives and start journeys. */
export type ContactService = Service & {
  content: ContentCache;
  /** `undefined` if messages are off. */
  messages?: MessagesAccess | undefined;
};

/** For everything that lists addresses. */
export type SuppressionService = Service & { messages: MessagesAccess; journal: SuppressionJournal };

/** With the products of accounts, too: the progress of a journey can depend on accounts. */
export type JourneyService = ContactService & Pick<Settings, 'baseUrl'> & { productCache: ProductCache };

export type ImportService = Service &
  Pick<Settings, 'payloadDays'> & {
    /** The queue of the lanes of a team: imports and completions. */
    queue: WakeQueue;
    products: ProductRegistry;
    /** Called if a wake could not be sent. The sweep sends another one later, or works the lane itself. */
    onLostWake(lane: Lane, error: unknown): void;
    /** Called after a chunk was completed, with the outcomes of its records, or marked failed. */
    onClosed?(outcome: RecordCounts | 'failed'): void;
    /** Called if the worker of a chunk can have written these links of a person after the erasure. */
    onErased(teamId: string, contactId: string, links: LateLinks): Promise<void>;
    /** Called with the error if the code fails on a record, which is then rejected. */
    onRecordFailure?(error: unknown): void;
  };

/** For dropped files, which are imported as accounts or as contacts. */
export type DropService = ImportService & {
  objects: ObjectStore;
  /** Upserts all contacts, or none if a record is invalid, and starts their journeys. */
  upsertContacts(teamId: string, records: readonly ParsedContact[], source: ConsentSource): Promise<ContactBatch>;
  /** Called after a file has ended, with its report. */
  onReport?(report: DropReport): void;
  /** Called with the error if the code fails on a row, which is then rejected. */
  onRowFailure?(error: unknown): void;
};

/** For erasures, also of dropped files. */
export type EraseService = Service & {
  files: DropBoxFiles;
  erasures: Pick<ErasureList, 'add'>;
  /** Lists the address of the person, so that nobody sends it marketing. `undefined` if messages are off. */
  suppression?: Pick<SuppressionService, 'messages' | 'journal'> | undefined;
  onProgress(text: string): void;
};

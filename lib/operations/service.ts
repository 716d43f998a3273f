import type { Writer } from '../domain/contacts/identity-facts.ts';
import type { DropReport } from '../domain/drop-box/drop-report.ts';
import type { RecordCounts } from '../domain/imports/chunk.ts';
import type { LateLinks } from '../store/accounts/accounts.ts';
import type { ProductCache, ProductRegistry } from '../store/accounts/products.ts';
import type { ObjectStore } from '../store/aws/objects.ts';
import type { ImportQueue } from '../store/aws/queue.ts';
import type { ContentCache } from '../store/campaigns/content.ts';
import type { Database } from '../store/table/database.ts';

/** What operations need. `lib/runtime` or a command hands it in. Each operation takes only a part of it. */
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
  content: ContentCache;
  productCache: ProductCache;
  /** Who writes contacts. */
  writer: Writer;
  /** True if unknown fields, and values that cannot be used, are errors. */
  isStrict?: boolean;
  /** Base URL of the API and of the web client. */
  baseUrl: string;
  /** URL of the service. The audience of an assertion must be this URL or the token endpoint's. */
  issuer: string;
  /** Read units that a client may use for scans each minute. */
  scanUnits: number;
  /** The number of days that entries of the audit log are kept. */
  retentionDays: number;
  queue: ImportQueue;
  products: ProductRegistry;
  /** Days that the records of accepted chunks are kept; by default 30. */
  payloadDays?: number | undefined;
  /** Called if a wake could not be sent. The sweeper sends another one later, or works the team itself. */
  onLostWake(teamId: string, error: unknown): void;
  /** Called after a chunk was completed, with the outcomes of its records, or marked failed. */
  onClosed?(outcome: RecordCounts | 'failed'): void;
  /** Called if the worker of a chunk can have written these links of a person after the erasure. */
  onErased(teamId: string, contactId: string, links: LateLinks): Promise<void>;
  /** Called with the error if the code fails on a record, which is then rejected. */
  onRecordFailure?(error: unknown): void;
  /** The request that is being accepted. Its wake names it, so that the log of the worker does too. */
  requestId?: string;
};

/** For operations on contacts. A contact record can start journeys. */
export type ContactDependencies = Pick<
  Service,
  'database' | 'now' | 'newId' | 'newSlug' | 'pause' | 'content' | 'writer' | 'isStrict'
>;

/** For operations that compute the progress of journeys. */
export type ProgressDependencies = Pick<Service, 'database' | 'content' | 'productCache' | 'now'>;

/** For operations that record actions on pages. */
export type RecordDependencies = ProgressDependencies & Pick<Service, 'pause' | 'newId' | 'baseUrl'>;

export type ImportDependencies = Pick<Service, 'database' | 'now' | 'newId' | 'pause' | 'queue' | 'products'> &
  Pick<Service, 'payloadDays' | 'onLostWake' | 'onErased' | 'onClosed' | 'onRecordFailure' | 'requestId'>;

/** For operations that may scan the directory, within the budget of the client. */
export type ScanDependencies = Pick<Service, 'database' | 'now' | 'pause' | 'scanUnits'>;

/** For the operations that read dropped files. */
export type DropDependencies = Pick<Service, 'now' | 'wait'> & {
  objects: ObjectStore;
  imports: ImportDependencies;
  contacts: ContactDependencies;
  /** Called after a file has ended, with its report. */
  onReport?(report: DropReport): void;
  /** Called with the error if the code fails on a row, which is then rejected. */
  onRowFailure?(error: unknown): void;
};

import {
  ApiError,
  accountConflicts,
  type Batch,
  contactConflicts,
  inOrder,
  type OnboardingClient,
} from '../../client/index.ts';
import type { FilePosition } from '../../lib/domain/file-position.ts';
import { errorFields } from '../../lib/domain/problem.ts';
import type { Mapping } from '../../lib/files/columns.ts';
import { type FileChunk, openFile } from '../../lib/files/file.ts';
import type { FileKind } from '../../lib/files/kinds.ts';
import { applied, watch } from './applied.ts';
import { Ledger } from './ledger.ts';
import { mappingFor } from './mapping.ts';
import { patientClient, ServiceClock } from './patient-client.ts';
import { Progress } from './progress.ts';
import { RejectedFile, rejectedPath } from './rejected-file.ts';
import type { Screen } from './screen.ts';
import { senderOf } from './send.ts';
import { fingerprint, openSource, type Source } from './source.ts';
import type { Stop } from './stop.ts';
import { Notices, type Summary } from './summary.ts';
import { CannotRun, type Target, targetOf } from './target.ts';
import { rejectUnapplied, unapplied } from './unapplied.ts';

export type ImportRequest = {
  kind: FileKind;
  file: string;
  map?: string | undefined;
  decimalComma: boolean;
  batchId?: string | undefined;
  dryRun: boolean;
  strict: boolean;
  /** Milliseconds until the first response of the service. */
  patience?: number;
};

/** The file to import, with its mapping. */
type Job = {
  request: ImportRequest;
  source: Source;
  mapping: Mapping | undefined;
  /** What the mapping and its options are, for the batch id. */
  meaning: readonly string[];
};

const callsAtOnce = 4;

/** @throws CannotRun, FileRefused, or the error with which the service rejects the whole import */
export async function importFile(request: ImportRequest, screen: Screen, stop: Stop): Promise<Summary> {
  const target = request.dryRun ? undefined : targetOf(process.env);
  const { mapping, meaning } = await mappingFor(request);
  const source = await openSource(request.file);
  try {
    const job = { request, source, mapping, meaning };
    if (!target) return await check(job, screen, stop);
    if (request.strict) await refuseInvalid(job, screen, stop);
    return await new Import(job, target, screen, stop).run();
  } finally {
    screen.end();
    await source.release();
  }
}

/** Checks the whole file without sending anything. */
async function check(job: Job, screen: Screen, stop: Stop): Promise<Summary> {
  const { request, source } = job;
  const startedAt = performance.now();
  const progress = new Progress(screen, source.name, source.size);
  const rejected = await RejectedFile.open(rejectedPath(source.base), 0);
  const opened = await openJob(job, screen, progress);
  const rows = { ...noRows };
  const notices = new Notices();
  for await (const chunk of opened.chunks) {
    if (stop.asked.aborted) throw new CannotRun('Stopped. Nothing was sent.');
    const invalid = chunk.rows.filter(({ errors }) => errors.length > 0);
    for (const row of invalid) rejected.add(chunk.next.layout, row, row.errors);
    rows.read += chunk.rows.length;
    rows.rejected += invalid.length;
    notices.add(chunk);
    progress.chunk(chunk);
    progress.done(chunk.rows.length, rows.rejected);
    await rejected.save();
  }
  await rejected.close();
  return {
    ...{ file: request.file, kind: request.kind, status: 'checked', base_url: null, batch_id: null, rows },
    rejected_file: rejected.isEmpty ? null : rejected.path,
    warnings: opened.warnings,
    notices: notices.found(),
    seconds: secondsSince(startedAt),
  };
}

/** Opens the file at a position, and shows what is odd about its columns. */
async function openJob({ request, source, mapping }: Job, screen: Screen, progress: Progress, place?: FilePosition) {
  const opened = await openFile(source.bytes(place, progress.bytes), {
    ...{ kind: request.kind, name: source.name, mapping, place },
    // The message of the error can contain values of the row, so it is left out.
    onRowFailure: (error: unknown) =>
      screen.say(`Note: a row is rejected because of an internal error: ${JSON.stringify(errorFields(error))}.`),
  });
  for (const warning of opened.warnings) screen.say(`Note: ${warning}.`);
  return opened;
}

const noRows = { read: 0, sent: 0, applied: 0, unchanged: 0, superseded: 0, rejected: 0, repeated: 0, redriven: 0 };

async function refuseInvalid(job: Job, screen: Screen, stop: Stop): Promise<void> {
  const { rows, rejected_file } = await check(job, screen, stop);
  if (rows.rejected === 0) return;
  throw new CannotRun(`${rows.rejected} of ${rows.read} rows are invalid. Nothing was sent. See ${rejected_file}.`);
}

const secondsSince = (start: number): number => Math.round(performance.now() - start) / 1000;

/** One run of an import. It starts where an earlier run stopped. */
class Import {
  readonly #job: Job;
  readonly #target: Target;
  readonly #screen: Screen;
  readonly #stop: Stop;
  readonly #clock = new ServiceClock();
  readonly #client: OnboardingClient;
  readonly #progress: Progress;
  readonly #notices = new Notices();
  readonly #startedAt = performance.now();
  #warnings: readonly string[] = [];
  #saysFull = false;
  #isAllSent = false;

  constructor(job: Job, target: Target, screen: Screen, stop: Stop) {
    this.#job = job;
    this.#target = target;
    this.#screen = screen;
    this.#stop = stop;
    this.#progress = new Progress(screen, job.source.name, job.source.size);
    const { patience } = job.request;
    this.#client = patientClient({ target, clock: this.#clock, screen, stopped: stop.now, patience });
  }

  async run(): Promise<Summary> {
    const { kind } = this.#job.request;
    const { batchId, ledger } = await this.#open();
    await this.#send(batchId, ledger);
    const batch = kind === 'accounts' ? await this.#applied(batchId, ledger) : undefined;
    const isOver = !this.#stop.asked.aborted;
    if (isOver && batch) await this.#rejectUnapplied(batch, ledger);
    if (isOver) await ledger.close();
    if (isOver)
      return this.#summary(batchId, ledger, batch, (await this.#isStale(batchId, ledger)) ? 'repeated' : 'completed');
    const isAccepted = kind === 'accounts' && this.#isAllSent;
    return this.#summary(batchId, ledger, batch, isAccepted ? 'accepted' : 'interrupted');
  }

  /** True if every row was accepted before this run, and another batch since: it may have changed the same accounts. */
  async #isStale(batchId: string, { totals: { sent, repeated, redriven } }: Ledger): Promise<boolean> {
    if (sent === 0 || repeated < sent || redriven > 0) return false;
    for await (const { batch_id } of this.#client.batches.list()) return batch_id !== batchId;
    return false;
  }

  async #open(): Promise<{ batchId: string; ledger: Ledger }> {
    const { request, source, meaning } = this.#job;
    const { kind } = request;
    const content = await fingerprint(source, kind, ...meaning);
    const batchId = request.batchId ?? `${kind}-${content}`;
    const { baseUrl: base_url, clientId: client_id } = this.#target;
    // The first response also gives the time of the service.
    await this.#client.batches.get(batchId, { chunkIndex: 0 }).catch(onlyAbsent);
    const name = { batch_id: batchId, kind, base_url, client_id, content };
    const ledger = await Ledger.open(source.base, name, this.#clock.now());
    if (ledger.place) this.#screen.say(`Continuing at line ${ledger.place.line}, where the last run stopped.`);
    return { batchId, ledger };
  }

  async #send(batchId: string, ledger: Ledger): Promise<void> {
    const { kind } = this.#job.request;
    this.#progress.send(kind, ledger.totals.read);
    const { asked } = this.#stop;
    const { startedAt } = ledger;
    const send = senderOf(kind, { client: this.#client, batchId, startedAt, asked, onFull: this.#onFull });
    const sendAndEnter = async (chunk: FileChunk, chunkCount?: number) => {
      await ledger.enter(chunk, await send(chunk, chunkCount));
      this.#progress.done(chunk.rows.length, ledger.totals.rejected);
    };
    let last: FileChunk | undefined;
    const watching = new AbortController();
    const watched =
      kind === 'accounts' ? watch(this.#client, batchId, this.#progress.applied, watching.signal) : undefined;
    try {
      await inOrder(
        butLast(this.#chunks(ledger), (chunk) => {
          last = chunk;
        }),
        {
          atOnce: callsAtOnce,
          signal: this.#stop.now,
          conflictsOf: (chunk) => conflictsOf[kind](chunk),
          send: sendAndEnter,
        },
      );
      // Only now it is known whether every chunk has a valid row. A chunk without one is never sent and would stay missing.
      if (asked.aborted) return;
      if (last) await sendAndEnter(last, ledger.hasUnsentChunk ? undefined : last.index + 1);
      this.#isAllSent = true;
    } finally {
      watching.abort();
      await watched;
      await ledger.save();
    }
  }

  readonly #onFull = (): void => {
    if (!this.#saysFull) this.#screen.say('The service has too many open chunks. Waiting until some are applied …');
    this.#saysFull = true;
  };

  async *#chunks(ledger: Ledger): AsyncGenerator<FileChunk> {
    const opened = await openJob(this.#job, this.#screen, this.#progress, ledger.place);
    this.#warnings = opened.warnings;
    for await (const chunk of opened.chunks) {
      if (this.#stop.asked.aborted) return;
      this.#progress.chunk(chunk);
      this.#notices.add(chunk);
      yield chunk;
    }
  }

  /** `undefined` if nothing was accepted, or if the operator stopped the import. */
  async #applied(batchId: string, ledger: Ledger): Promise<Batch | undefined> {
    const { asked } = this.#stop;
    if (asked.aborted || ledger.totals.sent === 0) return undefined;
    return applied(this.#client, batchId, this.#progress.applied, asked).catch((error: unknown) => {
      if (!asked.aborted) throw error;
      return undefined;
    });
  }

  /** Adds rows that the service accepted but could not apply to the rejected rows. */
  async #rejectUnapplied(batch: Batch, ledger: Ledger): Promise<void> {
    const found = await unapplied(this.#client, batch, ledger.chunks, this.#stop.now);
    if (found.size === 0) return;
    const { source, mapping, request } = this.#job;
    const opened = await openFile(source.bytes(), { kind: request.kind, name: source.name, mapping });
    for await (const chunk of opened.chunks) rejectUnapplied(chunk, found, ledger);
  }

  #summary(batchId: string, ledger: Ledger, batch: Batch | undefined, status: Summary['status']): Summary {
    const { request } = this.#job;
    const { read, sent, rejected, created, changed, unchanged, repeated, redriven } = ledger.totals;
    const sums = batch?.records ?? { applied: created + changed, unchanged, superseded: 0 };
    const counts = status === 'repeated' ? { applied: 0, unchanged: 0, superseded: 0 } : sums;
    const { applied, superseded } = counts;
    return {
      ...{ file: request.file, kind: request.kind, status },
      ...{ base_url: this.#target.baseUrl, batch_id: batchId },
      rows: { read, sent, applied, unchanged: counts.unchanged, superseded, rejected, repeated, redriven },
      rejected_file: ledger.rejected.isEmpty ? null : ledger.rejected.path,
      warnings: this.#warnings,
      notices: this.#notices.found(),
      seconds: secondsSince(this.#startedAt),
    };
  }
}

/** All chunks except the last, which is passed to `onLast` instead. */
async function* butLast(
  chunks: AsyncIterable<FileChunk>,
  onLast: (chunk: FileChunk) => void,
): AsyncGenerator<FileChunk> {
  for await (const chunk of chunks) {
    if (chunk.isLast) onLast(chunk);
    else yield chunk;
  }
}

const conflictsOf: Record<FileKind, (chunk: FileChunk) => ReturnType<typeof accountConflicts>> = {
  accounts: (chunk) => accountConflicts(sendable(chunk)),
  contacts: (chunk) => contactConflicts(sendable(chunk)),
};

/** Valid rows: they passed the schema of the API, which the types of the client cannot express. */
const sendable = ({ rows }: FileChunk) =>
  rows.flatMap(({ errors, record }) => (errors.length === 0 ? [record as never] : []));

function onlyAbsent(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
}

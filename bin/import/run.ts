import { accountConflicts, type Batch, contactConflicts, inOrder } from '../../client/index.ts';
import { joinedNotices } from '../../lib/domain/drop-box/file-notice.ts';
import type { FilePosition } from '../../lib/domain/drop-box/file-position.ts';
import { errorFields } from '../../lib/domain/values/problem.ts';
import { FileRefused } from '../../lib/files/bytes.ts';
import type { Mapping } from '../../lib/files/columns.ts';
import { type FileChunk, openFile } from '../../lib/files/file.ts';
import type { FileKind } from '../../lib/files/kinds.ts';
import { type FormatOptions, mappingOf, mapWith } from '../../lib/files/mapping.ts';
import { absent, applied, hasUnapplied, rejectUnapplied, watch } from './batch.ts';
import { Ledger, RejectedFile, rejectedPath } from './ledger.ts';
import { Progress, type Screen } from './progress.ts';
import { senderOf } from './send.ts';
import { serviceAt, type Target, targetOf } from './service.ts';
import { CannotRun, fingerprint, mapText, openSource, type Source } from './source.ts';
import type { Summary } from './summary.ts';

export type ImportRequest = FormatOptions & {
  kind: FileKind;
  file: string;
  map?: string | undefined;
  batchId?: string | undefined;
  dryRun: boolean;
  strict: boolean;
  /** Milliseconds until the first response of the service. */
  patience?: number;
};

export type Stop = {
  /** Once aborted, no new request is started. */
  asked: AbortSignal;
  /** Aborts running requests. */
  now: AbortSignal;
};

/** The file to import, with its mapping, and one reading of it. */
type Job = {
  request: ImportRequest;
  source: Source;
  mapping: Mapping | undefined;
  screen: Screen;
  stop: Stop;
  progress: Progress;
  startedAt: number;
};

const callsAtOnce = 4;

/** @throws CannotRun, FileRefused, or the error with which the service rejects the whole import */
export async function importFile(request: ImportRequest, screen: Screen, stop: Stop): Promise<Summary> {
  const { kind, file, map, dryRun, strict } = request;
  const target = dryRun ? undefined : targetOf(process.env);
  const mapped = mapWith(map === undefined ? undefined : await mapText(map), request);
  const mapping = mappingOf(kind, mapped);
  const source = await openSource(file);
  const newJob = (): Job => {
    const progress = new Progress(screen, source.name, source.size);
    return { request, source, mapping, screen, stop, progress, startedAt: performance.now() };
  };
  try {
    const checked = !target || strict ? await check(newJob()) : undefined;
    if (!target) return checked!;
    if (checked?.reason) throw new CannotRun(`${checked.reason} Nothing was sent.`);
    if (checked && checked.rows.rejected > 0) {
      const { rows, rejected_file } = checked;
      throw new CannotRun(`${rows.rejected} of ${rows.read} rows are invalid. Nothing was sent. See ${rejected_file}.`);
    }
    const content = await fingerprint(source, [kind, mapped ?? '']);
    return await new Import(newJob(), target, content).run();
  } finally {
    screen.end();
    await source.release();
  }
}

/** Checks the whole file without sending anything. */
async function check(job: Job): Promise<Summary> {
  const { request, source, progress, stop } = job;
  const rejected = await RejectedFile.open(rejectedPath(source.base), 0);
  const opened = await openJob(job);
  const rows = { ...noRows };
  let notices: Summary['notices'] = [];
  let reason: string | null = null;
  const chunks = untilRefused(opened.chunks, (message) => {
    reason = message;
  });
  for await (const chunk of chunks) {
    if (stop.asked.aborted) throw new CannotRun('Stopped. Nothing was sent.');
    const invalid = chunk.rows.filter(({ errors }) => errors.length > 0);
    for (const row of invalid) rejected.add(chunk.next.layout, row, row.errors);
    rows.read += chunk.rows.length;
    rows.rejected += invalid.length;
    notices = joinedNotices(notices, chunk.notices);
    progress.chunk(chunk);
    progress.done(chunk.rows.length, rows.rejected);
    await rejected.save();
  }
  await rejected.close();
  return {
    ...{ file: request.file, kind: request.kind, status: reason === null ? 'checked' : 'failed', reason },
    ...{ base_url: null, batch_id: null, rows, rejected_file: rejected.path },
    warnings: opened.warnings,
    notices,
    seconds: secondsSince(job.startedAt),
  };
}

/** The chunks of a file that may be broken off. */
async function* untilRefused(
  chunks: AsyncIterable<FileChunk>,
  onRefused: (reason: string) => void,
): AsyncGenerator<FileChunk> {
  try {
    yield* chunks;
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    onRefused(error.message);
  }
}

/** Opens the file at a position, and shows what is odd about its columns. */
async function openJob({ request, source, mapping, screen, progress }: Job, place?: FilePosition) {
  const opened = await openFile(source.bytes(place, progress.bytes), {
    ...{ kind: request.kind, name: source.name, mapping, place },
    // The message of the error can contain values of the row, so it is left out.
    onRowFailure: (error: unknown) =>
      screen.say(`Note: a row is rejected because of an internal error: ${JSON.stringify(errorFields(error))}.`),
  });
  for (const warning of opened.warnings) screen.say(`Note: ${warning}.`);
  return opened;
}

/** True if every row was accepted before this run, and others since: they may have changed the same accounts. */
const isStale = ({ journal: { totals } }: Ledger): boolean =>
  totals.sent > 0 && totals.followed === totals.sent && totals.redriven === 0;

const noRows = { read: 0, sent: 0, applied: 0, unchanged: 0, superseded: 0, rejected: 0, repeated: 0, redriven: 0 };

const secondsSince = (start: number): number => Math.round(performance.now() - start) / 1000;

/** One run of an import. It starts where an earlier run stopped. */
class Import {
  readonly #job: Job;
  readonly #target: Target;
  /** Identifies the content of the file and its mapping. */
  readonly #content: string;
  readonly #batchId: string;
  readonly #service: ReturnType<typeof serviceAt>;
  #warnings: readonly string[] = [];
  /** Why the file could not be read to its end. */
  #reason: string | null = null;
  #saysFull = false;
  #isAllSent = false;

  constructor(job: Job, target: Target, content: string) {
    const { request, screen, stop } = job;
    this.#job = job;
    this.#target = target;
    this.#content = content;
    this.#batchId = request.batchId ?? `${request.kind}-${content}`;
    this.#service = serviceAt(target, { screen, stopped: stop.now, patience: request.patience });
  }

  async run(): Promise<Summary> {
    const { stop, request } = this.#job;
    const ledger = await this.#open();
    await this.#send(ledger);
    const batch = request.kind === 'accounts' ? await this.#applied(ledger) : undefined;
    if (stop.asked.aborted) {
      const isAccepted = request.kind === 'accounts' && this.#isAllSent;
      return this.#summary(ledger, batch, isAccepted ? 'accepted' : 'interrupted');
    }
    if (batch && hasUnapplied(batch)) await this.#rejectUnapplied(batch, ledger);
    await ledger.close();
    const status = this.#reason !== null ? 'failed' : isStale(ledger) ? 'repeated' : 'completed';
    return this.#summary(ledger, batch, status);
  }

  async #open(): Promise<Ledger> {
    const { request, source, screen } = this.#job;
    const { client, now } = this.#service;
    // The first response also gives the time of the service.
    await client.batches.get(this.#batchId, { chunkIndex: 0 }).catch(absent);
    const { baseUrl: base_url, clientId: client_id } = this.#target;
    const name = { batch_id: this.#batchId, kind: request.kind, base_url, client_id, content: this.#content };
    const ledger = await Ledger.open(source.base, name, now());
    const { place } = ledger.journal;
    if (place) screen.say(`Continuing at line ${place.line}, where the last run stopped.`);
    return ledger;
  }

  async #send(ledger: Ledger): Promise<void> {
    const { stop, progress, request } = this.#job;
    const { journal } = ledger;
    progress.send(request.kind, journal.totals.read);
    const send = senderOf(request.kind, {
      ...{ client: this.#service.client, batchId: this.#batchId, startedAt: journal.started_at },
      ...{ asked: stop.asked, onFull: this.#onFull },
    });
    const sendAndEnter = async (chunk: FileChunk, chunkCount?: number) => {
      await ledger.enter(chunk, await send(chunk, chunkCount));
      progress.done(chunk.rows.length, journal.totals.rejected);
    };
    let last: FileChunk | undefined;
    const chunks = this.#chunks(journal.place, (chunk) => {
      last = chunk;
    });
    const watching = new AbortController();
    const watched =
      request.kind === 'accounts' && watch(this.#service.client, this.#batchId, progress.applied, watching.signal);
    try {
      const conflictsOf = (chunk: FileChunk) => conflicts[request.kind](sendable(chunk));
      await inOrder(chunks, { atOnce: callsAtOnce, signal: stop.now, conflictsOf, send: sendAndEnter });
      // Only now it is known whether every chunk has a valid row. A chunk without one is never sent and would stay missing.
      if (stop.asked.aborted) return;
      if (last) await sendAndEnter(last, journal.has_unsent_chunk ? undefined : last.index + 1);
      this.#isAllSent = true;
    } finally {
      watching.abort();
      await watched;
      await ledger.save();
    }
  }

  readonly #onFull = (): void => {
    const { screen } = this.#job;
    if (!this.#saysFull) screen.say('The service has too many open chunks. Waiting until some are applied …');
    this.#saysFull = true;
  };

  /** All chunks except the last, which is passed to `onLast` instead. */
  async *#chunks(place: FilePosition | undefined, onLast: (chunk: FileChunk) => void): AsyncGenerator<FileChunk> {
    const { stop, progress } = this.#job;
    const opened = await openJob(this.#job, place);
    this.#warnings = opened.warnings;
    const chunks = untilRefused(opened.chunks, (reason) => {
      this.#reason = reason;
    });
    for await (const chunk of chunks) {
      if (stop.asked.aborted) return;
      progress.chunk(chunk);
      if (chunk.isLast) onLast(chunk);
      else yield chunk;
    }
  }

  /** `undefined` if nothing was accepted, or if the operator stopped the import. */
  async #applied({ journal }: Ledger): Promise<Batch | undefined> {
    const { asked } = this.#job.stop;
    if (asked.aborted || journal.totals.sent === 0) return undefined;
    const { client } = this.#service;
    return applied(client, this.#batchId, this.#job.progress.applied, asked).catch((error: unknown) => {
      if (!asked.aborted) throw error;
      return undefined;
    });
  }

  /** Reads the file once more for the rows that the service accepted but could not apply. */
  async #rejectUnapplied(batch: Batch, ledger: Ledger): Promise<void> {
    const { source, mapping, request, stop } = this.#job;
    const { chunks } = await openFile(source.bytes(), { kind: request.kind, name: source.name, mapping });
    const read = untilRefused(chunks, () => {});
    await rejectUnapplied(read, batch, ledger, { client: this.#service.client, signal: stop.now });
  }

  #summary({ journal, rejected }: Ledger, batch: Batch | undefined, status: Summary['status']): Summary {
    const { request, startedAt } = this.#job;
    const { followed: _, ...totals } = journal.totals;
    const counts = batch ? batch.records : { ...totals, superseded: 0 };
    const { applied, unchanged, superseded } = status === 'repeated' ? noRows : counts;
    return {
      ...{ file: request.file, kind: request.kind, status, reason: this.#reason },
      ...{ base_url: this.#target.baseUrl, batch_id: this.#batchId },
      rows: { ...totals, applied, unchanged, superseded },
      rejected_file: rejected.path,
      warnings: this.#warnings,
      notices: journal.notices,
      seconds: secondsSince(startedAt),
    };
  }
}

const conflicts = { accounts: accountConflicts, contacts: contactConflicts };

/** Valid rows: they passed the schema of the API, which the types of the client cannot express. */
const sendable = ({ rows }: FileChunk) =>
  rows.flatMap(({ errors, record }) => (errors.length === 0 ? [record as never] : []));

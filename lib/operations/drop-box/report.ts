import {
  type DropKind,
  type DroppedFile,
  hasReport,
  rejectedKey,
  rejectedPartKey,
  reportKey,
} from '../../domain/drop-box/drop.ts';
import type { DropReport } from '../../domain/drop-box/drop-report.ts';
import type { BatchStatus } from '../../domain/imports/batch-responses.ts';
import { batchStatusOf } from '../../domain/imports/batch-status.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { rejectedHeader } from '../../files/rejected.ts';
import type { DropState } from '../../store/drop-box/drop-files.ts';
import { loadBatch } from '../../store/imports/claims.ts';
import type { DropService } from '../service.ts';
import { judgeFile } from './expected.ts';
import type { Drop } from './state.ts';

/** Writes the file of rejected rows, or empties that of an earlier version, and the report. */
export async function writeReport(service: DropService, drop: Drop): Promise<DropReport> {
  const { objects, database, now } = service;
  const { state, teamId, batchId } = drop;
  if (state.parts > 0 && state.layout) {
    const head = rejectedHeader(state.layout);
    const parts = Array.from({ length: state.parts }, (_, part) => rejectedPartKey(drop.fileId, part));
    const length = new TextEncoder().encode(head).length + state.partBytes;
    await objects.join(rejectedKey(state.key), head, parts, length);
  } else if (await objects.describe(rejectedKey(state.key))) {
    await objects.write(rejectedKey(state.key), state.layout ? rejectedHeader(state.layout) : '');
  }
  const batch =
    drop.kind === 'accounts' ? batchStatusOf(batchId, (await loadBatch(database, teamId, batchId)).chunks) : undefined;
  const report = reportOf(drop, batch, now());
  const ended = { ...report, file_id: drop.fileId };
  const deviations = await judgeFile(service, { teamId, type: drop.kind }, ended);
  const warnings = [...report.warnings, ...deviations.map((each) => `the file is not as expected: ${each}`)];
  await write(objects, { ...report, warnings });
  return { ...report, warnings };
}

function reportOf({ state, kind, batchId }: Drop, batch: BatchStatus | undefined, now: number): DropReport {
  const { key, version, failure } = state;
  const rows = { ...rowsOf(state, kind, batch), read: state.rows.read };
  const failed = batch?.status === 'failed' ? failedText(batch.chunks.failed) : undefined;
  const reason = failure ?? failed ?? (rows.read > 0 && rows.accepted === 0 ? noneAccepted : unappliedText(rows));
  const isRefused = failure !== undefined && rows.read === 0 && !state.isBroken;
  return {
    key,
    version,
    status: isRefused ? 'refused' : reason === undefined ? 'completed' : 'failed',
    reason: reason ?? null,
    type: kind,
    batch_id: batch ? batchId : null,
    warnings: state.warnings,
    notices: state.notices,
    rows,
    failed_chunks: state.failedChunks,
    rejected_file: state.parts > 0 ? rejectedKey(key) : null,
    received_at: state.received_at,
    began_at: state.began_at,
    finished_at: timestamp(now),
  };
}

const failedText = (chunks: number): string => `${chunks === 1 ? '1 chunk' : `${chunks} chunks`} of the batch failed.`;

/** Of a file of accounts, rows in chunks that were cancelled or discarded are accepted and not applied. */
function unappliedText({ read, rejected, accepted, applied, unchanged = 0, superseded = 0 }: DropReport['rows']) {
  const stored = applied === undefined ? accepted : applied + unchanged + superseded;
  return read === rejected + stored
    ? undefined
    : `Of ${read} ${read === 1 ? 'row' : 'rows'}, ${rejected} ${rejected === 1 ? 'was' : 'were'} rejected and only ${stored} were applied.`;
}

const noneAccepted = 'Every row was rejected. See the file of rejected rows.';

/** The rows so far. @param batch of a file of accounts */
export function rowsOf({ rows }: Drop['state'], kind: Drop['kind'], batch: BatchStatus | undefined) {
  const rejected = rows.rejected + (batch?.records.rejected ?? 0);
  const accepted = rows.accepted - (batch?.records.rejected ?? 0);
  return { read: accepted + rejected, accepted, rejected, ...outcomes(rows, kind, batch) };
}

function outcomes({ created, existing }: Drop['state']['rows'], kind: Drop['kind'], batch: BatchStatus | undefined) {
  if (kind === 'contacts') return { created, existing };
  const { applied = 0, unchanged = 0, superseded = 0 } = batch?.records ?? {};
  return { applied, unchanged, superseded };
}

/** How a file ended of which nothing was read. */
type Unread = Pick<DropReport, 'status' | 'reason'> & Partial<Pick<DropReport, 'type' | 'rejected_file'>>;

/** The end of a version with the bytes of the one before, whose report it replaces. */
export function repeatedEnd(kind: DropKind | null, before: DropState): Unread {
  const { key, version, received_at, outcome, parts } = before;
  const verdict = outcome
    ? `${outcome.status}, ${outcome.rows.read} rows read, ${outcome.rows.accepted} accepted, ${outcome.rows.rejected} rejected`
    : 'still in progress';
  const reason = `It has the same bytes as the version ${version}, which arrived at ${received_at} (${verdict}), so nothing was imported again. To import it again, drop it under another name.`;
  return {
    status: 'repeated',
    reason,
    type: kind,
    rejected_file: parts > 0 ? rejectedKey(key) : null,
  };
}

/** Writes the report of a file of which nothing was read, if the key leaves room for one. */
export async function writeUnread(
  { objects, now }: DropService,
  { key, version, received_at }: DroppedFile,
  end: Unread,
): Promise<DropReport> {
  const at = timestamp(now());
  const report: DropReport = {
    key,
    version,
    type: null,
    batch_id: null,
    warnings: [],
    notices: [],
    rows: { read: 0, accepted: 0, rejected: 0 },
    failed_chunks: [],
    rejected_file: null,
    ...end,
    received_at: received_at ?? at,
    began_at: at,
    finished_at: at,
  };
  if (hasReport(key)) await write(objects, report);
  return report;
}

const write = (objects: DropService['objects'], report: DropReport): Promise<void> =>
  objects.write(reportKey(report.key), `${JSON.stringify(report, undefined, 2)}\n`);

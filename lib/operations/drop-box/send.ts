import { accountRecord } from '../../domain/accounts/account-record.ts';
import { identityErrors, parsedContact } from '../../domain/contacts/contact-record.ts';
import type { FileNotice } from '../../domain/drop-box/file-notice.ts';
import type { JsonValue } from '../../domain/values/json.ts';
import { type ErrorDetail, Problem } from '../../domain/values/problem.ts';
import { FileRefused } from '../../files/bytes.ts';
import type { FileChunk } from '../../files/file.ts';
import { leaverNotices } from '../../files/leavers.ts';
import { type Row, type RowError, recordErrorOf } from '../../files/rows.ts';
import { digestOf } from '../../store/table/digest.ts';
import { acceptOwnChunk, ForeignChunk } from '../imports/accept.ts';
import type { DropService } from '../service.ts';
import type { Drop } from './state.ts';

export type RejectedRow = { row: Row; errors: readonly RowError[] };
export type Sent = { rejected: RejectedRow[]; accepted: number; created: number; existing: number };

/** The rows of a chunk whose records are sent, in their order: the rows without errors. */
export const validRows = ({ rows }: FileChunk): Row[] => rows.filter(({ errors }) => errors.length === 0);

/**
 * Sends the valid rows of a chunk, through the operations of the API. A chunk of accounts that was sent before is a
 * duplicate; a chunk of contacts is upserted again.
 * @throws FileRefused if other records were sent under the file's batch; Problem `unavailable`; `too_many_requests` if the team has reached the limit of open chunks
 */
export async function sendChunk(service: DropService, drop: Drop, chunk: FileChunk): Promise<Sent> {
  const chunk_count = chunk.isLast && !drop.state.hasUnsentChunk ? chunk.index + 1 : undefined;
  const rejected = chunk.rows.filter(({ errors }) => errors.length > 0).map((row) => ({ row, errors: row.errors }));
  const rows = validRows(chunk);
  if (rows.length === 0) return { rejected, accepted: 0, created: 0, existing: 0 };
  if (drop.kind === 'contacts') return sendContacts(service, drop, rows, rejected, chunk.notices);
  const records = rows.map(({ record }) => accountRecord.parse(record));
  const pair = { batch_id: drop.batchId, chunk_index: chunk.index };
  const digest = () => digestOf(rows.map(({ record }) => record as JsonValue));
  await acceptOwnChunk(service, drop.teamId, { pair, chunk_count, digest, records }).catch((error) => {
    if (!(error instanceof ForeignChunk)) throw error;
    const lines = `Lines ${rows[0]!.line} to ${rows.at(-1)!.line}`;
    throw new FileRefused(`${lines} were not accepted: ${drop.batchId} has other records in their place.`);
  });
  return { rejected, accepted: rows.length, created: 0, existing: 0 };
}

const contactRecord = parsedContact(identityErrors);

/**
 * A call upserts all of its contacts or none, so it is repeated without the contacts that were rejected.
 * @param notices of the chunk: those of the call are added
 */
async function sendContacts(
  service: DropService,
  drop: Drop,
  rows: readonly Row[],
  rejected: readonly RejectedRow[],
  notices: FileNotice[],
): Promise<Sent> {
  try {
    const records = rows.map(({ record }) => contactRecord.parse(record));
    const batch = await service.upsertContacts(drop.teamId, records, { kind: 'file', id: drop.fileId });
    for (const notice of leaverNotices(rows, batch)) notices.push(notice);
    const { new_contacts: created, existing_contacts: existing } = batch;
    return {
      rejected: [...rejected],
      accepted: rows.length,
      created: created.length,
      existing: existing.length,
    };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
    const rejections = rejectionsOf(rows, error.details ?? []);
    if (rejections.size === 0) throw error;
    if (error.cause !== undefined) service.onRowFailure?.(error.cause);
    const all = [...rejected, ...[...rejections].map(([row, errors]) => ({ row, errors }))];
    all.sort((a, b) => a.row.line - b.row.line);
    const rest = rows.filter((row) => !rejections.has(row));
    if (rest.length === 0) return { rejected: all, accepted: 0, created: 0, existing: 0 };
    return sendContacts(service, drop, rest, all, notices);
  }
}

function rejectionsOf(rows: readonly Row[], details: readonly ErrorDetail[]): Map<Row, RowError[]> {
  const rejections = new Map<Row, RowError[]>();
  for (const detail of details) {
    const rowError = recordErrorOf(detail);
    const row = rowError && rows[rowError.at];
    if (row) rejections.set(row, [...(rejections.get(row) ?? []), rowError.error]);
  }
  return rejections;
}

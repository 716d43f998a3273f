import { accountRecord } from '../../domain/account-record.ts';
import { identityErrors, parsedContact } from '../../domain/contact-record.ts';
import type { JsonValue } from '../../domain/json.ts';
import { type ErrorDetail, Problem } from '../../domain/problem.ts';
import type { FileChunk } from '../../files/file.ts';
import { type RowError, recordErrorOf } from '../../files/row-error.ts';
import type { Row } from '../../files/rows.ts';
import { digestOf } from '../../store/digest.ts';
import { upsertBatch } from '../contacts/upsert.ts';
import { acceptBatch } from '../imports/accept.ts';
import type { DropDependencies } from './dependencies.ts';
import type { Drop } from './state.ts';

export type RejectedRow = { row: Row; errors: readonly RowError[] };
export type Sent = { rejected: RejectedRow[]; accepted: number; created: number; existing: number };

/** The rows of a chunk whose records are sent, in their order. */
export const validRows = ({ rows }: FileChunk): Row[] => rows.filter(({ errors }) => errors.length === 0);

/**
 * Hands the sound rows of a chunk over, through the operations behind the API. A chunk that was handed over before is
 * a duplicate, or for contacts the same upserts once more.
 * @throws Problem `unavailable`; `too_many_requests` when the team has as many open chunks as it may have
 */
export async function sendChunk(dependencies: DropDependencies, drop: Drop, chunk: FileChunk): Promise<Sent> {
  const chunk_count = chunk.isLast && !drop.state.hasUnsentChunk ? chunk.index + 1 : undefined;
  const rejected = chunk.rows.filter(({ errors }) => errors.length > 0).map((row) => ({ row, errors: row.errors }));
  const rows = validRows(chunk);
  if (rows.length === 0) return { rejected, accepted: 0, created: 0, existing: 0 };
  if (drop.kind === 'contacts') return sendContacts(dependencies, drop, rows, rejected);
  const records = rows.map(({ record }) => accountRecord.parse(record));
  const pair = { batch_id: drop.batchId, chunk_index: chunk.index };
  await acceptBatch(dependencies.imports, drop.teamId, {
    pair,
    namesChunkCount: chunk_count !== undefined,
    digest: () => digestOf(rows.map(({ record }) => record as JsonValue)),
    validate: () => ({ type: 'account', ...pair, chunk_count, records }),
  });
  return { rejected, accepted: rows.length, created: 0, existing: 0 };
}

const judged = parsedContact(identityErrors);

/** A call takes all of its contacts or none, so it is made again without those that were refused. */
async function sendContacts(
  dependencies: DropDependencies,
  drop: Drop,
  rows: readonly Row[],
  rejected: readonly RejectedRow[],
): Promise<Sent> {
  const contacts = { ...dependencies.contacts, fits: () => true };
  try {
    const records = rows.map(({ record }) => judged.parse(record));
    const answer = await upsertBatch(contacts, drop.teamId, records);
    const { new_contacts: created, existing_contacts: existing } = answer;
    return {
      rejected: [...rejected].sort((a, b) => a.row.line - b.row.line),
      accepted: rows.length,
      created: created.length,
      existing: existing.length,
    };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
    const refused = refusedRows(rows, error.details ?? []);
    if (refused.size === 0) throw error;
    const all = [...rejected, ...[...refused].map(([row, errors]) => ({ row, errors }))];
    const rest = rows.filter((row) => !refused.has(row));
    if (rest.length === 0) return { rejected: all, accepted: 0, created: 0, existing: 0 };
    return sendContacts(dependencies, drop, rest, all);
  }
}

function refusedRows(rows: readonly Row[], details: readonly ErrorDetail[]): Map<Row, RowError[]> {
  const refused = new Map<Row, RowError[]>();
  for (const detail of details) {
    const named = recordErrorOf(detail);
    const row = named && rows[named.at];
    if (row) refused.set(row, [...(refused.get(row) ?? []), named.error]);
  }
  return refused;
}

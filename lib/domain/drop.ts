import { uuidPattern } from './uuid.ts';

/**
 * The drop box: what an object in it is, told by its key. Files lie under `<team_id>/accounts/` and
 * `<team_id>/contacts/`; what the service writes lies beside them or, while a file is worked, under `work/`.
 */
export type DropKind = 'accounts' | 'contacts';

/** One version of an object. A file that is replaced is another version, and another import. */
export type DroppedFile = { key: string; version: string };

export const reportKey = (key: string): string => `${key}.report.json`;
export const rejectedKey = (key: string): string => `${key}.rejected.csv`;

/** What remains of a file after an erased person's rows were taken out. It is never imported. */
export const remainingKey = (key: string): string => `${key}.remaining`;

/** Rejected rows of a part of the file, until the last part has been read. */
export const rejectedPartKey = (fileId: string, part: number): string =>
  `work/${fileId}/rejected/${String(part).padStart(6, '0')}.csv`;

const own = /^work\/|\.(?:report\.json|rejected\.csv|remaining)$/;

/** Whether somebody dropped it: not what the service writes itself, nor the mark of a folder. */
export const isDropped = (key: string): boolean => !own.test(key) && !key.endsWith('/');

/** A key is at most so long in UTF-8 that its report's fits into S3's 1,024 bytes. */
const maxKeyBytes = 1024 - reportKey('').length;

const place = new RegExp(`^(${uuidPattern})/(accounts|contacts)/.`, 's');

/** Whose file it is and what its rows are, or why nobody can say. */
export function parseDropKey(key: string): { teamId: string; kind: DropKind } | { error: string } {
  const [, teamId, kind] = place.exec(key) ?? [];
  if (teamId !== undefined) return { teamId, kind: kind as DropKind };
  return {
    error: 'The file lies in the wrong place: its key has to be <team_id>/accounts/<name> or …/contacts/<name>.',
  };
}

/** Whether a report can lie beside the file. */
export const hasReport = (key: string): boolean => new TextEncoder().encode(key).length <= maxKeyBytes;

/** The files of one owner wait for one another. Where nobody owns it, it only gets a report. */
export function ownerOfDrop(key: string): string {
  const found = parseDropKey(key);
  return 'error' in found ? 'nobody' : found.teamId;
}

/** What lies beside a file at the end, as `<key>.report.json`. */
export type DropReport = {
  key: string;
  version: string;
  /** `completed`: every row was accepted or rejected. `failed`: not all were applied. `refused`: nothing was read. */
  status: 'completed' | 'failed' | 'refused';
  /** Why it is not completed. */
  reason: string | null;
  type: DropKind | null;
  /** Accounts: the batch, as `GET /v1/batches/:batch_id` shows it. */
  batch_id: string | null;
  /** What was noticed of the file as a whole: columns that are no fields, and the like. */
  warnings: readonly string[];
  rows: {
    /** All that were looked at: those accepted and those rejected. */
    read: number;
    accepted: number;
    /** Each stands in the file of rejected rows. */
    rejected: number;
    /** Accounts; of the accepted rows of chunks that are completed. */
    applied?: number;
    unchanged?: number;
    superseded?: number;
    /** Contacts; each counted once a call. */
    created?: number;
    existing?: number;
  };
  /** Of the batch; the first hundred, by the lines of the file that they were made of. */
  failed_chunks: readonly { chunk_index: number; first_line: number; last_line: number; reason: string }[];
  /** Key of the file with the rows that were rejected. */
  rejected_file: string | null;
  received_at: string;
  finished_at: string;
};

import type { FileNotice } from '../../lib/domain/drop-box/file-notice.ts';
import type { FileKind } from '../../lib/files/kinds.ts';
import { shellWord } from '../output.ts';
import { count, duration } from './progress.ts';

/** The result of an import, as `--json` prints it. */
export type Summary = {
  file: string;
  kind: FileKind;
  /**
   * `accepted`: stopped after the last chunk was accepted, before all chunks were applied. `repeated`: the file was
   * imported before, and another one since, so this run changed nothing. `failed`: the file is not whole; the rows before
   * the place where it is broken are applied.
   */
  status: 'completed' | 'failed' | 'repeated' | 'checked' | 'interrupted' | 'accepted';
  /** Why the file failed. */
  reason: string | null;
  base_url: string | null;
  batch_id: string | null;
  rows: {
    read: number;
    sent: number;
    /** Rows that changed something. */
    applied: number;
    unchanged: number;
    /** Rows that were not applied, because a later file had already written the account. */
    superseded: number;
    rejected: number;
    /** Sent rows in chunks that the service had accepted before under this batch id. */
    repeated: number;
    /** Repeated rows in chunks that had failed and that the service tried again. */
    redriven: number;
  };
  rejected_file: string | null;
  warnings: readonly string[];
  /** What is valid but probably not intended. */
  notices: readonly FileNotice[];
  seconds: number;
};

/**
 * 0 if all rows were applied, 1 if rows were rejected, 2 if the import did not finish or its result is not known, 3 if
 * nothing was applied again.
 */
export function exitStatusOf({ status, rows }: Summary): number {
  if (status === 'repeated') return 3;
  return status === 'interrupted' || status === 'accepted' || status === 'failed' ? 2 : rows.rejected > 0 ? 1 : 0;
}

export function textOf(summary: Summary): string {
  const { rows, seconds, batch_id, rejected_file } = summary;
  const rate = seconds >= 1 && rows.read > 0 ? `${count(rows.read / seconds)} rows a second` : '';
  const lines = [
    line('rows read', count(rows.read)),
    ...(summary.base_url === null ? [] : outcomes(summary)),
    line('rejected', count(rows.rejected), rows.rejected > 0 ? (rejected_file ?? '') : ''),
    line('time', seconds < 10 ? `${seconds.toFixed(1)} s` : duration(seconds), rate),
  ];
  return [...lines, ...(batch_id ? [`  ${'batch id'.padEnd(14)}${batch_id}`] : []), '', ...verdict(summary)].join('\n');
}

function outcomes({ rows, kind, status }: Summary): string[] {
  const isKnown = kind === 'contacts' || status === 'completed' || status === 'failed';
  return [
    line('sent', count(rows.sent), rows.repeated > 0 ? `${count(rows.repeated)} of them accepted before` : ''),
    ...(isKnown ? [line('applied', count(rows.applied)), line('unchanged', count(rows.unchanged))] : []),
    ...(rows.superseded > 0 ? [line('superseded', count(rows.superseded), 'already written by a later file')] : []),
  ];
}

const line = (name: string, value: string, beside = '') =>
  `  ${name.padEnd(14)}${value.padStart(12)}${beside === '' ? '' : `   ${beside}`}`;

function verdict({ status, reason, rows, rejected_file, kind, batch_id, base_url }: Summary): string[] {
  if (status === 'failed') {
    const rejected = rows.rejected > 0 ? [`${rowsInWords(rows.rejected)} rejected: see ${rejected_file}.`] : [];
    return [`Failed. ${reason}`, ...(base_url ? ['The rows that were read are applied.'] : []), ...rejected];
  }
  if (status === 'accepted') return acceptedVerdict(batch_id);
  if (status === 'repeated') return staleFile;
  if (status === 'interrupted') return ['Stopped. Run the same command again to continue.'];
  if (rows.rejected > 0) {
    const what = status === 'checked' ? 'would be rejected' : 'rejected';
    return [
      `${rowsInWords(rows.rejected)} ${what}: see ${rejected_file} for the reasons.`,
      'Fix the rows in that file and import it.',
    ];
  }
  if (status === 'checked') return ['All rows are valid. Nothing was sent.'];
  if (rows.read === 0) return ['The file has no rows.'];
  if (rows.redriven > 0) return [`${rowsInWords(rows.redriven)} of failed chunks tried again. All rows are applied.`];
  if (rows.sent > 0 && rows.repeated === rows.sent && kind === 'accounts') return repeatedFile;
  return [rows.applied === 0 ? 'All rows were unchanged.' : 'All rows are applied.'];
}

const acceptedVerdict = (batchId: string | null): string[] => [
  'Stopped. All rows were sent and accepted: the service applies them without this command.',
  `To watch it: npm run admin -- batch show ${shellWord(batchId ?? '')} --watch`,
  'To see the result and the rows that could not be applied, run the same command again.',
];

const rowsInWords = (rows: number): string => (rows === 1 ? '1 row' : `${count(rows)} rows`);

const staleFile = [
  'This file was imported before, and other records since, or an administrator has removed some. Nothing was applied again.',
  'To apply this file over the later changes, set another batch id with --batch-id.',
];

const repeatedFile = [
  'This file was imported before. The service had accepted every chunk and applied nothing again.',
  'To apply the file again over later changes, set another batch id with --batch-id.',
];

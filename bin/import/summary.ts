import type { FileKind } from '../../lib/files/kinds.ts';
import type { Notice } from '../../lib/files/repeats.ts';
import { count, duration } from './view.ts';

/** What an import came to; `--json` prints it as it is. */
export type Summary = {
  file: string;
  kind: FileKind;
  status: 'completed' | 'checked' | 'interrupted';
  base_url: string | null;
  batch_id: string | null;
  rows: {
    read: number;
    sent: number;
    /** Changed something. */
    applied: number;
    unchanged: number;
    /** Came late, over what a later file had written. */
    superseded: number;
    rejected: number;
    /** Of those sent: in chunks that the service had accepted under this batch id before. */
    repeated: number;
    /** Of those repeated: in chunks that had failed, and that the service tried again. */
    redriven: number;
  };
  rejected_file: string | null;
  warnings: readonly string[];
  /** Rows about what an earlier row was about: how many, and the first hundred. */
  notices: { count: number; first: readonly Notice[] };
  seconds: number;
};

/** 0 when all is applied, 1 when rows were rejected, 2 when it did not come to its end. */
export const exitStatusOf = ({ status, rows }: Summary): number =>
  status === 'interrupted' ? 2 : rows.rejected > 0 ? 1 : 0;

export function textOf(summary: Summary): string {
  const { rows, seconds, batch_id, status, rejected_file } = summary;
  const rate = seconds >= 1 && rows.read > 0 ? `${count(rows.read / seconds)} rows a second` : '';
  const lines = [
    line('rows read', count(rows.read)),
    ...(status === 'checked' ? [] : outcomes(summary)),
    line('rejected', count(rows.rejected), rows.rejected > 0 ? (rejected_file ?? '') : ''),
    line('time', seconds < 10 ? `${seconds.toFixed(1)} s` : duration(seconds), rate),
  ];
  return [...lines, ...(batch_id ? [`  ${'batch id'.padEnd(14)}${batch_id}`] : []), '', ...verdict(summary)].join('\n');
}

function outcomes({ rows, kind, status }: Summary): string[] {
  const isKnown = kind === 'contacts' || status === 'completed';
  return [
    line('sent', count(rows.sent), rows.repeated > 0 ? `${count(rows.repeated)} of them accepted before` : ''),
    ...(isKnown ? [line('applied', count(rows.applied)), line('unchanged', count(rows.unchanged))] : []),
    ...(rows.superseded > 0 ? [line('superseded', count(rows.superseded), 'a later file had come first')] : []),
  ];
}

const line = (name: string, value: string, beside = '') =>
  `  ${name.padEnd(14)}${value.padStart(12)}${beside === '' ? '' : `   ${beside}`}`;

function verdict({ status, rows, rejected_file, kind }: Summary): string[] {
  if (status === 'interrupted') return ['Stopped. The same command goes on from here.'];
  if (rows.rejected > 0) {
    const what = status === 'checked' ? 'would be rejected' : 'rejected';
    return [
      `${rowsInWords(rows.rejected)} ${what}: ${rejected_file} says why.`,
      'Fix them there, and import that file.',
    ];
  }
  if (status === 'checked') return ['Every row is good. Nothing was sent.'];
  if (rows.read === 0) return ['The file has no rows.'];
  if (rows.redriven > 0) return [`${rowsInWords(rows.redriven)} of failed chunks tried again. Every row is applied.`];
  if (rows.sent > 0 && rows.repeated === rows.sent && kind === 'accounts') return repeatedFile;
  return [rows.applied === 0 ? 'Every row was as it is already.' : 'Every row is applied.'];
}

const rowsInWords = (rows: number): string => (rows === 1 ? '1 row' : `${count(rows)} rows`);

const repeatedFile = [
  'This file was imported before: the service knew every chunk of it, and did nothing.',
  'To apply it once more, over what came since, give it a name of its own with --batch-id.',
];

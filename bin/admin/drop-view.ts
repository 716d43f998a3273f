import { shortened } from '../content/similar.ts';
import type { DropTimeline, ListedDrop } from './operations/drop-box/list.ts';
import { countsText, listing, tableOf, watchCommand } from './text.ts';

/** Narrow enough for a terminal: `drop show` and `--json` have the rest. */
export const dropListText = (files: readonly ListedDrop[]): string =>
  tableOf(
    files,
    {
      FILE: 'key',
      STATE: 'state',
      ACCEPTED: ({ rows }) => rows.accepted,
      REJECTED: ({ rows }) => rows.rejected,
      RECEIVED: ({ received_at }) => `${received_at.slice(0, 19)}Z`,
      NOTE: ({ reason, warnings }) => shortened(reason ?? warnings.at(-1) ?? '', 60),
    },
    'The team has dropped no file.',
  );

export function timelineText(file: DropTimeline): string {
  const { key, state, reason, warnings, rows, batch_id, report_key, timeline, chunks_failed } = file;
  const { read, accepted, rejected } = rows;
  const head = listing({
    file: key,
    state: reason === null ? state : `${state}: ${reason}`,
    rows: countsText({ read, accepted, rejected }),
    ...(warnings.length === 0 ? {} : { warnings: warnings.join('; ') }),
    ...(batch_id === null ? {} : { batch: batch_id }),
    ...(report_key === null ? {} : { report: report_key }),
  });
  const table = tableOf(timeline, {
    WHEN: 'at',
    UNTIL: 'until',
    WHAT: 'event',
    COUNTS: ({ counts }) => countsText(counts),
  });
  const failed =
    chunks_failed === 0 || batch_id === null
      ? []
      : [`Failed chunks: ${chunks_failed}. To see why: ${watchCommand(batch_id, key.split('/')[0]!)}`];
  return [head, '', table, ...failed].join('\n');
}

export const timelineLine = (file: DropTimeline): string => {
  const last = file.timeline.at(-1)!;
  return `${file.state}: ${last.event} ${last.until ?? last.at} ${countsText(last.counts)}`.trimEnd();
};

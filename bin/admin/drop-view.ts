import type { ListedDrop } from './operations/drop-box/list.ts';
import type { DropEvent, DropTimeline } from './operations/drop-box/timeline.ts';
import { listing, number, tableOf, watchCommand } from './text.ts';

const headings = ['FILE', 'STATE', 'ACCEPTED', 'REJECTED', 'RECEIVED', 'NOTE'];

/** Narrow enough for a terminal: `drop show` and `--json` have the rest. */
export const dropListText = (files: readonly ListedDrop[]): string =>
  tableOf(headings, files.map(rowOf), 'The team has dropped no file.');

/** Characters of a note in the list. */
const shownNote = 60;

/** How many files are in each state, in one line. */
export const dropListLine = (files: readonly ListedDrop[]): string =>
  (['waiting', 'reading', 'applying', 'done', 'failed', 'refused'] as const)
    .map((state) => [files.filter((each) => each.state === state).length, state] as const)
    .filter(([count]) => count > 0)
    .map(([count, state]) => `${number(count)} ${state}`)
    .join(', ');

function rowOf({ key, state, rows, received_at, reason, warnings }: ListedDrop): string[] {
  const note = reason ?? warnings.at(-1) ?? '';
  const shown = note.length > shownNote ? `${note.slice(0, shownNote - 1)}…` : note;
  return [key, state, number(rows.accepted), number(rows.rejected), `${received_at.slice(0, 19)}Z`, shown];
}

export function timelineText(file: DropTimeline): string {
  const { key, state, reason, warnings, rows, batch_id, report_key, timeline, chunks_failed } = file;
  const head = listing({
    file: key,
    state: reason === null ? state : `${state}: ${reason}`,
    rows: `${number(rows.read)} read, ${number(rows.accepted)} accepted, ${number(rows.rejected)} rejected`,
    ...(warnings.length === 0 ? {} : { warnings: warnings.join('; ') }),
    ...(batch_id === null ? {} : { batch: batch_id }),
    ...(report_key === null ? {} : { report: report_key }),
  });
  const table = tableOf(['WHEN', 'UNTIL', 'WHAT', 'COUNTS'], timeline.map(eventRow), '');
  const failed =
    chunks_failed === 0 || batch_id === null
      ? []
      : [`Failed chunks: ${chunks_failed}. To see why: ${watchCommand(batch_id, key.split('/')[0]!)}`];
  return [head, '', table, ...failed].join('\n');
}

const eventRow = ({ event, at, until, counts }: DropEvent): string[] => [at, until ?? '', event, countsText(counts)];

export const timelineLine = (file: DropTimeline): string => {
  const last = file.timeline.at(-1)!;
  return `${file.state}: ${last.event} ${last.until ?? last.at} ${countsText(last.counts)}`.trimEnd();
};

const countsText = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${number(count)} ${name}`)
    .join(', ');

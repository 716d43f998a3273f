import type { Command } from 'commander';
import { type ListedDrop, listDroppedFiles } from '../../lib/operations/drop-box/list.ts';
import { pageSize } from './batch.ts';
import { requireTeam } from './require-team.ts';
import { tableOf } from './text.ts';
import { verb } from './verb.ts';

export function registerDrop(program: Command): void {
  const drop = program.command('drop').description('Files in the drop box');

  verb<{ team: string; limit: string }>(
    drop
      .command('list')
      .description("List a team's dropped files, newest first")
      .requiredOption('--team <team_id>', 'the team that they belong to')
      .option('--limit <number>', 'list at most so many', '20'),
    'reads',
    async ({ database }, { team, limit }) => {
      const size = pageSize(limit);
      await requireTeam(database, team);
      const files = await listDroppedFiles(database, team, size);
      return { value: files, text: tableOf(headings, files.map(rowOf), 'No dropped file of the team has been read.') };
    },
  );
}

const headings = ['FILE', 'TYPE', 'STATE', 'ACCEPTED', 'REJECTED', 'OUTCOME', 'RECEIVED', 'FINISHED', 'REPORT'];

const rowOf = ({ key, type, state, rows, received_at, finished_at, report_key }: ListedDrop): string[] => [
  key,
  type ?? '',
  state,
  number(rows.accepted),
  number(rows.rejected),
  outcomeText(rows),
  received_at,
  finished_at ?? '',
  report_key ?? '',
];

/** What became of the accepted rows. */
const outcomeText = ({ read, accepted, rejected, ...outcomes }: ListedDrop['rows']): string =>
  Object.entries(outcomes)
    .map(([name, count]) => `${number(count)} ${name}`)
    .join(', ');

const number = (value: number): string => value.toLocaleString('en-US');

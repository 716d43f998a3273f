import type { Command } from 'commander';
import { parseDropKey } from '../../lib/domain/drop.ts';
import { now } from '../../lib/runtime/base.ts';
import { pageSize } from './batch.ts';
import { registerExpected } from './drop-expected.ts';
import { dropListLine, dropListText, timelineLine, timelineText } from './drop-view.ts';
import { AdminFailure } from './failure.ts';
import type { Installation } from './installation.ts';
import {
  type DropListDependencies,
  isInProgress,
  type ListedDrop,
  listDroppedFiles,
} from './operations/drop-box/list.ts';
import { dropTimeline } from './operations/drop-box/timeline.ts';
import { requireTeam } from './require-team.ts';
import { verb } from './verb.ts';
import { watch, watchOption } from './watch.ts';

type Watching = { watch?: boolean; json?: boolean };

export function registerDrop(program: Command): void {
  const drop = program.command('drop').description('Files in the drop box');

  verb<{ team: string; limit: string } & Watching>(
    drop
      .command('list')
      .description("List a team's dropped files, newest first, including those that wait")
      .requiredOption('--team <team_id>', 'the team that they belong to')
      .option('--limit <number>', 'list at most so many', '20')
      .option(...watchOption),
    'reads',
    async (installation, { team, limit, watch: isWatched, json }) => {
      const size = pageSize(limit);
      await requireTeam(installation.database, team);
      const look = () => listDroppedFiles(dependenciesOf(installation), team, size);
      const isOver = (files: readonly ListedDrop[]) => !files.some(isInProgress);
      if (isWatched) return watch({ look, isOver, text: dropListText, line: dropListLine }, { json });
      const files = await look();
      return { value: files, text: dropListText(files) };
    },
  );

  verb<Watching, [string]>(
    drop
      .command('show')
      .description('Show the way of a dropped file: received, read, applied, reported, with times and counts')
      .argument('<key>', 'the key of the file, as the list shows it: <team_id>/<type>/<name>')
      .option(...watchOption),
    'reads',
    async (installation, { watch: isWatched, json }, key) => {
      const team = await teamOfKey(installation, key);
      const look = async () => {
        const timeline = await dropTimeline(dependenciesOf(installation), team, key);
        if (!timeline) throw noFile('no file with this key was dropped in the last 30 days');
        return timeline;
      };
      const isOver = (file: ListedDrop) => !isInProgress(file);
      if (isWatched) return watch({ look, isOver, text: timelineText, line: timelineLine }, { json });
      const timeline = await look();
      return { value: timeline, text: timelineText(timeline) };
    },
  );

  registerExpected(drop);
}

const dependenciesOf = (installation: Installation): DropListDependencies => ({
  database: installation.database,
  files: installation.dropBox(),
  now,
});

async function teamOfKey({ database }: Installation, key: string): Promise<string> {
  const owner = parseDropKey(key);
  if ('error' in owner) throw noFile(owner.error);
  await requireTeam(database, owner.teamId);
  return owner.teamId;
}

const noFile = (message: string) => new AdminFailure('not_found', [{ path: 'key', message }]);

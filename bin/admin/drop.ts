import type { Command } from 'commander';
import { parseDropKey } from '../../lib/domain/drop.ts';
import { now } from '../../lib/runtime/base.ts';
import { registerExpected } from './drop-expected.ts';
import { dropListLine, dropListText, timelineLine, timelineText } from './drop-view.ts';
import { failure } from './failure.ts';
import type { Installation } from './installation.ts';
import {
  type DropListDependencies,
  isInProgress,
  type ListedDrop,
  listDroppedFiles,
} from './operations/drop-box/list.ts';
import { dropTimeline } from './operations/drop-box/timeline.ts';
import { limitOption } from './options.ts';
import { verb } from './verb.ts';
import { shownOrWatched, watchOption } from './watch.ts';

type Watching = { watch?: boolean; json?: boolean };

export function registerDrop(program: Command): void {
  const drop = program.command('drop').description('Files in the drop box');

  verb<{ team: string; limit: number } & Watching>(
    drop
      .command('list')
      .description("List a team's dropped files, newest first, including those that wait")
      .requiredOption('--team <team_id>', 'the team that they belong to')
      .option('--limit <number>', 'list at most so many', limitOption, 20)
      .option(...watchOption),
    'reads',
    async (installation, { team, limit, ...options }) => {
      const look = () => listDroppedFiles(dependenciesOf(installation), team, limit);
      const isOver = (files: readonly ListedDrop[]) => !files.some(isInProgress);
      return shownOrWatched({ look, isOver, text: dropListText, line: dropListLine }, options);
    },
  );

  verb<Watching, [string]>(
    drop
      .command('show')
      .description('Show the way of a dropped file: received, read, applied, reported, with times and counts')
      .argument('<key>', 'the key of the file, as the list shows it: <team_id>/<type>/<name>')
      .option(...watchOption),
    'reads',
    async (installation, options, key) => {
      const owner = parseDropKey(key);
      if ('error' in owner) throw noFile(owner.error);
      const look = async () => {
        const timeline = await dropTimeline(dependenciesOf(installation), owner.teamId, key);
        if (!timeline) throw noFile('no file with this key was dropped in the last 30 days');
        return timeline;
      };
      const isOver = (file: ListedDrop) => !isInProgress(file);
      return shownOrWatched({ look, isOver, text: timelineText, line: timelineLine }, options);
    },
  );

  registerExpected(drop);
}

const dependenciesOf = (installation: Installation): DropListDependencies => ({
  database: installation.database,
  files: installation.dropBox(),
  now,
});

const noFile = (message: string) => failure('not_found', message, 'key');

import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { say } from '../output.ts';
import { failure } from './failure.ts';
import type { Installation } from './installation.ts';
import { exportedObjects } from './operations/export-team.ts';
import { listing } from './text.ts';
import { noIds, verb } from './verb.ts';

type Counts = Record<string, number>;

/** Number of objects between two lines of progress. */
const progressEvery = 10_000;

export function registerTeamExport(team: Command): void {
  verb<{ team: string }, [string]>(
    team
      .command('export')
      .description('Write all data of a team to a file as JSON lines, without secrets; reads the whole table')
      .argument('<file>', 'path of the file, which is replaced when the export is complete')
      .requiredOption('--team <team_id>', 'the team'),
    noIds,
    async (installation, { team: teamId }, file) => {
      const counts: Counts = {};
      await writeWhole(file, lines(installation, teamId, counts));
      const shown = Object.entries(counts).map(([kind, count]) => [kind, String(count)]);
      return { value: { file, team_id: teamId, counts }, text: listing({ file, ...Object.fromEntries(shown) }) };
    },
  );
}

async function* lines({ database, scanTeam }: Installation, teamId: string, counts: Counts): AsyncGenerator<string> {
  let written = 0;
  for await (const items of scanTeam(teamId)) {
    for (const object of await exportedObjects(database, teamId, items)) {
      yield `${JSON.stringify(object)}\n`;
      counts[object.kind] = (counts[object.kind] ?? 0) + 1;
      written += 1;
      if (written % progressEvery === 0) say(`${written} objects written`);
    }
  }
}

/** Writes to another file first, so that an interrupted export, also by Ctrl-C, leaves no incomplete file. */
async function writeWhole(file: string, text: AsyncIterable<string>): Promise<void> {
  const part = `${file}.part`;
  const stop = new AbortController();
  const abort = () => stop.abort();
  process.on('SIGINT', abort).on('SIGTERM', abort);
  try {
    await pipeline(Readable.from(text), createWriteStream(part, { mode: 0o600 }), { signal: stop.signal });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw stop.signal.aborted ? failure('interrupted', 'The export was interrupted. Nothing was written.') : error;
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort);
  }
}

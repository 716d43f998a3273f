import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { say } from '../../output.ts';
import { cannotBeWritten } from '../document.ts';
import { failure } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { exportedObjects } from '../operations/teams/export-team.ts';

type Counts = Record<string, number>;
type Source = Pick<Installation, 'database' | 'scanTeam'>;

/** Number of objects between two lines of progress. */
const progressEvery = 10_000;

/** Writes all data of the team to the file as JSON lines. @returns the number of objects by kind */
export async function exportTeam(source: Source, teamId: string, file: string): Promise<Counts> {
  const counts: Counts = {};
  await writeWhole(file, lines(source, teamId, counts));
  return counts;
}

async function* lines({ database, scanTeam }: Source, teamId: string, counts: Counts): AsyncGenerator<string> {
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

/** True for an error of a call of the operating system to a file. */
const isOfFiles = (error: unknown): boolean => error instanceof Error && 'syscall' in error && 'path' in error;

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
    if (stop.signal.aborted) throw failure('interrupted', 'The export was interrupted. Nothing was written.');
    throw isOfFiles(error) ? cannotBeWritten(file, error) : error;
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort);
  }
}

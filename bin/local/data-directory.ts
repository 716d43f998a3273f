import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartFailure } from './ports.ts';

/** The file of the engine's database. SQLite gives the files beside it (`-wal`, `-shm`) the same mode. */
export const databasePath = (directory: string) => join(directory, 'onboarding.db');

/** Bytes that a run may need: an import of a million records. */
const roomForRun = 4 * 2 ** 30;

/**
 * A new folder for the data of one run. On Linux it is in memory if there is enough room, which a container often does
 * not have.
 */
export function temporaryFolder(): string {
  const memory = '/dev/shm';
  const { bavail, bsize } = existsSync(memory) ? statfsSync(memory) : { bavail: 0, bsize: 0 };
  return mkdtempSync(join(bavail * bsize < roomForRun ? tmpdir() : memory, 'onboarding-'));
}

/**
 * Locks the folder of the local service for this process until it ends.
 * @returns a function that unlocks it
 * @throws StartFailure if the folder cannot be written or another service has locked it
 */
export function lockDirectory(directory: string): () => void {
  const probe = join(directory, `.probe-${process.pid}`);
  try {
    makeFolder(directory);
    writeSecret(probe, '');
    rmSync(probe);
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw new StartFailure(
      `The folder ${directory} cannot be written (${code}). Set DATA_DIR to a folder that can be written.`,
    );
  }
  closeToOthers(directory);
  return lock(directory);
}

/** Restricts new and existing files to this user; an earlier run may have had a wider umask. */
function closeToOthers(directory: string): void {
  process.umask(0o077);
  const database = databasePath(directory);
  for (const path of [join(directory, 'lock'), database, `${database}-wal`, `${database}-shm`]) {
    if (existsSync(path)) chmodSync(path, 0o600);
  }
}

/** Replaces Node's `recursive`, which never returns if a folder cannot be made in an existing parent, as in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Writes a file atomically that only this user can read. */
export function writeSecret(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
}

/** The operating system releases SQLite's lock however its holder dies. A file with a process id would remain. */
function lock(directory: string): () => void {
  const held = new DatabaseSync(join(directory, 'lock'));
  try {
    held.exec('BEGIN EXCLUSIVE');
  } catch {
    held.close();
    throw new StartFailure(`Another local service uses ${directory}. Stop it, or set DATA_DIR to another folder.`);
  }
  return () => held.close();
}

import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartFailure } from './failure.ts';

/** What `local.json` says: how to reach the running service. */
export type LocalDescription = {
  base_url: string;
  client_id: string;
  client_secret: string;
  team_id: string;
  dynamodb_endpoint: string;
  sqs_endpoint: string;
  table_name: string;
  queue_url: string;
  dead_letter_queue_url: string;
  /** Files that are put into `<folder>/<team_id>/accounts` or `…/contacts` are imported; S3 calls do the same. */
  drop_box_folder: string;
  drop_box_endpoint: string;
  drop_box_bucket: string;
  /** Of the teams' images, at the endpoint of the drop box. */
  image_bucket: string;
  pid: number;
};

/** The engine's database lies here. SQLite gives the files beside it (`-wal`, `-shm`) the mode of the database. */
export const databasePath = (directory: string) => join(directory, 'onboarding.db');

/**
 * The folder of the local service, taken for this process alone until it ends.
 * @throws StartFailure where it cannot be written, or another service has it.
 */
export function lockDirectory(directory: string): { release(): void } {
  const probe = join(directory, `.probe-${process.pid}`);
  try {
    makeFolder(directory);
    writeSecret(probe, '');
    rmSync(probe);
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw new StartFailure(`The folder ${directory} cannot be written (${code}). Set DATA_DIR to one that can.`);
  }
  closeToOthers(directory);
  return lock(directory);
}

/** What an earlier run with a wider umask left there, and what this process and the engine will write. */
function closeToOthers(directory: string): void {
  process.umask(0o077);
  const database = databasePath(directory);
  for (const path of [join(directory, 'lock'), database, `${database}-wal`, `${database}-shm`]) {
    if (existsSync(path)) chmodSync(path, 0o600);
  }
}

/** Node's own `recursive` never ends where a folder cannot be made although its parent is there, as in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** A file that only this user can read, there whole or not at all. */
export function writeSecret(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
}

export const descriptionPath = (directory: string) => join(directory, 'local.json');

/** The system itself lets go of SQLite's lock when its holder dies, however that happens: a file with a pid would stay. */
function lock(directory: string): { release(): void } {
  const held = new DatabaseSync(join(directory, 'lock'));
  try {
    held.exec('BEGIN EXCLUSIVE');
  } catch {
    held.close();
    throw new StartFailure(`Another local service uses ${directory}. Stop it, or set DATA_DIR to another folder.`);
  }
  return { release: () => held.close() };
}

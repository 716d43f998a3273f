import { setTimeout as sleep } from 'node:timers/promises';
import { erasePerson } from '../../lib/operations/person/erase.ts';
import { revokeClient } from '../../lib/operations/revoke-client.ts';
import { removeFile } from '../../lib/operations/team-files.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import type { World } from './world.ts';

export type Cleaned = {
  contacts_erased: number;
  clients_revoked: number;
  images_removed: number;
  files_removed: number;
  /** What could not be cleaned up, in one line each. */
  failures: string[];
  /** What remains by design. */
  remains: string[];
};

/** Milliseconds. A longer wait of an erasure is for requests that began before it, and here none is running any more. */
const longestWait = 1000;

/** Removes what the walk made, with the operations of the admin command. */
export async function cleanUp(world: World): Promise<Cleaned> {
  const { installation, teamId, people, clientIds, fileId } = world;
  const dependencies = dependenciesOn(installation.database);
  const files = installation.dropBox();
  const failures: string[] = [];
  const attempt = async (what: string, run: () => Promise<unknown>): Promise<number> => {
    try {
      await run();
      return 1;
    } catch (error) {
      failures.push(`${what}: ${error instanceof Error ? error.message : error}`);
      return 0;
    }
  };
  const count = async (attempts: Iterable<Promise<number>> | AsyncIterable<number>): Promise<number> => {
    let sum = 0;
    for await (const each of attempts) sum += each;
    return sum;
  };
  async function* removals() {
    for await (const { key, version } of files.list(`${teamId}/`)) {
      yield await attempt(`the file ${key}`, () => files.remove(key, version));
    }
  }
  // The files are first, so that the erasures do not have to search them.
  const files_removed = await count(removals());
  // They are not persons, so the list of erasures does not need them.
  const unlisted = { add: async () => {} };
  const erasing = { ...dependencies, files, erasures: unlisted, wait: shortWait, onProgress: () => {} };
  async function* erasures() {
    for (const uniqueId of people)
      yield await attempt(`the contact ${uniqueId}`, () => erasePerson(erasing, teamId, uniqueId));
  }
  const contacts_erased = await count(erasures());
  const revoke = (id: string) => attempt(`the client ${id}`, () => revokeClient(dependencies, id, 'administrator'));
  const clients_revoked = await count([...clientIds].map(revoke));
  const images = installation.images();
  const images_removed = await attempt('the image', () => removeFile({ ...dependencies, images }, teamId, fileId));
  return { contacts_erased, clients_revoked, images_removed, files_removed, failures, remains: remainsOf(world) };
}

const shortWait = async (milliseconds: number): Promise<void> => {
  if (milliseconds <= longestWait) await sleep(milliseconds);
};

const remainsOf = ({ teamId }: World): string[] => [
  `the team ${teamId} with its content, its revoked clients, its accounts (which name no person) and its product`,
  'its batches, until they expire; the audit log',
];

import { setTimeout as sleep } from 'node:timers/promises';
import { erasePerson } from '../../lib/operations/person/erase.ts';
import { revokeClient } from '../../lib/operations/revoke-client.ts';
import { removeFile } from '../../lib/operations/team-files.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import type { StoredObject } from '../../lib/store/drop-box-files.ts';
import { together } from '../demo/together.ts';
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

/** Erasures and removals at a time. */
const atOnce = 8;

/** Removes what the walk made, with the operations of the admin command. */
export async function cleanUp(world: World): Promise<Cleaned> {
  const { installation, teamId, people, clientIds, fileId } = world;
  const dependencies = dependenciesOn(installation.database);
  const files = installation.dropBox();
  const images = installation.images();
  const failures: string[] = [];
  /** Returns how many succeeded. */
  const each = async <T>(what: string, values: Iterable<T>, run: (value: T) => Promise<unknown>): Promise<number> => {
    const results = await together([...values], atOnce, async (value) => {
      try {
        await run(value);
        return 1;
      } catch (error) {
        failures.push(`${what}: ${error instanceof Error ? error.message : error}`);
        return 0;
      }
    });
    return results.reduce((sum: number, result) => sum + result, 0);
  };
  // The files are first, so that the erasures do not have to search them.
  const dropped: StoredObject[] = [];
  for await (const object of files.list(`${teamId}/`)) dropped.push(object);
  const files_removed = await each('a dropped file', dropped, ({ key, version }) => files.remove(key, version));
  // They are not persons, so the list of erasures does not need them.
  const unlisted = { add: async () => {} };
  const erasing = { ...dependencies, files, erasures: unlisted, wait: shortWait, onProgress: () => {} };
  const contacts_erased = await each('a contact', people, (uniqueId) => erasePerson(erasing, teamId, uniqueId));
  const clients_revoked = await each('a client', clientIds, (id) => revokeClient(dependencies, id, 'administrator'));
  const images_removed = await each('the image', [fileId], (id) => removeFile({ ...dependencies, images }, teamId, id));
  return { contacts_erased, clients_revoked, images_removed, files_removed, failures, remains: remainsOf(world) };
}

const shortWait = async (milliseconds: number): Promise<void> => {
  if (milliseconds <= longestWait) await sleep(milliseconds);
};

const remainsOf = ({ teamId }: World): string[] => [
  `the team ${teamId} with its content, its revoked clients, its accounts (which name no person) and its product`,
  'its batches, until they expire; the audit log',
];

import type { DroppedFile } from '../../domain/drop-box/drop.ts';
import type { ObjectStore } from '../../store/aws/objects.ts';
import {
  type DropState,
  type ImportedVersion,
  loadDrop,
  loadImportedVersion,
  saveImportedVersion,
} from '../../store/drop-box/drop-files.ts';
import { derivedFileId } from '../../store/table/ids.ts';
import type { DropService } from '../service.ts';
import { LeaseLost } from './state.ts';

/** Milliseconds that an empty version waits for the next one: a gateway creates a file before it writes it. */
const emptyWait = 60_000;

/**
 * What is to be done with a version of a file that has no state yet. `passed over`: it is empty, and another one
 * followed. `waitsFor`: seconds until it is certain that nothing follows an empty one. `repeats`: the version before has
 * the same bytes.
 */
export type VersionVerdict = 'import' | 'passed over' | { waitsFor: number } | { repeats: DropState };

/** @throws LeaseLost */
export async function judgeVersion(
  { objects, database, now }: DropService,
  teamId: string,
  { key, version, received_at, size, etag }: DroppedFile,
): Promise<VersionVerdict> {
  const own = size === undefined || etag === undefined ? await objects.describe(key, version) : { version, size, etag };
  if (!own) return 'import';
  if (own.size === 0) {
    const newest = await objects.describe(key);
    if (newest && newest.version !== version) return 'passed over';
    const left = Date.parse(received_at ?? '') + emptyWait - now();
    if (left > 0) return { waitsFor: Math.ceil(left / 1000) };
  }
  const before = await loadImportedVersion(database, teamId, key);
  if (before?.version === version) return 'import';
  if (before && (await haveSameBytes(objects, key, own, before))) {
    const state = (await loadDrop(database, teamId, derivedFileId(key, before.version)))?.state;
    // What could not be read may be readable now.
    if (state && !state.isUnreadable && !state.givenUp) return { repeats: state };
  }
  if (!(await saveImportedVersion(database, teamId, key, own, before, now()))) throw new LeaseLost();
  return 'import';
}

/** ETags of the same bytes differ if KMS encrypts them or the parts of the upload differ. Then the checksums tell. */
async function haveSameBytes(
  objects: ObjectStore,
  key: string,
  own: ImportedVersion,
  before: ImportedVersion,
): Promise<boolean> {
  if (own.size !== before.size) return false;
  if (own.etag === before.etag) return true;
  const described = [objects.describe(key, own.version), objects.describe(key, before.version)];
  const [mine, others] = (await Promise.all(described)).map((each) => each?.checksums ?? {});
  return Object.entries(mine!).some(([name, value]) => others![name] === value);
}

import type { JsonValue } from '../../../../lib/domain/json.ts';
import { Problem } from '../../../../lib/domain/problem.ts';
import { isSandbox } from '../../../../lib/domain/sandbox.ts';
import { type ImportContentDependencies, importContent } from '../content.ts';
import { type FillDependencies, fillLookups } from '../fill-lookups.ts';
import { type ClearDependencies, clearTeam } from './clear.ts';
import { type SandboxData, type SeedDependencies, seedTeam } from './seed.ts';

export type ResetDependencies = ClearDependencies &
  SeedDependencies &
  ImportContentDependencies &
  FillDependencies & { onProgress(text: string): void };

/** What a reset deleted and created. */
export type ResetReport = { deleted_items: number; contacts: number; batches: number; journeys: number };

/**
 * Deletes the data of a sandbox team and creates its test data. If it is interrupted, call it again: every step can be
 * repeated.
 * @param content the campaigns, as `content import` takes them
 * @throws Problem `conflict` for any other team, before anything is read or written
 */
export async function resetTeam(
  dependencies: ResetDependencies,
  teamId: string,
  { content, data }: { content: JsonValue; data: SandboxData },
): Promise<ResetReport> {
  if (!isSandbox(teamId)) throw new Problem('conflict', [notSandbox]);
  const { onProgress } = dependencies;
  onProgress('deleting the data of the team');
  const deleted_items = await clearTeam(dependencies, teamId);
  onProgress('creating the test data');
  await importContent(dependencies, teamId, content, { replaces: true });
  await seedTeam(dependencies, teamId, data);
  await fillLookups(dependencies, teamId);
  const { contacts, batches, journeys } = data;
  return { deleted_items, contacts: contacts.length, batches: batches.length, journeys: journeys.length };
}

export const notSandbox = { path: '--team', message: 'is not a sandbox team; only team create --sandbox makes one' };

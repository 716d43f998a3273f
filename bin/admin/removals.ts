import { setTimeout as wait } from 'node:timers/promises';
import type { BatchStatus } from '../../lib/domain/batch-responses.ts';
import { newId } from '../../lib/runtime/base.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import type { Database } from '../../lib/store/database.ts';
import { loadImportState } from '../../lib/store/import-work.ts';
import { ProductRegistry } from '../../lib/store/products.ts';
import type { Installation } from './installation.ts';
import type { RemoveDependencies } from './operations/imports/remove.ts';
import { lastOrder } from './operations/person/names.ts';
import { watchCommand } from './text.ts';

/** What the verbs that remove accounts and links have in common. */

export const newRemovalId = (): string => `remove-${newId()}`;

/** If the wake is lost, the sweeper wakes the team within two minutes. */
export const removeDependencies = ({ database, importQueue, retention }: Installation): RemoveDependencies => ({
  ...dependenciesOn(database),
  products: new ProductRegistry(database),
  queue: importQueue(),
  payloadDays: retention.days.payloads,
  onLostWake: () => {},
  wait,
});

/** The number of chunks that were accepted and are not closed, and of those that failed. */
export async function chunksAtWork(database: Database, teamId: string): Promise<{ open: number; failed: number }> {
  const { left, failed } = await loadImportState(database, teamId);
  return { open: (await lastOrder(database, teamId)) - left, failed };
}

/** True if a chunk that was accepted before can still create accounts and links. */
export async function isAtWork(database: Database, teamId: string): Promise<boolean> {
  const { open, failed } = await chunksAtWork(database, teamId);
  return open + failed > 0;
}

/** What has become of the removal. `done` describes it if it is applied. */
export const removalText = ({ status, batch_id }: BatchStatus, teamId: string, done: string): string =>
  status === 'completed'
    ? done
    : `The removal is accepted and not applied yet: chunks before it are. To watch: ${watchCommand(batch_id, teamId)}`;

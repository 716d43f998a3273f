import { newSecret, newSlug } from '../../../lib/auth/secrets.ts';
import type { Caller } from '../../../lib/domain/access/caller.ts';
import type { ParsedContact } from '../../../lib/domain/contacts/contact-record.ts';
import { fits } from '../../../lib/http/reply.ts';
import * as update from '../../../lib/operations/contacts/update.ts';
import * as upsert from '../../../lib/operations/contacts/upsert.ts';
import type { CompletionWorkService } from '../../../lib/operations/events/work-completions.ts';
import { startJourneys } from '../../../lib/operations/journeys/start.ts';
import type { ContactService, ImportService, JourneyService, Settings } from '../../../lib/operations/service.ts';
import { ProductCache, ProductRegistry } from '../../../lib/store/accounts/products.ts';
import { ContentCache } from '../../../lib/store/campaigns/content.ts';
import { requestSweep } from '../../../lib/store/erasure/erasure-requests.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { ModelQueue } from '../models/model-queue.ts';

export type TestedService = JourneyService & ImportService & Settings & Pick<CompletionWorkService, 'publish'>;

/** What operations get in a test. No two services share a cache. The pauses are short. */
export const serviceOn = (database: Database, changes: Partial<TestedService> = {}): TestedService => ({
  ...{ database, now: Date.now, newId: () => crypto.randomUUID(), newSecret, newSlug },
  pause: (round) => new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(10 * 2 ** round, 250))),
  wait: async () => {},
  ...{ baseUrl: 'https://example.com', scanUnits: 1000, retentionDays: 400, payloadDays: 30 },
  ...{ eventRetentionDays: 30, eventEpoch: '' },
  content: new ContentCache(database, changes.now ?? Date.now),
  productCache: new ProductCache(database),
  products: new ProductRegistry(database),
  queue: new ModelQueue(),
  onLostWake: () => {},
  publish: async () => {},
  onErased: (...erased) => requestSweep(serviceOn(database, changes), ...erased),
  ...changes,
});

/** A client of the team, with the scope `contacts:private` or without. */
export const callerOf = (teamId: string, clientId = 'client', isPrivate = true): Caller => ({
  ...{ teamId, clientId },
  scopes: new Set(isPrivate ? (['contacts:private'] as const) : []),
});

const callOf = (teamId: string) => ({ teamId, clientId: 'test' });

/** As the endpoint: starts the journeys for which the record asks, too. */
export async function upsertContact(service: ContactService, teamId: string, record: ParsedContact) {
  const { journeys, ...upserted } = await upsert.upsertContact(service, callOf(teamId), record);
  await startJourneys(service, teamId, journeys);
  return upserted;
}

export async function upsertBatch(
  service: ContactService,
  teamId: string,
  records: readonly ParsedContact[],
  parts: Parameters<typeof upsert.upsertBatch>[3] = { fits },
) {
  const { batch, journeys } = await upsert.upsertBatch(service, callOf(teamId), records, parts);
  await startJourneys(service, teamId, journeys);
  return batch;
}

export async function updateContact(
  service: ContactService,
  teamId: string,
  ...parts: Parameters<typeof update.updateContact> extends [unknown, unknown, ...infer Rest] ? Rest : never
) {
  const { journeys, ...updated } = await update.updateContact(service, callOf(teamId), ...parts);
  await startJourneys(service, teamId, journeys);
  return updated;
}

import { randomUUID } from 'node:crypto';
import { newSecret, newSlug } from '../../lib/auth/secrets.ts';
import { accountRecord } from '../../lib/domain/account-record.ts';
import type { ListParameters } from '../../lib/domain/contact-list.ts';
import { identityErrors, parsedContact } from '../../lib/domain/contact-record.ts';
import { type JsonObject, parseJson } from '../../lib/domain/json.ts';
import { channelContent } from '../../lib/operations/channel-content.ts';
import { listContacts } from '../../lib/operations/contacts/list.ts';
import { upsertContact } from '../../lib/operations/contacts/upsert.ts';
import { createTeam } from '../../lib/operations/create-team.ts';
import { fillLookups } from '../../lib/operations/fill-lookups.ts';
import { importContent } from '../../lib/operations/import-content.ts';
import { acceptBatch } from '../../lib/operations/imports/accept.ts';
import { workTeam } from '../../lib/operations/imports/work.ts';
import { createJourney } from '../../lib/operations/journeys/create.ts';
import { loadContact } from '../../lib/store/contacts.ts';
import { ContentCache } from '../../lib/store/content.ts';
import type { Database } from '../../lib/store/database.ts';
import { derivedContactId } from '../../lib/store/ids.ts';
import { ProductCache, ProductRegistry } from '../../lib/store/products.ts';
import { benchRecord } from '../records.ts';

/** Records of the import that is measured. */
const importedRecords = 500;

export type Operation = {
  name: string;
  /** @param n a number that no other call has */
  run(n: number): Promise<unknown>;
  /** Calls that are measured. */
  calls: number;
  /** What one call does this often; costs and times are divided by it. */
  parts?: number;
};

const record = (fields: object) => parsedContact(identityErrors).parse(parseJson(JSON.stringify(fields)) as JsonObject);

/** A team with a campaign and a declared lookup, and the operations on it. */
export async function growingTeam(database: Database, count: () => number) {
  const template = { id: randomUUID(), name: 'Welcome', status: 'live', is_cce_enabled: true, template_pages: [] };
  const channel = { id: randomUUID(), name: 'Web', lookup_fields: ['meta_private[core_id]'] };
  const dependencies = {
    ...{ database, now: Date.now, newId: () => randomUUID(), newSecret, newSlug, writer: 'bench' },
    ...{ pause: async () => {}, wait: async () => {}, fits: () => true, onLostWake: () => {} },
    ...{ content: new ContentCache(database, Date.now), productCache: new ProductCache(database) },
    ...{ products: new ProductRegistry(database), queue: { wake: async () => {}, postpone: async () => {} } },
    ...{ scanUnits: Number.MAX_SAFE_INTEGER, baseUrl: 'https://example.com' },
  };
  const { team_id: teamId } = await createTeam(dependencies, { name: 'Bench', features: [] });
  await importContent(dependencies, teamId, { engagement_channels: [channel], templates: [template] });
  await fillLookups(dependencies, teamId);
  const caller = { teamId, clientId: 'bench', readsPrivate: true };
  const list = (parameters: ListParameters) => listContacts(dependencies, caller, { limit: 20, ...parameters });
  const idOf = (n: number) => derivedContactId(teamId, `c${n % count()}`);
  let last = 0;
  const upsert = (n: number) => {
    last = n;
    return upsertContact(dependencies, teamId, record({ unique_id: `new-${n}`, name_first: 'Jana', city: 'Pisek' }));
  };
  const lookup = (n: number) =>
    channelContent(dependencies, caller, channel.id, {
      field: { name: 'meta_private', key: 'core_id' },
      value: `core-${n % count()}`,
    });
  const start = (n: number) =>
    createJourney(dependencies, teamId, template.id, {
      contact: { id: idOf(n) },
      change: { name: undefined, owner_id: undefined, source: undefined },
      errors: [],
    });
  const importChunk = async (n: number) => {
    const numbers = Array.from({ length: importedRecords }, (_, at) => `${n * importedRecords + at}`);
    const records = numbers.map((number) => accountRecord.parse(benchRecord(number)));
    const pair = { batch_id: `bench-${n}`, chunk_index: 0 };
    const posted = { type: 'account' as const, ...pair, chunk_count: undefined, records };
    await acceptBatch(dependencies, teamId, { pair, namesChunkCount: false, digest: () => '', validate: () => posted });
    await workTeam(dependencies, teamId, () => true);
  };
  const operations: Operation[] = [
    { name: 'upsert, new contact', calls: 30, run: upsert },
    { name: 'upsert, unchanged', calls: 30, run: () => upsert(last) },
    { name: 'get by id', calls: 30, run: (n) => loadContact(database, teamId, idOf(n)) },
    { name: 'lookup', calls: 30, run: lookup },
    { name: 'list', calls: 10, run: () => list({}) },
    { name: 'list, newest first', calls: 10, run: () => list({ sort_direction: 'desc' }) },
    { name: 'create journey', calls: 20, run: start },
    { name: 'import record', calls: 3, run: importChunk, parts: importedRecords },
    { name: 'search', calls: 3, run: (n) => list({ search: `core-${n % count()}` }) },
    { name: 'sorted list', calls: 3, run: () => list({ sort_column: 'city' }) },
  ];
  return { teamId, operations };
}

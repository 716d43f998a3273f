import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { LocalDescription } from '../bin/local/data-directory.ts';
import { localAccess } from '../bin/local/environment.ts';
import { newSecret } from '../lib/auth/secrets.ts';
import { noDetails } from '../lib/domain/contact.ts';
import { defaultScanUnits } from '../lib/domain/scan-budget.ts';
import { channelContent } from '../lib/operations/channel-content.ts';
import { createClient } from '../lib/operations/create-client.ts';
import { createTeam } from '../lib/operations/create-team.ts';
import { fillLookups } from '../lib/operations/fill-lookups.ts';
import { importContent } from '../lib/operations/import-content.ts';
import { writeOfContact } from '../lib/store/contacts.ts';
import { ContentCache, loadLookups } from '../lib/store/content.ts';
import type { Database } from '../lib/store/database.ts';
import { DynamoDatabase } from '../lib/store/dynamodb.ts';
import { derivedContactId } from '../lib/store/ids.ts';
import { ProductCache } from '../lib/store/products.ts';
import { tableClient } from '../lib/store/table-client.ts';
import { median, percentile, rounded, secondsOf } from './measure.ts';

const sizes = [100, 100_000];
const indexedRequests = 200;
/** In the largest team one lookup takes about a second. */
const unindexedRequests = 9;
/** More requests at once would wait for the engine longer than their time limit when it is slow. */
const contactsAtOnce = 250;

export type LookupResult = {
  contacts: number;
  /** The cost of one indexed lookup, by an instance with empty caches and by one that has cached the content. */
  indexed_cost: { cold: Cost; warm: Cost };
  indexed_p50_ms: number;
  indexed_p99_ms: number;
  unindexed_p50_ms: number;
};

type Cost = { requests: number; read_units: number };

/** Channel lookups among few and among many contacts, by a declared field and by an undeclared one. */
export async function benchLookup(local: LocalDescription): Promise<LookupResult[]> {
  const client = tableClient({ endpoint: local.dynamodb_endpoint, ...localAccess });
  const database = new DynamoDatabase({ tableName: local.table_name, client });
  const results: LookupResult[] = [];
  try {
    for (const contacts of sizes) results.push(await benchTeam(local, client, database, contacts));
  } finally {
    client.destroy();
  }
  const [few, ...more] = results.map(({ indexed_cost }) => JSON.stringify(indexed_cost));
  if (more.some((cost) => cost !== few)) throw new Error('an indexed lookup costs more among more contacts');
  return results;
}

async function benchTeam(
  { base_url: baseUrl, table_name: tableName }: LocalDescription,
  client: DynamoDBDocumentClient,
  database: DynamoDatabase,
  contacts: number,
): Promise<LookupResult> {
  const channel = randomUUID();
  const { teamId, authorization } = await newTeam(baseUrl, database, channel);
  await putContacts(database, teamId, contacts);
  const ask = async (query: string) => {
    const url = `${baseUrl}/v1/engagement-channels/${channel}/content-containers/search?${query}`;
    const response = await fetch(url, { headers: { authorization } });
    if (response.status !== 200) throw new Error(`the lookup failed with status ${response.status}`);
    await response.arrayBuffer();
  };
  const any = () => Math.floor(Math.random() * contacts);
  const indexed = await timesOf(indexedRequests, () => ask(`meta_private[core_id]=core-${any()}`));
  const unindexed = await timesOf(unindexedRequests, () => ask(`meta_private[other_id]=other-${any()}`));
  return {
    contacts,
    indexed_cost: await costsOf(client, tableName, { teamId, channel, core: `core-${any()}` }),
    indexed_p50_ms: median(indexed),
    indexed_p99_ms: percentile(indexed, 0.99),
    unindexed_p50_ms: median(unindexed),
  };
}

/** Runs the operation twice. The engine counts the cost. */
async function costsOf(
  client: DynamoDBDocumentClient,
  tableName: string,
  { teamId, channel, core }: { teamId: string; channel: string; core: string },
): Promise<LookupResult['indexed_cost']> {
  const total = { requests: 0, read_units: 0 };
  const database = new DynamoDatabase({
    tableName,
    client,
    onConsumed: ({ readUnits }) => {
      total.requests++;
      total.read_units += readUnits;
    },
  });
  const dependencies = {
    database,
    content: new ContentCache(database, Date.now),
    productCache: new ProductCache(database),
    now: Date.now,
    pause: async () => {},
    scanUnits: defaultScanUnits,
    baseUrl: 'https://example.com',
  };
  const lookup = { field: { name: 'meta_private', key: 'core_id' } as const, value: core };
  const cost = async (): Promise<Cost> => {
    Object.assign(total, { requests: 0, read_units: 0 });
    await channelContent(dependencies, { teamId, clientId: 'bench' }, channel, lookup);
    return { ...total };
  };
  return { cold: await cost(), warm: await cost() };
}

/** Milliseconds of each request, one after another, after three warm-up requests. */
async function timesOf(count: number, request: () => Promise<void>): Promise<number[]> {
  for (let n = 0; n < 3; n++) await request();
  const times: number[] = [];
  for (let n = 0; n < count; n++) times.push(rounded(1000 * (await secondsOf(request))));
  return times;
}

const immediately = async () => {};

async function newTeam(baseUrl: string, database: DynamoDatabase, channel: string) {
  const dependencies = { database, now: Date.now, newId: () => randomUUID(), newSecret, pause: immediately };
  const { team_id: teamId } = await createTeam(dependencies, { name: 'Bench', features: [] });
  const content = { engagement_channels: [{ id: channel, name: 'Web', lookup_fields: ['meta_private[core_id]'] }] };
  await importContent({ ...dependencies, fits: () => true }, teamId, content);
  await fillLookups({ ...dependencies, wait: immediately }, teamId);
  const { client_id, client_secret } = await createClient(dependencies, teamId);
  const response = await fetch(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return { teamId, authorization: `Bearer ${access_token}` };
}

/** Writes directly into the table, because writing through the API would take longer than the whole benchmark. */
export async function putContacts(database: Database, teamId: string, contacts: number, first = 0): Promise<void> {
  const lookups = await loadLookups(database, teamId);
  const now = Date.now();
  for (let from = first; from < contacts; from += contactsAtOnce) {
    const numbers = Array.from({ length: Math.min(contactsAtOnce, contacts - from) }, (_, n) => from + n);
    const writes = numbers.map((n) => {
      const id = derivedContactId(teamId, `c${n}`);
      // A list reads all contacts of one instant together.
      const at = new Date(now - n).toISOString();
      const meta_private = { core_id: `core-${n}`, other_id: `other-${n}` };
      const person = { ...noDetails, name_first: 'Jana', name_last: 'Novotna', city: 'Pisek', meta_private };
      const contact = { ...person, id, unique_id: `c${n}`, inserted_at: at, updated_at: at };
      return writeOfContact(teamId, contact, undefined, lookups, { writer: 'bench' });
    });
    await database.write(writes);
  }
}

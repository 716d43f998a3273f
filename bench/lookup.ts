import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { LocalDescription } from '../bin/local/data-directory.ts';
import { newSecret } from '../lib/auth/secrets.ts';
import { noDetails } from '../lib/domain/contact.ts';
import { channelContent } from '../lib/operations/channel-content.ts';
import { createClient } from '../lib/operations/create-client.ts';
import { createTeam } from '../lib/operations/create-team.ts';
import { fillLookups } from '../lib/operations/fill-lookups.ts';
import { importContent } from '../lib/operations/import-content.ts';
import { writeOfContact } from '../lib/store/contacts.ts';
import { ContentCache, loadLookups } from '../lib/store/content.ts';
import { DynamoDatabase } from '../lib/store/dynamodb.ts';
import { derivedContactId } from '../lib/store/keys.ts';
import { ProductCache } from '../lib/store/products.ts';
import { median, percentile, rounded, secondsOf } from './measure.ts';

const sizes = [100, 100_000];
const indexedRequests = 200;
/** Of the largest team one takes a second or so. */
const unindexedRequests = 9;
const contactsAtOnce = 2500;

export type LookupResult = {
  contacts: number;
  /** What one indexed lookup asks of the table, by an instance that has nothing and by one that has the content. */
  indexed_cost: { cold: Cost; warm: Cost };
  indexed_p50_ms: number;
  indexed_p99_ms: number;
  unindexed_p50_ms: number;
};

type Cost = { requests: number; read_units: number };

/** The channel lookup of one contact among few and among many, by a declared field and by one that is not. */
export async function benchLookup(local: LocalDescription): Promise<LookupResult[]> {
  const client = new DynamoDBClient({ endpoint: local.dynamodb_endpoint, ...localAccess, maxAttempts: 1 });
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

const localAccess = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

async function benchTeam(
  { base_url: baseUrl, table_name: tableName }: LocalDescription,
  client: DynamoDBClient,
  database: DynamoDatabase,
  contacts: number,
): Promise<LookupResult> {
  const channel = randomUUID();
  const { teamId, authorization } = await newTeam(baseUrl, database, channel);
  await load(database, teamId, contacts);
  const ask = async (query: string) => {
    const address = `${baseUrl}/v1/engagement-channels/${channel}/content-containers/search?${query}`;
    const answer = await fetch(address, { headers: { authorization } });
    if (answer.status !== 200) throw new Error(`the lookup answered ${answer.status}`);
    await answer.arrayBuffer();
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

/** The same lookup twice by the operation itself, as the engine counts it. */
async function costsOf(
  client: DynamoDBClient,
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
    baseUrl: 'https://example.com',
  };
  const lookup = { field: { name: 'meta_private', key: 'core_id' } as const, value: core };
  const cost = async (): Promise<Cost> => {
    Object.assign(total, { requests: 0, read_units: 0 });
    await channelContent(dependencies, teamId, channel, lookup);
    return { ...total };
  };
  return { cold: await cost(), warm: await cost() };
}

/** Milliseconds of each request, one after another; the first ones only warm up. */
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
  const answer = await fetch(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  return { teamId, authorization: `Bearer ${access_token}` };
}

/** Straight into the table: through the interface this would take the rest of the bench's time. */
async function load(database: DynamoDatabase, teamId: string, contacts: number): Promise<void> {
  const lookups = await loadLookups(database, teamId);
  const at = new Date().toISOString();
  for (let from = 0; from < contacts; from += contactsAtOnce) {
    const numbers = Array.from({ length: Math.min(contactsAtOnce, contacts - from) }, (_, n) => from + n);
    const writes = numbers.map((n) => {
      const id = derivedContactId(teamId, `c${n}`);
      const meta_private = { core_id: `core-${n}`, other_id: `other-${n}` };
      const person = { ...noDetails, name_first: 'Jana', name_last: 'Novotna', city: 'Pisek', meta_private };
      const contact = { ...person, id, unique_id: `c${n}`, inserted_at: at, updated_at: at };
      return writeOfContact(teamId, contact, undefined, lookups);
    });
    await database.write(writes);
  }
}

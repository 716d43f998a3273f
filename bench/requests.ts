import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import autocannon, { type Request } from 'autocannon';
import type { LocalDescription } from '../bin/local/description.ts';
import { localAccess } from '../bin/local/functions/environment.ts';
import { ensureTable } from '../bin/local/storage/table.ts';
import { shortRequests } from '../lib/store/aws/connections.ts';
import { contactKey } from '../lib/store/table/keys.ts';
import { together } from '../lib/store/table/together.ts';
import type { Service } from './functions/first-requests.ts';
import { median, rounded, secondsOf } from './measure.ts';

const atOnce = 16;
const rounds = 3;
const bareCalls = 5000;
const seconds = 5;
const warmUpSeconds = 1;

export type RequestsResult = {
  /** Requests a second, medians of the rounds. */
  upserts: number;
  reads: number;
  /** Requests a second divided by bare calls a second, one ratio for each round: the spread is the noise. */
  upserts_to_puts: number[];
  reads_to_gets: number[];
};

/**
 * Upserts of new contacts beside conditional puts of the same item, and reads of a contact beside bare reads of its item,
 * each with 16 at once on the same engine, one after the other.
 */
export async function benchRequests({ local, authorization }: Service, contactId: string): Promise<RequestsResult> {
  const headers = { authorization, 'content-type': 'application/json' };
  const access = { endpoint: local.dynamodb_endpoint, ...localAccess };
  const engine = new DynamoDBClient({ ...access, requestHandler: shortRequests });
  const bare = await bareClient(engine, local, contactId);
  const measured: Record<'upserts' | 'puts' | 'reads' | 'gets', number>[] = [];
  for (let round = 0; round < rounds; round++) {
    measured.push({
      upserts: await load(local.base_url, { method: 'POST', headers, path: '/v1/contacts' }, newContact),
      puts: await callsASecond((n) => bare.put(`${round}-${n}`)),
      reads: await load(local.base_url, { method: 'GET', headers, path: `/v1/contacts/${contactId}` }),
      gets: await callsASecond(bare.get),
    });
  }
  engine.destroy();
  const middle = (of: 'upserts' | 'reads') => rounded(median(measured.map((round) => round[of])));
  return {
    upserts: middle('upserts'),
    reads: middle('reads'),
    upserts_to_puts: measured.map(({ upserts, puts }) => rounded(upserts / puts)),
    reads_to_gets: measured.map(({ reads, gets }) => rounded(reads / gets)),
  };
}

let contacts = 0;
const run = Date.now();

const newContact = (request: Request): Request => ({
  ...request,
  body: JSON.stringify({
    unique_id: `bench-${run}-${contacts++}`,
    name_first: 'Jana',
    name_last: 'Novotna',
    email: 'jana@example.com',
    city: 'Pisek',
    email_opted_in: true,
    meta_private: { district: { id: 18 } },
  }),
});

/** Reads the item of the contact, and puts it into a table of its own, each time under another key. */
async function bareClient(engine: DynamoDBClient, { team_id, table_name }: LocalDescription, contactId: string) {
  const client = DynamoDBDocumentClient.from(engine);
  const read = { TableName: table_name, Key: contactKey(team_id, contactId), ConsistentRead: true };
  const { Item: item } = await client.send(new GetCommand(read));
  const TableName = 'bench-puts';
  await ensureTable(engine, TableName);
  return {
    get: () => client.send(new GetCommand(read)),
    put: (suffix: string) => {
      const Item = { ...item, pk: `${item?.pk}-${suffix}` };
      return client.send(new PutCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' }));
    },
  };
}

async function callsASecond(call: (n: number) => Promise<unknown>): Promise<number> {
  const numbers = Array.from({ length: bareCalls }, (_, n) => n);
  return bareCalls / (await secondsOf(() => together(numbers, atOnce, call)));
}

/** Requests a second, after a warm-up. @throws Error if a request failed */
async function load(url: string, request: Request, setupRequest?: (request: Request) => Request): Promise<number> {
  const requests = [{ ...request, ...(setupRequest ? { setupRequest } : {}) }];
  const drive = (duration: number) => autocannon({ url, connections: atOnce, duration, requests });
  await drive(warmUpSeconds);
  const { errors, timeouts, non2xx, requests: sent, duration } = await drive(seconds);
  if (errors + timeouts + non2xx > 0) throw new Error(`${request.path} failed under load`);
  return sent.total / duration;
}

import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { LocalDescription } from '../bin/local/data-directory.ts';
import { localAccess } from '../bin/local/environment.ts';
import { newSecret } from '../lib/auth/secrets.ts';
import type { ListParameters } from '../lib/domain/contact-list.ts';
import { listContacts } from '../lib/operations/contacts/list.ts';
import { createTeam } from '../lib/operations/create-team.ts';
import { DynamoDatabase } from '../lib/store/dynamodb.ts';
import { tableClient } from '../lib/store/table-client.ts';
import { putContacts } from './lookup.ts';
import { rounded, secondsOf } from './measure.ts';

const sizes = [1000, 10_000, 100_000];
const pagesBehind = 10;

export type ListResult = { contacts: number; list: string; requests: number; read_units: number; ms: number };

/** What a page of the list of contacts costs, by the number of contacts of the team. The engine counts the units. */
export async function benchLists({ dynamodb_endpoint, table_name }: LocalDescription): Promise<ListResult[]> {
  const client = tableClient({ endpoint: dynamodb_endpoint, ...localAccess });
  try {
    const results: ListResult[] = [];
    for (const contacts of sizes) results.push(...(await benchTeam(client, table_name, contacts)));
    return results;
  } finally {
    client.destroy();
  }
}

async function benchTeam(client: DynamoDBDocumentClient, tableName: string, contacts: number): Promise<ListResult[]> {
  const total = { requests: 0, read_units: 0 };
  const onConsumed = ({ readUnits }: { readUnits: number }) => {
    total.requests++;
    total.read_units += readUnits;
  };
  const database = new DynamoDatabase({ tableName, client, onConsumed });
  const pause = async () => {};
  const made = { database, now: Date.now, newId: () => randomUUID(), newSecret };
  const { team_id: teamId } = await createTeam(made, { name: 'Bench', features: [] });
  await putContacts(database, teamId, contacts);
  const dependencies = { database, now: Date.now, pause, scanUnits: Number.MAX_SAFE_INTEGER };
  const list = (parameters: ListParameters & { cursor?: string | undefined }) =>
    listContacts(dependencies, { teamId, clientId: 'bench', readsPrivate: true }, { limit: 20, ...parameters });
  const costOf = async (name: string, parameters: Parameters<typeof list>[0]): Promise<ListResult> => {
    await list(parameters);
    Object.assign(total, { requests: 0, read_units: 0 });
    const seconds = await secondsOf(() => list(parameters));
    return { contacts, list: name, ...total, ms: rounded(1000 * seconds) };
  };
  let cursor: string | undefined;
  for (let page = 0; page < pagesBehind; page++) cursor = (await list(cursor ? { cursor } : {})).next_cursor;
  return [
    await costOf('in order of creation', {}),
    await costOf(`page ${pagesBehind + 1} by cursor`, { cursor }),
    await costOf('search, one match', { search: `core-${contacts - 1}` }),
    await costOf('sorted by city', { sort_column: 'city' }),
  ];
}

export const listsText = (results: readonly ListResult[]): string =>
  [
    '| contacts | list | requests | read units | ms |',
    '|---:|---|---:|---:|---:|',
    ...results.map(
      ({ contacts, list, requests, read_units, ms }) =>
        `| ${contacts.toLocaleString('en')} | ${list} | ${requests} | ${read_units} | ${ms} |`,
    ),
  ].join('\n');

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type AttributeValue, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { LocalDescription } from '../../bin/local/description.ts';
import type { Database } from '../../lib/store/database.ts';
import { saveAttempts } from '../../lib/store/identity-checks.ts';
import { failNextChunk, importDependencies, postBatch } from '../support/import-operations.ts';
import { administratorOf, localTable } from '../support/local-table.ts';
import { description, launchService } from '../support/process.ts';
import { send, tokenOf } from '../support/send.ts';

/**
 * Writes a fixture: the items of a team as this release stores them, and the responses of this release. Run it at a
 * release, `node test/stored-data/write.ts <release> <file>`, and commit the file: the next release must read it.
 */

const run = promisify(execFile);
const [, , release = '', target = ''] = process.argv;
const [templateId, pageId, blockId] = [randomUUID(), randomUUID(), randomUUID()];

async function main(): Promise<void> {
  const { directory, stop } = launchService({ onOutput: (text) => process.stdout.write(text) });
  try {
    await write(await description(directory), directory);
  } finally {
    await stop();
  }
}

async function write(local: LocalDescription, directory: string): Promise<void> {
  const admin = async (...args: string[]) => {
    const env = { ...process.env, DATA_DIR: directory };
    const { stdout } = await run(process.execPath, ['bin/admin.ts', ...args, '--json'], { env });
    return JSON.parse(stdout);
  };
  const database = localTable(local);
  const { team_id } = await admin('team', 'create', '--name', `Bank of ${release}`);
  const team = ['--team', team_id] as const;
  const document = join(directory, 'content.json');
  writeFileSync(document, JSON.stringify(content));
  await admin('content', 'import', document, ...team);
  const { client_id, client_secret } = await admin('client', 'create', ...team);
  const token = await tokenOf(local.base_url, { clientId: client_id, clientSecret: client_secret });
  const call: Call = async (method, path, body) => {
    const response = await send(local.base_url, method, path, { token, body });
    if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status}`);
    return response.body;
  };
  const ids = await contacts(call);
  await imports(call);
  await admin('contact', 'change-unique-id', ...team, '--from', 'cif-old', '--to', 'cif-new');
  const journey = await journeyOf(call, ids);
  const none = { attempts: { count: 0, pausedUntil: null }, version: 0 };
  await saveAttempts(database, team_id, ids.ann!, { count: 1, pausedUntil: null }, none);
  await drop(local, team_id);
  await openAndFailedChunks(database, team_id);
  const responses: Record<string, unknown> = {};
  for (const path of pathsOf(ids, journey)) responses[path] = await call('GET', path);
  const fixture = { release, written_at: new Date().toISOString(), team_id, client_id, client_secret };
  const items = await itemsOf(administratorOf(local.dynamodb_endpoint), local.table_name, { team_id, client_id });
  writeFileSync(target, `${JSON.stringify({ ...fixture, ids, journey, responses, items }, undefined, 1)}\n`);
}

const content = {
  objectives: [{ key: 'signed_up', name: 'Signed up' }],
  engagement_channels: [{ id: randomUUID(), name: 'Bank', lookup_fields: ['email'] }],
  templates: [
    {
      id: templateId,
      name: 'Welcome',
      status: 'live',
      template_pages: [
        {
          order: 1,
          page: {
            id: pageId,
            completion_condition: 'confirm',
            is_live: true,
            content_blocks: [{ id: blockId, type: 'agreement', order: 1, data: { agreementText: 'I agree.' } }],
          },
        },
        {
          order: 2,
          page: { id: randomUUID(), completion_condition: 'open', completion_product_type: 'checking', is_live: true },
        },
      ],
    },
  ],
};

// biome-ignore lint/suspicious/noExplicitAny: responses of many shapes
type Call = (method: string, path: string, body?: unknown) => Promise<any>;

async function contacts(call: Call): Promise<Record<string, string>> {
  const ann = {
    ...{ unique_id: 'cif-old', name_first: 'Ann', name_last: 'Lee', email: 'ann@example.com', email_verified: true },
    ...{ phone_mobile: '+420 777 123 456', birthdate: '1985-03-27', post_code: '94110' },
    ...{ meta_public: { segment: 'A1' }, meta_private: { core: { id: 'k-1', limit: 12.5 } }, signed_up: true },
  };
  const bob = { unique_id: 'cif-bob', name_first: 'Bob', meta_private: { note: 'ünïcode' } };
  const { id } = await call('POST', '/v1/contacts', ann);
  await call('POST', '/v1/contacts', { ...ann, city: 'Brno' });
  return { ann: id, bob: (await call('POST', '/v1/contacts', bob)).id };
}

const record = (account_number: string, unique_id: string, fields: object = {}) => ({
  account_number,
  contact: { unique_id, role: 'primary' },
  product: { code: 'CHK', type: 'checking', name: 'Free checking' },
  balance: '10.50',
  meta_public: { colour: 'blue' },
  ...fields,
});

async function imports(call: Call): Promise<void> {
  const batch = { type: 'accounts', batch_id: 'nightly', chunk_index: 0, chunk_count: 1 };
  const records = [
    record('1', 'cif-old'),
    record('2', 'cif-bob'),
    { account_number: '1', contact: { unique_id: 'cif-bob' } },
  ];
  await call('POST', '/v1/batches', { ...batch, records });
  const more = { type: 'accounts', batch_id: 'upload', records: [record('3', 'cif-nobody-yet')] };
  await call('POST', '/v1/batches', more);
  for (const id of ['nightly', 'upload']) {
    while ((await call('GET', `/v1/batches/${id}`)).status !== 'completed') await sleep(100);
  }
}

async function journeyOf(call: Call, { ann }: Record<string, string>): Promise<{ id: string; slug: string }> {
  const { id, slug } = await call('POST', `/v1/templates/${templateId}/journeys`, { contact: { id: ann } });
  await call('POST', `/j/${slug}/actions`, { type: 'page_viewed', page_id: pageId });
  const answers = [{ block_id: blockId, answer: 'accepted' }];
  await call('POST', `/j/${slug}/actions`, { type: 'page_completed', page_id: pageId, answers });
  return { id, slug };
}

async function drop({ drop_box_folder }: LocalDescription, teamId: string): Promise<void> {
  const file = join(drop_box_folder, teamId, 'contacts', 'people.csv');
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, 'unique_id,city\ncif-new,Praha\ncif-dropped,Tábor\n,Nowhere\n');
  while (!existsSync(`${file}.report.json`)) await sleep(100);
}

/** The queue is not told, so the worker applies neither of them. */
async function openAndFailedChunks(database: Database, teamId: string): Promise<void> {
  const dependencies = importDependencies(database);
  await postBatch(dependencies, teamId, { batch_id: 'failed', chunk_index: 0, records: [record('4', 'cif-new')] });
  await failNextChunk(dependencies, teamId);
  await postBatch(dependencies, teamId, {
    batch_id: 'open',
    chunk_index: 0,
    records: [record('1', 'cif-new', { nickname: 'Later' })],
  });
}

const pathsOf = ({ ann, bob }: Record<string, string>, { id }: { id: string }): string[] => [
  ...[`/v1/contacts/${ann}`, `/v1/contacts/${bob}`, '/v1/contacts?limit=10', '/v1/contacts?search=k-1'],
  ...[`/v1/contacts/${ann}/accounts`, `/v1/contacts/${bob}/accounts`],
  ...[`/v1/journeys?contact_id=${ann}`, `/v1/journeys/${id}/responses`],
  ...['/v1/batches', '/v1/batches/nightly', '/v1/batches/failed', '/v1/batches/open'],
  ...['/v1/templates', `/v1/templates/${templateId}/template_pages`, '/v1/objectives', '/v1/engagement-channels'],
];

type Raw = Record<string, AttributeValue>;

/** The items of the team and its client, in DynamoDB's JSON; bytes are base64. */
async function itemsOf(
  client: DynamoDBClient,
  tableName: string,
  of: { team_id: string; client_id: string },
): Promise<unknown[]> {
  const items: Raw[] = [];
  for (let start: Raw | undefined, isFirst = true; isFirst || start; isFirst = false) {
    const page = await client.send(new ScanCommand({ TableName: tableName, ExclusiveStartKey: start }));
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  }
  const text = (item: Raw) =>
    JSON.stringify(item, (_, value) => (value?.B ? { B: Buffer.from(value.B).toString('base64') } : value));
  const texts = items.map(text).filter((each) => each.includes(of.team_id) || each.includes(of.client_id));
  return texts.map((each) => JSON.parse(each)).sort((a, b) => (a.pk.S + a.sk.S < b.pk.S + b.sk.S ? -1 : 1));
}

await main();

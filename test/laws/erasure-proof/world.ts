import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { changeUniqueId } from '../../../bin/admin/operations/contacts/change-unique-id.ts';
import type { LocalDescription } from '../../../bin/local/description.ts';
import { ensureTable } from '../../../bin/local/storage/table.ts';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import { saveAttempts } from '../../../lib/store/journeys/identity-checks.ts';
import type { Item } from '../../../lib/store/table/database.ts';
import type { DynamoDatabase } from '../../../lib/store/table/dynamodb.ts';
import { administratorOf, localTable } from '../../support/engine/local-table.ts';
import { WholeTable } from '../../support/engine/whole-table.ts';
import { send, tokenOf } from '../../support/http/send.ts';
import { withinRate } from '../../support/http/within-rate.ts';
import { putContent } from '../../support/operations/content.ts';
import { failNextChunk, postBatch } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { newCredential, newTeam } from '../../support/operations/teams.ts';
import { until } from '../../support/until.ts';
import * as people from './people.ts';

const agreement = randomUUID();
const survey = randomUUID();
const recordsInChunk = 500;

type Journey = { id: string; slug: string };

/** A team with many contacts, of whom everything is stored that the service can store. */
export class ProofWorld {
  readonly local: LocalDescription;
  database: DynamoDatabase;
  table: WholeTable;
  readonly contacts: number;
  /** By the number of the person. */
  readonly contactIds: string[] = [];
  readonly journeys: Journey[] = [];
  teamId = '';
  readonly #templateId = randomUUID();
  readonly #pageId = randomUUID();
  #token = '';

  constructor(local: LocalDescription, contacts: number) {
    this.local = local;
    this.contacts = contacts;
    [this.database, this.table] = this.#open(local.table_name);
  }

  #open(tableName: string): [DynamoDatabase, WholeTable] {
    const table = localTable({ ...this.local, table_name: tableName });
    return [table, new WholeTable(this.#administrator(), tableName)];
  }

  #administrator() {
    return administratorOf(this.local.dynamodb_endpoint);
  }

  /** Like a restore from a backup, it makes another table, which the functions do not use yet. */
  async restore(items: readonly Item[]): Promise<void> {
    const name = `restored-${randomUUID()}`;
    await ensureTable(this.#administrator(), name);
    [this.database, this.table] = this.#open(name);
    await this.table.restore(items);
  }

  /** @param broken persons whose rows are in a file that cannot be read, which an erasure deletes */
  async load(broken: readonly number[], onProgress: (text: string) => void): Promise<void> {
    await this.#prepare();
    onProgress('contacts');
    await this.#postContacts();
    onProgress('accounts');
    await this.#importAccounts();
    onProgress('journeys');
    await this.#journeys();
    onProgress('dropped files');
    await this.#dropFiles(broken);
    await this.#openAndFailedChunks();
  }

  everybody(chosen: (person: number) => boolean = () => true): number[] {
    return Array.from({ length: this.contacts }, (_, person) => person).filter(chosen);
  }

  request(method: string, path: string, body?: unknown, token = this.#token) {
    return withinRate(() => send(this.local.base_url, method, path, { body, token }));
  }

  async #send(method: string, path: string, body: unknown, expected: number) {
    const answer = await this.request(method, path, body);
    if (answer.status !== expected)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async #prepare(): Promise<void> {
    this.teamId = await newTeam(this.database);
    const block = (id: string, type: string, data: object) => ({ id, type, order: 1, data });
    const text = { agreementText: 'I, {{name_first}} {{name_last}}, agree.', signatureBoxText: 'Your name' };
    const page = {
      id: this.#pageId,
      completion_condition: 'confirm',
      is_live: true,
      content_blocks: [
        block(agreement, 'agreement', text),
        block(survey, 'survey', { questions: [{ key: 'else', text: 'What else, {{name_first}}?' }] }),
      ],
    };
    await putContent(this.database, this.teamId, {
      engagement_channels: [{ id: randomUUID(), name: 'Bank', lookup_fields: ['email', 'meta_private[core.id]'] }],
      templates: [{ id: this.#templateId, name: 'Welcome', status: 'live', template_pages: [{ order: 1, page }] }],
    });
    this.#token = await tokenOf(this.local.base_url, await newCredential(this.database, this.teamId));
  }

  async #postContacts(): Promise<void> {
    await inLanes(parts(this.everybody(), recordsInChunk), 2, async (part) => {
      const { new_contacts } = await this.#send('POST', '/v1/contacts', { contacts: part.map(people.contactOf) }, 200);
      for (const [at, { id }] of (new_contacts as { id: string }[]).entries()) this.contactIds[part[at]!] = id;
    });
  }

  async #importAccounts(): Promise<void> {
    const records = this.everybody().flatMap((person) => people.accountsOf(person));
    for (const [chunk_index, part] of parts(records, recordsInChunk).entries()) {
      const batch = { type: 'accounts', batch_id: 'nightly', chunk_index, records: part };
      await this.#send('POST', '/v1/batches', batch, 202);
    }
    const batch = () => this.request('GET', '/v1/batches/nightly');
    await until('the batch is completed', batch, ({ body }) => body.status === 'completed', 600);
    for (const person of this.everybody(people.isRenamed)) {
      const names = { from: people.formerIdOf(person), to: people.uniqueIdOf(person) };
      await changeUniqueId(serviceOn(this.database), this.teamId, names);
    }
  }

  async #journeys(): Promise<void> {
    await inLanes(this.everybody(), 8, async (person) => {
      const contact = { id: this.contactIds[person] };
      const path = `/v1/templates/${this.#templateId}/journeys`;
      const journey = (await this.#send('POST', path, { contact }, 201)) as Journey;
      this.journeys[person] = journey;
      if (people.hasAnswered(person)) await this.#answer(person, journey);
      if (people.hasAttempts(person)) await this.#attempt(person);
    });
  }

  async #answer(person: number, { slug }: Journey): Promise<void> {
    const answers = [
      { block_id: agreement, answer: 'accepted', typed_name: `Typed ${people.markOf(person, 't')}` },
      { block_id: survey, values: [{ key: 'else', value: `My answer: ${people.markOf(person, 's')}` }] },
    ];
    const about = { page_id: this.#pageId };
    await this.#send('POST', `/j/${slug}/actions`, { type: 'page_viewed', ...about }, 204);
    await this.#send('POST', `/j/${slug}/actions`, { type: 'page_completed', ...about, answers }, 204);
  }

  async #attempt(person: number): Promise<void> {
    const none = { attempts: { count: 0, pausedUntil: null }, version: 0 };
    const { contact } = (await loadContact(this.database, this.teamId, this.contactIds[person]!))!;
    await saveAttempts(this.database, this.teamId, contact, { count: 2, pausedUntil: null }, none);
  }

  async #dropFiles(broken: readonly number[]): Promise<void> {
    const contactRows = this.everybody(people.isInContactFile).map((person) =>
      // Every fourth row is rejected.
      JSON.stringify({
        unique_id: people.uniqueIdOf(person),
        city: people.markOf(person, 'c'),
        ...(person % 4 === 1 ? { email: 7 } : {}),
      }),
    );
    this.#drop('contacts/people.ndjson.gz', gzipSync(`${contactRows.join('\n')}\n`));
    const accountRows = this.everybody(people.isInAccountFile).map(
      (person) => `file-${person},${people.uniqueIdOf(person)},CHK,${person % 3 === 0 ? 'nonsense' : 'checking'}`,
    );
    const header = 'account_number,contact.unique_id,product.code,product.type';
    this.#drop('accounts/changes.csv', `${[header, ...accountRows].join('\n')}\n`);
    this.#drop(
      'accounts/broken.csv',
      `number;owner\n${broken.map((person) => `1;${people.uniqueIdOf(person)}\n`).join('')}`,
    );
    const refused = people.filesThatAreRefused(broken, this.contacts);
    for (const [name, content] of Object.entries(refused)) this.#drop(name, content);
    const readable = ['contacts/people.ndjson.gz', 'accounts/changes.csv', 'accounts/broken.csv'];
    for (const name of [...readable, ...Object.keys(refused)]) {
      const path = this.#pathOf(`${name}.report.json`);
      await until(`the report of ${name} is written`, () => existsSync(path), Boolean, 600);
    }
  }

  #drop(name: string, content: string | Uint8Array): void {
    const draft = join(this.local.drop_box_folder, `.${randomUUID()}`);
    mkdirSync(join(this.#pathOf(name), '..'), { recursive: true });
    writeFileSync(draft, content);
    renameSync(draft, this.#pathOf(name));
  }

  #pathOf = (name: string) => join(this.local.drop_box_folder, this.teamId, name);

  /** The queue is not told, so the worker applies neither of them. */
  async #openAndFailedChunks(): Promise<void> {
    const imports = serviceOn(this.database);
    const chosen = this.everybody(people.isInLastChunks);
    for (const batch_id of ['failed', 'open']) {
      const records = chosen.map((person) => ({
        ...{ account_number: `${batch_id}-${person}`, contact: { unique_id: people.uniqueIdOf(person) } },
        product: { code: 'SAV', type: 'savings' },
      }));
      for (const [chunk_index, part] of parts(records, recordsInChunk).entries()) {
        await postBatch(imports, this.teamId, { batch_id, chunk_index, records: part });
        if (batch_id === 'failed') await failNextChunk(imports, this.teamId);
      }
    }
  }

  /** Every file of the service: dropped files, reports, images. */
  files(): { name: string; bytes: Buffer }[] {
    const folder = this.local.drop_box_folder;
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return entries.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return { name: relative(folder, path), bytes: readFileSync(path) };
    });
  }
}

const parts = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

async function inLanes<T>(values: readonly T[], lanes: number, run: (value: T) => Promise<void>): Promise<void> {
  const queue = values[Symbol.iterator]();
  const lane = async () => {
    for (const value of queue) await run(value);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

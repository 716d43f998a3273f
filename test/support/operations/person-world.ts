import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { changeUniqueId } from '../../../bin/admin/operations/contacts/change-unique-id.ts';
import { eraseAgain } from '../../../bin/admin/operations/erasure/erase-again.ts';
import { exportPerson } from '../../../bin/admin/operations/erasure/export.ts';
import { FolderDropBox } from '../../../bin/admin/store/drop-box/drop-box-files.ts';
import { FolderErasureList } from '../../../bin/admin/store/erasure/erasure-list.ts';
import { withAnswer } from '../../../lib/domain/journeys/given-answer.ts';
import { newRecord } from '../../../lib/domain/messages/record.ts';
import { workFile } from '../../../lib/operations/drop-box/work.ts';
import { erasePerson, erasePersons } from '../../../lib/operations/erasure/erase.ts';
import { eraseRequested, type RequestedErasureService } from '../../../lib/operations/erasure/erase-requested.ts';
import { requestErasure } from '../../../lib/operations/erasure/request-erasure.ts';
import type { DropService, EraseService } from '../../../lib/operations/service.ts';
import type { ObjectStore } from '../../../lib/store/aws/objects.ts';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import type { ErasureEntry } from '../../../lib/store/erasure/erasure-list.ts';
import { saveAttempts } from '../../../lib/store/journeys/identity-checks.ts';
import { insertionOf, insertionsOf, judgedWrite, responseInsertions } from '../../../lib/store/journeys/journeys.ts';
import { recordWrites } from '../../../lib/store/messages/records.ts';
import { weekWrites } from '../../../lib/store/messages/weeks.ts';
import { bound, type Database, type Item, type Write } from '../../../lib/store/table/database.ts';
import { earlierConsentKey } from '../../../lib/store/table/keys.ts';
import { noteInsertion } from '../../../lib/store/targeting/notes.ts';
import { freshTable } from '../engine/engine.ts';
import { readable, type WholeTable } from '../engine/whole-table.ts';
import { ModelTable } from '../models/model-table.ts';
import { record } from '../samples/contacts.ts';
import { journeyOf } from '../samples/samples.ts';
import { temporaryDirectory } from '../service/process.ts';
import { failNextChunk, postBatch, workAll } from './import-operations.ts';
import { serviceOn, upsertBatch, upsertContact } from './operations.ts';
import { newTeam } from './teams.ts';

/** What nothing but the person's own data holds. */
export const marks = {
  former: 'cif-former-7781',
  name: 'Zaphodine',
  present: 'cif-present-7781',
  typed: 'Zaphodine B.',
};

export const template_id = 'aaaaaaaa-0000-4000-8000-000000000001';
export const page_id = 'aaaaaaaa-0000-4000-8000-000000000002';

export const account = (number: string, unique_id: string, fields: object = {}) => ({
  account_number: number,
  contact: { unique_id },
  product: { code: 'CHK', type: 'checking' },
  ...fields,
});
/** The end of an erasure. */
export const isEnd = (write: Write) => write.kind === 'delete' && write.key.sk === 'ERASURE';

export const mapping = (number: string, unique_id: string) => ({ account_number: number, contact: { unique_id } });

/** A database that runs something else just before the first transaction or request with such a write. */
export function justBefore(
  database: Database,
  isMeant: (write: Write) => boolean,
  happen: () => Promise<unknown>,
): Database {
  let isDone = false;
  const before = async (writes: readonly Write[]) => {
    if (isDone || !writes.some(isMeant)) return;
    isDone = true;
    await happen();
  };
  return {
    ...bound(database),
    write: async (writes, ...options) => before(writes).then(() => database.write(writes, ...options)),
    transact: async (writes, ...options) => before(writes).then(() => database.transact(writes, ...options)),
  };
}

type Changes = Partial<EraseService>;
type Table = Pick<WholeTable, 'items' | 'restore'>;

/** A team with a person of whom everything is stored that can be, among others. */
export class PersonWorld {
  readonly database: Database;
  readonly folder = temporaryDirectory();
  readonly files = new FolderDropBox(this.folder);
  readonly erasures = new FolderErasureList(temporaryDirectory());
  readonly teamId: string;
  readonly journey = { id: crypto.randomUUID(), slug: `slug-${crypto.randomUUID()}` };
  /** A journey about an account. */
  readonly accountJourney = { id: crypto.randomUUID(), slug: `slug-${crypto.randomUUID()}` };
  contactId = '';
  readonly #table: Table;

  private constructor(database: Database, teamId: string, table: Table) {
    this.database = database;
    this.teamId = teamId;
    this.#table = table;
  }

  /** In memory, unless the table is one of the engine. */
  static async open({ engine = false } = {}): Promise<PersonWorld> {
    const table = new ModelTable();
    const { database, whole } = engine ? await freshTable() : { database: table, whole: () => table.whole() };
    return new PersonWorld(database, await newTeam(database), whole());
  }

  imports(database = this.database) {
    return serviceOn(database);
  }

  /** The database of a command that is killed after its first transaction: the next one fails with this error. */
  dying(error: Error): Database {
    let writes = 0;
    return {
      ...bound(this.database),
      transact: async (...args) => {
        if (writes++ > 0) throw error;
        return this.database.transact(...args);
      },
    };
  }

  justBefore(isMeant: (write: Write) => boolean, happen: () => Promise<unknown>): Database {
    return justBefore(this.database, isMeant, happen);
  }

  accept(batch_id: string, chunk_index: number, records: readonly object[]) {
    return postBatch(this.imports(), this.teamId, { batch_id, chunk_index, records });
  }

  work(database = this.database) {
    return workAll(this.imports(database), this.teamId);
  }

  /** The person, renamed once, and so many others. */
  async fill(others: number): Promise<void> {
    const contacts = { ...serviceOn(this.database), fits: () => true };
    const person = {
      unique_id: marks.former,
      name_first: marks.name,
      email: 'z@example.com',
      meta_private: { k: marks.name },
    };
    const everybody = Array.from({ length: others }, (_, n) => ({ unique_id: `other-${n}`, name_first: `Other ${n}` }));
    for (let at = 0; at < everybody.length; at += 100) {
      await upsertBatch(contacts, this.teamId, everybody.slice(at, at + 100).map(record));
    }
    const { new_contacts } = await upsertBatch(contacts, this.teamId, [record(person)]);
    this.contactId = new_contacts[0]!.id;
    const owned = everybody.map(({ unique_id }, n) => account(`a-${n}`, unique_id, { nickname: `Account ${n}` }));
    await this.accept('before', 0, [
      ...owned.slice(0, 300),
      account('p-1', marks.former),
      mapping('a-0', marks.former),
    ]);
    await this.work();
    // A former value names the person before the millisecond of its change.
    await sleep(2);
    await this.rename(marks.former, marks.present);
    await this.#answer();
    await this.accept('after', 0, [account('p-2', marks.present), account('a-1', 'other-1')]);
    await this.work();
    await this.accept('after', 1, [mapping('p-3', marks.present), account('a-2', 'other-2')]);
    await failNextChunk(this.imports(), this.teamId);
  }

  async #answer(): Promise<void> {
    const { database, teamId, contactId } = this;
    const at = new Date().toISOString().replace('Z', '000Z');
    const times = { completion_verified_at: null, inserted_at: at, updated_at: at };
    const names = { name: 'Welcome', owner_id: null, source: 'api' };
    const journey = journeyOf({ ...this.journey, contact_id: contactId, template_id, ...names, ...times });
    const { contact } = (await loadContact(database, teamId, contactId))!;
    await database.transact(insertionsOf(teamId, journey, contact.inserted_at, undefined));
    const key = { contactId, templateId: template_id };
    await database.write([insertionOf(teamId, journey, { kind: 'viewed', page_id, at })]);
    const about = {
      template_id: crypto.randomUUID(),
      account_id: crypto.randomUUID(),
      is_one_for_one: true,
      rule: { revision: 'r' },
    };
    const other = { ...journey, ...this.accountJourney, ...about, cancelled_at: at };
    await database.transact(insertionsOf(teamId, other, contact.inserted_at, undefined));
    await database.write([insertionOf(teamId, other, { kind: 'viewed', page_id, at })]);
    const answer = {
      answer: 'accepted' as const,
      typed_name: marks.typed,
      values: [],
      text: `I, ${marks.name}, agree`,
    };
    const block = { block_id: page_id, block_type: 'signature', content_revision: null, identity_proved: true };
    const facts = { shows_private: false, identity_facts_changed_at: null, identity_facts_changed_by: null };
    const response = { id: crypto.randomUUID(), page_id, ...block, ...answer, ...facts, at };
    const answers = { responses: [response], given: withAnswer([], response) };
    const before = { journey: this.journey, given: { number: undefined } };
    await database.transact(responseInsertions(teamId, key, before, answers));
    const noted = { template_id, account_id: null, revision: 'r', at };
    await database.write([
      {
        kind: 'insert',
        item: {
          ...earlierConsentKey(teamId, contactId, at, 1),
          consent: [`${at} o?+ client ${crypto.randomUUID()}`],
          contact_since: contact.inserted_at,
        },
      },
      judgedWrite(teamId, contact, 0),
      noteInsertion(teamId, contact, noted),
      noteInsertion(teamId, contact, { ...noted, account_id: page_id }),
    ]);
    await this.#message(contact.inserted_at, at);
    await saveAttempts(
      database,
      teamId,
      contact,
      { count: 2, pausedUntil: null },
      { attempts: { count: 0, pausedUntil: null }, version: 0 },
    );
  }

  /** A message of the journey was sent, after one that verifies the address. */
  async #message(since: string, at: string): Promise<void> {
    const { database, teamId, contactId } = this;
    const [message, verification, template_message_id, hash] = Array.from({ length: 4 }, () => crypto.randomUUID());
    const place = { contactId, journeyId: this.journey.id, templateMessageId: template_message_id! };
    const of = { journey_id: this.journey.id, template_id, template_message_id: template_message_id!, due_at: at };
    const made = newRecord({ ...of, id: message!, channel: 'email' });
    const empty = { sent: {}, version: 0 };
    await database.transact([
      ...recordWrites(teamId, place, { ...made, values: { name_first: marks.name } }, 0),
      ...recordWrites(teamId, { contactId, messageId: verification! }, { ...made, id: verification! }, 0, {
        contact_since: since,
      }),
      ...weekWrites(teamId, { id: message!, at }, { id: contactId, since, week: empty }, { hash: hash!, week: empty }),
    ]);
  }

  /** Drops a file, and imports it as the service does. */
  async drop(path: string, lines: readonly string[]): Promise<void> {
    await this.put(path, lines);
    await this.readFile(path);
  }

  async readFile(path: string): Promise<void> {
    const key = `${this.teamId}/${path}`;
    const version = await this.#version(key);
    const dependencies: DropService = {
      ...this.imports(),
      objects: this.#objects(),
      upsertContacts: (teamId, records) => upsertBatch(serviceOn(this.database), teamId, records),
      wait: async () => void (await this.work()),
    };
    for (let round = 0; round < 20; round++) {
      if ((await workFile(dependencies, { key, version }, () => true)) === 'done') return;
      await this.work();
    }
    throw new Error('the file is never done');
  }

  /** @param content the lines of the file, or all of it */
  async put(path: string, content: readonly string[] | string | Buffer): Promise<void> {
    const file = join(this.folder, this.teamId, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Array.isArray(content) ? `${content.join('\n')}\n` : (content as string | Buffer));
  }

  rename(from: string, to: string) {
    return changeUniqueId(serviceOn(this.database), this.teamId, { from, to });
  }

  post(unique_id: string, fields: object = {}) {
    return upsertContact(serviceOn(this.database), this.teamId, record({ unique_id, ...fields }));
  }

  async #version(key: string): Promise<string> {
    for await (const object of this.files.list(key)) if (object.key === key) return object.version;
    throw new Error(`there is no ${key}`);
  }

  #objects(): ObjectStore {
    const { files } = this;
    const write = (key: string, text: string) => files.write(key, Readable.from([text]));
    return {
      read: async (key, version, offset) => {
        const bytes = await files.read(key, version);
        if (!bytes || offset === 0) return bytes;
        const parts: Buffer[] = [];
        for await (const part of bytes) parts.push(Buffer.from(part));
        return Readable.from([Buffer.concat(parts).subarray(offset)]);
      },
      write,
      describe: async () => undefined,
      join: (key, head, parts) =>
        write(key, head + parts.map((part) => readFileSync(join(this.folder, part), 'utf8')).join('')),
    };
  }

  /** @param changes what happens while the command waits for what began before, for example */
  async erase(uniqueId = marks.present, changes: Changes = {}) {
    // A contact that is created in the millisecond of an erasure is another one.
    await sleep(2);
    return erasePerson(this.#dependencies(changes), this.teamId, uniqueId);
  }

  async eraseList(uniqueIds: readonly string[], changes: Changes = {}) {
    await sleep(2);
    return erasePersons(this.#dependencies(changes), this.teamId, uniqueIds);
  }

  /** As `DELETE /v1/contacts/:id`. */
  requestErasure(contactId = this.contactId, now = Date.now) {
    const dependencies = { ...this.imports(), now, retentionDays: 400 };
    return requestErasure(dependencies, { teamId: this.teamId, clientId: 'the-client' }, contactId);
  }

  /** One run of the function that completes such requests. */
  eraseRequested(changes: Changes & Partial<RequestedErasureService> = {}) {
    const failed = (error: unknown) => {
      throw error;
    };
    return eraseRequested({
      ...this.#dependencies({}),
      ...{ retentionDays: 400, hasTime: () => true, onFailure: failed },
      ...changes,
    });
  }

  /** Repeats the erasures of the list. */
  async eraseAgain(changes: Changes = {}, changed = (entry: ErasureEntry) => entry) {
    const entries: ErasureEntry[] = [];
    for await (const entry of this.erasures.entries()) entries.push(changed(entry));
    return eraseAgain(this.#dependencies(changes), entries);
  }

  /** @returns a function that restores the table to its present state. */
  async backup(isKept: (item: Item) => boolean = () => true): Promise<() => Promise<void>> {
    const items = (await this.#table.items()).filter(isKept);
    return () => this.#table.restore(items);
  }

  export(uniqueId = marks.present, changes: Changes = {}) {
    return exportPerson(this.#dependencies(changes), this.teamId, uniqueId);
  }

  #dependencies({ database, ...changes }: Changes): EraseService {
    const { files, erasures } = this;
    return { ...this.imports(database), files, erasures, onProgress: () => {}, wait: async () => {}, ...changes };
  }

  /** Every item by its key, what is compressed as text. */
  async items(): Promise<Map<string, string>> {
    return new Map(
      (await this.#table.items()).map((item) => [`${item.pk} ${item.sk}`, JSON.stringify(sorted(item), readable)]),
    );
  }

  texts(): Map<string, string> {
    const paths = readdirSync(this.folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    return new Map(
      paths.map((each) => [join(each.parentPath, each.name), readFileSync(join(each.parentPath, each.name), 'utf8')]),
    );
  }

  /** Where anything of the person is left: keys of items, and files. */
  async traces(marked: readonly string[] = Object.values(marks)): Promise<string[]> {
    const journeys = [this.journey, this.accountJourney].flatMap(({ id, slug }) => [id, slug]);
    const wanted = [...marked, this.contactId, ...journeys].filter((mark) => mark !== '');
    const all = [...(await this.items()), ...this.texts()];
    return all.filter(([name, text]) => wanted.some((mark) => `${name} ${text}`.includes(mark))).map(([name]) => name);
  }
}

const sorted = (item: Item) => Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));

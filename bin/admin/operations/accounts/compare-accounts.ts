import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { accountRecord } from '../../../../lib/domain/accounts/account-record.ts';
import type { FileChunk } from '../../../../lib/files/file.ts';
import { contactIds } from '../../../../lib/operations/imports/apply.ts';
import { accountOf, linksOf } from '../../../../lib/store/accounts/accounts.ts';
import { loadContacts } from '../../../../lib/store/contacts/contacts.ts';
import { loadImportState } from '../../../../lib/store/imports/import-work.ts';
import type { Database, Item } from '../../../../lib/store/table/database.ts';
import { teamItemKind } from '../../../../lib/store/table/item-kinds.ts';
import { accountNumberOfPartition, contactIdOfPartition } from '../../../../lib/store/table/keys.ts';

/** An account or link of the team that the file does not name. */
export type Missing = {
  missing: 'account' | 'link';
  account_number: string;
  contact_id: string | null;
  /** `null` if the contact does not exist: only records of accounts have named it. */
  unique_id: string | null;
  role: string | null;
};

export type Totals = { accounts: number; links: number; missing_accounts: number; missing_links: number };

/** Contacts that are read at once. */
const contactsAtOnce = 100;

/**
 * Compares the accounts and links of a team with those that a file names. What was read of both is in a temporary file,
 * so that the memory does not grow with them.
 */
export class Comparison {
  readonly #database: Database;
  readonly #teamId: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'onboarding-compare-'));
  readonly #tables = new DatabaseSync(join(this.#folder, 'names'));

  constructor(database: Database, teamId: string) {
    this.#database = database;
    this.#teamId = teamId;
    this.#tables.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      CREATE TABLE named (contact_id TEXT, account_number TEXT, PRIMARY KEY (account_number, contact_id)) WITHOUT ROWID;
      CREATE TABLE stored (contact_id TEXT, account_number TEXT, role TEXT, PRIMARY KEY (account_number, contact_id)) WITHOUT ROWID;
    `);
  }

  /** Adds what the valid rows name. @returns the number of invalid rows */
  async addNamed(
    chunks: AsyncIterable<FileChunk>,
    onNotices: (notices: FileChunk['notices']) => void = () => {},
  ): Promise<number> {
    const { renames } = await loadImportState(this.#database, this.#teamId);
    const insert = this.#tables.prepare('INSERT OR IGNORE INTO named VALUES (?, ?)');
    let invalid = 0;
    for await (const { rows, notices } of chunks) {
      onNotices(notices);
      const valid = rows.filter(({ errors }) => errors.length === 0);
      invalid += rows.length - valid.length;
      const records = valid.map(({ record }) => accountRecord.parse(record));
      const contactIdOf = await contactIds(this.#database, this.#teamId, records, renames);
      this.#atOnce(() => {
        for (const { account_number, link } of records) {
          insert.run('', account_number);
          if (link) insert.run(contactIdOf(link.unique_id), account_number);
        }
      });
    }
    return invalid;
  }

  /** Adds the accounts and links among these items of the team. */
  async addStored(pages: AsyncIterable<readonly Item[]>): Promise<void> {
    const insert = this.#tables.prepare('INSERT OR REPLACE INTO stored VALUES (?, ?, ?)');
    for await (const items of pages) {
      this.#atOnce(() => {
        for (const item of items) {
          const kind = teamItemKind(this.#teamId, item);
          if (kind === 'accounts' && accountOf(item)) insert.run('', accountNumberOfPartition(item), null);
          if (kind !== 'links') continue;
          for (const { account_number, role } of linksOf(item))
            insert.run(contactIdOfPartition(item.pk), account_number, role);
        }
      });
    }
  }

  totals(): Totals {
    const counted = this.#tables.prepare(`
      SELECT count(*) FILTER (WHERE contact_id = '') AS accounts, count(*) FILTER (WHERE contact_id <> '') AS links
      FROM stored
    `);
    const missing = this.#tables.prepare(`
      SELECT count(*) FILTER (WHERE contact_id = '') AS missing_accounts,
        count(*) FILTER (WHERE contact_id <> '') AS missing_links
      FROM (${missingRows})
    `);
    return { ...counted.get(), ...missing.get() } as Totals;
  }

  /** By account number; an account before its links. */
  async *missing(): AsyncGenerator<Missing> {
    let rows: MissingRow[] = [];
    for (const row of this.#tables.prepare(missingRows).iterate() as Iterable<MissingRow>) {
      rows.push(row);
      if (rows.length < contactsAtOnce) continue;
      yield* await this.#described(rows);
      rows = [];
    }
    yield* await this.#described(rows);
  }

  async *missingLinks(): AsyncGenerator<Missing> {
    for await (const each of this.missing()) if (each.missing === 'link') yield each;
  }

  /** Deletes the temporary file. */
  close(): void {
    this.#tables.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #described(rows: readonly MissingRow[]): Promise<Missing[]> {
    const ids = [...new Set(rows.map(({ contact_id }) => contact_id).filter((id) => id !== ''))];
    const contacts = await loadContacts(this.#database, this.#teamId, ids);
    const uniqueIds = new Map(contacts.map((each, index) => [ids[index]!, each?.contact.unique_id ?? null]));
    return rows.map(({ contact_id, account_number, role }) =>
      contact_id === ''
        ? { missing: 'account', account_number, contact_id: null, unique_id: null, role: null }
        : { missing: 'link', account_number, contact_id, unique_id: uniqueIds.get(contact_id) ?? null, role },
    );
  }

  #atOnce(insert: () => void): void {
    this.#tables.exec('BEGIN');
    insert();
    this.#tables.exec('COMMIT');
  }
}

/** An account has no contact. */
type MissingRow = { contact_id: string; account_number: string; role: string | null };

const missingRows = `
  SELECT contact_id, account_number, role FROM stored
  WHERE NOT EXISTS (
    SELECT 1 FROM named WHERE named.account_number = stored.account_number AND named.contact_id = stored.contact_id
  )
  ORDER BY account_number, contact_id
`;

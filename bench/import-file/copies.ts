import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { type Bank, readBank } from '../../bin/demo/files.ts';

const folder = new URL('../../examples/bank/', import.meta.url);

type Account = Bank['accounts'][number];

/** Copies of the sample bank. Each copy has a prefix in its account numbers and unique ids. */
export class Copies {
  readonly #bank = readBank();
  readonly rows: number;

  /** @param rows the total number of account records; the last copy is cut at this number */
  constructor(rows: number) {
    this.rows = rows;
  }

  get count(): number {
    return Math.ceil(this.rows / this.#bank.rows.length);
  }

  get contacts(): number {
    return this.count * this.#bank.contacts.length;
  }

  /** The expected data of one copy. */
  bank(copy: number): Bank {
    const { contacts, accounts, rows, fingerprint } = this.#bank;
    const length = Math.min(rows.length, this.rows - copy * rows.length);
    return {
      fingerprint,
      contacts: contacts.map((contact) => ({ ...contact, unique_id: `${copy}-${contact.unique_id}` })),
      accounts: accounts.slice(0, length).map((account) => renamed(account, copy)),
      rows: rows
        .slice(0, length)
        .map((row) => ({ ...row, number: `${copy}-${row.number}`, contact: `${copy}-${row.contact}` })),
    };
  }

  /** The ids are the first cells of a line, and contain no quotes. */
  async write(accountsPath: string, contactsPath: string): Promise<void> {
    const of = (name: string) => readFileSync(new URL(name, folder), 'utf8').trimEnd().split('\n');
    await this.#write(accountsPath, of('accounts.csv'), /^([^,]*),/, (copy) => `${copy}-$1,${copy}-`, this.rows);
    await this.#write(contactsPath, of('contacts.csv'), /^/, (copy) => `${copy}-`, this.contacts);
  }

  async #write(
    path: string,
    [header = '', ...lines]: string[],
    names: RegExp,
    renaming: (copy: number) => string,
    rows: number,
  ): Promise<void> {
    const file = createWriteStream(path);
    file.write(`${header}\n`);
    for (let copy = 0; copy * lines.length < rows; copy++) {
      const own = lines.slice(0, rows - copy * lines.length).map((line) => line.replace(names, renaming(copy)));
      if (!file.write(`${own.join('\n')}\n`)) await once(file, 'drain');
    }
    file.end();
    await once(file, 'finish');
  }
}

const renamed = (account: Account, copy: number): Account => ({
  ...account,
  account_number: `${copy}-${account.account_number}`,
  contact: { ...account.contact, unique_id: `${copy}-${account.contact?.unique_id}` },
});

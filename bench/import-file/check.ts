import { contactDifferences, differences } from '../../bin/demo/compare.ts';
import type { Bank } from '../../bin/demo/files.ts';
import { together } from '../../bin/demo/together.ts';
import type { LocalDescription } from '../../bin/local/data-directory.ts';
import { OnboardingClient } from '../../client/index.ts';
import { type Account, mergeAccount } from '../../lib/domain/account.ts';
import { accountRecord } from '../../lib/domain/account-record.ts';
import { linkOf, loadAccounts, serializeAccount } from '../../lib/store/accounts.ts';
import { loadContacts } from '../../lib/store/contacts.ts';
import { DynamoDatabase } from '../../lib/store/dynamodb.ts';
import { derivedContactId } from '../../lib/store/ids.ts';
import { linkKey } from '../../lib/store/keys.ts';
import { tableClient } from '../../lib/store/table-client.ts';

const readsAtOnce = 16;

/** Compares the data of the service with the files, record by record. */
export class Checker {
  readonly #client: OnboardingClient;
  readonly #database: DynamoDatabase;
  readonly #team: string;

  constructor({ base_url, client_id, client_secret, dynamodb_endpoint, table_name, team_id }: LocalDescription) {
    this.#client = new OnboardingClient({ baseUrl: base_url, clientId: client_id, clientSecret: client_secret });
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const client = tableClient({ endpoint: dynamodb_endpoint, region: 'us-east-1', credentials });
    this.#database = new DynamoDatabase({ tableName: table_name, client });
    this.#team = team_id;
  }

  /** Differences in responses of the API: contacts, their accounts and products. */
  async inResponses(bank: Bank): Promise<string[]> {
    const ids = bank.contacts.map((contact) => this.#idOf(contact.unique_id as string));
    const contacts = await together(ids, readsAtOnce, (id) => this.#client.contacts.get(id));
    const accounts = await together(ids, readsAtOnce, (id) => this.#client.contacts.accounts(id));
    return differences(bank, contacts, accounts);
  }

  /** Differences in the table, read in batches of 100: contacts, links, and every field of the accounts. */
  async inTable(bank: Bank): Promise<string[]> {
    const found = [this.#contactDifferences(bank), this.#linkDifferences(bank), this.#accountDifferences(bank)];
    return (await Promise.all(found)).flat();
  }

  readonly #idOf = (uniqueId: string): string => derivedContactId(this.#team, uniqueId);

  async #contactDifferences({ contacts }: Bank): Promise<string[]> {
    const ids = contacts.map((contact) => this.#idOf(contact.unique_id as string));
    const stored = await loadContacts(this.#database, this.#team, ids);
    return contacts.flatMap((expected, at) => {
      const uniqueId = expected.unique_id as string;
      const found = stored[at]?.contact;
      return found ? contactDifferences(uniqueId, expected, { ...found }) : [`contact ${uniqueId} is missing`];
    });
  }

  async #linkDifferences({ rows }: Bank): Promise<string[]> {
    const keys = rows.map(({ contact, number }) => linkKey(this.#team, this.#idOf(contact), number));
    const items = await this.#database.get(keys);
    return rows.flatMap(({ contact, number, role }, at) => {
      const item = items[at];
      return item && linkOf(item).role === role ? [] : [`contact ${contact}: account ${number} differs or is missing`];
    });
  }

  async #accountDifferences({ accounts }: Bank): Promise<string[]> {
    const expected = new Map<string, Account>();
    for (const record of accounts) {
      const { account_number, account } = accountRecord.parse(record);
      const merged = account && mergeAccount(expected.get(account_number), account);
      if (merged && !('rejected' in merged)) expected.set(account_number, merged);
    }
    const numbers = [...expected.keys()];
    const stored = await loadAccounts(this.#database, this.#team, numbers);
    const wrong = numbers.filter((number, at) => {
      const account = stored[at];
      return !account || serializeAccount(account) !== serializeAccount(expected.get(number)!);
    });
    return wrong.map((number) => `account ${number} differs or is missing`);
  }
}

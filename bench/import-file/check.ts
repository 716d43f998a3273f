import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { differences } from '../../bin/demo/compare.ts';
import type { Bank } from '../../bin/demo/files.ts';
import { together } from '../../bin/demo/together.ts';
import type { LocalDescription } from '../../bin/local/data-directory.ts';
import { OnboardingClient } from '../../client/index.ts';
import { type Account, accountRecord, mergeAccount, serializeAccount } from '../../lib/domain/account.ts';
import { loadAccounts } from '../../lib/store/accounts.ts';
import { DynamoDatabase } from '../../lib/store/dynamodb.ts';
import { derivedContactId } from '../../lib/store/keys.ts';

const readsAtOnce = 16;

/** Holds what the service has against what the files say, record by record. */
export class Checker {
  readonly #client: OnboardingClient;
  readonly #database: DynamoDatabase;
  readonly #team: string;

  constructor({ base_url, client_id, client_secret, dynamodb_endpoint, table_name, team_id }: LocalDescription) {
    this.#client = new OnboardingClient({ baseUrl: base_url, clientId: client_id, clientSecret: client_secret });
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const client = new DynamoDBClient({ endpoint: dynamodb_endpoint, region: 'us-east-1', credentials });
    this.#database = new DynamoDatabase({ tableName: table_name, client });
    this.#team = team_id;
  }

  /** What differs: contacts, links and products by the interface, and the accounts' other fields in the table. */
  async differences(bank: Bank): Promise<string[]> {
    const ids = bank.contacts.map(({ unique_id }) => derivedContactId(this.#team, unique_id as string));
    const contacts = await together(ids, readsAtOnce, (id) => this.#client.contacts.get(id));
    const accounts = await together(ids, readsAtOnce, (id) => this.#client.contacts.accounts(id));
    return [...differences(bank, contacts, accounts), ...(await this.#accountDifferences(bank))];
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
    return numbers.filter((number, at) => {
      const account = stored[at];
      return !account || serializeAccount(account) !== serializeAccount(expected.get(number)!);
    });
  }
}

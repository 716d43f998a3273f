import type { Command } from 'commander';
import { accountFieldNames } from '../../lib/domain/account-field-table.ts';
import { derivedAccountId } from '../../lib/store/ids.ts';
import { ProductCache } from '../../lib/store/products.ts';
import { registerCompare } from './account-compare.ts';
import { registerRemoval } from './account-removal.ts';
import { accountIds } from './audit-ids.ts';
import { failure } from './failure.ts';
import { type AccountHolder, accountHolders } from './operations/account-holders.ts';
import { listing, textsOf } from './text.ts';
import { verb } from './verb.ts';

export function registerAccount(program: Command): void {
  const account = program.command('account').description('Accounts, identified by their account number');

  verb<{ team: string; accountNumber: string }>(
    account
      .command('show')
      .description('Show an account with every field, its metadata, its product and its holders')
      .requiredOption('--team <team_id>', 'the team that it belongs to')
      .requiredOption('--account-number <account_number>', 'the account'),
    ({ team, accountNumber }) => accountIds(team, accountNumber),
    async ({ database }, { team, accountNumber }) => {
      const [found] = await new ProductCache(database).accounts(team, [accountNumber]);
      if (!found) {
        const why = 'the team has no account with this number; a mapping alone does not create an account';
        throw failure('not_found', why, '--account-number');
      }
      const { fields, meta_public, meta_private } = found.account;
      const value = {
        id: derivedAccountId(team, accountNumber),
        account_number: accountNumber,
        product: found.product,
        ...Object.fromEntries(accountFieldNames.map((name) => [name, fields[name] ?? null])),
        meta_public,
        meta_private,
      };
      const holders = await accountHolders(database, team, accountNumber);
      const text = listing({ ...textsOf(value), ...(holders.length > 0 ? { holders: holdersText(holders) } : {}) });
      return { value: { ...value, holders }, text };
    },
  );

  registerRemoval(account);
  registerCompare(account);
}

const holdersText = (holders: readonly AccountHolder[]): string =>
  holders
    .map(({ contact_id, unique_id, role }) => `${unique_id ?? contact_id}${role === null ? '' : ` (${role})`}`)
    .join(', ');

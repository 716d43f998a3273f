import type { Command } from 'commander';
import { loadAccounts, loadStampedItems } from '../../lib/store/accounts.ts';
import { loadIdentities } from '../../lib/store/identities.ts';
import { linkKey } from '../../lib/store/keys.ts';
import { accountIds, contactIds } from './audit-ids.ts';
import { requireConsent, yesOption } from './consent.ts';
import { failure } from './failure.ts';
import type { Installation } from './installation.ts';
import { accountHolders } from './operations/account-holders.ts';
import { type Removal, removeInOrder } from './operations/imports/remove.ts';
import { settleNames } from './operations/person/names.ts';
import { isAtWork, newRemovalId, removalText, removeDependencies } from './removals.ts';
import { quantity } from './text.ts';
import { type Outcome, verb } from './verb.ts';

type Options = { team: string; accountNumber: string; yes?: boolean };

/** Verbs of `account` that take back what an import stored. */
export function registerRemoval(account: Command): void {
  const batch_id = newRemovalId();

  verb<Options & { uniqueId: string }>(
    account
      .command('unlink')
      .description('Remove the link of a contact to an account; a later import can create it again')
      .requiredOption('--team <team_id>', 'the team that both belong to')
      .requiredOption('--account-number <account_number>', 'the account')
      .requiredOption('--unique-id <unique_id>', 'the contact')
      .option(...yesOption),
    async ({ team, accountNumber, uniqueId }, _, database) => ({
      ...accountIds(team, accountNumber),
      ...(await contactIds(database, team, uniqueId)),
      batch_id,
    }),
    async (installation, options) => {
      const { database } = installation;
      const { team, accountNumber: account_number, uniqueId: unique_id } = options;
      const dependencies = removeDependencies(installation);
      // Links that an interrupted change of the unique_id has not moved yet would be moved after the removal.
      await settleNames(dependencies, team, unique_id);
      const contact_id = (await loadIdentities(database, team, [unique_id])).get(unique_id)!;
      const [link] = await loadStampedItems(database, [linkKey(team, contact_id, account_number)]);
      if (link?.data === undefined && !(await isAtWork(database, team))) throw noLink();
      requireConsent(unlinkConsequence(unique_id, account_number), options);
      const subject = { team_id: team, account_number, unique_id, contact_id };
      const done = `The link of ${unique_id} to account ${account_number} is removed.`;
      return remove(installation, { subject, done, none: noLink }, batch_id, [
        { account_number, removal: { contact_id } },
      ]);
    },
  );

  verb<Options>(
    account
      .command('remove')
      .description('Remove an account and the links to it; a later import can create them again')
      .requiredOption('--team <team_id>', 'the team that it belongs to')
      .requiredOption('--account-number <account_number>', 'the account')
      .option(...yesOption),
    ({ team, accountNumber }) => ({ ...accountIds(team, accountNumber), batch_id }),
    async (installation, options) => {
      const { database } = installation;
      const { team, accountNumber: account_number } = options;
      const [stored] = await loadAccounts(database, team, [account_number]);
      const holders = await accountHolders(database, team, account_number);
      const isKnown = stored !== undefined || holders.length > 0;
      if (!isKnown && !(await isAtWork(database, team))) throw noAccount();
      requireConsent(removeConsequence(account_number, holders.length), options);
      const subject = { team_id: team, account_number, holders };
      const done = `Account ${account_number} is removed${linksText(holders.length)}.`;
      return remove(installation, { subject, done, none: noAccount }, batch_id, [
        { account_number, removal: 'account' },
        ...holders.map(({ contact_id }) => ({ account_number, removal: { contact_id } })),
      ]);
    },
  );
}

/** @throws AdminFailure `not_found` if nothing was there to remove */
async function remove(
  installation: Installation,
  { subject, done, none }: { subject: { team_id: string }; done: string; none: typeof noLink },
  batchId: string,
  removals: readonly Removal[],
): Promise<Outcome> {
  const { team_id } = subject;
  const batch = await removeInOrder(removeDependencies(installation), team_id, batchId, removals);
  if (batch.status === 'completed' && batch.records.applied === 0) throw none();
  const status = batch.status === 'completed' ? 'removed' : 'accepted';
  return { value: { ...subject, batch_id: batchId, status }, text: removalText(batch, team_id, done) };
}

const laterFile = 'A file that is accepted later and names it brings it back.';

const unlinkConsequence = (uniqueId: string, accountNumber: string): string =>
  `The contact ${uniqueId} no longer sees account ${accountNumber}. Completed pages stay completed. ${laterFile}`;

const removeConsequence = (accountNumber: string, links: number): string =>
  `Account ${accountNumber} is removed with all its fields${linksText(links)}. Completed pages stay completed. ${laterFile}`;

const linksText = (links: number): string => (links === 0 ? '' : `, and ${quantity(links, 'link')} to it`);

const noLink = () => failure('not_found', 'the contact has no link to this account', '--unique-id');
const noAccount = () => failure('not_found', 'the team has no account with this number', '--account-number');

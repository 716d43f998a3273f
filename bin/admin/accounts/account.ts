import { accountFieldNames } from '../../../lib/domain/accounts/account-field-table.ts';
import { removalBatchId } from '../../../lib/domain/imports/own-batch.ts';
import { settleNames } from '../../../lib/operations/erasure/names.ts';
import { loadAccounts, loadStampedItems } from '../../../lib/store/accounts/accounts.ts';
import { ProductCache } from '../../../lib/store/accounts/products.ts';
import { loadIdentities } from '../../../lib/store/contacts/identities.ts';
import { derivedAccountId } from '../../../lib/store/table/ids.ts';
import { linkKey } from '../../../lib/store/table/keys.ts';
import { accountIds, contactIds } from '../auditing.ts';
import { failure } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { accountHolders } from '../operations/accounts/holders.ts';
import { isAtWork, type Removal, removalText, removeInOrder } from '../operations/imports/remove.ts';
import { formatOptions, percentOption } from '../options.ts';
import { listing, quantity, textsOf } from '../text.ts';
import { argument, noun, optional, requireConsent, required, team, verb, yes } from '../verb.ts';

const accountNumber = required('<account_number>', 'the account');
const batchOf = ({ runId }: { runId: string }): string => removalBatchId(runId);

export const verbs = noun('Accounts, identified by their account number', {
  show: verb({
    does: 'Show an account with every field, its metadata, its product and its holders',
    parameters: { team, accountNumber },
    ids: (given) => accountIds(given.team, given.accountNumber),
    run: async ({ database }, { team: teamId, accountNumber: account_number }) => {
      const [found] = await new ProductCache(database).accounts(teamId, [account_number]);
      if (!found) {
        const why = 'the team has no account with this number; a mapping alone does not create an account';
        throw failure('not_found', why, '--account-number');
      }
      const { fields, meta_public, meta_private } = found.account;
      const value = {
        id: derivedAccountId(teamId, account_number),
        account_number,
        product: found.product,
        ...Object.fromEntries(accountFieldNames.map((name) => [name, fields[name] ?? null])),
        ...{ meta_public, meta_private },
      };
      const holders = await accountHolders(database, teamId, account_number);
      const names = holders.map(({ contact_id, unique_id, role }) => {
        return `${unique_id ?? contact_id}${role === null ? '' : ` (${role})`}`;
      });
      const text = listing(textsOf({ ...value, holders: names.join(', ') || null }));
      return { value: { ...value, holders }, text };
    },
  }),

  unlink: verb({
    does: 'Remove the link of a contact to an account; a later import can create it again',
    parameters: { team, accountNumber, uniqueId: required('<unique_id>', 'the contact'), yes },
    ids: async (given, database) => ({
      ...accountIds(given.team, given.accountNumber),
      ...(await contactIds(database, given.team, given.uniqueId)),
      batch_id: batchOf(given),
    }),
    run: async (installation, given) => {
      const { database } = installation;
      const { team: team_id, accountNumber: account_number, uniqueId: unique_id } = given;
      // Links that an interrupted change of the unique_id has not moved yet would be moved after the removal.
      await settleNames(installation, team_id, unique_id);
      const contact_id = (await loadIdentities(database, team_id, [unique_id])).get(unique_id)!;
      const [link] = await loadStampedItems(database, [linkKey(team_id, contact_id, account_number)]);
      const none = () => failure('not_found', 'the contact has no link to this account', '--unique-id');
      if (link?.data === undefined && !(await isAtWork(database, team_id))) throw none();
      requireConsent(
        `The contact ${unique_id} no longer sees account ${account_number}. Completed pages stay completed. ${laterFile}`,
        given,
      );
      const subject = { team_id, account_number, unique_id, contact_id, batch_id: batchOf(given) };
      const done = `The link of ${unique_id} to account ${account_number} is removed.`;
      return remove(installation, { subject, done, none }, [{ account_number, removal: { contact_id } }]);
    },
  }),

  remove: verb({
    does: 'Remove an account and the links to it; a later import can create them again',
    parameters: { team, accountNumber, yes },
    ids: (given) => ({ ...accountIds(given.team, given.accountNumber), batch_id: batchOf(given) }),
    run: async (installation, given) => {
      const { database } = installation;
      const { team: team_id, accountNumber: account_number } = given;
      const [stored] = await loadAccounts(database, team_id, [account_number]);
      const holders = await accountHolders(database, team_id, account_number);
      const isKnown = stored !== undefined || holders.length > 0;
      const none = () => failure('not_found', 'the team has no account with this number', '--account-number');
      if (!isKnown && !(await isAtWork(database, team_id))) throw none();
      const links = holders.length === 0 ? '' : `, and ${quantity(holders.length, 'link')} to it`;
      requireConsent(
        `Account ${account_number} is removed with all its fields${links}. Completed pages stay completed. ${laterFile}`,
        given,
      );
      const subject = { team_id, account_number, holders, batch_id: batchOf(given) };
      return remove(installation, { subject, done: `Account ${account_number} is removed${links}.`, none }, [
        { account_number, removal: 'account' },
        ...holders.map(({ contact_id }) => ({ account_number, removal: { contact_id } })),
      ]);
    },
  }),

  compare: verb({
    does: 'List as CSV the accounts and links of a team that a full file does not name; reads the whole table',
    parameters: {
      file: argument('the file of accounts, or - for standard input'),
      team,
      ...formatOptions,
      removeMissing: optional(
        '<percent>',
        'remove the links that the file does not name, unless they are more than this share of all links',
        percentOption,
      ),
      yes,
    },
    ids: (given) => (given.removeMissing === undefined ? {} : { batch_id: batchOf(given) }),
    run: async (installation, given) => {
      const { compare } = await import('./account-compare.ts');
      await compare(installation, batchOf(given), given);
      return undefined;
    },
  }),
});

const laterFile = 'A file that is accepted later and names it brings it back.';

/** @throws AdminFailure `not_found` if nothing was there to remove */
async function remove(
  installation: Installation,
  { subject, done, none }: { subject: { team_id: string; batch_id: string }; done: string; none: () => Error },
  removals: readonly Removal[],
) {
  const { team_id, batch_id } = subject;
  const batch = await removeInOrder(await installation.imports(), team_id, batch_id, removals);
  if (batch.status === 'completed' && batch.records.applied === 0) throw none();
  const status = batch.status === 'completed' ? 'removed' : 'accepted';
  return { value: { ...subject, status }, text: removalText(batch, team_id, done) };
}

import { isLink } from '../../../../lib/domain/imports/import-item.ts';
import { loadStampedItems } from '../../../../lib/store/accounts/accounts.ts';
import { loadHolders } from '../../../../lib/store/accounts/holders.ts';
import { loadContacts } from '../../../../lib/store/contacts/contacts.ts';
import type { Database } from '../../../../lib/store/table/database.ts';
import { linkKey } from '../../../../lib/store/table/keys.ts';

/** A contact that is linked to an account. `unique_id` is `null` if the contact does not exist yet. */
export type AccountHolder = { contact_id: string; unique_id: string | null; role: string | null };

/**
 * The contacts that are linked to the account. The account names contacts that can be linked to it, so their links are
 * read too. Links that versions without this list have stored are missing.
 */
export async function accountHolders(database: Database, teamId: string, number: string): Promise<AccountHolder[]> {
  const ids = await loadHolders(database, teamId, number);
  const links = await loadStampedItems(
    database,
    ids.map((id) => linkKey(teamId, id, number)),
  );
  const contacts = await loadContacts(database, teamId, ids);
  return ids.flatMap((contact_id, at) => {
    const data = links[at]?.data;
    const unique_id = contacts[at]?.contact.unique_id ?? null;
    return isLink(data) ? [{ contact_id, unique_id, role: data.role }] : [];
  });
}

import type { Account } from '../../domain/accounts/account.ts';
import type { ContactAccount } from '../../domain/accounts/contact-account.ts';
import { notFound } from '../../domain/values/problem.ts';
import { loadLinks } from '../../store/accounts/accounts.ts';
import type { Product, ProductCache } from '../../store/accounts/products.ts';
import type { Database } from '../../store/table/database.ts';
import { derivedAccountId } from '../../store/table/ids.ts';

/**
 * The accounts linked to a contact, by account number. Two round trips: one for the links and one for the accounts; a
 * third for products that are not cached. An account that so far only a mapping has named does not exist yet and is
 * left out.
 * @throws Problem `not_found` if there is no such contact.
 */
export async function contactAccounts(
  { database, productCache }: { database: Database; productCache: ProductCache },
  teamId: string,
  contactId: string,
): Promise<ContactAccount[]> {
  const { exists, links } = await loadLinks(database, teamId, contactId);
  if (!exists) throw notFound();
  const accounts = await productCache.accounts(
    teamId,
    links.map((link) => link.account_number),
  );
  return links.flatMap(({ account_number, role }, position) => {
    const found = accounts[position];
    if (!found) return [];
    return [{ role, account: shown(derivedAccountId(teamId, account_number), found.account, found.product) }];
  });
}

const shown = (id: string, { fields, meta_public }: Account, product: Product): ContactAccount['account'] => ({
  id,
  nickname: (fields.nickname as string | undefined) ?? null,
  meta_public,
  product: {
    id: product.id,
    type: product.type,
    code: product.code,
    name: product.name,
    description: product.description,
    services: product.services,
  },
});

import { ProductCache } from '../../../lib/store/accounts/products.ts';
import { ContentCache } from '../../../lib/store/campaigns/content.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import type { Installation } from '../installation.ts';
import { templatesNamed } from '../options.ts';

/** The installation with what reads the campaigns and products of teams. */
export const withReaders = (installation: Installation) => ({
  ...installation,
  content: new ContentCache(installation.database, installation.now),
  productCache: new ProductCache(installation.database),
});

/** Also a campaign that is named by its name is in the audit log by its id. */
export async function templateIds(given: { team: string; template: string }, database: Database) {
  const { templates } = await new ContentCache(database, Date.now).current(given.team);
  return { template_ids: templatesNamed(templates, given.template).map(({ id }) => id) };
}

import { accountFieldNames } from '../../lib/domain/account-field-table.ts';
import {
  contactFields,
  isContactField,
  isMetadataName,
  ofContact,
  productFields,
} from '../../lib/domain/placeholders.ts';

/** Which names of placeholders there are, for the warnings of the import. */

const general = ['journey_url', 'team.name', 'template.name'];

const ofAccounts = [
  'account_number',
  'role',
  ...accountFieldNames,
  ...productFields.filter((name) => name !== 'id').map((name) => `product.${name}`),
].map((name) => `account.${name}`);

/** All names except those of metadata. */
export const placeholderNames: readonly string[] = [...contactFields, ...general, ...ofAccounts];

export function isPlaceholderName(name: string): boolean {
  if (general.includes(name) || ofAccounts.includes(name) || name === 'account.product.id') return true;
  if (name.startsWith('account.')) return isMetadataName(name.slice('account.'.length));
  return isContactField(ofContact(name)) || isMetadataName(ofContact(name));
}

/** True for values that are filled in in URLs. */
export const isUrlPlaceholderName = (name: string): boolean =>
  general.includes(name) || /^(?:contact\.|account\.)?meta_public\../.test(name);

import { accountFieldNames } from '../../lib/domain/accounts/account-field-table.ts';
import {
  contactFields,
  isContactField,
  isMetadataName,
  isOfPerson,
  isPrivateName,
  leftOut,
  namesIn,
  ofContact,
  productFields,
} from '../../lib/domain/journeys/placeholders.ts';
import type { JsonObject } from '../../lib/domain/values/json.ts';
import type { ErrorDetail } from '../../lib/domain/values/problem.ts';
import { similarTo } from '../../lib/domain/values/similar.ts';
import { linkWarnings, urlWarnings } from './addresses.ts';
import type { Reading, ShownText } from './shapes.ts';

/**
 * Where texts are shown, which determines the placeholders that are filled in: on a journey page, in the content of a
 * channel for a contact (`channel withheld` if the campaign has `is_auth_required`), in the default content of a
 * channel, in a message, or where no placeholder is.
 */
export type Surface = 'journey' | 'channel' | 'channel withheld' | 'default content' | 'message' | 'none';

/** Placeholders that are not filled in. */
const placeholderWarnings = (
  texts: readonly ShownText[],
  surface: Surface,
  { variables = {} }: { variables?: JsonObject | undefined } = {},
): ErrorDetail[] =>
  texts.flatMap(({ text, path, is }) => {
    const found = new Map(namesIn(text, variables).map((each) => [each.written, each]));
    return [...found].flatMap(([written, { name, fallback }]) => {
      const isTerm = /\/terms\/\d+\/value$/.test(path);
      const place = { surface, isTerm, is, variables: Object.keys(variables), hasFallback: (fallback ?? '') !== '' };
      const reason = reasonNotFilled(written, name, place);
      return reason === undefined ? [] : [{ path, message: `has the placeholder \`{{${written}}}\`, ${reason}` }];
    });
  });

type Place = {
  surface: Surface;
  is: 'text' | 'url';
  variables: readonly string[];
  hasFallback: boolean;
  isTerm: boolean;
};

function reasonNotFilled(
  written: string,
  name: string | undefined,
  { surface, is, variables, hasFallback, isTerm }: Place,
) {
  if (surface === 'none') return 'but placeholders are not filled in here: write the text itself';
  if (name === undefined || (surface === 'message' && ofMessages.includes(name))) return undefined;
  if (!isPlaceholderName(name)) {
    const shown = hasFallback ? 'always shows its fallback' : 'is shown as an empty text';
    return `which has no value and ${shown}${written === name ? hint(name, variables) : `, because the variable has the text \`${name}\``}`;
  }
  if (surface === 'default content') {
    return name === 'team.name'
      ? undefined
      : `which ${hasFallback ? 'only shows its fallback' : 'is empty'} here: everybody sees the same default content`;
  }
  if (is === 'url') {
    return isUrlPlaceholderName(name)
      ? undefined
      : `which ${hasFallback ? 'only shows its fallback' : 'stays empty'} in a URL, because others can see it: use only \`meta_public.…\`, \`account.meta_public.…\`, \`team.name\`, \`template.name\` or \`journey_url\``;
  }
  if (isTerm && !hasFallback && name.startsWith('meta_'))
    return 'and its term is not shown where it is unset: write a fallback after `|`';
  if (surface === 'journey') return undefined;
  if (surface === 'message') {
    if (isPrivateName(name)) return `which a message shows as ${leftOut}: nothing private is in a message`;
    const isUnset = !hasFallback && !general.includes(name);
    return isUnset ? 'which is empty where it is unset: write a fallback after `|`' : undefined;
  }
  if (isPrivateName(name)) return `which a channel shows as ${leftOut}: an identity cannot be proved there`;
  const isWithheld = surface === 'channel withheld' && isOfPerson(name);
  return isWithheld ? `which a channel shows as ${leftOut}, because the campaign has \`is_auth_required\`` : undefined;
}

function hint(name: string, variables: readonly string[]): string {
  const own = name.replace(/^contact\./, '');
  const meant = similarTo(own, [...variables, ...placeholderNames]);
  return meant === undefined ? '' : `: did you mean \`{{${meant}}}\`?`;
}

/** What a page does not read, and the warnings of the URLs and texts that it reads. */
export const shownWarnings = (
  { warnings, texts }: Reading,
  surface: Surface,
  given: { variables?: JsonObject } = {},
): ErrorDetail[] => [
  ...warnings,
  ...texts
    .filter(({ is }) => is === 'url')
    .flatMap(({ text, path, isInText }) => (isInText ? linkWarnings : urlWarnings)(text, path)),
  ...placeholderWarnings(texts, surface, given),
];

/** Which names of placeholders there are, for the warnings of the import. */

const general = ['journey_url', 'team.name', 'template.name'];
/** Only in messages. */
const ofMessages = ['page_url', 'open_steps'];

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

import { accountFieldNames } from '../../lib/domain/account-field-table.ts';
import type { JsonObject } from '../../lib/domain/json.ts';
import {
  contactFields,
  fillUrl,
  isContactField,
  isMetadataName,
  isOfPerson,
  isPrivateName,
  leftOut,
  namesIn,
  noValues,
  ofContact,
  productFields,
} from '../../lib/domain/placeholders.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { safeUrl } from '../../lib/web/links.ts';
import { similarTo } from '../content/similar.ts';
import { warnIf } from './given.ts';
import type { Reading, ShownText } from './shapes.ts';

/**
 * Where texts are shown, which determines the placeholders that are filled in: on a journey page, in the content of a
 * channel for a contact (`channel withheld` if the campaign has `is_auth_required`), in the default content of a
 * channel, or where no placeholder is.
 */
export type Surface = 'journey' | 'channel' | 'channel withheld' | 'default content' | 'none';

/** Placeholders that are not filled in. */
const placeholderWarnings = (
  texts: readonly ShownText[],
  surface: Surface,
  { variables = {} }: { variables?: JsonObject | undefined } = {},
): ErrorDetail[] =>
  texts.flatMap(({ text, path, is }) => {
    const found = new Map(namesIn(text, variables).map((each) => [each.written, each]));
    return [...found].flatMap(([written, { name, fallback }]) => {
      const place = { surface, is, variables: Object.keys(variables), hasFallback: (fallback ?? '') !== '' };
      const reason = reasonNotFilled(written, name, place);
      return reason === undefined ? [] : [{ path, message: `has the placeholder \`{{${written}}}\`, ${reason}` }];
    });
  });

type Place = {
  surface: Surface;
  is: 'text' | 'url';
  variables: readonly string[];
  hasFallback: boolean;
};

function reasonNotFilled(written: string, name: string | undefined, { surface, is, variables, hasFallback }: Place) {
  if (surface === 'none') return 'but placeholders are not filled in here: write the text itself';
  if (name === undefined) return undefined;
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
  if (surface === 'journey') return undefined;
  if (isPrivateName(name)) return `which a channel shows as ${leftOut}: an identity cannot be proved there`;
  const isWithheld = surface === 'channel withheld' && isOfPerson(name);
  return isWithheld ? `which a channel shows as ${leftOut}, because the campaign has \`is_auth_required\`` : undefined;
}

function hint(name: string, variables: readonly string[]): string {
  const own = name.replace(/^contact\./, '');
  const meant = similarTo(own, [...variables, ...placeholderNames]);
  return meant === undefined ? '' : `: did you mean \`{{${meant}}}\`?`;
}

export const sampleJourneyUrl = 'https://onboarding.example/j/sample';

/** Names of values, which a page replaces by values that are unknown here. */
const otherPlaceholder = /\{\{(?!\s*journey_url\s*\}\})[^{}]*\}\}/g;

/** The URL as it is with some value for each of its placeholders. */
export function sampleUrl(url: string): string {
  const sample = /^\s*mailto:/i.test(url) ? 'a%40value.example' : '1';
  return fillUrl(url.replaceAll(otherPlaceholder, sample), { ...noValues, journeyUrl: sampleJourneyUrl });
}

/** A URL to which a page does not link. A variable alone can name the URL of the journey. */
export const urlWarnings = (url: string, path: string): ErrorDetail[] =>
  warnIf(
    !/^(?:\{\{\s*\w+\s*\}\})?$/.test(url.trim()) && safeUrl(sampleUrl(url).trim()) === undefined,
    path,
    'cannot be a link: write a complete URL that begins with https://, http://, mailto: or tel:',
  );

/** What a page does not read, and the warnings of the URLs and texts that it reads. */
export const shownWarnings = (
  { warnings, texts }: Reading,
  surface: Surface,
  given: { variables?: JsonObject } = {},
): ErrorDetail[] => [
  ...warnings,
  ...texts.filter(({ is }) => is === 'url').flatMap(({ text, path }) => urlWarnings(text, path)),
  ...placeholderWarnings(texts, surface, given),
];

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

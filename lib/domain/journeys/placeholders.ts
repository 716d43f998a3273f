import { type Contact, flagFields, textFields } from '../contacts/contact.ts';
import { isFactName } from '../contacts/identity-facts.ts';
import { type Direction, directionOf, isolated } from '../values/direction.ts';
import {
  isJsonObject,
  isJsonScalar,
  isRawNumber,
  type JsonObject,
  type JsonScalar,
  type JsonValue,
  numberText,
} from '../values/json.ts';
import type { Metadata } from '../values/metadata.ts';
import type { LinkedAccount } from './linked-account.ts';

/** The values for placeholders. */
export type Values = {
  /** `undefined` for content that is the same for everyone. */
  contact: Contact | undefined;
  /** The account for `account.…`, if the contact has one. */
  account: LinkedAccount | undefined;
  /** True if the person has proved to be the contact. Only then private values are filled in. */
  isIdentityValidated: boolean;
  journeyUrl: string | undefined;
  /** In a message: the URL of the page that it is about, and the number of steps that are still to be done. */
  pageUrl?: string | undefined;
  openSteps?: number | undefined;
  /** The values of a message that was sent, by name, in place of those of today. */
  kept?: Readonly<Record<string, string>> | undefined;
  teamName: string | undefined;
  templateName: string | undefined;
  /** True if nothing of the contact is shown: the campaign asks for a proof that is not possible here. */
  isWithheld?: boolean;
  /** The author's own names on the page (`content_variables`). */
  variables: JsonObject;
  /** The direction of the page, if values are isolated. Stored texts have values as they are. */
  direction?: Direction | undefined;
};

export const noValues: Values = {
  contact: undefined,
  account: undefined,
  isIdentityValidated: false,
  journeyUrl: undefined,
  teamName: undefined,
  templateName: undefined,
  variables: {},
};

/** Replaces a private value before the identity is proved, also if the value is not set. */
export const leftOut = '•••';

/**
 * Fills in the placeholders of a text. Placeholders inside values are not filled in. A name without a value becomes its
 * fallback, or else an empty text. The result is text, not HTML.
 */
export function fill(text: string, values: Values): string {
  const { direction } = values;
  const filled = (part: string) => part.replace(placeholder, (_, inside: string) => filledIn(inside, values));
  if (direction === undefined) return filled(text);
  const own = directionOf(text.replaceAll(placeholder, '')) ?? direction;
  return text.replace(adjacent, (part) => isolated(filled(part), own));
}

/** A private value is never empty here before the identity is proved, so a fallback does not say that it is not set. */
function filledIn(inside: string, values: Values): string {
  const { name, fallback } = partsOfPlaceholder(inside);
  const value = valueNamed(name, values);
  return value.trim() === '' ? (fallback ?? value) : value;
}

function valueNamed(written: string, values: Values): string {
  const meaning = meaningOf(written, values.variables);
  if ('text' in meaning) return meaning.text;
  const { name } = meaning;
  if (isPrivateName(name) && !values.isIdentityValidated) return leftOut;
  if (values.isWithheld && isOfPerson(name)) return leftOut;
  return lookUp(name, values) ?? '';
}

/**
 * The same for a URL. Only public values are filled in, percent-encoded, because URLs are sent to other servers and
 * stay in browser histories and logs.
 */
export const fillUrl = (text: string, values: Values): string =>
  text.replace(placeholder, (_, inside: string) => {
    const { name, fallback = '' } = partsOfPlaceholder(inside);
    const meaning = meaningOf(name, values.variables);
    if ('name' in meaning && isUrlName(meaning.name)) return lookUp(meaning.name, values) || fallback;
    return encodeURIComponent(('text' in meaning ? meaning.text : lookUpPublic(meaning.name, values)) || fallback);
  });

/**
 * True if a text in the values, at any depth, has a placeholder for private data, directly or through a variable.
 * @param variables `content_variables` of the page
 */
export const namesPrivateData = (values: readonly unknown[], variables: JsonObject): boolean =>
  someName(values, variables, isPrivateName);

/** True if a text in the values, at any depth, has a placeholder for the account of the contact. */
export const namesAccount = (values: readonly unknown[], variables: JsonObject): boolean =>
  someName(values, variables, (name) => name.startsWith('account.'));

const someName = (values: readonly unknown[], variables: JsonObject, is: (name: string) => boolean): boolean =>
  values.flatMap(textsIn).some((text) => namesIn(text, variables).some(({ name }) => name !== undefined && is(name)));

/** The placeholders of a text, each with the name of the value that it stands for, unless a variable is its text. */
export const namesIn = (text: string, variables: JsonObject): NamedPlaceholder[] =>
  [...text.matchAll(placeholder)].map(([, inside = '']) => {
    const { name: written, fallback } = partsOfPlaceholder(inside);
    const meaning = meaningOf(written, variables);
    return { written, name: 'name' in meaning ? meaning.name : undefined, fallback };
  });

/** `written` is the name in the braces, `name` that of the value. */
type NamedPlaceholder = { written: string; name: string | undefined } & Pick<PlaceholderParts, 'fallback'>;

/** All texts in the value, at any depth. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject((value ?? undefined) as JsonValue | undefined)
    ? Object.values(value as object).flatMap(textsIn)
    : [];
}

/** Resolves a variable: its value is either the name of another value, or a text of the author. */
function meaningOf(name: string, variables: JsonObject): { name: string } | { text: string } {
  if (!Object.hasOwn(variables, name)) return { name };
  const variable = variables[name];
  return typeof variable === 'string' && isPath(variable) ? { name: variable } : { text: textOf(variable) ?? '' };
}

/** Account fields that are shown without a proof of identity (contract, section 10). */
const isPublicOfAccount = (name: string): boolean => name === 'nickname' || /^(?:product|meta_public)\./.test(name);

/**
 * True for values that are shown only after a proof of identity: private metadata, the facts that the proof asks for,
 * and most fields of an account.
 */
export function isPrivateName(name: string): boolean {
  if (name.startsWith('account.')) return !isPublicOfAccount(name.slice('account.'.length));
  const own = ofContact(name);
  return own.startsWith('meta_private.') || isFactName(own);
}

/** True for every value of the contact or of an account. */
export const isOfPerson = (name: string): boolean =>
  name.startsWith('account.') || isContactField(ofContact(name)) || isMetadataName(ofContact(name));

export const isMetadataName = (name: string): boolean => /^meta_(?:public|private)\../.test(name);

export const ofContact = (name: string): string => (name.startsWith('contact.') ? name.slice('contact.'.length) : name);

/** The names of URLs, which are filled in in URLs as they are. */
const isUrlName = (name: string): boolean => name === 'journey_url' || name === 'page_url';

function lookUp(name: string, values: Values): string | undefined {
  const { contact, account, kept } = values;
  if (kept) return kept[name];
  if (name === 'journey_url') return values.journeyUrl;
  if (name === 'page_url') return values.pageUrl;
  if (name === 'open_steps') return textOf(values.openSteps);
  if (name.startsWith('account.')) return account && ofAccount(name.slice('account.'.length), account);
  const own = ofContact(name);
  if (own.startsWith('meta_private.')) return ofMetadata(contact?.meta_private, own.slice('meta_private.'.length));
  return isContactField(own) ? textOf(contact?.[own]) : lookUpPublic(name, values);
}

/** @param values with what was kept of them only under names that are public */
function lookUpPublic(name: string, values: Values): string | undefined {
  const { contact, account, teamName, templateName, kept } = values;
  if (kept) return isPublicName(name) ? kept[name] : undefined;
  if (name === 'team.name') return teamName;
  if (name === 'template.name') return templateName;
  const prefix = 'account.meta_public.';
  if (name.startsWith(prefix)) return ofMetadata(account?.account.meta_public, name.slice(prefix.length));
  const own = ofContact(name);
  if (!own.startsWith('meta_public.')) return undefined;
  return ofMetadata(contact?.meta_public, own.slice('meta_public.'.length));
}

const isPublicName = (name: string): boolean =>
  /^(?:team\.name$|template\.name$|(?:contact\.|account\.)?meta_public\.)/.test(name);

/** The values of the placeholders in the texts, by name, as they are filled in. */
export const valuesNamedIn = (texts: readonly string[], values: Values): Record<string, string> =>
  Object.fromEntries(
    texts
      .flatMap((text) => namesIn(text, values.variables))
      .flatMap(({ name }) => (name === undefined ? [] : [[name, valueNamed(name, { ...values, variables: {} })]])),
  );

export const productFields = ['id', 'code', 'type', 'standardized_type', 'name', 'description'] as const;

function ofAccount(name: string, { account, account_number, role, product }: LinkedAccount): string | undefined {
  if (name === 'account_number') return account_number;
  if (name === 'role') return role ?? undefined;
  const [head, ...rest] = name.split('.');
  const key = rest.join('.');
  if (head === 'meta_public' || head === 'meta_private') return ofMetadata(account[head], key);
  if (head === 'product') {
    const field = productFields.find((each) => each === key);
    return field && textOf(product[field]);
  }
  return Object.hasOwn(account.fields, name) ? textOf(account.fields[name as keyof typeof account.fields]) : undefined;
}

export const contactFields = [...textFields, ...flagFields, 'unique_id'] as const;
export const isContactField = (name: string): name is (typeof contactFields)[number] =>
  (contactFields as readonly string[]).includes(name);

const isPath = (text: string): boolean =>
  isUrlName(text) ||
  text === 'open_steps' ||
  isContactField(text) ||
  /^(?:contact|account|meta_public|meta_private|team|template)\./.test(text);

const ofMetadata = (metadata: Metadata | null | undefined, key: string): string | undefined =>
  metadata && Object.hasOwn(metadata, key) ? textOf(metadata[key]) : undefined;

const textOf = (value: JsonValue | undefined): string | undefined =>
  value === null || !isJsonScalar(value) ? undefined : scalarText(value);

const scalarText = (value: Exclude<JsonScalar, null>): string =>
  isRawNumber(value) ? numberText(value) : String(value);

/** How placeholders are written in the texts of a campaign. */

/** A placeholder, for example `{{name_first}}`. */
export const placeholder = /\{\{([^{}]*)\}\}/g;

/** Placeholders with only spaces between them, such as a first and a last name, whose order belongs together. */
export const adjacent = /\{\{[^{}]*\}\}(?:[ \u00a0]+\{\{[^{}]*\}\})*/g;

/** A fallback is the text that replaces a value that is not set. It is `undefined` without a `|`. */
export type PlaceholderParts = { name: string; fallback: string | undefined };

/** The parts of a placeholder such as `{{name_first|friend}}`. @param inside the text between the braces */
export function partsOfPlaceholder(inside: string): PlaceholderParts {
  const at = inside.indexOf('|');
  if (at < 0) return { name: inside.trim(), fallback: undefined };
  return { name: inside.slice(0, at).trim(), fallback: inside.slice(at + 1).trim() };
}

import { type Contact, flagFields, textFields } from './contact.ts';
import { isFactName } from './identity-facts.ts';
import { isJsonObject, isRawNumber, type JsonObject, type JsonScalar, type JsonValue, numberText } from './json.ts';
import type { LinkedAccount } from './linked-account.ts';
import type { Metadata } from './metadata.ts';

/** A name in a campaign's text that stands for a value: `{{name_first}}`. */
const placeholder = /\{\{([^{}]*)\}\}/g;

/** What placeholders stand for. */
export type Values = {
  /** Nobody where content is shown that is the same for all. */
  contact: Contact | undefined;
  /** That `account.…` names, where the contact has one. */
  account: LinkedAccount | undefined;
  /** Whether the person has shown who they are: private values are filled in only then. */
  isIdentityValidated: boolean;
  journeyUrl: string | undefined;
  teamName: string | undefined;
  templateName: string | undefined;
  /** Names of the author's own, of the page that is shown (`content_variables`). */
  variables: JsonObject;
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

/** Stands in a text for a private value until the person has shown who they are, whether or not there is one. */
export const leftOut = '•••';

/**
 * The text with its placeholders filled in, once: what a value holds is never looked at again. A name without a value
 * stands for nothing. The result is text, not HTML.
 */
export const fill = (text: string, values: Values): string =>
  text.replace(placeholder, (_, raw: string) => {
    const meaning = meaningOf(raw.trim(), values.variables);
    if ('text' in meaning) return meaning.text;
    const { name } = meaning;
    if (isPrivateName(name) && !values.isIdentityValidated) return leftOut;
    return lookUp(name, values) ?? '';
  });

/**
 * The same for a URL: only what is public goes into one, percent-encoded, since URLs are sent to others and stay in
 * histories and logs.
 */
export const fillUrl = (text: string, values: Values): string =>
  text.replace(placeholder, (_, raw: string) => {
    if (raw.trim() === 'journey_url') return values.journeyUrl ?? '';
    const meaning = meaningOf(raw.trim(), values.variables);
    return encodeURIComponent('text' in meaning ? meaning.text : (lookUpPublic(meaning.name, values) ?? ''));
  });

/**
 * Whether a text among the values, however deep, names private data: by itself or by way of a variable.
 * @param variables of the page (`content_variables`)
 */
export const namesPrivateData = (values: readonly unknown[], variables: JsonObject): boolean =>
  someName(values, variables, isPrivateName);

/** Whether a text among the values, however deep, names the contact's account. */
export const namesAccount = (values: readonly unknown[], variables: JsonObject): boolean =>
  someName(values, variables, (name) => name.startsWith('account.'));

function someName(values: readonly unknown[], variables: JsonObject, is: (name: string) => boolean): boolean {
  return values.flatMap(textsIn).some((text) =>
    [...text.matchAll(placeholder)].some(([, raw = '']) => {
      const meaning = meaningOf(raw.trim(), variables);
      return 'name' in meaning && is(meaning.name);
    }),
  );
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject((value ?? undefined) as JsonValue | undefined)
    ? Object.values(value as object).flatMap(textsIn)
    : [];
}

/** What a placeholder comes down to: a name, or a text of the author's own. A variable names a value, or is one. */
function meaningOf(name: string, variables: JsonObject): { name: string } | { text: string } {
  if (!Object.hasOwn(variables, name)) return { name };
  const variable = variables[name];
  return typeof variable === 'string' && isPath(variable) ? { name: variable } : { text: textOf(variable) ?? '' };
}

/** What an account shows to everybody who holds the link (contract, section 10). */
const isPublicOfAccount = (name: string): boolean => name === 'nickname' || /^(?:product|meta_public)\./.test(name);

/**
 * Names of what is shown only to somebody who has proved to be the contact: private metadata, what the proof asks for,
 * and most of an account.
 */
function isPrivateName(name: string): boolean {
  if (name.startsWith('account.')) return !isPublicOfAccount(name.slice('account.'.length));
  const own = ofContact(name);
  return own.startsWith('meta_private.') || isFactName(own);
}

const ofContact = (name: string): string => (name.startsWith('contact.') ? name.slice('contact.'.length) : name);

function lookUp(name: string, values: Values): string | undefined {
  const { contact, account } = values;
  if (name === 'journey_url') return values.journeyUrl;
  if (name.startsWith('account.')) return account && ofAccount(name.slice('account.'.length), account);
  const own = ofContact(name);
  if (own.startsWith('meta_private.')) return ofMetadata(contact?.meta_private, own.slice('meta_private.'.length));
  return isContactField(own) ? textOf(contact?.[own]) : lookUpPublic(name, values);
}

function lookUpPublic(name: string, { contact, account, teamName, templateName }: Values): string | undefined {
  if (name === 'team.name') return teamName;
  if (name === 'template.name') return templateName;
  const prefix = 'account.meta_public.';
  if (name.startsWith(prefix)) return ofMetadata(account?.account.meta_public, name.slice(prefix.length));
  const own = ofContact(name);
  if (!own.startsWith('meta_public.')) return undefined;
  return ofMetadata(contact?.meta_public, own.slice('meta_public.'.length));
}

const productFields = ['id', 'code', 'type', 'standardized_type', 'name', 'description'] as const;

function ofAccount(name: string, { account, account_number, role, product }: LinkedAccount): string | undefined {
  if (name === 'account_number') return account_number;
  if (name === 'role') return role ?? undefined;
  const [head = '', key = ''] = splitOnce(name);
  if (head === 'meta_public' || head === 'meta_private') return ofMetadata(account[head], key);
  if (head === 'product') {
    const field = productFields.find((each) => each === key);
    return field && textOf(product[field]);
  }
  return Object.hasOwn(account.fields, name) ? textOf(account.fields[name as keyof typeof account.fields]) : undefined;
}

function splitOnce(name: string): [head: string, rest: string] {
  const dot = name.indexOf('.');
  return dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)];
}

const contactFields = [...textFields, ...flagFields, 'unique_id'] as const;
const isContactField = (name: string): name is (typeof contactFields)[number] =>
  (contactFields as readonly string[]).includes(name);

const isPath = (text: string): boolean =>
  text === 'journey_url' ||
  isContactField(text) ||
  /^(?:contact|account|meta_public|meta_private|team|template)\./.test(text);

const ofMetadata = (metadata: Metadata | null | undefined, key: string): string | undefined =>
  metadata && Object.hasOwn(metadata, key) ? textOf(metadata[key]) : undefined;

function textOf(value: JsonValue | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'object' && !isRawNumber(value)) return undefined;
  return scalarText(value);
}

const scalarText = (value: Exclude<JsonScalar, null>): string =>
  typeof value === 'number' || isRawNumber(value) ? numberText(value) : String(value);

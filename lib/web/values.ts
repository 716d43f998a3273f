import { type Contact, flagFields, textFields } from '../domain/contact.ts';
import { isRawNumber, type JsonObject, type JsonScalar, type JsonValue, numberText } from '../domain/json.ts';
import type { Metadata } from '../domain/metadata.ts';
import { placeholder } from '../domain/placeholders.ts';

/** What placeholders stand for. */
export type Values = {
  /** Nobody where content is shown that is the same for all. */
  contact: Contact | undefined;
  /** Whether the person has shown who they are: only then is there any `meta_private`. */
  isIdentityValidated: boolean;
  journeyUrl: string | undefined;
  teamName: string | undefined;
  templateName: string | undefined;
  /** Names of the author's own, of the page that is shown (`content_variables`). */
  variables: JsonObject;
};

export const noValues: Values = {
  contact: undefined,
  isIdentityValidated: false,
  journeyUrl: undefined,
  teamName: undefined,
  templateName: undefined,
  variables: {},
};

/**
 * The text with its placeholders filled in, once: what a value holds is never looked at again. A name without a value
 * stands for nothing. The result is text, not HTML.
 */
export const fill = (text: string, values: Values): string =>
  text.replace(placeholder, (_, name: string) => resolved(name.trim(), values, lookUp) ?? '');

/**
 * The same for an address: only what is public goes into one, percent-encoded, since addresses are sent to others and
 * stay in histories and logs.
 */
export const fillAddress = (text: string, values: Values): string =>
  text.replace(placeholder, (_, name: string) => {
    if (name.trim() === 'journey_url') return values.journeyUrl ?? '';
    return encodeURIComponent(resolved(name.trim(), values, lookUpPublic) ?? '');
  });

type LookUp = (name: string, values: Values) => string | undefined;

/** A variable names a value, or is one. */
function resolved(name: string, values: Values, look: LookUp): string | undefined {
  const { variables } = values;
  if (!Object.hasOwn(variables, name)) return look(name, values);
  const variable = variables[name];
  if (typeof variable === 'string' && isPath(variable)) return look(variable, values);
  return textOf(variable);
}

function lookUp(name: string, values: Values): string | undefined {
  const { contact, isIdentityValidated } = values;
  if (name === 'journey_url') return values.journeyUrl;
  const own = name.startsWith('contact.') ? name.slice('contact.'.length) : name;
  if (own.startsWith('meta_private.')) {
    return isIdentityValidated ? ofMetadata(contact?.meta_private, own.slice('meta_private.'.length)) : undefined;
  }
  return isContactField(own) ? textOf(contact?.[own]) : lookUpPublic(name, values);
}

function lookUpPublic(name: string, { contact, teamName, templateName }: Values): string | undefined {
  if (name === 'team.name') return teamName;
  if (name === 'template.name') return templateName;
  const own = name.startsWith('contact.') ? name.slice('contact.'.length) : name;
  if (!own.startsWith('meta_public.')) return undefined;
  return ofMetadata(contact?.meta_public, own.slice('meta_public.'.length));
}

const contactFields = [...textFields, ...flagFields, 'unique_id'] as const;
const isContactField = (name: string): name is (typeof contactFields)[number] =>
  (contactFields as readonly string[]).includes(name);

const isPath = (text: string): boolean =>
  text === 'journey_url' || isContactField(text) || /^(?:contact|meta_public|meta_private|team|template)\./.test(text);

const ofMetadata = (metadata: Metadata | null | undefined, key: string): string | undefined =>
  metadata && Object.hasOwn(metadata, key) ? textOf(metadata[key]) : undefined;

function textOf(value: JsonValue | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'object' && !isRawNumber(value)) return undefined;
  return scalarText(value);
}

const scalarText = (value: Exclude<JsonScalar, null>): string =>
  typeof value === 'number' || isRawNumber(value) ? numberText(value) : String(value);

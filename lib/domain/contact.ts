import { isSameMetadata, type Metadata } from './metadata.ts';
import type { Completions } from './objective.ts';

/** The fields of a contact, in the order of the specification (specification, "Contact"; contract, section 3). */
export const textFields = [
  'name_title',
  'name_first',
  'name_last',
  'name_suffix',
  'address',
  'address2',
  'city',
  'state',
  'county',
  'country',
  'post_code',
  'timezone',
  'email',
  'phone_home',
  'phone_mobile',
  'phone_work',
  'birthdate',
] as const;
export const flagFields = [
  'email_verified',
  'email_opted_in',
  'email_authorized',
  'sms_verified',
  'sms_opted_in',
  'sms_authorized',
] as const;
export const metaFields = ['meta_public', 'meta_private'] as const;
/** Each deprecated field is the inverse of the one that replaces it, and is not stored. */
export const deprecatedFields = { unsubscribe_email: 'email_opted_in', unsubscribe_sms: 'sms_opted_in' } as const;

export type TextField = (typeof textFields)[number];
export type FlagField = (typeof flagFields)[number];
export type MetaField = (typeof metaFields)[number];

/** All fields of a contact in requests and responses. The name of any other field can be the key of an objective. */
export const knownFields: ReadonlySet<string> = new Set([
  'unique_id',
  ...textFields,
  ...flagFields,
  ...metaFields,
  ...Object.keys(deprecatedFields),
  'journey',
  'journey.template_id',
  'id',
  'inserted_at',
  'updated_at',
]);

/** The fields that callers set; `null` if a field is not set. */
export type ContactDetails = Readonly<Record<TextField, string | null>> &
  Readonly<Record<FlagField, boolean | null>> &
  Readonly<Record<MetaField, Metadata | null>> & {
    readonly completions: Completions;
    /** Top-level keys of `meta_private` that a caller wrote who may not read it. Their size is limited on its own. */
    readonly unread_keys?: readonly string[] | undefined;
  };

export type Contact = ContactDetails & {
  readonly id: string;
  readonly unique_id: string;
  readonly inserted_at: string;
  readonly updated_at: string;
};

export const inverse = (flag: boolean | null): boolean | null => (flag === null ? null : !flag);

export const noDetails: ContactDetails = {
  ...(Object.fromEntries(textFields.map((field) => [field, null])) as Record<TextField, null>),
  ...(Object.fromEntries(flagFields.map((field) => [field, null])) as Record<FlagField, null>),
  meta_public: null,
  meta_private: null,
  completions: {},
};

/** Ignores the order of metadata keys and of completions. */
export const isSameDetails = (a: ContactDetails, b: ContactDetails): boolean =>
  textFields.every((field) => a[field] === b[field]) &&
  flagFields.every((field) => a[field] === b[field]) &&
  metaFields.every((field) => isSameMetadata(a[field], b[field])) &&
  isSameMetadata(a.completions, b.completions);

/** Letters, marks and digits of other scripts. All other characters are punctuation and are removed. */
const foreign = /[\p{L}\p{M}]|(?![0-9])\p{N}/u;

/**
 * A phone number as stored (contract, section 3, "Phones"): digits only. Ten digits without a `+` get a leading `1`.
 * @returns `null` for a blank text, `undefined` if the text is not a phone number
 */
export function normalizedPhone(value: string): string | null | undefined {
  if (value.trim() === '') return null;
  const digits = value.replace(/[^0-9]/g, '');
  if (digits === '' || foreign.test(value)) return undefined;
  return digits.length === 10 && !value.includes('+') ? `1${digits}` : digits;
}

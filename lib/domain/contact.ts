import { isSameMetadata, type Metadata } from './metadata.ts';
import type { Completions } from './objective.ts';

/** Contacts (specification, "Contact"; contract, section 3). Fields in the specification's order. */
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
export type DeprecatedField = keyof typeof deprecatedFields;

/** Everything that a contact may be sent or returned with; any other field may be an objective's key. */
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

/** What callers set; `null` where unset. */
export type ContactDetails = Readonly<Record<TextField, string | null>> &
  Readonly<Record<FlagField, boolean | null>> &
  Readonly<Record<MetaField, Metadata | null>> & { readonly completions: Completions };

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

/** The order of metadata keys and of completions does not count. */
export const isSameDetails = (a: ContactDetails, b: ContactDetails): boolean =>
  textFields.every((field) => a[field] === b[field]) &&
  flagFields.every((field) => a[field] === b[field]) &&
  metaFields.every((field) => isSameMetadata(a[field], b[field])) &&
  isSameMetadata(a.completions, b.completions);

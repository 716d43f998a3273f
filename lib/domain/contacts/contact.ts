import { isSameMetadata, type Metadata } from '../values/metadata.ts';
import type { Completions } from './objective.ts';

const text = (description: string) => ({ kind: 'text', description }) as const;
const phone = (which: string) => {
  const description =
    `${which} phone: one number of up to 15 digits, with punctuation, without letters. Stored as digits: a leading + or 00 ` +
    'is dropped, and ten digits without it get a leading 1, unless they are the stored digits';
  return { kind: 'phone', description } as const;
};
const flag = (description: string) => ({ kind: 'flag', description }) as const;
const metadata = (description: string) => ({ kind: 'metadata', description }) as const;

/**
 * The fields that callers set, in the order of the specification (specification, "Contact"; contract, section 3). What
 * requests, responses, files, the table, lists and pages have of a contact follows from them.
 */
export const detailFields = {
  name_title: text('Title'),
  name_first: text('First name'),
  name_last: text('Last name'),
  name_suffix: text('Suffix'),
  address: text('Address line 1'),
  address2: text('Address line 2'),
  city: text('City'),
  state: text('State'),
  county: text('County'),
  country: text('Country'),
  post_code: text('Postal or zip code'),
  timezone: text('Timezone name'),
  email: text('Email address. An empty or blank value clears it'),
  phone_home: phone('Home'),
  phone_mobile: phone('Mobile'),
  phone_work: phone('Work'),
  birthdate: { kind: 'day', description: 'Date of birth' },
  email_verified: flag('The contact proved access to the email address'),
  email_opted_in: flag('The contact is opted in to emails'),
  email_authorized: flag('The email on file may be used to authenticate the contact and reveal sensitive data'),
  sms_verified: flag('The contact proved access to the mobile number'),
  sms_opted_in: flag('The contact is opted in to sms'),
  sms_authorized: flag('The mobile number on file may be used to authenticate the contact and reveal sensitive data'),
  meta_public: metadata(
    'Free-form data for personalization, flattened to dot-joined keys. Anyone who inspects journey pages can read it. The key `"meta_public.car"` of the contact means the same as `car` in it',
  ),
  meta_private: metadata(
    'Free-form private data, flattened to dot-joined keys. Shown on pages only after the contact has proved the identity. The key `"meta_private.car"` of the contact means the same as `car` in it',
  ),
} as const;
/** Each deprecated field is the inverse of the one that replaces it, and is not stored. */
export const deprecatedFields = { unsubscribe_email: 'email_opted_in', unsubscribe_sms: 'sms_opted_in' } as const;

type DetailFields = typeof detailFields;
type Kind = DetailFields[keyof DetailFields]['kind'];
type NameOf<Of extends Kind> = {
  [Name in keyof DetailFields]: DetailFields[Name]['kind'] extends Of ? Name : never;
}[keyof DetailFields];

const namesOf = <const Of extends Kind>(...kinds: Of[]) =>
  (Object.keys(detailFields) as NameOf<Of>[]).filter((name) => kinds.some((kind) => kind === detailFields[name].kind));

/** The names of fields whose values are texts. Their order, and that of the flags, is the order of the directory. */
export const textFields = namesOf('text', 'phone', 'day');
export const phoneFields = namesOf('phone');
export const flagFields = namesOf('flag');
export const metaFields = namesOf('metadata');

export type TextField = (typeof textFields)[number];
export type PhoneField = (typeof phoneFields)[number];
export type FlagField = (typeof flagFields)[number];
export type MetaField = (typeof metaFields)[number];

export const readOnlyFields: ReadonlySet<string> = new Set(['id', 'inserted_at', 'updated_at']);

/** All fields of a contact in requests and responses. The name of any other field can be the key of an objective. */
export const knownFields: ReadonlySet<string> = new Set([
  'unique_id',
  ...Object.keys(detailFields),
  ...Object.keys(deprecatedFields),
  'journey',
  'journey.template_id',
  ...readOnlyFields,
]);

/** The fields that callers set; `null` if a field is not set. */
export type ContactDetails = Readonly<Record<TextField, string | null>> &
  Readonly<Record<FlagField, boolean | null>> &
  Readonly<Record<MetaField, Metadata | null>> & {
    readonly completions: Completions;
  };

export type Contact = ContactDetails & {
  readonly id: string;
  readonly unique_id: string;
  readonly inserted_at: string;
  readonly updated_at: string;
};

/** `null` and `undefined` stay. */
export const inverse = <T extends null | undefined>(flag: boolean | T): boolean | T =>
  typeof flag === 'boolean' ? !flag : flag;

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
const plus = /[+\uff0b]/;
/** A spreadsheet writes a number in this form. */
const decimalForm = /\.0\s*$|[0-9]{7}\.0+\s*$/;
const maxPhoneDigits = 15;
/** So many digits are a whole number. What follows them after a separator is another number, or an extension. */
const wholeNumber = 7;

/**
 * A phone number as stored (contract, section 3, "Phones"): digits only. A leading `00` is a `+`, which is dropped. Ten
 * digits without either get a leading `1`.
 * @returns `null` for a blank text, `undefined` if the text is not one phone number
 */
export function normalizedPhone(value: string): string | null | undefined {
  if (value.trim() === '') return null;
  if (foreign.test(value) || decimalForm.test(value) || holdsSeveral(value)) return undefined;
  const sent = phoneDigits(value);
  const hasPlus = plus.test(value);
  const isInternational = hasPlus || sent.startsWith('00');
  const digits = isInternational && !hasPlus ? sent.slice(2) : sent;
  if (digits === '' || digits.length > maxPhoneDigits) return undefined;
  return digits.length === 10 && !isInternational ? `1${digits}` : digits;
}

/** All digits of a phone number as it was sent. */
export const phoneDigits = (value: string): string => value.replace(/[^0-9]/g, '');

/** True if a plus follows a digit, or other digits follow a whole number after a separator. */
function holdsSeveral(value: string): boolean {
  if (/[0-9][^0-9]*[+\uff0b]/.test(value)) return true;
  const lengths = (separators: RegExp) => value.split(separators).map((part) => phoneDigits(part).length);
  const follows = (least: number) => (length: number, at: number, all: readonly number[]) =>
    length >= wholeNumber && all.slice(at + 1).some((other) => other >= least);
  return lengths(/[,;|&#*\r\n]/).some(follows(1)) || lengths(/[\s/\\]/).some(follows(wholeNumber));
}

/** A contact before or after a change: what decides whether the change is an event. */
export type ContactState = {
  unique_id: string;
  /** All fields that callers set. Equal fields are equal texts. */
  data: string;
  completions: Completions;
  inserted_at: string;
  updated_at: string;
  version: number;
  /** When the contact left, last took that back, and last verified its address with a link. */
  left_at?: string | undefined;
  returned_at?: string | undefined;
  verified_at?: string | undefined;
  /** The message by whose link the contact left, if this is the change by which it left. */
  left_by?: string | undefined;
};

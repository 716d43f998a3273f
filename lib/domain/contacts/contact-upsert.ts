import { mergeMetadata, metadataError } from '../values/metadata.ts';
import type { ErrorDetail } from '../values/problem.ts';
import {
  type Contact,
  type ContactDetails,
  type FlagField,
  flagFields,
  isSameDetails,
  type MetaField,
  metaFields,
  noDetails,
  phoneFields,
} from './contact.ts';
import type { ContactChange } from './contact-record.ts';
import { completed, type Objective } from './objective.ts';

export type UpsertContext = {
  /** System id and `unique_id` for a new contact. */
  id: string;
  uniqueId: string;
  /** Time of receipt, ISO 8601. */
  now: string;
  objectives: readonly Objective[];
};

export type Upserted = {
  contact: Contact;
  created: boolean;
  /** True if the contact must be written. */
  changed: boolean;
  /** Errors that only the merge can find, with paths relative to the record. */
  errors: ErrorDetail[];
};

/** Applies one record to a contact (contract, section 3). A record without changes does not change `updated_at`. */
export function applyUpsert(stored: Contact | undefined, sent: ContactChange, context: UpsertContext): Upserted {
  const before = stored ?? newContact(context);
  const change = withStored(sent, before);
  const details: ContactDetails = {
    ...before,
    ...change.fields,
    ...(stored ? resetFlags(stored, change) : {}),
    ...mergedMeta(before, change),
    completions: completed(before.completions, change.unknown, context.objectives, context.now),
  };
  const changed = stored === undefined || !isSameDetails(details, stored);
  const contact = changed ? { ...before, ...details, updated_at: context.now } : before;
  return { contact, created: stored === undefined, changed, errors: errorDetailsOf(details, change) };
}

/**
 * Applies several records of one contact in order, as one change. If they cancel each other out, nothing has changed.
 */
export function applyUpserts(
  stored: Contact | undefined,
  changes: readonly ContactChange[],
  context: UpsertContext,
): Omit<Upserted, 'errors'> & { errors: ErrorDetail[][] } {
  let contact = stored;
  const errors: ErrorDetail[][] = [];
  for (const change of changes) {
    const upserted = applyUpsert(contact, change, context);
    contact = upserted.contact;
    errors.push(upserted.errors);
  }
  if (!contact) throw new Error('an upsert has at least one record');
  if (stored && isSameDetails(contact, stored)) return { contact: stored, created: false, changed: false, errors };
  return { contact, created: stored === undefined, changed: true, errors };
}

/**
 * The outcome of an upsert after which nobody may stand as opted in, because the contact has left or its address is
 * listed (contract, section 15, "Leaving"). However it was said, the contact is not opted in.
 */
export function withoutOptIn(
  stored: Contact | undefined,
  { contact }: Pick<Upserted, 'contact'>,
  now: string,
): Pick<Upserted, 'contact' | 'changed'> {
  const left = { ...contact, email_opted_in: false };
  if (stored && isSameDetails(left, stored)) return { contact: stored, changed: false };
  return { contact: { ...left, updated_at: now }, changed: true };
}

const newContact = ({ id, uniqueId, now }: UpsertContext): Contact => ({
  ...noDetails,
  id,
  unique_id: uniqueId,
  inserted_at: now,
  updated_at: now,
});

/**
 * The change, decided by what is stored where the record alone says two things (contract, section 3): of two flags that
 * contradict each other, the one that differs from the stored value counts, and digits that are stored are that phone.
 */
function withStored(change: ContactChange, before: Contact): ContactChange {
  const fields = { ...change.fields };
  for (const field of flagFields) {
    const other = change.contradicting[field];
    if (other !== undefined && fields[field] === before[field]) fields[field] = other;
  }
  for (const field of phoneFields) {
    if (before[field] !== null && change.phones[field] === before[field]) fields[field] = before[field];
  }
  return { ...change, fields };
}

/** Flags that describe the stored email or phone. A new value resets them, unless the record sends them itself. */
const addressFlags = {
  email: ['email_verified', 'email_authorized'],
  phone_mobile: ['sms_verified', 'sms_authorized'],
} as const satisfies Partial<Record<keyof ContactDetails, readonly FlagField[]>>;

function resetFlags(stored: Contact, { fields }: ContactChange): Partial<Record<FlagField, false>> {
  const reset: Partial<Record<FlagField, false>> = {};
  for (const address of ['email', 'phone_mobile'] as const) {
    if (fields[address] === undefined || fields[address] === stored[address]) continue;
    for (const flag of addressFlags[address]) {
      if (stored[flag] === true && fields[flag] === undefined) reset[flag] = false;
    }
  }
  return reset;
}

function mergedMeta(before: Contact, { meta }: ContactChange): Partial<Pick<ContactDetails, MetaField>> {
  const sent = metaFields.filter((field) => meta[field] !== undefined);
  return Object.fromEntries(sent.map((field) => [field, mergeMetadata(before[field], meta[field] ?? null)]));
}

const errorDetailsOf = (details: ContactDetails, { meta }: ContactChange): ErrorDetail[] =>
  metaFields.flatMap((field) => {
    const message = meta[field] === undefined ? undefined : metadataError(details[field]);
    return message === undefined
      ? []
      : [{ path: `/${field}`, message: `${message} when merged with the stored value` }];
  });

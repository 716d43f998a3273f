import {
  type Contact,
  type ContactDetails,
  type FlagField,
  isSameDetails,
  type MetaField,
  metaFields,
  noDetails,
} from './contact.ts';
import type { ContactChange } from './contact-record.ts';
import { mergeMetadata, metadataError } from './metadata.ts';
import { completed, type Objective } from './objective.ts';
import type { ErrorDetail } from './problem.ts';

export type UpsertContext = {
  /** The contact's system id and `unique_id`, for one that is new. */
  id: string;
  uniqueId: string;
  /** ISO 8601: time of receipt. */
  now: string;
  objectives: readonly Objective[];
};

export type Upserted = {
  contact: Contact;
  created: boolean;
  /** Whether there is something to write. */
  changed: boolean;
  /** What only merging reveals, with paths from the record. */
  errors: ErrorDetail[];
};

/** The contact after one record (contract, section 3). What changes nothing leaves `updated_at` as it is. */
export function applyUpsert(stored: Contact | undefined, change: ContactChange, context: UpsertContext): Upserted {
  const before = stored ?? newContact(context);
  const details: ContactDetails = {
    ...before,
    ...change.fields,
    ...(stored ? withdrawnFlags(stored, change) : {}),
    ...mergedMeta(before, change),
    completions: completed(before.completions, change.unknown, context.objectives, context.now),
  };
  const changed = stored === undefined || !isSameDetails(details, stored);
  const contact = changed ? { ...before, ...details, updated_at: context.now } : before;
  return { contact, created: stored === undefined, changed, errors: errorDetailsOf(details, change) };
}

/** Records of one contact in their order, as one change: where they cancel out, nothing has changed. */
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

const newContact = ({ id, uniqueId, now }: UpsertContext): Contact => ({
  ...noDetails,
  id,
  unique_id: uniqueId,
  inserted_at: now,
  updated_at: now,
});

/** These flags speak of the address on file, so a new address withdraws them unless the record sends them itself. */
const addressFlags = {
  email: ['email_verified', 'email_authorized'],
  phone_mobile: ['sms_verified', 'sms_authorized'],
} as const satisfies Partial<Record<keyof ContactDetails, readonly FlagField[]>>;

function withdrawnFlags(stored: Contact, { fields }: ContactChange): Partial<Record<FlagField, false>> {
  const withdrawn: Partial<Record<FlagField, false>> = {};
  for (const address of ['email', 'phone_mobile'] as const) {
    if (fields[address] === undefined || fields[address] === stored[address]) continue;
    for (const flag of addressFlags[address]) {
      if (stored[flag] === true && fields[flag] === undefined) withdrawn[flag] = false;
    }
  }
  return withdrawn;
}

function mergedMeta(before: Contact, { meta }: ContactChange): Partial<Pick<ContactDetails, MetaField>> {
  const sent = metaFields.filter((field) => meta[field] !== undefined);
  return Object.fromEntries(sent.map((field) => [field, mergeMetadata(before[field], meta[field] ?? null)]));
}

function errorDetailsOf(details: ContactDetails, { meta }: ContactChange): ErrorDetail[] {
  return metaFields.flatMap((field) => {
    const message = meta[field] === undefined ? undefined : metadataError(details[field]);
    return message === undefined ? [] : [{ path: `/${field}`, message: `merged with what is stored, ${message}` }];
  });
}

import * as z from 'zod';
import {
  contactRecord,
  identityFaults,
  judgedRecord,
  maxUniqueIdBytes,
  namesJourney,
} from '../../domain/contact-record.ts';
import { listLimits } from '../../domain/cursor.ts';
import { sortColumns } from '../../domain/directory.ts';
import { text, utcDateTime } from '../../domain/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { exactInstant } from '../../domain/objective.ts';
import type { Fault } from '../../domain/problem.ts';
import type { Scope } from '../../domain/scope.ts';
import { uuid } from '../../domain/uuid.ts';
import { contract } from '../contract.ts';
import { anySendsDeprecated, sendsDeprecated } from '../deprecation.ts';
import { namedContact, namedContactUnless } from '../openapi/conditions.ts';
import { wholeNumber } from '../params.ts';

const tag = 'Contacts';
const maxBatch = 500;

const unset = <T extends z.ZodType>(type: T, of: keyof typeof contactRecord.shape) =>
  type.nullable().meta({ description: contactRecord.shape[of].meta()?.description ?? '' });
const textOf = (field: keyof typeof contactRecord.shape) => unset(z.string(), field);
const flagOf = (field: keyof typeof contactRecord.shape) => unset(z.boolean(), field);
const metaOf = (field: 'meta_public' | 'meta_private') =>
  unset(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])), field);

const contactShape = {
  id: uuid().meta({ description: 'System id' }),
  unique_id: z.string().meta({ description: "Caller's cross-reference id" }),
  name_title: textOf('name_title'),
  name_first: textOf('name_first'),
  name_last: textOf('name_last'),
  name_suffix: textOf('name_suffix'),
  address: textOf('address'),
  address2: textOf('address2'),
  city: textOf('city'),
  state: textOf('state'),
  county: textOf('county'),
  country: textOf('country'),
  post_code: textOf('post_code'),
  timezone: textOf('timezone'),
  email: textOf('email'),
  phone_home: textOf('phone_home'),
  phone_mobile: textOf('phone_mobile'),
  phone_work: textOf('phone_work'),
  birthdate: unset(z.iso.date(), 'birthdate'),
  email_verified: flagOf('email_verified'),
  email_opted_in: flagOf('email_opted_in'),
  email_authorized: flagOf('email_authorized'),
  sms_verified: flagOf('sms_verified'),
  sms_opted_in: flagOf('sms_opted_in'),
  sms_authorized: flagOf('sms_authorized'),
  unsubscribe_email: z.boolean().nullable().meta({ deprecated: true, description: 'Inverse of `email_opted_in`' }),
  unsubscribe_sms: z.boolean().nullable().meta({ deprecated: true, description: 'Inverse of `sms_opted_in`' }),
  meta_public: metaOf('meta_public'),
  meta_private: metaOf('meta_private'),
  inserted_at: z.iso.datetime().meta({ description: 'Time of creation' }),
  updated_at: z.iso.datetime().meta({ description: 'Time of the last change' }),
};

const privateMeta = metaOf('meta_private').optional();

export const contact = z
  .object({ ...contactShape, meta_private: privateMeta })
  .meta({ id: 'Contact', description: 'A contact with every field; what is unset is `null`' });
const { meta_private: _, ...createdShape } = contactShape;
const createdContact = z
  .object(createdShape)
  .meta({ id: 'CreatedContact', description: 'A contact that this call has created: without `meta_private`' });

/** A contact that names a journey starts it (contract, section 2). */
const journeyScopes = (...records: readonly JsonValue[]): Scope[] =>
  records.some(namesJourney) ? ['journeys:write'] : [];

/** `contacts` decides that the body is a batch, and is at fault where it cannot be one. */
function bodyFaults(body: JsonObject): Fault[] {
  const { contacts } = body;
  if (contacts === undefined) return identityFaults(body);
  const message = !Array.isArray(contacts)
    ? 'must be an array'
    : contacts.length > maxBatch
      ? `must hold at most ${maxBatch} contacts`
      : 'cannot stand beside unique_id or email: send one contact, or contacts';
  return [{ path: '/contacts', message }];
}

const holdsBatch = (body: unknown): boolean => {
  const { contacts, ...beside } = isJsonObject(body as JsonValue) ? (body as JsonObject) : {};
  const ambiguous = Object.hasOwn(beside, 'unique_id') || Object.hasOwn(beside, 'email');
  return Array.isArray(contacts) && contacts.length <= maxBatch && !ambiguous;
};

const batch = z
  .preprocess(
    (body) => (holdsBatch(body) ? body : undefined),
    z.looseObject({
      contacts: z
        .array(judgedRecord(identityFaults).meta(namedContact))
        .max(maxBatch)
        .meta({ description: 'Contacts, applied in their order' }),
    }),
  )
  .meta({
    id: 'ContactBatchInput',
    description: 'Contacts to create or update together',
    not: { anyOf: [{ required: ['unique_id'] }, { required: ['email'] }] },
  });

export const upsertContacts = contract({
  id: 'upsert-contacts',
  scope: 'contacts:write',
  furtherScopes: ({ body }) => journeyScopes(...(Array.isArray(body.contacts) ? body.contacts : [body])),
  tag,
  summary: 'Create or update contacts',
  description:
    'One contact, or up to 500 in `contacts`. A `unique_id` that is new creates a contact, one that exists updates it; ' +
    '`email` stands in for an absent `unique_id`; with neither a contact is refused. A batch with a faulty record stores nothing. The same `unique_id` ' +
    'twice in a batch is applied in order and listed once. Sending a request again is safe.',
  body: z.union([batch, judgedRecord(bodyFaults).meta(namedContactUnless({ required: ['contacts'] }))]),
  deprecated: anySendsDeprecated,
  answers: {
    200: {
      description: 'The updated contact; or, of a batch, what it created and what it updated, in the order sent',
      schema: z.union([
        contact,
        z
          .object({
            new_contacts: z.array(createdContact).meta({ description: 'Created, in the order sent' }),
            existing_contacts: z.array(contact).meta({ description: 'Updated, in the order sent' }),
          })
          .meta({ id: 'ContactBatch', description: 'What a batch of contacts came to' }),
      ]),
    },
    201: { description: 'The created contact', schema: createdContact },
  },
});

export const updateContact = contract({
  id: 'update-contact',
  scope: 'contacts:write',
  furtherScopes: ({ body }) => journeyScopes(body),
  tag,
  summary: 'Update a contact',
  description: 'PUT and PATCH do the same: fields that are sent are set. A `unique_id` cannot be changed here.',
  body: judgedRecord(() => []),
  deprecated: sendsDeprecated,
  answers: { 200: { description: 'The contact', schema: contact } },
});

export const getContact = contract({
  id: 'get-contact',
  scope: 'contacts:read',
  tag,
  summary: 'Get a contact',
  description: 'By its system id. Sees every acknowledged write.',
  answers: { 200: { description: 'The contact, as the last acknowledged write left it', schema: contact } },
});

export const listContacts = contract({
  id: 'list-contacts',
  scope: 'contacts:read',
  tag,
  summary: 'List and search contacts',
  description:
    'Unset values come last in both directions, ties by id, strings without regard to case. To read on, follow ' +
    '`next_cursor`, whose cost does not grow with depth; `offset` costs what it skips. Trails writes by a moment.',
  query: z.object({
    limit: wholeNumber({ description: 'Contacts per page', minimum: 1, ...listLimits }),
    offset: wholeNumber({
      description: 'Contacts to skip; reading on by `cursor` is cheaper',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
    }),
    search: text()
      .optional()
      .describe('Only contacts with this in a text field or a metadata value, without regard to case'),
    unique_id: text(maxUniqueIdBytes)
      .optional()
      .describe('Only the contact with this `unique_id`; sees every acknowledged write'),
    updated_since: z
      .string()
      .refine((value) => value === '' || exactInstant(value) !== undefined, 'must be an ISO 8601 date-time with Z')
      .transform((value) => exactInstant(value) ?? '')
      .optional()
      .meta({
        description: 'Only contacts that were updated at this time or later',
        pattern: `^$|${utcDateTime.source}`,
        examples: ['2026-03-12T19:03:58Z'],
      }),
    sort_column: z
      .enum(sortColumns, 'must be a scalar field of a contact')
      .optional()
      .meta({ default: 'inserted_at', description: 'Field to sort by' }),
    sort_direction: z
      .enum(['asc', 'desc'], 'must be asc or desc')
      .optional()
      .meta({ default: 'asc', description: 'Ascending or descending' }),
    cursor: z
      .string()
      .optional()
      .describe('`next_cursor` of the page before. Other parameters must be as they were, or be left out'),
  }),
  answers: {
    200: {
      description: 'One page',
      schema: z
        .object({
          contacts: z.array(contact).meta({ description: 'The contacts of the page' }),
          limit: z.int().meta({ description: 'Contacts per page' }),
          offset: z.int().meta({ description: 'Contacts that were skipped' }),
          has_more: z.boolean().meta({ description: 'Whether more contacts follow' }),
          next_cursor: z.string().optional().meta({ description: 'While there is more: what `cursor` continues with' }),
        })
        .meta({ id: 'ContactList', description: 'A page of contacts' }),
      headers: { link: 'While there is more: the address of the next page, with `rel="next"` (RFC 8288).' },
    },
  },
  problems: ['payload_too_large'],
});

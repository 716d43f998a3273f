import * as z from 'zod';
import { identityErrors, maxUniqueIdBytes, namesJourney, parsedContact } from '../../domain/contact-record.ts';
import { listLimits } from '../../domain/cursor.ts';
import { sortColumns } from '../../domain/directory.ts';
import { text, utcDateTime } from '../../domain/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { exactInstant } from '../../domain/objective.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import type { Scope } from '../../domain/scope.ts';
import { contactBatch, contactList, createdContact, shownContact } from '../../domain/shown-contact.ts';
import { contract } from '../contract.ts';
import { anySendsDeprecated, sendsDeprecated } from '../deprecation.ts';
import { namedContact, namedContactUnless } from '../openapi/conditions.ts';
import { wholeNumber } from '../params.ts';

const tag = 'Contacts';
const maxBatch = 500;

/** A contact that names a journey starts it (contract, section 2). */
const journeyScopes = (...records: readonly JsonValue[]): Scope[] =>
  records.some(namesJourney) ? ['journeys:write'] : [];

/** `contacts` decides that the body is a batch, and is at fault where it cannot be one. */
function bodyErrors(body: JsonObject): ErrorDetail[] {
  const { contacts } = body;
  if (contacts === undefined) return identityErrors(body);
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
        .array(parsedContact(identityErrors).meta(namedContact))
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
  body: z.union([batch, parsedContact(bodyErrors).meta(namedContactUnless({ required: ['contacts'] }))]),
  deprecated: anySendsDeprecated,
  responses: {
    200: {
      description: 'The updated contact; or, of a batch, what it created and what it updated, in the order sent',
      schema: z.union([shownContact, contactBatch]),
      headers: { etag: 'Entity tag of a single contact, for `If-Match`' },
    },
    201: {
      description: 'The created contact',
      schema: createdContact,
      headers: { etag: 'Entity tag, for `If-Match`' },
    },
  },
});

export const updateContact = contract({
  id: 'update-contact',
  scope: 'contacts:write',
  furtherScopes: ({ body }) => journeyScopes(body),
  tag,
  summary: 'Update a contact',
  description:
    'PUT and PATCH do the same: fields that are sent are set. A `unique_id` cannot be changed here. With `If-Match` ' +
    'nothing is stored if the contact has changed since that entity tag was read.',
  conditional: 'writes',
  body: parsedContact(() => []),
  deprecated: sendsDeprecated,
  problems: ['precondition_failed'],
  responses: {
    200: { description: 'The contact', schema: shownContact, headers: { etag: 'Entity tag of the new state' } },
  },
});

export const getContact = contract({
  id: 'get-contact',
  scope: 'contacts:read',
  tag,
  summary: 'Get a contact',
  description: 'By its system id. Sees every acknowledged write.',
  conditional: 'reads',
  responses: { 200: { description: 'The contact, as the last acknowledged write left it', schema: shownContact } },
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
  responses: {
    200: {
      description: 'One page',
      schema: contactList,
      headers: { link: 'While there is more: the address of the next page, with `rel="next"` (RFC 8288).' },
    },
  },
  problems: ['payload_too_large'],
});

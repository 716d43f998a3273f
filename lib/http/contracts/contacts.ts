import * as z from 'zod';
import { listLimits } from '../../domain/contact-list.ts';
import {
  InvalidContact,
  identityErrors,
  maxUniqueIdBytes,
  namesJourney,
  parsedContact,
} from '../../domain/contact-record.ts';
import { sortColumns } from '../../domain/directory.ts';
import { text } from '../../domain/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { type ErrorDetail, maxErrorDetails } from '../../domain/problem.ts';
import type { Scope } from '../../domain/scope.ts';
import { contactBatch, contactList, createdContact, shownContact, writtenContact } from '../../domain/shown-contact.ts';
import { contract } from '../contract.ts';
import { anySendsDeprecated, sendsDeprecated } from '../deprecation.ts';
import { namedContact, namedContactUnless } from '../openapi/conditions.ts';
import { cursorParam, timeParam, wholeNumber } from '../params.ts';

const tag = 'Contacts';
const maxBatch = 500;

/** A contact with `journey` starts a journey, which needs another scope (contract, section 2). */
const journeyScopes = (records: readonly JsonValue[]): Scope[] =>
  records.some(namesJourney) ? ['journeys:write'] : [];

/** A body with `contacts` is a batch. If it cannot be one, the error names `contacts`, and others its contacts. */
function bodyErrors(body: JsonObject): ErrorDetail[] {
  const { contacts } = body;
  if (contacts === undefined) return identityErrors(body);
  if (!Array.isArray(contacts)) return [{ path: '/contacts', message: 'must be an array' }];
  const message =
    contacts.length > maxBatch
      ? `must hold at most ${maxBatch} contacts`
      : 'must not be sent together with unique_id or email: send either one contact or contacts';
  return [{ path: '/contacts', message }, ...firstErrors(contacts)];
}

const contactOfBatch = parsedContact(identityErrors);

/** The errors of the contacts, up to the number that is reported: a body can hold two million contacts. */
function firstErrors(contacts: readonly JsonValue[]): ErrorDetail[] {
  const errors: ErrorDetail[] = [];
  for (const [index, record] of contacts.entries()) {
    if (errors.length >= maxErrorDetails) break;
    const contact = contactOfBatch.parse(record);
    if (!(contact instanceof InvalidContact)) continue;
    for (const { path, message } of contact.errors) errors.push({ path: `/contacts/${index}${path}`, message });
  }
  return errors;
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
        .array(contactOfBatch.meta(namedContact))
        .max(maxBatch)
        .meta({ description: 'Contacts, applied in this order' }),
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
  furtherScopes: ({ body }) => journeyScopes(Array.isArray(body.contacts) ? body.contacts : [body]),
  tag,
  summary: 'Create or update contacts',
  description:
    'Send one contact, or up to 500 in `contacts`. A new `unique_id` creates a contact, an existing one updates it. If ' +
    '`unique_id` is absent, `email` is used as the `unique_id`. A contact with neither is invalid. If one contact of a ' +
    'batch is invalid, nothing is stored. If a `unique_id` is in a batch twice, both are applied in order and the contact ' +
    'is listed once. The request is safe to retry. Without the scope `contacts:read`, a contact in the response has only ' +
    '`id`, `unique_id`, `inserted_at` and `updated_at`.',
  body: z.union([batch, parsedContact(bodyErrors).meta(namedContactUnless({ required: ['contacts'] }))]),
  deprecated: anySendsDeprecated,
  responses: {
    200: {
      description: 'The updated contact. For a batch: the created and the updated contacts, each in the order sent',
      schema: z.union([shownContact, contactBatch, writtenContact]),
      headers: { etag: 'Entity tag of a single contact, for `If-Match`' },
    },
    201: {
      description: 'The created contact',
      schema: z.union([createdContact, writtenContact]),
      headers: { etag: 'Entity tag, for `If-Match`' },
    },
  },
});

export const updateContact = contract({
  id: 'update-contact',
  scope: 'contacts:write',
  furtherScopes: ({ body }) => journeyScopes([body]),
  tag,
  summary: 'Update a contact',
  description:
    'PUT and PATCH do the same: they set the fields that are sent. `unique_id` cannot be changed. With `If-Match`, ' +
    'nothing is stored if the contact has changed since you read that entity tag.',
  conditional: 'writes',
  body: parsedContact(() => []),
  deprecated: sendsDeprecated,
  problems: ['precondition_failed'],
  responses: {
    200: {
      description: 'The contact',
      schema: z.union([shownContact, writtenContact]),
      headers: { etag: 'Entity tag of the updated contact' },
    },
  },
});

export const getContact = contract({
  id: 'get-contact',
  scope: 'contacts:read',
  tag,
  summary: 'Get a contact',
  description: 'Returns a contact by its system id. Sees every acknowledged write.',
  conditional: 'reads',
  responses: { 200: { description: 'The contact', schema: shownContact } },
});

export const listContacts = contract({
  id: 'list-contacts',
  isValidatedLate: true,
  scope: 'contacts:read',
  tag,
  summary: 'List and search contacts',
  description:
    'Sorting ignores case. Unset values come last in both directions, and equal values are sorted by id. To read the ' +
    'next page, send `next_cursor` as `cursor`: every page costs the same. `offset` also reads the contacts that it ' +
    'skips. The list can be behind writes by a moment. Searching and sorting by a field read all contacts of the ' +
    'team: a client that does this too often within a minute gets a 429.',
  query: z.object({
    limit: wholeNumber({ description: 'Contacts per page', minimum: 1, ...listLimits }),
    offset: wholeNumber({
      description: 'Contacts to skip. `cursor` is cheaper',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
    }),
    search: text()
      .optional()
      .describe(
        'Only contacts with this text in a text field or a metadata value. Ignores case. Phones are stored as digits',
      ),
    unique_id: text(maxUniqueIdBytes)
      .optional()
      .describe('Only the contact with this `unique_id`. Sees every acknowledged write'),
    updated_since: timeParam('Only contacts that were updated at this time or later'),
    sort_column: z
      .enum(sortColumns, `must be one of ${sortColumns.join(', ')}`)
      .optional()
      .meta({ default: 'inserted_at', description: 'Field to sort by' }),
    sort_direction: z
      .enum(['asc', 'desc'], 'must be asc or desc')
      .optional()
      .meta({ default: 'asc', description: 'Sort direction: ascending or descending' }),
    cursor: cursorParam(),
  }),
  responses: {
    200: {
      description: 'A page of contacts',
      schema: contactList,
      headers: { link: 'URL of the next page with `rel="next"` (RFC 8288). Absent on the last page.' },
    },
  },
  problems: ['payload_too_large'],
});

import * as z from 'zod';
import {
  InvalidContact,
  identityErrors,
  namesJourney,
  parsedContact,
} from '../../lib/domain/contacts/contact-record.ts';
import {
  type ContactBatch,
  contactBatch,
  createdContact,
  shownContact,
  writtenContact,
} from '../../lib/domain/contacts/contact-responses.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/domain/values/json.ts';
import { type ErrorDetail, maxErrorDetails } from '../../lib/domain/values/problem.ts';
import { unknownFieldsOf } from '../../lib/domain/values/unknown-fields.ts';
import { contract } from '../../lib/http/contract.ts';
import { anySendsDeprecated } from '../../lib/http/deprecation.ts';
import { contactTag } from '../../lib/http/entity-tag.ts';
import { namedContact, namedContactUnless } from '../../lib/http/openapi/conditions.ts';
import { fits, reply } from '../../lib/http/reply.ts';
import { writtenTo } from '../../lib/http/visibility.ts';
import { upsertBatch, upsertContact } from '../../lib/operations/contacts/upsert.ts';
import { startJourneys } from '../../lib/operations/journeys/start.ts';
import { contactService } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { service } from '../../lib/runtime/table.ts';

const maxBatch = 500;

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
      contacts: z.array(contactOfBatch.meta(namedContact)).max(maxBatch).describe('Contacts, applied in this order'),
    }),
  )
  .meta({
    id: 'ContactBatchInput',
    description: 'Contacts to create or update together',
    not: { anyOf: [{ required: ['unique_id'] }, { required: ['email'] }] },
  });

/** Unknown fields of the body of a batch. A body without `contacts` is a contact, as those in `contacts` are. */
function besideContacts(body: unknown) {
  const sent = body as JsonObject;
  const names = sent.contacts === undefined ? [] : Object.keys(sent).filter((name) => name !== 'contacts');
  return names.map((name) => ({ path: [name], known: ['contacts'] }));
}

export const upsertContacts = contract<typeof responses>()({
  id: 'upsert-contacts',
  scope: 'contacts:write',
  // A contact with `journey` starts a journey.
  furtherScopes: ({ body }) =>
    (Array.isArray(body.contacts) ? body.contacts : [body]).some(namesJourney) ? ['journeys:write'] : [],
  tag: 'Contacts',
  summary: 'Create or update contacts',
  description:
    'Send one contact, or up to 500 in `contacts`. A new `unique_id` creates a contact, an existing one updates it. If ' +
    '`unique_id` is absent, `email` is used as the `unique_id`. A contact with neither is invalid. If one contact of a ' +
    'batch is invalid, nothing is stored. If a `unique_id` is in a batch twice, both are applied in order and the contact ' +
    'is listed once. The request is safe to retry. Without the scope `contacts:read`, a contact in the response has only ' +
    '`id`, `unique_id`, `inserted_at` and `updated_at`.',
  body: z
    .union([batch, parsedContact(bodyErrors).meta(namedContactUnless({ required: ['contacts'] }))])
    .register(unknownFieldsOf, { find: besideContacts }),
  isStrictLate: true,
  deprecated: anySendsDeprecated,
});

const responses = () => ({
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
});

export const contracts = () => [{ ...upsertContacts, responses: responses() }];

export const handler = bearerEndpoint(upsertContacts, async ({ caller, body, strictErrors }) => {
  if ('contacts' in body) {
    const shown = ({ new_contacts, existing_contacts }: ContactBatch) => ({
      new_contacts: new_contacts.map((contact) => writtenTo(caller, contact)),
      existing_contacts: existing_contacts.map((contact) => writtenTo(caller, contact)),
    });
    const call = { ...caller, source: { kind: 'batch' as const, id: caller.clientId } };
    const { batch, journeys } = await upsertBatch(contactService(), call, body.contacts, {
      otherErrors: strictErrors,
      fits: (stored) => fits(shown(stored)),
    });
    await startJourneys(service(), caller.teamId, journeys);
    return reply(200, shown(batch));
  }
  const { contact, version, created, journeys } = await upsertContact(contactService(), caller, body);
  await startJourneys(service(), caller.teamId, journeys);
  const headers = { etag: contactTag(version, contact) };
  const shown = writtenTo(caller, contact);
  return created ? reply(201, shown, headers) : reply(200, shown, headers);
});

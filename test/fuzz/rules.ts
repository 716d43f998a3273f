import type { JsonValue } from '../../lib/domain/json.ts';
import type { Operation } from './schema.ts';
import type { World } from './world.ts';

type Fields = Record<string, JsonValue | undefined>;
export type Asked = { operation: Operation; params: Record<string, string>; body?: JsonValue };

/** A rule that a schema cannot express, because it depends on several fields, on bytes, or on stored data. */
type Rule = { status: number; isBroken(asked: Asked, world: World): boolean };

const fieldsOf = (value: JsonValue | undefined): Fields =>
  (typeof value === 'object' && value !== null ? value : {}) as Fields;
const isBlank = (value: JsonValue | undefined) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
const bytes = (value: JsonValue | undefined) => (typeof value === 'string' ? Buffer.byteLength(value) : 0);

/** The contact records of a request, and whether they are upserted by their own identifiers. */
function contactsIn({ operation, body }: Asked): { records: Fields[]; upserts: boolean } {
  const fields = fieldsOf(body);
  const records = Array.isArray(fields.contacts) ? fields.contacts.map(fieldsOf) : [fields];
  if (operation.path === '/v1/contacts' && operation.method === 'POST') return { records, upserts: true };
  if (operation.id.startsWith('updateContact')) return { records: [fields], upserts: false };
  if (operation.id !== 'createJourney') return { records: [], upserts: false };
  const contact = fieldsOf(fields.contact);
  return namesOne(contact) ? { records: [], upserts: false } : { records: [contact], upserts: true };
}

const namesOne = (contact: Fields) => Object.keys(contact).length === 1 && contact.id !== undefined;
const accountsIn = ({ operation, body }: Asked): Fields[] =>
  operation.id === 'createBatch' ? ((fieldsOf(body).records ?? []) as JsonValue[]).map(fieldsOf) : [];

const namesTooLong = ({ records, upserts }: ReturnType<typeof contactsIn>): boolean =>
  records.some(
    ({ unique_id, email }) => bytes(unique_id) > 1024 || (upserts && isBlank(unique_id) && bytes(email) > 1024),
  );

const foreign = /[\p{L}\p{M}]|(?![0-9])\p{N}/u;
const phones = ['phone_home', 'phone_mobile', 'phone_work'];

const isEmpty = (value: JsonValue | undefined) => value === undefined || value === null || value === '';
const hasAssertion = (body: JsonValue | undefined): boolean =>
  [fieldsOf(body).client_assertion, fieldsOf(body).client_assertion_type].some((value) => !isEmpty(value));

export const rules: Record<string, Rule> = {
  'what names a contact, an account or a product is bounded in bytes': {
    status: 422,
    isBroken: (asked) =>
      namesTooLong(contactsIn(asked)) ||
      accountsIn(asked).some(
        ({ account_number, product, contact }) =>
          bytes(account_number) > 512 ||
          bytes(fieldsOf(product).code) > 512 ||
          bytes(fieldsOf(contact).unique_id) > 1024,
      ),
  },
  'what names a contact, an account or a product holds no U+FFFD': {
    status: 422,
    isBroken: (asked) => {
      const { records, upserts } = contactsIn(asked);
      const names = [
        ...records.flatMap(({ unique_id, email }) => [unique_id, upserts && isBlank(unique_id) ? email : undefined]),
        ...accountsIn(asked).flatMap(({ account_number, product, contact }) => [
          account_number,
          fieldsOf(product).code,
          fieldsOf(contact).unique_id,
        ]),
      ];
      return names.some((name) => typeof name === 'string' && name.includes('\ufffd'));
    },
  },
  'a chunk_index is below its chunk_count': {
    status: 422,
    isBroken: ({ operation, body }) => {
      const { chunk_count, chunk_index } = fieldsOf(body);
      const areSent = typeof chunk_count === 'number' && typeof chunk_index === 'number';
      return operation.id === 'createBatch' && areSent && chunk_index >= chunk_count;
    },
  },
  'a phone has no letters, and no digits of other scripts': {
    status: 422,
    isBroken: (asked) =>
      contactsIn(asked).records.some((each) =>
        phones.some((name) => typeof each[name] === 'string' && foreign.test(each[name])),
      ),
  },
  'a journey needs a template that exists and is not archived': {
    status: 422,
    isBroken: (asked, { liveTemplates }) =>
      contactsIn(asked).records.some(({ journey }) => {
        const { template_id } = fieldsOf(journey);
        return typeof template_id === 'string' && !liveTemplates.has(template_id.toLowerCase());
      }),
  },
  'a contact that is named by its id exists': {
    status: 422,
    isBroken: ({ operation, body }, { contacts }) => {
      const contact = fieldsOf(fieldsOf(body).contact);
      return (
        operation.id === 'createJourney' &&
        namesOne(contact) &&
        !contacts.some(({ id }) => id === String(contact.id).toLowerCase())
      );
    },
  },
  'an update does not change the unique_id': {
    status: 422,
    isBroken: ({ operation, params, body }, { contacts }) => {
      const { unique_id } = fieldsOf(body);
      const stored = contacts.find(({ id }) => id === params.id?.toLowerCase())?.unique_id;
      return (
        operation.id.startsWith('updateContact') && stored !== undefined && !isBlank(unique_id) && unique_id !== stored
      );
    },
  },
  'the credentials are those of a client': {
    status: 401,
    isBroken: ({ operation, body }, { target }) => {
      const { client_id, client_secret } = fieldsOf(body);
      const isTheirs = client_id === target.clientId && client_secret === target.clientSecret;
      return operation.id === 'createToken' && (!isTheirs || hasAssertion(body));
    },
  },
  'a token request shows one kind of credentials': {
    status: 400,
    isBroken: ({ operation, body }) =>
      operation.id === 'createToken' && hasAssertion(body) && !isEmpty(fieldsOf(body).client_secret),
  },
  'a page is of the journey’s template': {
    status: 404,
    isBroken: (asked, world) => pageOf(asked, world) === 'unknown',
  },
  'a journey that asks for a proof of identity takes no action without one': {
    status: 403,
    isBroken: (asked, world) => {
      const canComplete = pageOf(asked, world);
      const isCompletion = fieldsOf(asked.body).type === 'page_completed';
      const isTaken = canComplete !== 'unknown' && (canComplete || !isCompletion);
      return asked.operation.id === 'recordAction' && world.guarded.has(asked.params.slug!) && isTaken;
    },
  },
  'what is answered is a block of the page': {
    status: 422,
    isBroken: ({ operation, body }) => {
      const { answers } = fieldsOf(body);
      // No block has one of the generated ids.
      return operation.id === 'recordAction' && Array.isArray(answers) && answers.length > 0;
    },
  },
  'a page is completed by what its condition asks for': {
    status: 422,
    isBroken: (asked, world) => pageOf(asked, world) === false && fieldsOf(asked.body).type === 'page_completed',
  },
};

/** Returns whether the page can be completed on the journey page. */
function pageOf({ operation, params, body }: Asked, { pages }: World): boolean | 'unknown' | undefined {
  const journey = operation.id === 'recordAction' ? pages.get(params.slug!) : undefined;
  return journey && (journey.get(String(fieldsOf(body).page_id).toLowerCase()) ?? 'unknown');
}

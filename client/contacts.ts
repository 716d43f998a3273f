import { dataOf, given, type Transport } from './transport.ts';
import type {
  CallOptions,
  Contact,
  ContactAccount,
  ContactBatch,
  ContactInput,
  ContactQuery,
  CreatedContact,
} from './types.ts';

/** As many as one request may bring. */
const pageSize = 100;

export class Contacts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates the contact, or updates the one with its `unique_id` (else its `email`). */
  async upsert(contact: ContactInput, { signal }: CallOptions = {}): Promise<Contact | CreatedContact> {
    const answer = await dataOf(this.#transport.api.POST('/v1/contacts', { body: contact, ...given(signal) }));
    return answer as Contact | CreatedContact;
  }

  /** Up to 500 contacts; of the same `unique_id` twice the later wins. All are stored, or none. */
  async upsertMany(contacts: readonly ContactInput[], { signal }: CallOptions = {}): Promise<ContactBatch> {
    const body = { contacts: [...contacts] };
    const answer = await dataOf(this.#transport.api.POST('/v1/contacts', { body, ...given(signal) }));
    return answer as ContactBatch;
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<Contact> {
    return dataOf(this.#transport.api.GET('/v1/contacts/{id}', { params: { path: { id } }, ...given(signal) }));
  }

  /** Sets the fields that are given. */
  async update(id: string, fields: ContactInput, { signal }: CallOptions = {}): Promise<Contact> {
    const params = { path: { id } };
    return dataOf(this.#transport.api.PATCH('/v1/contacts/{id}', { params, body: fields, ...given(signal) }));
  }

  /** The accounts linked to the contact, by account number. */
  async accounts(id: string, { signal }: CallOptions = {}): Promise<ContactAccount[]> {
    const params = { path: { contact_id: id } };
    return dataOf(this.#transport.api.GET('/v1/contacts/{contact_id}/accounts', { params, ...given(signal) }));
  }

  /** Every contact that the query finds; the next page is fetched when the loop comes to it. */
  async *list(query: ContactQuery = {}, { signal }: CallOptions = {}): AsyncGenerator<Contact, void, undefined> {
    const asked = { limit: pageSize, ...query };
    for (let cursor: string | undefined; ; ) {
      const params = { query: cursor === undefined ? asked : { ...asked, cursor } };
      const page = await dataOf(this.#transport.api.GET('/v1/contacts', { params, ...given(signal) }));
      yield* page.contacts;
      cursor = page.next_cursor;
      if (cursor === undefined) return;
    }
  }
}

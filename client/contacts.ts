import { tagOf } from './errors.ts';
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

/** The largest page that the service returns. */
const pageSize = 100;

/** A contact with its entity tag, for `ifMatch` and `ifNoneMatch`. */
export type TaggedContact = { contact: Contact; tag: string };

export type UpdateOptions = CallOptions & {
  /** The tag that the contact must still have. */
  ifMatch?: string | undefined;
};

export class Contacts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a contact, or updates the one with its `unique_id`. Without a `unique_id`, `email` is used as such. */
  async upsert(contact: ContactInput, { signal }: CallOptions = {}): Promise<Contact | CreatedContact> {
    const data = await dataOf(this.#transport.api.POST('/v1/contacts', { body: contact, ...given(signal) }));
    return data as Contact | CreatedContact;
  }

  /** Creates or updates up to 500 contacts. If a `unique_id` is repeated, the last one wins. If one is invalid, all fail. */
  async upsertMany(contacts: readonly ContactInput[], { signal }: CallOptions = {}): Promise<ContactBatch> {
    const body = { contacts: [...contacts] };
    const data = await dataOf(this.#transport.api.POST('/v1/contacts', { body, ...given(signal) }));
    return data as ContactBatch;
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<Contact> {
    return dataOf(this.#transport.api.GET('/v1/contacts/{id}', { params: { path: { id } }, ...given(signal) }));
  }

  /** The contact with its entity tag. With `ifNoneMatch`: `undefined` if the contact still has that tag. */
  async getWithTag(id: string, options: CallOptions & { ifNoneMatch: string }): Promise<TaggedContact | undefined>;
  async getWithTag(id: string, options?: CallOptions): Promise<TaggedContact>;
  async getWithTag(
    id: string,
    { signal, ifNoneMatch }: CallOptions & { ifNoneMatch?: string } = {},
  ): Promise<TaggedContact | undefined> {
    const header = ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch };
    const params = { path: { id }, header };
    const { data, response } = await this.#transport.api.GET('/v1/contacts/{id}', { params, ...given(signal) });
    return response.status === 304 ? undefined : { contact: data as Contact, tag: tagOf(response) };
  }

  /**
   * Sets the given fields. With `ifMatch`, only if the contact still has that tag.
   *
   * @throws PreconditionFailedError if the contact has another tag
   */
  async update(id: string, fields: ContactInput, { signal, ifMatch }: UpdateOptions = {}): Promise<Contact> {
    const params = { path: { id }, header: ifMatch === undefined ? {} : { 'If-Match': ifMatch } };
    return dataOf(this.#transport.api.PATCH('/v1/contacts/{id}', { params, body: fields, ...given(signal) }));
  }

  /** The accounts that are linked to the contact, by account number. */
  async accounts(id: string, { signal }: CallOptions = {}): Promise<ContactAccount[]> {
    const params = { path: { contact_id: id } };
    return dataOf(this.#transport.api.GET('/v1/contacts/{contact_id}/accounts', { params, ...given(signal) }));
  }

  /** All contacts that match the query. The next page is requested when the loop needs it. */
  async *list(query: ContactQuery = {}, { signal }: CallOptions = {}): AsyncGenerator<Contact, void, undefined> {
    const first = { limit: pageSize, ...query };
    for (let cursor: string | undefined; ; ) {
      const params = { query: cursor === undefined ? first : { ...first, cursor } };
      const page = await dataOf(this.#transport.api.GET('/v1/contacts', { params, ...given(signal) }));
      yield* page.contacts;
      cursor = page.next_cursor;
      if (cursor === undefined) return;
    }
  }
}

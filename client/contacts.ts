import { tagOf } from './errors.ts';
import type { Result } from './operations.ts';
import { Area } from './transport.ts';
import type {
  CallOptions,
  Contact,
  ContactAccount,
  ContactBatch,
  ContactErasure,
  ContactInput,
  ContactQuery,
  ContactVerification,
  UpsertedContact,
  WrittenContact,
} from './types.ts';

/** The largest page that the service returns. */
const pageSize = 100;

/**
 * A contact with its entity tag, for `ifMatch` and `ifNoneMatch`.
 *
 * @example
 * const { contact, tag }: TaggedContact = await client.contacts.getWithTag(id);
 */
export type TaggedContact = { contact: Contact; tag: string };

/**
 * Options of `contacts.update`.
 *
 * @example
 * const options: UpdateOptions = { ifMatch: tag };
 */
export type UpdateOptions = CallOptions & {
  /** The tag that the contact must still have. */
  ifMatch?: string | undefined;
};

/**
 * For a client without the scope `contacts:read`: what it wrote is returned with its ids and times alone.
 *
 * @example
 * const { id } = await client.contacts.upsert({ unique_id: 'c-1001' }, { idsOnly: true });
 */
export type IdsOnly = { idsOnly: true };

/** The contact as the API takes it: the key of an objective is a field. A field of the contact has precedence. */
export const sentContact = <Sent extends object>({ objectives, ...fields }: Sent & Pick<ContactInput, 'objectives'>) =>
  ({ ...objectives, ...fields }) as unknown as Sent & Record<string, unknown>;

/** The consumers of an institution. */
export class Contacts extends Area {
  /**
   * Creates a contact, or updates the one with its `unique_id`. Without a `unique_id`, `email` is used as such.
   *
   * @example
   * const { id } = await client.contacts.upsert({
   *   unique_id: 'c-1001',
   *   email: 'jana@example.com',
   *   objectives: { debit_card: '2026-03-01T09:00:00Z' },
   * });
   */
  async upsert(contact: ContactInput, options: CallOptions & IdsOnly): Promise<WrittenContact>;
  async upsert(contact: ContactInput, options?: CallOptions): Promise<UpsertedContact>;
  async upsert(contact: ContactInput, { signal }: CallOptions = {}): Promise<UpsertedContact | WrittenContact> {
    const data = await this.transport.call('POST /v1/contacts', { body: sentContact(contact), signal });
    return data as UpsertedContact | WrittenContact;
  }

  /**
   * Creates or updates up to 500 contacts. If a `unique_id` is repeated, the last one wins. If one is invalid, all fail.
   *
   * @example
   * const { new_contacts } = await client.contacts.upsertMany([{ unique_id: 'c-1' }, { unique_id: 'c-2' }]);
   */
  async upsertMany(contacts: readonly ContactInput[], { signal }: CallOptions = {}): Promise<ContactBatch> {
    const body = { contacts: contacts.map(sentContact) };
    return (await this.transport.call('POST /v1/contacts', { body, signal })) as ContactBatch;
  }

  /**
   * A contact by its system id.
   *
   * @example
   * const contact = await client.contacts.get(id);
   */
  async get(id: string, { signal }: CallOptions = {}): Promise<Contact> {
    return this.transport.call('GET /v1/contacts/{id}', { path: { id }, signal });
  }

  /**
   * The contact with its entity tag. With `ifNoneMatch`: `undefined` if the contact still has that tag.
   *
   * @example
   * const { contact, tag } = await client.contacts.getWithTag(id);
   * const newer = await client.contacts.getWithTag(id, { ifNoneMatch: tag });
   */
  async getWithTag(id: string, options: CallOptions & { ifNoneMatch: string }): Promise<TaggedContact | undefined>;
  async getWithTag(id: string, options?: CallOptions): Promise<TaggedContact>;
  async getWithTag(
    id: string,
    { signal, ifNoneMatch }: CallOptions & { ifNoneMatch?: string } = {},
  ): Promise<TaggedContact | undefined> {
    const headers = ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch };
    const response = await this.transport.respond('GET /v1/contacts/{id}', { path: { id }, headers, signal });
    if (response.status === 304) return undefined;
    return { contact: (await response.json()) as Contact, tag: tagOf(response) };
  }

  /**
   * Sets the given fields. With `ifMatch`, only if the contact still has that tag.
   *
   * @example
   * const { tag } = await client.contacts.getWithTag(id);
   * await client.contacts.update(id, { city: 'Brno' }, { ifMatch: tag });
   *
   * @throws PreconditionFailedError if the contact has another tag
   */
  async update(id: string, fields: ContactInput, options: UpdateOptions & IdsOnly): Promise<WrittenContact>;
  async update(id: string, fields: ContactInput, options?: UpdateOptions): Promise<Contact>;
  async update(
    id: string,
    fields: ContactInput,
    { signal, ifMatch }: UpdateOptions = {},
  ): Promise<Contact | WrittenContact> {
    const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch };
    const body = sentContact(fields);
    return this.transport.call('PATCH /v1/contacts/{id}', { path: { id }, headers, body, signal });
  }

  /**
   * Erases the person. The service stores the request and completes it within some minutes.
   *
   * @example
   * await client.contacts.erase(id);
   *
   * @throws ApiError with status 404 if there is no such contact, or it is erased
   */
  async erase(id: string, { signal }: CallOptions = {}): Promise<ContactErasure> {
    return this.transport.call('DELETE /v1/contacts/{id}', { path: { id }, signal });
  }

  /**
   * Unsubscribes the contact from marketing messages: a later `email_opted_in: true` stores `false`.
   *
   * @example
   * await client.contacts.optOut(id);
   */
  async optOut(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.transport.call('POST /v1/contacts/{id}/opt-outs', { path: { id }, body: { channel: 'email' }, signal });
  }

  /**
   * Sends a link that verifies the address on file.
   *
   * @example
   * await client.contacts.verify(id);
   *
   * @throws ApiError with status 409 if messages to the address bounced, 422 if there is none
   */
  async verify(id: string, { signal }: CallOptions = {}): Promise<ContactVerification> {
    const body = { channel: 'email' } as const;
    return this.transport.call('POST /v1/contacts/{id}/verifications', { path: { id }, body, signal });
  }

  /**
   * The accounts that are linked to the contact, by account number.
   *
   * @example
   * for (const { role, account } of await client.contacts.accounts(id)) console.log(role, account.nickname);
   */
  async accounts(id: string, { signal }: CallOptions = {}): Promise<ContactAccount[]> {
    return this.transport.call('GET /v1/contacts/{contact_id}/accounts', { path: { contact_id: id }, signal });
  }

  /**
   * All contacts that match the query. The next page is requested when the loop needs it.
   *
   * @example
   * for await (const contact of client.contacts.list({ updated_since: '2026-03-01T00:00:00Z' })) console.log(contact.id);
   */
  async *list(query: ContactQuery = {}, { signal }: CallOptions = {}): AsyncGenerator<Contact, void, undefined> {
    const list = 'GET /v1/contacts';
    const sent = { query: { limit: pageSize, ...query }, signal };
    for await (const { contacts } of this.transport.pages<Result<typeof list>>(list, sent)) yield* contacts;
  }
}

import type { components, operations } from './schema.ts';

type Schemas = components['schemas'];

/** The fields that the document names, without the index signature for unknown fields. */
type Named<T> = { [Key in keyof T as string extends Key ? never : Key]: T[Key] };

/**
 * The type without the unknown fields that the service ignores, so that a mistake in the name of a field does not
 * compile. Objects of free form stay as they are.
 */
type Exact<T> = T extends readonly (infer Each)[]
  ? Exact<Each>[]
  : T extends object
    ? keyof Named<T> extends never
      ? T
      : { [Key in keyof Named<T>]: Exact<Named<T>[Key]> }
    : T;

/** A contact as the service returns it. Fields that are not set are `null`. */
export type Contact = Schemas['Contact'];
/** A contact that the request created. It has no `meta_private`. */
export type CreatedContact = Schemas['CreatedContact'];
/**
 * A contact that the request created or updated. `meta_private` is absent if it was created.
 *
 * @example
 * const { email }: UpsertedContact = await client.contacts.upsert({ unique_id: 'c-1001', city: 'Brno' });
 */
export type UpsertedContact = CreatedContact & Partial<Pick<Contact, 'meta_private'>>;
/** A contact in the response to a write of a client without the scope `contacts:read`. */
export type WrittenContact = Schemas['WrittenContact'];
/**
 * `true`: the objective is completed now. A text is the time at which it was completed (ISO 8601).
 *
 * @example
 * const completion: ObjectiveCompletion = '2026-03-01T09:00:00Z';
 */
export type ObjectiveCompletion = string | true;
/**
 * A contact to create or update. A field that is left out keeps its value, `null` clears it.
 *
 * @example
 * const contact: ContactInput = { unique_id: 'c-1001', name_first: 'Jana', objectives: { debit_card: true } };
 */
export interface ContactInput extends Exact<Schemas['ContactInput']> {
  /** Objectives that the contact has completed, by their keys. They are sent as fields of the contact. */
  objectives?: Readonly<Record<string, ObjectiveCompletion>>;
}
/** The contacts that a batch created and updated, each in the order sent. */
export type ContactBatch = Schemas['ContactBatch'];
/**
 * The accepted erasure of a contact.
 *
 * @example
 * const { status }: ContactErasure = await client.contacts.erase(id);
 */
export type ContactErasure = Schemas['ContactErasure'];
/**
 * The message with a link that verifies an address, which will be sent.
 *
 * @example
 * const { id }: ContactVerification = await client.contacts.verify(contactId);
 */
export type ContactVerification = Schemas['ContactVerification'];
/** An account of a contact, with the contact's role. */
export type ContactAccount = Schemas['ContactAccount'];
/**
 * Filters and sort order of a list of contacts. `limit` is the page size.
 *
 * @example
 * const query: ContactQuery = { search: '(651) 555-0123', sort_column: 'name_last' };
 */
export type ContactQuery = Omit<NonNullable<operations['listContacts']['parameters']['query']>, 'cursor' | 'offset'>;

/**
 * An account with the contact to link it to, or only the account number and the contact.
 *
 * @example
 * const record: AccountRecord = {
 *   account_number: '2002',
 *   contact: { unique_id: 'c-1001', role: 'primary' },
 *   product: { code: 'FREE', type: 'checking' },
 *   balance: '10.50',
 * };
 */
export interface AccountRecord extends Exact<Schemas['AccountInput']> {}
/**
 * A batch of accounts. `batch_id` and `chunk_index` together are its idempotency key.
 *
 * @example
 * const input: BatchInput = { type: 'accounts', batch_id: 'members-2026-03-01', chunk_index: 0, records };
 */
export type BatchInput = Omit<Schemas['BatchInput'], 'records'> & {
  /** The accounts, in the order in which they are applied. */
  records: readonly AccountRecord[];
};
/** The response to a batch. `duplicate`: it had been accepted before. */
export type BatchAcceptance = Schemas['BatchAcceptance'];
/** The status of a batch, with its rejected records in `errors`. */
export type Batch = Schemas['BatchStatus'];
/** A batch in a list, without `errors`. */
export type BatchSummary = Schemas['BatchSummary'];

/**
 * A contact and the fields of its journey.
 *
 * @example
 * const journey: JourneyInput = { contact: { unique_id: 'c-1001' }, name: 'Welcome' };
 */
export type JourneyInput = Omit<Exact<Schemas['JourneyInput']>, 'contact'> & {
  /** The contact to create or update, or only the `id` of an existing contact. */
  contact: Exact<Schemas['ContactReference']> | ContactInput;
};
/** A journey as the response to its start. */
export type StartedJourney = Schemas['StartedJourney'];
/** A journey as the response to its confirmation or cancellation. */
export type ConfirmedJourney = Schemas['Journey'];
/** A journey of a template, with its progress and the ids of its contact. */
export type TemplateJourney = Schemas['TemplateJourney'];
/**
 * Which journeys of a template to list. `limit` is the page size.
 *
 * @example
 * const query: TemplateJourneyQuery = { updated_since: '2026-03-01T00:00:00Z' };
 */
export type TemplateJourneyQuery = Pick<
  NonNullable<operations['listJourneys']['parameters']['query']>,
  'updated_since' | 'limit'
>;
/** How many journeys of a template came how far, and what was answered. */
export type TemplateResults = Schemas['TemplateResults'];
/** A response to a template, with its journey and the ids of its contact. */
export type TemplateResponse = Schemas['TemplateResponse'];
/**
 * Which responses to a template to list. `limit` is the page size.
 *
 * @example
 * const query: TemplateResponseQuery = { since: '2026-03-01T00:00:00Z' };
 */
export type TemplateResponseQuery = Omit<
  NonNullable<operations['listTemplateResponses']['parameters']['query']>,
  'cursor'
>;
/** Something that happened. It names ids, and never contains data of a person. */
export type Event = Schemas['Event'];
/** A type of event. */
export type EventType = Event['type'];
/**
 * Which events to read: of these types (`journey.*` is all types of journeys), after this cursor or published since this
 * time. `limit` is the page size.
 *
 * @example
 * const query: EventQuery = { types: ['journey.*'], since: '2026-03-01T00:00:00Z' };
 */
export type EventQuery = Omit<NonNullable<operations['listEvents']['parameters']['query']>, 'type'> & {
  types?: NonNullable<operations['listEvents']['parameters']['query']>['type'];
};
/** A webhook with its state. */
export type Webhook = Schemas['Webhook'];
/** A webhook with its state and what waits. */
export type WebhookDetails = Schemas['WebhookDetails'];
/**
 * A webhook to create.
 *
 * @example
 * const input: WebhookInput = { url: 'https://receiver.example.com/', types: ['journey.*'] };
 */
export interface WebhookInput extends Exact<Schemas['WebhookInput']> {}
/** A webhook that was made, with its secret. */
export type NewWebhook = Schemas['NewWebhook'];
/** The new secret of a webhook. */
export type RotatedWebhook = Schemas['RotatedWebhook'];
/** The response of a receiver to a test. */
export type WebhookTest = Schemas['WebhookTest'];
/** A journey with its contact, its template and its progress. */
export type Journey = Schemas['ListedJourney'];

/** A campaign: its settings and content. */
export type Template = Schemas['Template'];
/** A message of a template. */
export type TemplateMessage = Schemas['TemplateMessage'];
/** A page of a template, with its place in the template. */
export type TemplatePage = Schemas['TemplatePage'];
/** A goal that contacts can complete. */
export type Objective = Schemas['Objective'];
/** What a person answered to one block of a page. */
export type PageResponse = Schemas['PageResponse'];
/** A message of a journey, and what became of it. */
export type SentMessage = Schemas['SentMessage'];
/** A place outside the service, such as online banking, that shows content for a contact. */
export type EngagementChannel = Schemas['EngagementChannel'];
/** The URL of the content for a contact, and of its journey. */
export type ContentReference = Schemas['ContentContainerReference'];

/** A scope of an access token. */
export type Scope = Schemas['AuthorizationServer']['scopes_supported'][number];

/**
 * A field of a contact, or a key of its metadata, for a channel lookup.
 *
 * @example
 * const field: LookupField = 'meta_private[core_id]';
 */
export type LookupField =
  | Exclude<
      Extract<keyof NonNullable<operations['searchContentContainers']['parameters']['query']>, keyof Contact>,
      'meta_public' | 'meta_private'
    >
  | `meta_public[${string}]`
  | `meta_private[${string}]`;

/**
 * Options of every call.
 *
 * @example
 * await client.contacts.get(id, { signal: AbortSignal.timeout(10_000) });
 */
export type CallOptions = {
  /** Aborts the call, also while it waits for a retry. */
  signal?: AbortSignal | undefined;
};

import type { components, operations } from './schema.ts';

type Schemas = components['schemas'];

export type Contact = Schemas['Contact'];
/** A contact that the request created. It has no `meta_private`. */
export type CreatedContact = Schemas['CreatedContact'];
export type ContactInput = Schemas['ContactInput'];
/** The contacts that a batch created and updated, each in the order sent. */
export type ContactBatch = Schemas['ContactBatch'];
export type ContactAccount = Schemas['ContactAccount'];
/** Filters and sort order of a list of contacts. `limit` is the page size. */
export type ContactQuery = Omit<NonNullable<operations['listContacts']['parameters']['query']>, 'cursor' | 'offset'>;

/** An account with the contact to link it to, or only the account number and the contact. */
export type AccountRecord = Schemas['AccountInput'];
export type BatchInput = operations['createBatch']['requestBody']['content']['application/json'];
export type BatchAcceptance = Schemas['BatchAcceptance'];
export type Batch = Schemas['BatchStatus'];
/** A batch in a list, without `errors`. */
export type BatchSummary = Schemas['BatchSummary'];
export type BatchList = Schemas['BatchList'];

export type JourneyInput = Schemas['JourneyInput'];
export type StartedJourney = Schemas['StartedJourney'];
/** A journey as the response to its confirmation. */
export type ConfirmedJourney = Schemas['Journey'];
/** A journey with its contact, its template and its progress. */
export type Journey = Schemas['ListedJourney'];

export type Template = Schemas['Template'];
export type TemplateMessage = Schemas['TemplateMessage'];
export type TemplatePage = Schemas['TemplatePage'];
export type Objective = Schemas['Objective'];
/** What a person answered to one block of a page. */
export type PageResponse = Schemas['PageResponse'];
export type EngagementChannel = Schemas['EngagementChannel'];
export type ContentReference = Schemas['ContentContainerReference'];

/** A scope of an access token. */
export type Scope = Schemas['AuthorizationServer']['scopes_supported'][number];

/** A field of a contact, or a key of its metadata, for a channel lookup. */
export type LookupField =
  | Exclude<
      Extract<keyof NonNullable<operations['searchContentContainers']['parameters']['query']>, keyof Contact>,
      'meta_public' | 'meta_private'
    >
  | `meta_public[${string}]`
  | `meta_private[${string}]`;

export type CallOptions = {
  /** Aborts the call, also while it waits for a retry. */
  signal?: AbortSignal | undefined;
};

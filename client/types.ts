import type { components, operations } from './schema.ts';

type Schemas = components['schemas'];

export type Contact = Schemas['Contact'];
/** A contact that the call has just created: without `meta_private`. */
export type CreatedContact = Schemas['CreatedContact'];
export type ContactInput = Schemas['ContactInput'];
/** What a call with several contacts created and what it updated, each in the order sent. */
export type ContactBatch = Schemas['ContactBatch'];
export type ContactAccount = Schemas['ContactAccount'];
/** How to find and sort contacts; `limit` is how many come with one request. */
export type ContactQuery = Omit<NonNullable<operations['listContacts']['parameters']['query']>, 'cursor' | 'offset'>;

/** An account with the contact to link it to, or these two alone. */
export type AccountRecord = Schemas['AccountInput'];
export type BatchInput = operations['createBatch']['requestBody']['content']['application/json'];
export type BatchAcceptance = Schemas['BatchAcceptance'];
export type Batch = Schemas['BatchStatus'];
/** A batch as the list shows it: without the records that were rejected. */
export type BatchSummary = Schemas['BatchSummary'];
export type BatchList = Schemas['BatchList'];

export type JourneyInput = Schemas['JourneyInput'];
export type StartedJourney = Schemas['StartedJourney'];
/** A journey as its confirmation answers it. */
export type ConfirmedJourney = Schemas['Journey'];
/** A journey with its contact, its template and how far it has come. */
export type Journey = Schemas['ListedJourney'];

export type Template = Schemas['Template'];
export type TemplateMessage = Schemas['TemplateMessage'];
export type TemplatePage = Schemas['TemplatePage'];
export type Objective = Schemas['Objective'];
/** What a person answered to a block of a page. */
export type PageResponse = Schemas['PageResponse'];
export type EngagementChannel = Schemas['EngagementChannel'];
export type ContentReference = Schemas['ContentContainerReference'];

/** What a token may be used for. */
export type Scope = Schemas['AuthorizationServer']['scopes_supported'][number];

/** A field of a contact to look a channel's content up by, or a key of its metadata. */
export type LookupField =
  | Exclude<
      Extract<keyof NonNullable<operations['searchContentContainers']['parameters']['query']>, keyof Contact>,
      'meta_public' | 'meta_private'
    >
  | `meta_public[${string}]`
  | `meta_private[${string}]`;

export type CallOptions = {
  /** Ends the call, also while it waits to be sent again. */
  signal?: AbortSignal | undefined;
};

import { Batches } from './batches.ts';
import { Channels, Journeys, Objectives, Templates } from './campaigns.ts';
import { Contacts } from './contacts.ts';
import { Events } from './events.ts';
import type { Fetch } from './exchange.ts';
import type { Retry } from './retry.ts';
import { Webhooks } from './subscriptions.ts';
import { TokenSource } from './token.ts';
import { Transport } from './transport.ts';
import type { Scope } from './types.ts';

/**
 * Options of the client.
 *
 * @example
 * const options: ClientOptions = { baseUrl: 'https://api.example.com', clientId, clientSecret, maxAttempts: 3 };
 */
export type ClientOptions = {
  /** Base URL of the service. Plain HTTP is allowed only for this machine. */
  baseUrl: string;
  /** The id of the credential. */
  clientId: string;
  /** The secret of the credential. Never put it into a web page. */
  clientSecret: string;
  /** The scopes of the access token. All scopes of the credential by default. */
  scopes?: readonly Scope[];
  /** Replaces the `fetch` of the platform. */
  fetch?: Fetch;
  /** Aborts every call. */
  signal?: AbortSignal;
  /** Maximum number of attempts for a call that is safe to retry. 6 by default. */
  maxAttempts?: number;
  /** Milliseconds for one attempt, including its response. 35,000 by default. */
  timeout?: number;
  /**
   * Sends `Prefer: handling=strict`: unknown fields, and values that are stored but cannot be used, are errors (422).
   * Types do not check what comes from a file or a database.
   */
  strict?: boolean;
  /** Called before each wait, for a log. */
  onRetry?: (retry: Retry) => void;
};

/** Milliseconds. Longer than the timeout of the gateway, which is 30 seconds. */
const defaultTimeout = 35_000;

/**
 * A client of the onboarding service. Calls return the data of the response, or throw `ApiError` (an error response),
 * `NetworkError` (no response after all attempts) or the reason of the signal that aborted them.
 *
 * @example
 * const client = new OnboardingClient({ baseUrl: 'https://api.example.com', clientId, clientSecret });
 * const { id } = await client.contacts.upsert({ unique_id: 'c-1001' });
 */
export class OnboardingClient {
  /** Contacts, and the accounts of a contact. */
  readonly contacts: Contacts;
  /** Imports of accounts. */
  readonly batches: Batches;
  /** Journeys of contacts, and what people answered in them. */
  readonly journeys: Journeys;
  /** Campaigns, with their pages and messages. */
  readonly templates: Templates;
  /** Goals that contacts can complete. */
  readonly objectives: Objectives;
  /** Engagement channels, and the content that they show for a contact. */
  readonly channels: Channels;
  /** What happened in the team. */
  readonly events: Events;
  /** URLs to which events are sent. */
  readonly webhooks: Webhooks;

  /** @throws TypeError if `baseUrl` is not a URL, or is not https and not on this machine */
  constructor({ maxAttempts = 6, timeout = defaultTimeout, ...options }: ClientOptions) {
    const baseUrl = safeBaseUrl(options.baseUrl);
    const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
    const shared = { baseUrl, fetch, timeout, maxAttempts, onRetry: options.onRetry, signal: options.signal };
    const { clientId, clientSecret, scopes } = options;
    const tokens = new TokenSource({ ...shared, clientId, clientSecret, scopes });
    const transport = new Transport({ ...shared, tokens, strict: options.strict ?? false });
    this.contacts = new Contacts(transport);
    this.batches = new Batches(transport);
    this.journeys = new Journeys(transport);
    this.templates = new Templates(transport);
    this.objectives = new Objectives(transport);
    this.channels = new Channels(transport);
    this.events = new Events(transport);
    this.webhooks = new Webhooks(transport);
  }
}

/** The URL without a slash at its end. @throws TypeError if it is none, or credentials would be sent unencrypted */
function safeBaseUrl(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) {
    throw new TypeError(
      'baseUrl must be the URL of the service, such as https://api.example.com; it is empty or malformed',
    );
  }
  const { protocol, hostname } = new URL(baseUrl);
  const isHere = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isHere)) {
    throw new TypeError('baseUrl must be https, because credentials must not be sent unencrypted');
  }
  return baseUrl.replace(/\/+$/, '');
}

export type { FinishedOptions } from './batches.ts';
export { type Chunk, chunksOf } from './chunks.ts';
export { accountConflicts, contactConflicts } from './conflicts.ts';
export type { IdsOnly, TaggedContact, UpdateOptions } from './contacts.ts';
export {
  ApiError,
  ConflictError,
  type ErrorCode,
  type ErrorDetail,
  NetworkError,
  PreconditionFailedError,
} from './errors.ts';
export { EventFeed } from './events.ts';
export type { Fetch } from './exchange.ts';
export { type InOrderOptions, inOrder, type Source } from './in-order.ts';
export { type Conflicts, OrderedWindow } from './ordered-window.ts';
export { type BackpressureOptions, onceThereIsRoom, type Retry } from './retry.ts';
export type * from './types.ts';
export { DifferentRecordsError, UploadError, type UploadOptions, type UploadProgress } from './upload.ts';
export { type VerifyWebhookOptions, verifyWebhook, type WebhookMessage, WebhookVerificationError } from './webhooks.ts';

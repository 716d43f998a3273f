import { Batches } from './batches.ts';
import { Channels, Journeys, Objectives, Templates } from './campaigns.ts';
import { Contacts } from './contacts.ts';
import type { Fetch } from './exchange.ts';
import type { Retry } from './retry.ts';
import { TokenSource } from './token.ts';
import { Transport } from './transport.ts';
import type { Scope } from './types.ts';

export type ClientOptions = {
  /** Where the service is; over plain HTTP only on this machine. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** What the client needs, to hold no more than that; without it, all that the credential has. */
  scopes?: readonly Scope[];
  /** In place of the platform's. */
  fetch?: Fetch;
  /** Ends every call. */
  signal?: AbortSignal;
  /** How often a call is sent at most that may be sent again; 6 unless given. */
  maxAttempts?: number;
  /** Milliseconds that one attempt may take, its answer included; 35,000 unless given. */
  timeout?: number;
  /** Told before each wait, for a log. */
  onRetry?: (retry: Retry) => void;
};

/** Longer than the 30 seconds after which the gateway gives up. */
const defaultTimeout = 35_000;

/**
 * The onboarding service. Calls answer with what the service says, or throw `ApiError` (its refusal), `NetworkError`
 * (no answer, however often it was asked) or the reason of the signal that ended them.
 */
export class OnboardingClient {
  readonly contacts: Contacts;
  readonly batches: Batches;
  readonly journeys: Journeys;
  readonly templates: Templates;
  readonly objectives: Objectives;
  readonly channels: Channels;

  constructor({ maxAttempts = 6, timeout = defaultTimeout, ...options }: ClientOptions) {
    const baseUrl = safeAddress(options.baseUrl);
    const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
    const shared = { baseUrl, fetch, timeout, maxAttempts, onRetry: options.onRetry, signal: options.signal };
    const { clientId, clientSecret, scopes } = options;
    const tokens = new TokenSource({ ...shared, clientId, clientSecret, scopes });
    const transport = new Transport({ ...shared, tokens });
    this.contacts = new Contacts(transport);
    this.batches = new Batches(transport, options.signal);
    this.journeys = new Journeys(transport);
    this.templates = new Templates(transport);
    this.objectives = new Objectives(transport);
    this.channels = new Channels(transport);
  }
}

/** Without a slash at its end. Credentials do not go over a network in the clear. */
function safeAddress(baseUrl: string): string {
  const { protocol, hostname } = new URL(baseUrl);
  const isHere = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isHere)) {
    throw new TypeError('baseUrl must be https: credentials must not travel in the clear');
  }
  return baseUrl.replace(/\/+$/, '');
}

export { type BackpressureOptions, onceThereIsRoom } from './backpressure.ts';
export { type Chunk, chunksOf } from './chunks.ts';
export { accountConflicts, contactConflicts } from './conflicts.ts';
export { ApiError, ConflictError, type ErrorCode, type ErrorDetail, NetworkError } from './errors.ts';
export { type InOrderOptions, inOrder, type Source } from './in-order.ts';
export { type Conflicts, OrderedWindow } from './ordered-window.ts';
export type { Retry } from './retry.ts';
export type * from './types.ts';
export { DifferentRecordsError, UploadError, type UploadOptions, type UploadProgress } from './upload.ts';

import { ApiError, OnboardingClient } from '../../client/index.ts';
import { timestamp } from '../../lib/domain/timestamp.ts';
import type { Screen } from './screen.ts';
import { CannotRun, type Target } from './target.ts';

/** About three minutes with the client's pauses: longer than a restart of the service takes. */
const maxAttempts = 15;
/** Milliseconds until the first response. Later, the service may be away for longer. */
const defaultPatience = 30_000;

type PatientClientOptions = {
  target: Target;
  clock: ServiceClock;
  screen: Screen;
  /** Ends the calls that are in flight. */
  stopped: AbortSignal;
  patience?: number | undefined;
};

/** A client that waits for a service that restarts, but not for an address that never responds. */
export function patientClient(options: PatientClientOptions): OnboardingClient {
  const { target, clock, screen, stopped, patience = defaultPatience } = options;
  const unanswered = `${target.baseUrl} does not respond.`;
  const unreachable = new AbortController();
  const giveUp = () =>
    unreachable.abort(new CannotRun(`${unanswered} Nothing was sent. Check the address and the network.`));
  let hasAnswered = false;
  let timer: NodeJS.Timeout | undefined;
  // The time begins with the first request: before it, a large file is read to its end.
  const fetch: ServiceClock['fetch'] = async (...request) => {
    if (!hasAnswered) timer ??= setTimeout(giveUp, patience).unref();
    const response = await clock.fetch(...request);
    hasAnswered = true;
    clearTimeout(timer);
    return response;
  };
  const onRetry = ({ attempt, error }: { attempt: number; error: Error }) => {
    const isFull = error instanceof ApiError && error.status === 429;
    if (!hasAnswered && attempt === 1) screen.say(`${unanswered} Trying again for up to ${patience / 1000} seconds …`);
    if (hasAnswered && attempt === 3 && !isFull)
      screen.say(`${target.baseUrl}: ${error.message}. Trying again for about three minutes …`);
  };
  const signal = AbortSignal.any([stopped, unreachable.signal]);
  return new OnboardingClient({ ...target, fetch, maxAttempts, onRetry, signal });
}

/** The clock of the service, from the `Date` header of its responses. The clock of this machine may differ by minutes. */
export class ServiceClock {
  #ahead = 0;

  /** Replaces the platform's `fetch`. */
  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) this.#ahead = date - Date.now();
    return response;
  };

  /** ISO 8601. Never later than the service's time, although the header has whole seconds only. */
  now(): string {
    return timestamp(Date.now() + Math.min(this.#ahead, 0));
  }
}

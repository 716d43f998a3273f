import { ApiError, OnboardingClient } from '../../client/index.ts';
import { CannotRun } from './cannot-run.ts';
import type { Screen } from './screen.ts';
import type { ServiceClock } from './service-clock.ts';
import type { Target } from './target.ts';

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

import { resolve } from 'node:path';
import { ApiError, type Fetch, OnboardingClient } from '../../client/index.ts';
import { timestamp } from '../../lib/domain/values/timestamp.ts';
import { localService, UnreadableDescription } from '../local/description.ts';
import type { Screen } from './progress.ts';
import { CannotRun } from './source.ts';

/** The service that a file goes to, and the credentials for it. */
export type Target = { baseUrl: string; clientId: string; clientSecret: string };

type Environment = Readonly<Record<string, string | undefined>>;

const names = ['ONBOARDING_BASE_URL', 'ONBOARDING_CLIENT_ID', 'ONBOARDING_CLIENT_SECRET'] as const;

/** The service that the environment names, or the running local service if it names none. @throws CannotRun */
export function targetOf(environment: Environment): Target {
  const [baseUrl, clientId, clientSecret] = names.map((name) => environment[name]);
  const missing = names.filter((name) => !environment[name]);
  if (missing.length === names.length) return localTarget(resolve(environment.DATA_DIR || '.data'));
  if (!baseUrl || !clientId || !clientSecret) throw new CannotRun(`Set ${missing.join(' and ')} as well.`);
  return { baseUrl, clientId, clientSecret };
}

function localTarget(directory: string): Target {
  try {
    const { base_url, client_id, client_secret } = localService(directory);
    return { baseUrl: base_url, clientId: client_id, clientSecret: client_secret };
  } catch (cause) {
    const why = cause instanceof UnreadableDescription ? cause.message : 'No local service is running here.';
    throw new CannotRun(`${why} Start it with npm start, or set ${names.join(', ')}.`, { cause });
  }
}

/** About three minutes with the client's pauses: longer than a restart of the service takes. */
const maxAttempts = 15;

type ServiceOptions = {
  screen: Screen;
  /** Ends the calls that are in flight. */
  stopped: AbortSignal;
  /** Milliseconds until the first response. Later, the service may be away for longer. */
  patience?: number | undefined;
};

/** A client that waits for a service that restarts, but not for an address that never responds; and its clock. */
export function serviceAt(target: Target, { screen, stopped, patience = 30_000 }: ServiceOptions) {
  const unanswered = `${target.baseUrl} does not respond.`;
  const unreachable = new AbortController();
  const giveUp = () =>
    unreachable.abort(new CannotRun(`${unanswered} Nothing was sent. Check the address and the network.`));
  let ahead: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  // The time begins with the first request: before it, a large file is read to its end.
  const fetch: Fetch = async (url, init) => {
    if (ahead === undefined) timer ??= setTimeout(giveUp, patience).unref();
    const response = await globalThis.fetch(url, init);
    const date = Date.parse(response.headers.get('date') ?? '');
    ahead = Number.isNaN(date) ? 0 : date - Date.now();
    clearTimeout(timer);
    return response;
  };
  const onRetry = ({ attempt, error }: { attempt: number; error: Error }) => {
    const isFull = error instanceof ApiError && error.status === 429;
    if (ahead === undefined && attempt === 1)
      screen.say(`${unanswered} Trying again for up to ${patience / 1000} seconds …`);
    if (ahead !== undefined && attempt === 3 && !isFull)
      screen.say(`${target.baseUrl}: ${error.message}. Trying again for about three minutes …`);
  };
  const signal = AbortSignal.any([stopped, unreachable.signal]);
  return {
    client: new OnboardingClient({ ...target, fetch, maxAttempts, onRetry, signal }),
    /**
     * ISO 8601, by the `Date` header of responses: the clock of this machine may differ by minutes. Never later than the
     * service's time, although the header has whole seconds only.
     */
    now: (): string => timestamp(Date.now() + Math.min(ahead ?? 0, 0)),
  };
}

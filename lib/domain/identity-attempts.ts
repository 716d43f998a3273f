/**
 * How often a contact's identity may be guessed, in all journeys of the contact together. Every attempt counts until
 * one is right; then the count starts anew.
 */
export type Attempts = {
  readonly count: number;
  /** Milliseconds since the epoch; until then no attempt is taken. `null`: there is no pause. */
  readonly pausedUntil: number | null;
};

export const noAttempts: Attempts = { count: 0, pausedUntil: null };

/** After this many attempts none is taken any more, until an administrator allows it again. */
export const maxAttempts = 10;

/** After the attempt of that number none is taken for so long, in milliseconds. */
export const attemptPauses: readonly { after: number; pause: number }[] = [
  { after: 5, pause: 15 * 60_000 },
  { after: 8, pause: 24 * 3_600_000 },
];

/** No attempt is taken: for so many milliseconds, or (`null`) until an administrator allows it. */
export type Lock = { readonly wait: number | null };

/** Whether only an administrator can help: then a proof from before counts no more either. A pause is no lock. */
export const isLocked = ({ count }: Attempts): boolean => count >= maxAttempts;

/** @param now milliseconds since the epoch */
export function lockOf({ count, pausedUntil }: Attempts, now: number): Lock | undefined {
  if (isLocked({ count, pausedUntil })) return { wait: null };
  return pausedUntil !== null && now < pausedUntil ? { wait: pausedUntil - now } : undefined;
}

/** One more attempt, with the pause that follows unless it turns out to be right. To be asked only without a lock. */
export function attempted({ count }: Attempts, now: number): Attempts {
  const pause = attemptPauses.find(({ after }) => after === count + 1)?.pause;
  return { count: count + 1, pausedUntil: pause === undefined ? null : now + pause };
}

/**
 * Limits the attempts to prove the identity of a contact, in all its journeys together. Every attempt counts until one
 * is right. Then the count starts at zero again.
 */
export type Attempts = {
  readonly count: number;
  /** Milliseconds since the epoch until which no attempt is accepted. `null` if there is no pause. */
  readonly pausedUntil: number | null;
};

export const noAttempts: Attempts = { count: 0, pausedUntil: null };

/** After this many attempts the contact is locked until an administrator unlocks it. */
export const maxAttempts = 10;

/** After attempt number `after`, no attempt is accepted for `pause` milliseconds. */
export const attemptPauses: readonly { after: number; pause: number }[] = [
  { after: 5, pause: 15 * 60_000 },
  { after: 8, pause: 24 * 3_600_000 },
];

/** No attempt is accepted for `wait` milliseconds, or until an administrator unlocks the contact (`null`). */
export type Lock = { readonly wait: number | null };

/** True if only an administrator can unlock the contact. Earlier proofs are then invalid too. A pause is not a lock. */
export const isLocked = ({ count }: Attempts): boolean => count >= maxAttempts;

/** @param now milliseconds since the epoch */
export function lockOf({ count, pausedUntil }: Attempts, now: number): Lock | undefined {
  if (isLocked({ count, pausedUntil })) return { wait: null };
  return pausedUntil !== null && now < pausedUntil ? { wait: pausedUntil - now } : undefined;
}

/** Counts one more attempt and sets the pause that follows it. Call it only if {@link lockOf} returns no lock. */
export function attempted({ count }: Attempts, now: number): Attempts {
  const pause = attemptPauses.find(({ after }) => after === count + 1)?.pause;
  return { count: count + 1, pausedUntil: pause === undefined ? null : now + pause };
}

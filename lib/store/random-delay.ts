/**
 * Milliseconds to wait before the round after this one, at random, so that concurrent writers do not collide again: up to
 * `first`, doubled with each round, and never more than `most`.
 */
export const randomDelay =
  (first: number, most: number) =>
  (round: number): number =>
    Math.random() * Math.min(first * 2 ** round, most);

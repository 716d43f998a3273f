import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Reads until the value is as wanted, and returns it. The limit ends what never comes: it is no bound of the product. A
 * wake that was lost is made up for within 75 seconds.
 */
export async function until<T>(
  what: string,
  read: () => T | Promise<T>,
  isWanted: (value: T) => boolean = Boolean,
  seconds = 100,
): Promise<T> {
  for (const end = Date.now() + seconds * 1000; ; await sleep(20)) {
    const value = await read();
    if (isWanted(value)) return value;
    if (Date.now() > end) throw new Error(`not within ${seconds} s: ${what}; the last value: ${JSON.stringify(value)}`);
  }
}

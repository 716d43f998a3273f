import { setTimeout as sleep } from 'node:timers/promises';

/** A short random wait after a lost race: the service may be writing the same items. */
export const pause = (round: number): Promise<void> => sleep(Math.random() * Math.min(20 * 2 ** round, 500));

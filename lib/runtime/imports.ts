import type { ImportDependencies } from '../operations/service.ts';
import { ProductRegistry } from '../store/accounts/products.ts';
import { environment, once, randomPause } from './base.ts';
import { runtime } from './table.ts';
import { onLostWake, teamQueue } from './waiting-work.ts';

/** For the functions that accept, work or sweep imports. */
export const importDependencies = once((): ImportDependencies => {
  const products = new ProductRegistry(runtime().database);
  const { PAYLOAD_RETENTION_DAYS: payloadDays } = environment();
  return { ...runtime(), queue: teamQueue(), products, payloadDays, pause, onLostWake };
});

/** Shorter than elsewhere, because requests of one team conflict on its counter only for a few milliseconds. */
const pause = randomPause(4, 250);

import type { ImportService } from '../operations/service.ts';
import { ProductRegistry } from '../store/accounts/products.ts';
import { requestSweep } from '../store/erasure/erasure-requests.ts';
import { once, randomPause } from './base.ts';
import { service } from './table.ts';
import { onLostWake, teamQueue } from './waiting-work.ts';

/** For the functions that accept, work or sweep imports. */
export const importService = once((): ImportService => {
  const products = new ProductRegistry(service().database);
  const onErased: ImportService['onErased'] = (...erased) => requestSweep(service(), ...erased);
  return { ...service(), queue: teamQueue(), products, pause, onLostWake, onErased };
});

/** Shorter than elsewhere, because requests of one team conflict on its counter only for a few milliseconds. */
const pause = randomPause(4, 250);

import * as z from 'zod/mini';
import { errorFields } from '../domain/values/problem.ts';
import type { ImportDependencies } from '../operations/service.ts';
import { ProductRegistry } from '../store/accounts/products.ts';
import { SqsImportQueue } from '../store/aws/queue.ts';
import { requestSweep } from '../store/erasure/erasure-requests.ts';
import { queues } from './aws.ts';
import { environment, logger, once, randomPause } from './base.ts';
import { runtime } from './table.ts';

/** For the functions that accept, work or sweep imports. */
export const importDependencies = once((): ImportDependencies => {
  const url = z.url().parse(environment().QUEUE_URL);
  const queue = new SqsImportQueue(url, queues());
  const onLostWake = (team_id: string, error: unknown) =>
    logger().warn('a wake could not be sent; the sweeper takes care of the team', { team_id, ...errorFields(error) });
  const payloadDays = environment().PAYLOAD_RETENTION_DAYS;
  const onErased = (...erased: Parameters<ImportDependencies['onErased']>) => requestSweep(runtime(), ...erased);
  const products = new ProductRegistry(runtime().database);
  return { ...runtime(), queue, products, payloadDays, pause, onLostWake, onErased };
});

/** Shorter than elsewhere, because requests of one team conflict on its counter only for a few milliseconds. */
const pause = randomPause(4, 250);

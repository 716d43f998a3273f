import * as z from 'zod/mini';
import { errorFields } from '../domain/values/problem.ts';
import type { ImportService } from '../operations/service.ts';
import { ProductRegistry } from '../store/accounts/products.ts';
import { SqsImportQueue } from '../store/aws/queue.ts';
import { queues } from './aws.ts';
import { environment, logger, once, randomPause } from './base.ts';
import { service } from './table.ts';

/** For the functions that accept, work or sweep imports. */
export const importDependencies = once((): ImportService => {
  const url = z.url().parse(environment().QUEUE_URL);
  const queue = new SqsImportQueue(url, queues());
  const onLostWake = (team_id: string, error: unknown) =>
    logger().warn('a wake could not be sent; the sweeper takes care of the team', { team_id, ...errorFields(error) });
  return { ...service(), queue, products: new ProductRegistry(service().database), pause, onLostWake };
});

/** Shorter than elsewhere, because requests of one team conflict on its counter only for a few milliseconds. */
const pause = randomPause(4, 250);

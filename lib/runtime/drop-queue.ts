import * as z from 'zod/mini';
import { SqsDropQueue } from '../store/drop-box/drop-queue.ts';
import { queues } from './aws.ts';
import { environment, once } from './base.ts';

/** For the functions that send to the queue of dropped files or receive from it. */
export const dropQueue = once(() => {
  const url = z.url().parse(environment().DROP_QUEUE_URL);
  return new SqsDropQueue(url, queues());
});

/** Name of the drop box's bucket. */
export const dropBucket = (): string => z.string().parse(environment().DROP_BUCKET);

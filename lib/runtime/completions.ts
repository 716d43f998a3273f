import { errorFields } from '../domain/values/problem.ts';
import type { CountService } from '../operations/results/count.ts';
import { logger, metricFields } from './base.ts';
import { journeyService } from './content.ts';
import { messageQueue, onLostWake } from './waiting-work.ts';

/** Counts that the table refuses for good. The metric has one alarm, whichever function counts. */
export const onSetAside: NonNullable<CountService['onSetAside']> = (error, ids) =>
  logger().error('answers in a journey could not be counted', {
    ...{ ...ids, ...errorFields(error) },
    ...metricFields([{ function: 'event-publisher' }], { counts_set_aside: 1 }),
  });

/** For the function that works the completions and the counts that wait. */
export const completionService = () => ({
  ...journeyService(),
  onSetAside,
  messageQueue: messageQueue(),
  onLostWake,
  publish: async (teamId: string, revision: string) =>
    (await import('./publishing.ts')).publishAtItsTime(teamId, revision),
});

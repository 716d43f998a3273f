import { backgroundFunctions, type QueueName } from '../../lib/background.ts';
import { startEventSource } from './event-source.ts';
import type { InvokeFunction } from './invoke.ts';
import type { Queue, Queues } from './queue.ts';
import { startSchedule } from './schedule.ts';

/**
 * Connects the background functions to their queues and schedules. Signing keys are not rotated locally.
 * @returns a function that stops them. It waits at most `graceMilliseconds` for running invocations.
 */
export function startBackground(queues: Queues, invoke: InvokeFunction): (graceMilliseconds: number) => Promise<void> {
  const stops: ((graceMilliseconds: number) => Promise<void> | void)[] = [];
  for (const { id, trigger, timeout } of backgroundFunctions) {
    const invokeThis = (event: unknown) => invoke(id, event, timeout);
    if ('queue' in trigger) {
      const { batchSize, maxConcurrency } = trigger;
      const queue = queueOf(queues, trigger.queue);
      stops.push(
        startEventSource({ client: queues.client, queue, batchSize, maxConcurrency, invoke: invokeThis }).stop,
      );
    } else if ('everySeconds' in trigger) {
      stops.push(startSchedule(trigger.everySeconds, invokeThis).stop);
    }
  }
  return async (graceMilliseconds) => {
    await Promise.all(stops.map((stop) => stop(graceMilliseconds)));
  };
}

function queueOf({ imports, notices, drops }: Queues, name: QueueName): Queue {
  return { imports, notices, drops }[name];
}

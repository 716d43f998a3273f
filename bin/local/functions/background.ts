import { backgroundFunctions, messageFunctions } from '../../../lib/background.ts';
import type { Queues } from '../storage/queue.ts';
import type { StreamPlace } from '../stream/records.ts';
import { every } from '../timing.ts';
import { startEventSource } from './event-source.ts';
import type { InvokeFunction } from './functions.ts';
import { startStream } from './thread.ts';

/** Lanes of targeting that are worked at the same time. More would keep the embedded engine from what others wait for. */
const lanesAtOnce = 2;

/**
 * Connects the background functions to their queues, schedules and the stream. Signing keys are not rotated locally.
 * They do the long work, so they run in threads of their own.
 * @returns a function that stops them. It waits at most `graceMilliseconds` for running invocations.
 */
export function startBackground(
  queues: Queues,
  stream: StreamPlace,
  invoke: InvokeFunction,
): (graceMilliseconds: number) => Promise<void> {
  const stops = [...backgroundFunctions, ...messageFunctions].flatMap(({ id, trigger, timeout }) => {
    const found: ((graceMilliseconds: number) => Promise<void> | void)[] = [];
    if ('queue' in trigger) {
      const { batchSize, queue } = trigger;
      const maxConcurrency = queue === 'targeting' ? lanesAtOnce : trigger.maxConcurrency;
      const source = { client: queues.client, queue: queues[queue], batchSize, maxConcurrency };
      found.push(startEventSource({ ...source, invoke: (event) => invoke(id, event, timeout) }).stop);
    } else if ('stream' in trigger) {
      const sendFailure = (message: string) => queues.send(queues.eventFailures, message);
      found.push(startStream({ ...stream, functionId: id, trigger, seconds: timeout }, sendFailure));
    }
    if ('everySeconds' in trigger) {
      found.push(every(trigger.everySeconds * 1000, () => invoke(id, scheduledEvent(new Date()), timeout)));
    }
    return found;
  });
  return async (graceMilliseconds) => {
    await Promise.all(stops.map((stop) => stop(graceMilliseconds)));
  };
}

/** The event that EventBridge sends. */
const scheduledEvent = (at: Date) => ({
  version: '0',
  id: crypto.randomUUID(),
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: '000000000000',
  time: at.toISOString(),
  region: 'us-east-1',
  resources: [],
  detail: {},
});

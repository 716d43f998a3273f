import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { backgroundFunctions } from '../../lib/background.ts';
import { startEventSource } from './event-source.ts';
import type { InvokeFunction } from './functions.ts';
import type { Queues } from './queue.ts';
import type { StreamPlace } from './stream-thread.ts';
import { startStream } from './thread.ts';

/**
 * Connects the background functions to their queues, schedules and the stream. Signing keys are not rotated locally.
 * Functions with a queue do the long work, so they run in a thread of their own.
 * @returns a function that stops them. It waits at most `graceMilliseconds` for running invocations.
 */
export function startBackground(
  queues: Queues,
  stream: StreamPlace,
  { invoke, invokeInThread }: { invoke: InvokeFunction; invokeInThread: InvokeFunction },
): (graceMilliseconds: number) => Promise<void> {
  const stops: ((graceMilliseconds: number) => Promise<void> | void)[] = [];
  for (const { id, trigger, timeout } of backgroundFunctions) {
    if ('queue' in trigger) {
      const { batchSize, maxConcurrency } = trigger;
      const source = { client: queues.client, queue: queues[trigger.queue], batchSize, maxConcurrency };
      stops.push(startEventSource({ ...source, invoke: (event) => invokeInThread(id, event, timeout) }).stop);
    } else if ('stream' in trigger) {
      const sendFailure = (MessageBody: string) =>
        queues.client.send(new SendMessageCommand({ QueueUrl: queues.eventFailures.url, MessageBody }));
      stops.push(startStream({ ...stream, functionId: id, trigger, seconds: timeout }, sendFailure));
    }
    if ('everySeconds' in trigger) {
      stops.push(startSchedule(trigger.everySeconds, (event) => invoke(id, event, timeout)).stop);
    }
  }
  return async (graceMilliseconds) => {
    await Promise.all(stops.map((stop) => stop(graceMilliseconds)));
  };
}

export type Schedule = { stop(): void };

/** Invokes at a fixed interval, never twice in parallel: while a run takes longer, the next one is skipped. */
export function startSchedule(everySeconds: number, invoke: (event: unknown) => Promise<unknown>): Schedule {
  let running = false;
  const timer = setInterval(async () => {
    if (running) return;
    running = true;
    await invoke(scheduledEvent(new Date())).catch(console.error);
    running = false;
  }, everySeconds * 1000);
  return { stop: () => clearInterval(timer) };
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

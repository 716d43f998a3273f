import type { Prices } from './prices.ts';
import { durations } from './units.ts';

/** US dollars for a day of events that are spread evenly over it. `kept`: a month of storage, until they expire. */
export type EventsDay = { feed: number; kept: number; bus: number; webhook: number };

const million = 1e6;
const seconds = 24 * 3600;
/** Bytes of an event of a journey, with all its ids: test/unit/bench/events.test.ts. */
export const eventBytes = 420;
const keptDays = 30;
/** A pack and the head of the log are written in a transaction. */
const perTransaction = 2;
/** A reader asks every five seconds. */
const readerRequests = seconds / 5;
/** The publisher with 1,024 MB, and the function of webhooks with 512 MB, which is at work all day. */
const memory = { publisher: 1, webhook: 0.5 };
/** Events of one turn of a webhook, whose progress is one item: read, and written in a transaction. */
const eventsPerTurn = 45;

export function eventsDay(events: number, { dynamodb, lambda, apiGateway, sqs, eventBridge }: Prices): EventsDay {
  const bytesPerSecond = (events / seconds) * eventBytes;
  /** The publisher gathers changes for a second. */
  const packs = Math.min(seconds, events);
  const packUnits = Math.max(Math.ceil(bytesPerSecond / 1024), 1);
  const writes = packs * perTransaction * (1 + packUnits);
  const reads = packs * Math.max(Math.ceil(bytesPerSecond / 4096), 1);
  const dollarsOf = (units: { writes?: number; reads?: number }) =>
    ((units.writes ?? 0) * dynamodb.writeUnitsMillion + (units.reads ?? 0) * dynamodb.readUnitsMillion) / million;
  const gbSeconds = (gigabytes: number, milliseconds: number) => (gigabytes * milliseconds * lambda.armGbSecond) / 1000;
  const publisher =
    gbSeconds(memory.publisher, packs * 4 * durations.trip) + (packs * lambda.requestsMillion) / million;
  const reader =
    (readerRequests * (apiGateway.requestsMillion + lambda.requestsMillion)) / million +
    gbSeconds(1, readerRequests * (durations.requestCpu + 3 * durations.trip));
  const turns = Math.max(events / eventsPerTurn, Math.min(seconds, events));
  return {
    feed: dollarsOf({ writes, reads }) + publisher + reader,
    kept: ((events * eventBytes) / 1e9) * dynamodb.storageGb * (keptDays / 30),
    bus: (events / million) * eventBridge.eventsMillion,
    webhook:
      dollarsOf({ writes: turns * perTransaction, reads: reads + 2 * turns }) +
      gbSeconds(memory.webhook, seconds * 1000) +
      (3 * packs * sqs.fifoMillion) / million,
  };
}

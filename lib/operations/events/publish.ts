import type { ServiceEvent } from '../../domain/events/event.ts';
import { consentEvents, eventOf, type NewEvent, overtakenEvents } from '../../domain/events/events.ts';
import { type EarlierHolders, earlierHolders } from '../../store/accounts/holders.ts';
import type { LogHead } from '../../store/events/event-log.ts';
import { inputChangeOf } from '../../store/events/input-changes.ts';
import {
  changeOf,
  type ItemChange,
  idsOf,
  type ReadRecord,
  type RecordIds,
  readRecord,
  type StreamRecord,
} from '../../store/events/item-changes.ts';
import { StoreUnavailable } from '../../store/table/database.ts';
import { isRefusal } from '../../store/table/errors.ts';
import { derivedEventId } from '../../store/table/ids.ts';
import type { Settings } from '../service.ts';
import { type MarkService, markChanges } from '../targeting/mark.ts';
import { holderEvents, linkEvents } from './account-events.ts';
import { appendEvents } from './append-events.ts';
import { type BatchEndOf, batchEnds } from './batch-ends.ts';
import { type SettleService, settle } from './settle.ts';

export type PublishService = SettleService &
  MarkService &
  Pick<Settings, 'eventRetentionDays' | 'eventEpoch'> & {
    /** The event bus, if there is one. */
    bus?: { put(events: readonly ServiceEvent[]): Promise<void> } | undefined;
    /** Milliseconds for what follows telling, by default 2,000. What is left waits in the lanes of the teams. */
    settleTime?: number;
    /** Wakes the webhooks of the team. @param before the head of the log before the events that were appended */
    wake?(teamId: string, before: LogHead): Promise<void>;
    /** Called with an error and what it concerns: the ids of one record, or of the first of several. */
    onFailure(error: unknown, ids: FailedRecords): void;
  };

export type FailedRecords = RecordIds & { records: number };

/** These records have a defect, or meet one. The error has no cause, because causes can contain stored values. */
export class DefectiveRecords extends Error {
  override readonly name = 'DefectiveRecords';
}

export type PublishBatchService = PublishService & {
  /** Sends what identifies the record to the on-failure queue. */
  sendFailure(record: StreamRecord): Promise<void>;
};

/**
 * Publishes a batch of the stream. A record with a defect is given up when it is alone, so that it holds up no other: an
 * operator publishes it later with a command.
 * @returns the sequence numbers of the records that failed because of an outage, as `publish` does
 * @throws DefectiveRecords if several records fail for another reason: Lambda passes them again in two parts
 */
export async function publishBatch(service: PublishBatchService, records: readonly StreamRecord[]): Promise<string[]> {
  try {
    return await publish(service, records);
  } catch (error) {
    const [record, ...others] = records;
    if (!(error instanceof DefectiveRecords) || !record || others.length > 0) throw error;
    await service.sendFailure(record);
    return [];
  }
}

/** `change`: what it says for others than targeting. */
type Read = { record: StreamRecord; read: ReadRecord; teamId: string; change: ItemChange | undefined };

/**
 * Tells what the records of the stream say. Everything can be repeated: an event has the same id each time.
 * @returns the sequence numbers of the records that failed because of an outage. Lambda passes the records from the
 * first of these again.
 * @throws DefectiveRecords if some fail for another reason. Lambda passes all again in two parts, until these are alone.
 */
export async function publish(service: PublishService, records: readonly StreamRecord[]): Promise<string[]> {
  const { onFailure } = service;
  const known = records.flatMap((record) => readAlone(record, onFailure));
  const teams = [...Map.groupBy(known, ({ teamId }) => teamId)];
  const allTold = countdown(teams.length);
  const failures = await Promise.all(
    teams.map(async ([teamId, own]) => {
      try {
        await publishTeam(service, teamId, own, allTold);
        return [];
      } catch (error) {
        const [{ record }] = own as [Read];
        const ids = idsOf(record, own.length > 1);
        onFailure(error, { ...ids, records: own.length });
        return [{ error, sequence: ids.sequence }];
      }
    }),
  );
  const found = failures.flat();
  // What AWS refuses for one record, it refuses for all: to split them is of no use.
  const isOutage = (error: unknown) => error instanceof StoreUnavailable || isRefusal(error);
  if (!found.every(({ error }) => isOutage(error))) throw new DefectiveRecords();
  return found.map(({ sequence }) => sequence);
}

/** @throws DefectiveRecords before anything is published, so that other records are not told again and again */
function readAlone(record: StreamRecord, onFailure: PublishService['onFailure']): Read[] {
  try {
    const read = readRecord(record);
    return read ? [{ record, read, teamId: read.place.teamId, change: changeOf(read) }] : [];
  } catch (error) {
    onFailure(error, { ...idsOf(record), records: 1 });
    throw new DefectiveRecords();
  }
}

/**
 * The events of all teams are told first, so that a defect in what follows, or much of it, delays none of them. The bus
 * does not wait for the rest, nor the rest for the bus, which may be one that others made.
 */
async function publishTeam(
  service: PublishService,
  teamId: string,
  records: readonly Read[],
  allTold: () => Promise<void>,
) {
  const origin = idsOf(records[0]!.record).sequence;
  const changes = records.flatMap(({ change }) => change ?? []);
  const { events, head } = await eventsOf(service, teamId, changes)
    .then(async (found) => ({ events: found, head: await tell(service, teamId, found) }))
    .finally(allTold);
  const { now, settleTime = 2000 } = service;
  const end = now() + settleTime;
  const inputs = () => records.flatMap(({ read }) => inputChangeOf(read) ?? []);
  const created = changes.flatMap((each) => (each.kind === 'account' && each.isNew ? each.accountNumber : []));
  const earlier = earlierHolders(service.database, teamId, created);
  const outcomes = await Promise.allSettled([
    // The head was read after the records were written. If there are no events, it was not read.
    head?.hasRules === false ? undefined : markChanges(service, teamId, inputs, earlier),
    changes.length === 0 ? undefined : settle({ ...service, earlier }, teamId, origin, changes, () => now() < end),
    tellHolders(service, teamId, origin, changes, earlier, new Set(events.map(({ id }) => id))),
    events.length > 0 ? service.bus?.put(events) : undefined,
  ]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

/** Tells those who were linked to an account before. An account may have any number of them. @param told by links */
async function tellHolders(
  service: PublishService,
  teamId: string,
  origin: string,
  changes: readonly ItemChange[],
  earlier: EarlierHolders,
  told: ReadonlySet<string>,
): Promise<void> {
  const { events: found, waiting } = await holderEvents(service.database, teamId, origin, changes, earlier);
  if (waiting.length > 0) {
    await service.database.write(waiting);
    await service.wakeCompletions?.(teamId);
  }
  const events = found.map((event) => identified(teamId, event, service.eventEpoch)).filter(({ id }) => !told.has(id));
  await tell(service, teamId, events);
  if (events.length > 0) await service.bus?.put(events);
}

/** Returns a function that resolves when it was called so many times. */
function countdown(calls: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let left = calls;
  return () => {
    left -= 1;
    if (left === 0) resolve();
    return promise;
  };
}

/** @returns the head of the log before these events, if there are any */
async function tell(service: PublishService, teamId: string, events: readonly ServiceEvent[]) {
  const before = await appendEvents(service, teamId, events);
  if (before) await service.wake?.(teamId, before);
  return before;
}

/** Chunks that were cancelled in one transaction give the same event. */
const withoutRepeats = (events: readonly ServiceEvent[]): ServiceEvent[] =>
  [...Map.groupBy(events, ({ id }) => id).values()].map(([first]) => first!);

async function eventsOf(
  { database, eventEpoch }: PublishService,
  teamId: string,
  changes: readonly ItemChange[],
): Promise<ServiceEvent[]> {
  const batchEndOf = batchEnds(database, teamId);
  const ofLinks = await linkEvents(database, teamId, changes);
  const found = await Promise.all(changes.map((change) => ofLinks.get(change) ?? newEventsOf(change, batchEndOf)));
  return withoutRepeats(found.flatMap((event) => event ?? []).map((event) => identified(teamId, event, eventEpoch)));
}

async function newEventsOf(change: ItemChange, batchEndOf: BatchEndOf): Promise<readonly NewEvent[]> {
  const { kind } = change;
  if (kind === 'link' || kind === 'account' || kind === 'holders') return [];
  const event = kind === 'chunk' ? await batchEndOf(change) : eventOf(change, change.at);
  return [
    ...(kind === 'send' ? overtakenEvents(change) : []),
    ...(event ? [event] : []),
    ...(kind === 'contact' ? consentEvents(change) : []),
  ];
}

const identified = (team_id: string, { fact, type, at, ...ids }: NewEvent, epoch?: string): ServiceEvent => ({
  id: derivedEventId(team_id, fact, epoch),
  ...{ type, at, team_id },
  ...ids,
});

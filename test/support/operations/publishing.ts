import type { ServiceEvent } from '../../../lib/domain/events/event.ts';
import { type PublishService, publish } from '../../../lib/operations/events/publish.ts';
import type { StreamRecord } from '../../../lib/store/events/item-changes.ts';
import { StreamDatabase } from '../models/stream-database.ts';
import { publisher, readAll } from '../samples/events.ts';
import { dependencies, openOn, team } from './journey-operations.ts';

/** A team with its own table and its stream. */
export let stream: StreamDatabase;
export async function openStream(): Promise<void> {
  stream = new StreamDatabase();
  await openOn(stream);
}

export const publishing = (changes: Partial<PublishService> = {}): PublishService => ({
  ...dependencies(stream),
  ...publisher(stream),
  onFailure: (error) => {
    throw error;
  },
  ...changes,
});

export const publishRecords = (records: readonly StreamRecord[], changes?: Partial<PublishService>) =>
  publish(publishing(changes), records);

/** Publishes until nothing is left: what is settled makes records of its own. */
export async function publishAll(changes?: Partial<PublishService>): Promise<void> {
  for (let records = stream.take(); records.length > 0; records = stream.take()) await publishRecords(records, changes);
}

/** All events of the team, after everything was published. */
export async function eventsOfAll(teamId = team): Promise<ServiceEvent[]> {
  await publishAll();
  return (await readAll(stream, undefined, 1000, teamId)).events;
}
export const typesOf = (events: readonly ServiceEvent[]) => events.map(({ type }) => type);

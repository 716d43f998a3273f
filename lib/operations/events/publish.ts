import type { ServiceEvent } from '../../domain/event.ts';
import { eventOf, type NewEvent } from '../../domain/events.ts';
import type { LogHead } from '../../store/event-log.ts';
import { derivedEventId } from '../../store/ids.ts';
import { changeOf, type ItemChange, type StreamRecord } from '../../store/item-changes.ts';
import type { JourneyKey } from '../../store/journey-items.ts';
import type { ProgressDependencies } from '../journeys/dependencies.ts';
import { countJourneys } from '../results/count.ts';
import { type AppendDependencies, appendEvents } from './append-events.ts';
import { type BatchEndOf, batchEnds } from './batch-ends.ts';
import { settle } from './settle.ts';

export type PublishDependencies = AppendDependencies &
  ProgressDependencies & {
    /** The event bus, if there is one. */
    bus?: { put(events: readonly ServiceEvent[]): Promise<void> } | undefined;
    /** Wakes the webhooks of the team. @param before the head of the log before the events that were appended */
    wake?(teamId: string, before: LogHead): Promise<void>;
    /** Called with an error and the record that caused it, or the first record of the team for which the work failed. */
    onFailure(error: unknown, ids: { sequence: string; team_id?: string }): void;
  };

/**
 * Tells what the records of the stream say. Everything can be repeated: an event has the same id each time.
 * @returns the sequence numbers of the records that failed. Lambda passes the records from the first of these again.
 */
export async function publish(dependencies: PublishDependencies, records: readonly StreamRecord[]): Promise<string[]> {
  const failed: string[] = [];
  const changes: ItemChange[] = [];
  for (const record of records) {
    try {
      const change = changeOf(record);
      if (change) changes.push(change);
    } catch (error) {
      const sequence = record.dynamodb?.SequenceNumber ?? '';
      failed.push(sequence);
      dependencies.onFailure(error, { sequence });
    }
  }
  const teams = [...Map.groupBy(changes, ({ teamId }) => teamId)];
  await Promise.all(
    teams.map(async ([team_id, own]) => {
      try {
        await publishTeam(dependencies, team_id, own);
      } catch (error) {
        const [{ sequence }] = own as [ItemChange];
        failed.push(sequence);
        dependencies.onFailure(error, { sequence, team_id });
      }
    }),
  );
  return failed;
}

/** Events are told first, so that a defect in what follows delays none of them. */
async function publishTeam(dependencies: PublishDependencies, teamId: string, changes: readonly ItemChange[]) {
  await tell(dependencies, teamId, changes);
  await settle(dependencies, teamId, changes);
  await countJourneys(dependencies, teamId, journeysIn(changes));
}

async function tell(dependencies: PublishDependencies, teamId: string, changes: readonly ItemChange[]): Promise<void> {
  const batchEndOf = batchEnds(dependencies.database, teamId);
  const found = await Promise.all(changes.map((change) => newEventOf(change, batchEndOf)));
  const events = found.flatMap((event) => (event ? [identified(teamId, event)] : []));
  if (events.length === 0) return;
  const before = await appendEvents(dependencies, teamId, events);
  if (before) await dependencies.wake?.(teamId, before);
  await dependencies.bus?.put(events);
}

async function newEventOf(change: ItemChange, batchEndOf: BatchEndOf): Promise<NewEvent | undefined> {
  if (change.kind === 'chunk') return batchEndOf(change);
  return change.kind === 'link' || change.kind === 'account' ? undefined : eventOf(change, change.at);
}

const identified = (team_id: string, { fact, type, at, ...ids }: NewEvent): ServiceEvent => ({
  id: derivedEventId(team_id, fact),
  ...{ type, at, team_id },
  ...ids,
});

/** The journeys whose results can have changed. What counting itself writes is not among them. */
function journeysIn(changes: readonly ItemChange[]): JourneyKey[] {
  return changes.flatMap((change) => {
    if (change.kind === 'action' && change.after) return [change];
    const isChanged =
      change.kind === 'journey' && change.after && change.before?.updated_at !== change.after.updated_at;
    if (isChanged) return [change];
    const templateId = change.kind === 'response' ? change.after?.template_id : undefined;
    return templateId === undefined || change.kind !== 'response' ? [] : [{ contactId: change.contactId, templateId }];
  });
}

import type { Law, Violation } from './checker.ts';
import type { BatchRead, FeedEvent, HistoryEvent } from './history.ts';

type Found = { law: Law; what: string };

/** What is stored at the end was told, once, in its order, also to a reader that kept its cursor during the run. */
export function eventViolations(team: string, events: readonly HistoryEvent[]): Violation[] {
  const read = events.filter((event) => event.kind === 'event-read');
  const [kept, whole] = [false, true].map((final) =>
    read.filter((each) => (each.final ?? false) === final).map(({ event }) => event),
  );
  if (read.length === 0) return [];
  const told = distinct(whole!);
  const found = [
    ...repeatViolations([...kept!, ...whole!]),
    ...cursorViolations(distinct(kept!), told),
    ...contactViolations(events, told),
    ...journeyViolations(events, told),
    ...finalBatches(events).flatMap((batch) => [...batchViolations(batch, told)]),
  ];
  return found.map((each) => ({ ...each, team }));
}

const distinct = (events: readonly FeedEvent[]): FeedEvent[] =>
  [...Map.groupBy(events, ({ id }) => id).values()].map(([first]) => first!);

function repeatViolations(events: readonly FeedEvent[]): Found[] {
  const changed = [...Map.groupBy(events, ({ id }) => id)].filter(
    ([, same]) => new Set(same.map((event) => JSON.stringify(event))).size > 1,
  );
  return changed.map(([id]) => ({ law: 'doubled', what: `the event ${id} is told with other contents` }));
}

/** The cursor was kept while the service was killed. */
function cursorViolations(kept: readonly FeedEvent[], told: readonly FeedEvent[]): Found[] {
  const ids = new Set(kept.map(({ id }) => id));
  const skipped = told.slice(0, kept.length).find(({ id }) => !ids.has(id));
  if (skipped) return [{ law: 'lost', what: `the reader was not told ${skipped.type} ${skipped.id}` }];
  const other = kept.find(({ id }, place) => told[place]?.id !== id);
  return other ? [{ law: 'order', what: `the reader was told ${other.type} ${other.id} at another place` }] : [];
}

function* contactViolations(events: readonly HistoryEvent[], told: readonly FeedEvent[]): Generator<Found> {
  const byContact = Map.groupBy(told, ({ contact_id }) => contact_id);
  for (const read of events) {
    if (read.kind !== 'contact-read' || !read.final || read.id === undefined) continue;
    const changes = (byContact.get(read.id) ?? []).filter(({ type }) => type.startsWith('contact.'));
    yield* created(`the contact ${read.contact}`, 'contact.created', changes);
    // Each write that took effect has left a trace.
    if (changes.length < read.traces.length) {
      yield { law: 'lost', what: `${changes.length} of ${read.traces.length} writes of ${read.contact} are told` };
    }
  }
}

function* journeyViolations(events: readonly HistoryEvent[], told: readonly FeedEvent[]): Generator<Found> {
  const byJourney = Map.groupBy(told, ({ journey_id }) => journey_id);
  const answers = new Map(
    events.flatMap((event) => (event.kind === 'answers-read' && event.final ? [[event.contact, event.shown]] : [])),
  );
  for (const read of events) {
    if (read.kind !== 'journey-read' || !read.final || read.id === undefined) continue;
    const name = `the journey of ${read.contact}`;
    const own = byJourney.get(read.id) ?? [];
    const count = (type: string) => own.filter((event) => event.type === type).length;
    yield* created(name, 'journey.created', own);
    for (const [type, wanted] of [
      ['journey.page_completed', read.isCompleted ? 1 : 0],
      ['journey.completed', read.isCompleted ? 1 : 0],
      ['response.recorded', answers.get(read.contact)?.length ?? 0],
    ] as const) {
      const law = count(type) < wanted ? 'lost' : 'invented';
      if (count(type) !== wanted) yield { law, what: `${type} of ${name} is told ${count(type)} times, not ${wanted}` };
    }
  }
}

/** Told once, and before everything else. */
function* created(what: string, type: string, own: readonly FeedEvent[]): Generator<Found> {
  const times = own.filter((event) => event.type === type).length;
  if (times === 0) yield { law: 'lost', what: `${type} of ${what} is not told` };
  else if (times > 1) yield { law: 'twice', what: `${type} of ${what} is told as ${times} events` };
  else if (own[0]?.type !== type) yield { law: 'order', what: `${type} of ${what} is not told first` };
}

const finalBatches = (events: readonly HistoryEvent[]): BatchRead[] =>
  events.filter((event) => event.kind === 'batch-read').filter(({ final }) => final);

/** A late attempt can complete a chunk that was told as failed, and the batch was not processing in between. */
function* batchViolations({ batch, counts }: BatchRead, told: readonly FeedEvent[]): Generator<Found> {
  if (!counts || counts.status === 'processing') return;
  const last = told.findLast(({ batch_id }) => batch_id === batch);
  if (!last) yield { law: 'lost', what: `the end of batch ${batch} is not told` };
  if (last?.type !== 'batch.completed') return;
  const isSame = counts.status === 'completed' && JSON.stringify(last.records) === JSON.stringify(counts.records);
  if (!isSame) yield { law: 'counts', what: `batch ${batch} is told with ${JSON.stringify(last.records)}` };
}

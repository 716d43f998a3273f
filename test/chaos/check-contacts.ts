import type { Violation } from './checker.ts';
import type { Attempt, ContactRead, ContactWrite, HistoryEvent } from './history.ts';
import { circleIn } from './order.ts';

type Write = ContactWrite & {
  start: number;
  /** Infinite if the sender cannot know whether it took effect. */
  end: number;
  isTaken: boolean;
  attempt: Attempt;
};

type Contact = { contact: string; writes: Write[]; reads: ContactRead[]; last: ContactRead | undefined };
type Found = Omit<Violation, 'team'>;

export function contactViolations(team: string, events: readonly HistoryEvent[]): Violation[] {
  const contacts = contactsOf(events);
  const found = [...contacts.flatMap((contact) => [...violationsOf(contact)]), ...listViolations(events)];
  return found.map((each) => ({ ...each, team }));
}

function contactsOf(events: readonly HistoryEvent[]): Contact[] {
  const attempts = new Map(events.flatMap((event) => (event.kind === 'attempt' ? [[event.write, event]] : [])));
  const reads = Map.groupBy(
    events.filter((event) => event.kind === 'contact-read'),
    ({ contact }) => contact,
  );
  const writes = events.flatMap((event): Write[] => {
    const attempt = event.kind === 'contact' ? attempts.get(event.write) : undefined;
    if (event.kind !== 'contact' || !attempt) return [];
    const isTaken = attempt.status === 200 || attempt.status === 201;
    return [{ ...event, start: attempt.start, end: isTaken ? attempt.end : Infinity, isTaken, attempt }];
  });
  return [...Map.groupBy(writes, ({ contact }) => contact)].map(([contact, own]) => {
    const read = reads.get(contact) ?? [];
    return { contact, writes: own, reads: read, last: read.findLast(({ final }) => final) };
  });
}

function* violationsOf({ contact, writes, reads, last }: Contact): Generator<Found> {
  yield* createdViolations(contact, writes);
  const ids = new Set([...writes.map(({ attempt }) => attempt.id), ...reads.map(({ id }) => id)]);
  ids.delete(undefined);
  if (ids.size > 1) yield { law: 'twice', what: `contact ${contact} is known as ${[...ids].join(', ')}` };
  for (const read of reads) {
    const lacking = writes.filter(({ write, end }) => end < read.start && !read.traces.includes(write));
    if (lacking.length === 0) continue;
    const names = lacking.map(({ write, end }) => `${write} (acknowledged at ${end})`).join(', ');
    const law = read.final ? 'lost' : 'stale';
    yield { law, what: `contact ${contact}, read at ${read.start}, lacks ${names}` };
  }
  const sent = new Set(writes.map(({ write }) => write));
  const strange = reads.flatMap(({ traces }) => traces).find((trace) => !sent.has(trace));
  if (strange) yield { law: 'invented', what: `contact ${contact} shows ${strange}, which nobody sent` };
  if (last) yield* fieldViolations(contact, writes, last);
}

/** Exactly one creator gets a 201. A request without a clear response may have been the creator. */
function* createdViolations(contact: string, writes: readonly Write[]): Generator<Found> {
  const created = writes.filter(({ attempt }) => attempt.created);
  if (created.length > 1) {
    yield { law: 'created', what: `contact ${contact} was created by ${created.map(({ write }) => write).join(', ')}` };
  }
  const isClear = ({ isTaken, attempt }: Write) => isTaken || attempt.status === 429;
  if (created.length === 0 && writes.some(({ isTaken }) => isTaken) && writes.every(isClear)) {
    yield { law: 'created', what: `contact ${contact} is there, and nobody was told to have created it` };
  }
}

function* fieldViolations(contact: string, writes: readonly Write[], last: ContactRead): Generator<Found> {
  const happened = writes.filter(({ write, isTaken }) => isTaken || last.traces.includes(write));
  const before: [string, string][] = [];
  for (const field of new Set(happened.flatMap(({ fields }) => fields))) {
    const writers = happened.filter(({ fields }) => fields.includes(field));
    const value = last.fields[field];
    const shown = writers.find(({ write }) => write === value);
    if (!shown) yield { law: 'lost', what: `${field} of contact ${contact} is ${value}` };
    else for (const writer of writers) if (writer !== shown) before.push([writer.write, shown.write]);
  }
  const placed = happened.map(({ write: id, start, end }) => ({ id, start, end }));
  const circle = circleIn(placed, before);
  if (circle)
    yield { law: 'order', what: `no order of these writes explains contact ${contact}: ${circle.join(', ')}` };
}

/** No contact is in the list twice or with another id. */
function* listViolations(events: readonly HistoryEvent[]): Generator<Found> {
  const ids = new Map<string, string>();
  for (const event of events) {
    if (event.kind !== 'listed') continue;
    const known = ids.get(event.contact);
    if (known !== undefined)
      yield { law: 'twice', what: `contact ${event.contact} is listed as ${known}, ${event.id}` };
    ids.set(event.contact, event.id);
  }
}

import type { Violation } from './checker.ts';
import type { Attempt, ContactRead, ContactWrite, HistoryEvent } from './history.ts';
import { circleIn, type Placed } from './order.ts';

type Write = ContactWrite & {
  start: number;
  /** Infinite if the sender cannot know whether it took effect. */
  end: number;
  isTaken: boolean;
  attempt: Attempt;
};

type Contact = { contact: string; writes: Write[]; reads: ContactRead[] };
type Found = Omit<Violation, 'team'>;

export function contactViolations(team: string, events: readonly HistoryEvent[]): Violation[] {
  const found = [...contactsOf(events).flatMap((contact) => [...violationsOf(contact)]), ...listViolations(events)];
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
    return { contact, writes: own, reads: reads.get(contact) ?? [] };
  });
}

function* violationsOf({ contact, writes, reads }: Contact): Generator<Found> {
  yield* createdViolations(`contact ${contact}`, writes);
  const ids = new Set([...writes.map(({ attempt }) => attempt.id), ...reads.map(({ id }) => id)]);
  ids.delete(undefined);
  if (ids.size > 1) yield { law: 'twice', what: `contact ${contact} is known as ${[...ids].join(', ')}` };
  const views = viewsOf(writes, reads);
  const sent = new Set(writes.map(({ write }) => write));
  const strange = views.flatMap(({ traces }) => traces).find((trace) => !sent.has(trace));
  if (strange) yield { law: 'invented', what: `contact ${contact} shows ${strange}, which nobody sent` };
  const complete: View[] = [];
  for (const view of views) {
    const found = [...viewViolations(contact, writes, view)];
    if (found.length === 0) complete.push(view);
    else yield* found;
  }
  const circle = circleOfViews(writes, complete);
  if (circle)
    yield {
      law: 'order',
      what: `no order of these writes and reads explains contact ${contact}: ${circle.join(', ')}`,
    };
}

/** The state of the contact in a response: of a read, or of a write, where it includes that write. */
type View = Pick<ContactRead, 'traces' | 'fields'> & {
  name: string;
  start: number;
  end: number;
  of?: Write;
  final: boolean;
};

function viewsOf(writes: readonly Write[], reads: readonly ContactRead[]): View[] {
  const ofWrites = writes.flatMap((of): View[] => {
    const { shown, start, end } = of.attempt;
    return shown ? [{ ...shown, name: `the response to ${of.write}`, start, end, of, final: false }] : [];
  });
  const ofReads = reads.map(({ traces, fields, start, end, final = false }, place): View => {
    return { traces, fields, start, end, final, name: `read ${place} at ${start}` };
  });
  return [...ofWrites, ...ofReads];
}

/** An acknowledged write is in each later view, and each field that it sets has the value of a write in the view. */
function* viewViolations(contact: string, writes: readonly Write[], view: View): Generator<Found> {
  const { name, traces, fields, start, of, final } = view;
  const missing = writes.filter(({ write, end }) => end < start && !traces.includes(write));
  if (of && !traces.includes(of.write)) missing.push(of);
  if (missing.length > 0) {
    const names = missing.map(({ write, end }) => `${write} (acknowledged at ${end})`).join(', ');
    yield { law: final ? 'lost' : 'stale', what: `contact ${contact}, ${name}, lacks ${names}` };
    return;
  }
  const present = writes.filter(({ write }) => traces.includes(write));
  for (const field of new Set([...present.flatMap((write) => write.fields), ...Object.keys(fields)])) {
    const value = fields[field];
    if (present.some(({ write, fields: set }) => write === value && set.includes(field))) continue;
    yield { law: 'lost', what: `${field} of contact ${contact}, ${name}, is ${value}` };
  }
}

const firstOf = (write: Write) => write.write;
const lastOf = (write: Write) => `${write.write} again`;

/**
 * Every view says which writes come before it, and for each field which of them is the last. So an order of writes and
 * views that explains all of them exists exactly if these statements and the times contain no cycle. A write can take
 * effect a second time before its response, because the service sends it to the database again if a response is lost.
 */
function circleOfViews(writes: readonly Write[], views: readonly View[]): string[] | undefined {
  const happened = writes.filter(({ write, isTaken }) => isTaken || views.some(({ traces }) => traces.includes(write)));
  const placed: Placed[] = happened.flatMap(({ start, end, ...write }) => [
    { id: firstOf(write as Write), start, end },
    { id: lastOf(write as Write), start, end },
  ]);
  const before = happened.map((write): [string, string] => [firstOf(write), lastOf(write)]);
  for (const view of views) {
    const { name, start, end, of, traces, fields } = view;
    if (!of) placed.push({ id: name, start, end });
    const node = of ? lastOf(of) : name;
    for (const write of happened) {
      if (write === of) continue;
      before.push(traces.includes(write.write) ? [firstOf(write), node] : [node, firstOf(write)]);
    }
    const present = happened.filter(({ write }) => traces.includes(write));
    for (const [field, value] of Object.entries(fields)) {
      const shown = present.find(({ write }) => write === value);
      for (const other of present) {
        if (!shown || other === shown || !other.fields.includes(field)) continue;
        const isOver = other.end < start;
        before.push([isOver ? lastOf(other) : firstOf(other), lastOf(shown)]);
      }
    }
  }
  return circleIn(placed, before);
}

/** Exactly one creator gets a 201. A request without a clear response may have been the creator. */
export function* createdViolations(
  what: string,
  writes: readonly { write: string; isTaken: boolean; attempt: Attempt }[],
): Generator<Found> {
  const created = writes.filter(({ attempt }) => attempt.created);
  if (created.length > 1) {
    yield { law: 'created', what: `${what} was created by ${created.map(({ write }) => write).join(', ')}` };
  }
  const isClear = ({ isTaken, attempt }: (typeof writes)[number]) => isTaken || attempt.status === 429;
  if (created.length === 0 && writes.some(({ isTaken }) => isTaken) && writes.every(isClear)) {
    yield { law: 'created', what: `${what} is there, and nobody was told to have created it` };
  }
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

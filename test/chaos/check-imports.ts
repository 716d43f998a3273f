import type { Violation } from './checker.ts';
import type { AccountRead, Attempt, BatchRead, ChunkWrite, HistoryEvent } from './history.ts';
import { circleIn } from './order.ts';

/** The chunk size of the service for requests without `chunk_index`. */
const recordsOfPart = 500;
/** The number of interrupted attempts after which a chunk may fail. */
const attemptsOfChunk = 5;

type Chunk = ChunkWrite & {
  start: number;
  /** When the sender knew that it was accepted; infinite if never. */
  end: number;
  isTaken: boolean;
  attempts: Attempt[];
};

type Batch = {
  id: string;
  chunks: Chunk[];
  reads: BatchRead[];
  last: BatchRead | undefined;
  isRedriven: boolean;
  /** A chunk of it failed at some time, so its writes may or may not be visible. */
  isLoose: boolean;
};

export function importViolations(team: string, events: readonly HistoryEvent[]): Violation[] {
  const chunks = chunksOf(events);
  const batches = batchesOf(chunks, events);
  const accounts = finalAccounts(events);
  const deaths = events.flatMap((event) => (event.kind === 'death' ? [event.at] : []));
  const isRead = events.some((event) => event.kind === 'account-read' || event.kind === 'calm');
  const found = [
    ...batches.flatMap((batch) => [...batchViolations(batch, deaths)]),
    ...(isRead ? stateViolations(chunks, batches, accounts) : []),
    ...productViolations(accounts),
  ];
  return found.map((each) => ({ ...each, team }));
}

type Found = Omit<Violation, 'team'>;

function chunksOf(events: readonly HistoryEvent[]): Chunk[] {
  const attempts = new Map<string, Attempt[]>();
  for (const event of events) {
    if (event.kind !== 'attempt') continue;
    const known = attempts.get(event.write);
    if (known) known.push(event);
    else attempts.set(event.write, [event]);
  }
  return events.flatMap((event) => {
    if (event.kind !== 'chunk') return [];
    const own = attempts.get(event.write) ?? [];
    const taken = own.filter(({ status }) => status === 202);
    const start = Math.min(...own.map((attempt) => attempt.start));
    const end = Math.min(...taken.map((attempt) => attempt.end));
    return [{ ...event, start, end, isTaken: taken.length > 0, attempts: own }];
  });
}

function batchesOf(chunks: readonly Chunk[], events: readonly HistoryEvent[]): Batch[] {
  const reads = Map.groupBy(
    events.filter((event) => event.kind === 'batch-read'),
    ({ batch }) => batch,
  );
  const ofBatch = Map.groupBy(chunks, ({ batch }) => batch);
  return [...ofBatch].map(([id, own]) => {
    const read = reads.get(id) ?? [];
    const last = read.findLast(({ final }) => final);
    const isRedriven = own.some(({ attempts }) => attempts.some(({ redriven }) => redriven));
    const { chunks: counted, records } = last?.counts ?? {};
    const isUndone = (counted?.failed ?? 0) + (counted?.cancelled ?? 0) + (records?.superseded ?? 0) > 0;
    return { id, chunks: own, reads: read, last, isRedriven, isLoose: isRedriven || isUndone };
  });
}

const finalAccounts = (events: readonly HistoryEvent[]): Map<string, AccountRead> =>
  new Map(events.flatMap((event) => (event.kind === 'account-read' && event.final ? [[event.account, event]] : [])));

function* batchViolations(batch: Batch, deaths: readonly number[]): Generator<Found> {
  const { id, chunks, reads, last } = batch;
  const taken = chunks.filter(({ isTaken }) => isTaken);
  for (const chunk of taken) {
    const fresh = chunk.attempts.filter(({ status, duplicate }) => status === 202 && !duplicate);
    if (fresh.length > 1 && !batch.isLoose) {
      yield { law: 'doubled', what: `chunk ${chunk.write} was taken as new ${fresh.length} times` };
    }
  }
  const certain = Math.min(...taken.map(({ end }) => end));
  const missing = reads.find(({ status, start }) => status === 404 && start > certain);
  if (missing) yield { law: 'lost', what: `batch ${id} was acknowledged at ${certain} and unknown at ${missing.end}` };
  if (!last?.counts) return;
  if (last.counts.status === 'processing') {
    yield { law: 'waiting', what: `batch ${id} is still open at the end` };
    return;
  }
  yield* countViolations(batch, last.counts, taken);
  if (last.counts.chunks.failed > 0) {
    const from = Math.min(...chunks.map(({ start }) => start));
    const brokenOff = deaths.filter((at) => at > from && at < last.end).length;
    if (brokenOff < attemptsOfChunk) {
      yield { law: 'failed', what: `batch ${id} has failed chunks after ${brokenOff} deaths of the service` };
    }
  } else if (last.counts.records.superseded > 0 && !batch.isRedriven) {
    yield { law: 'superseded', what: `batch ${id} counts superseded records, and nothing failed` };
  }
}

type Counts = NonNullable<BatchRead['counts']>;

function* countViolations(batch: Batch, { chunks, records }: Counts, taken: readonly Chunk[]): Generator<Found> {
  const { id } = batch;
  const sum = (of: readonly Chunk[], size: (chunk: Chunk) => number) => of.reduce((all, each) => all + size(each), 0);
  for (const [name, counted, size] of [
    ['chunks', chunks.accepted, partsOf],
    ['records', records.accepted, (chunk: Chunk) => chunk.records.length],
  ] as const) {
    const [least, most] = [sum(taken, size), sum(batch.chunks, size)];
    const what = `batch ${id} counts ${counted} accepted ${name}, of ${least} to ${most} sent`;
    if (counted < least) yield { law: 'lost', what };
    if (counted > most) yield { law: 'doubled', what };
  }
  const ended = chunks.completed + chunks.failed + (chunks.cancelled ?? 0);
  if (ended !== chunks.accepted) {
    yield { law: 'counts', what: `batch ${id} has ended with ${ended} of ${chunks.accepted} chunks` };
  }
  if (chunks.completed < chunks.accepted) return;
  const { applied, unchanged, superseded, rejected } = records;
  const outcome = `${applied} applied, ${unchanged} unchanged, ${superseded} superseded, ${rejected} rejected`;
  if (applied + unchanged + superseded + rejected !== records.accepted) {
    yield { law: 'counts', what: `batch ${id}: ${outcome} do not add up to ${records.accepted}` };
  } else if (!batch.isLoose && applied !== records.accepted) {
    // Every record has a unique value, so each of them changes something.
    yield { law: 'counts', what: `batch ${id}: ${outcome}, although every record was a change` };
  }
}

const partsOf = ({ index, records }: Chunk) => (index === null ? Math.ceil(records.length / recordsOfPart) : 1);

/** Compares the stored accounts with the sent records. */
function* stateViolations(
  chunks: readonly Chunk[],
  batches: readonly Batch[],
  accounts: ReadonlyMap<string, AccountRead>,
): Generator<Found> {
  const loose = new Set(batches.flatMap(({ isLoose, chunks: own }) => (isLoose ? own.map(({ write }) => write) : [])));
  const unknown = new Set(batches.flatMap(({ id, last }) => (last?.status === 404 ? [id] : [])));
  const seen = new Set([...accounts.values()].flatMap(({ traces }) => traces));
  const sent = new Map(chunks.map((chunk) => [chunk.write, chunk]));
  for (const trace of seen) {
    const chunk = sent.get(trace);
    if (!chunk) yield { law: 'invented', what: `the accounts show ${trace}, which nobody sent` };
    else if (unknown.has(chunk.batch)) {
      yield { law: 'invented', what: `chunk ${trace} was applied, and its batch ${chunk.batch} is unknown` };
    }
  }
  const happened = chunks.filter(({ write, isTaken }) => isTaken || seen.has(write));
  for (const chunk of happened) {
    if (loose.has(chunk.write)) continue;
    const lacking = chunk.records.filter(({ account }) => !accounts.get(account)?.traces.includes(chunk.write));
    if (lacking.length > 0) {
      const what = `of chunk ${chunk.write}, ${lacking.length} of ${chunk.records.length} records are in no account`;
      yield { law: 'lost', what: `${what} (${lacking[0]!.account})` };
    }
  }
  yield* orderViolations(happened, loose, accounts);
}

type Writer = { chunk: Chunk; place: number };

function* orderViolations(
  happened: readonly Chunk[],
  loose: ReadonlySet<string>,
  accounts: ReadonlyMap<string, AccountRead>,
): Generator<Found> {
  const before: [string, string][] = [];
  let isShown = false;
  for (const [account, fields] of writersOf(happened)) {
    for (const [field, writers] of fields) {
      const value = accounts.get(account)?.fields[field];
      const certain = writers.filter(({ chunk }) => !loose.has(chunk.write));
      const last = writers.find(({ chunk }) => chunk.write === value?.split('.')[0]);
      if (!last) {
        if (certain.length > 0) yield { law: 'lost', what: `${field} of account ${account} is ${value}` };
        continue;
      }
      if (value !== `${last.chunk.write}.${last.place}`) {
        yield { law: 'order', what: `${field} of account ${account} is ${value}, not of record ${last.place}` };
      }
      for (const { chunk } of certain) {
        if (chunk === last.chunk) continue;
        before.push([chunk.write, last.chunk.write]);
        if (chunk.start <= last.chunk.end) continue;
        isShown = true;
        const what = `${field} of account ${account} is of ${last.chunk.write} (acknowledged at ${last.chunk.end})`;
        yield { law: 'order', what: `${what}, not of the later ${chunk.write} (sent at ${chunk.start})` };
      }
    }
  }
  if (isShown) return;
  const placed = happened.map(({ write: id, start, end }) => ({ id, start, end: loose.has(id) ? Infinity : end }));
  const circle = circleIn(placed, before);
  if (circle) yield { law: 'order', what: `no order of these chunks explains the accounts: ${circle.join(', ')}` };
}

/** By account and field, the chunks that set it, each with the last of its records that does. */
function writersOf(chunks: readonly Chunk[]): Map<string, Map<string, Writer[]>> {
  const accounts = new Map<string, Map<string, Writer[]>>();
  for (const chunk of chunks) {
    for (const [place, { account, fields }] of chunk.records.entries()) {
      const ofAccount = accounts.get(account) ?? new Map<string, Writer[]>();
      accounts.set(account, ofAccount);
      for (const field of fields) {
        const writers = ofAccount.get(field) ?? [];
        ofAccount.set(field, writers);
        const latest = writers.at(-1);
        if (latest?.chunk === chunk) latest.place = place;
        else writers.push({ chunk, place });
      }
    }
  }
  return accounts;
}

function* productViolations(accounts: ReadonlyMap<string, AccountRead>): Generator<Found> {
  const ids = new Map<string, string>();
  for (const { product } of accounts.values()) {
    const known = ids.get(product.code) ?? product.id;
    ids.set(product.code, known);
    if (known !== product.id)
      yield { law: 'twice', what: `the product ${product.code} exists as ${known}, ${product.id}` };
  }
}

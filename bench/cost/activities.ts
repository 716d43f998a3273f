import {
  contactUnits,
  durations,
  endpointMemory,
  fullCpuMemory,
  importUnits,
  logBytes,
  lookupUnits,
  messageUnits,
  publishUnits,
  type RequestUnits,
  requestUnits,
  targetingUnits,
  tokenUnits,
} from './units.ts';
import { accountsOf, days, hours, recordsPerChunk, type Workload } from './workload.ts';

/** Something that happens often, and what it uses each time. */
export type Activity = {
  name: string;
  /** A month. */
  count: number;
  read: number;
  write: number;
  /** Requests to the API: 1, or 0 for what files do. */
  requests: number;
  invocations: number;
  /** Gigabytes times seconds. */
  gbSeconds: number;
  fifoMessages: number;
  /** Bytes of function logs and of the access log. */
  functionLogs: number;
  accessLogs: number;
  /** Round trips to the table. */
  trips: number;
};

/** Everything that a workload does in a month. */
export function activitiesOf(workload: Workload): Activity[] {
  const { contacts, changedShare, contentShownShare, journeyPages, journeyCompletions, clients } = workload;
  const nightly = accountsOf(workload) * days;
  const changes = contacts * workload.contactChangesPerDay * days;
  const reads = contacts * workload.contactReads;
  const lookups = contacts * workload.lookups;
  const journeys = contacts * workload.journeyShare;
  const stale = { read: lookupUnits.stale, write: 0, trips: lookupUnits.trips };
  return [
    record('unchanged account record', nightly * (1 - changedShare), {
      ...importUnits.unchangedRecord,
      workerMs: durations.workerUnchanged,
    }),
    record('changed account record', nightly * changedShare, {
      ...importUnits.changedRecord,
      workerMs: durations.workerNew,
    }),
    published(bearer('changed contact', changes, withDeclarations(contactUnits.changed)), publishUnits.contact),
    bearer('read of a contact', reads, requestUnits['get-contact']),
    bearer("read of a contact's accounts", reads, requestUnits['list-contact-accounts']),
    bearer('channel lookup', lookups, stale),
    request('channel content shown', lookups * contentShownShare, requestUnits['show-channel-content']),
    published(
      request('channel content viewed', lookups * contentShownShare, requestUnits['record-content-view']),
      publishUnits.viewAgain,
    ),
    published(bearer('journey started', journeys, requestUnits['create-journey']), publishUnits.journey),
    request('journey page shown', journeys * journeyPages, requestUnits['show-journey']),
    published(request('journey page viewed', journeys * journeyPages, requestUnits['record-view']), publishUnits.view),
    published(
      request('journey page completed', journeys * journeyCompletions, requestUnits['record-action']),
      publishUnits.completion,
    ),
    request('access token', contacts === 0 ? 0 : clients * hours, tokenUnits),
  ];
}

/**
 * A message that is sent and delivered, without what Amazon SES asks. Its part of a turn of the sender, its report alone in
 * an invocation, and what is told of both.
 */
export function messageOf(count: number): Activity {
  const { due, sent, told, delivered, toldAgain } = messageUnits;
  const units = [due, sent, told, delivered, toldAgain];
  const { requestCpu, trip, handOver } = durations;
  const cpu = requestCpu / cpuShare(endpointMemory);
  const sender = cpu + handOver / messagesAtOnce;
  const report = gbSeconds(reportMemory, requestCpu / cpuShare(reportMemory) + publishTrips * trip);
  return {
    ...{ name: 'message sent', count, requests: 0, accessLogs: 0, trips: publishTrips },
    // The report is sent, received and deleted. Its queue asks a little less.
    fifoMessages: 3,
    read: units.reduce((sum, { read }) => sum + read, 0),
    write: units.reduce((sum, { write }) => sum + write, 0),
    // The report, and both times the publisher.
    invocations: 3,
    gbSeconds: gbSeconds(endpointMemory, sender + 2 * (cpu + publishTrips * trip)) + report,
    functionLogs: 3 * logBytes.platform,
  };
}

/** What rules cost. The daily run judges every contact of a team that has a live rule. */
export function rulesOf(count: number): Activity[] {
  const { judgedContact, walkedContact, startedJourney } = targetingUnits;
  const { requestCpu, trip } = durations;
  // Contacts are read side by side. Each is one query; the accounts of all are read together.
  const seconds = gbSeconds(endpointMemory, requestCpu / cpuShare(endpointMemory) + trip / judgedAtOnce);
  const judged = (name: string, units: { read: number; write: number }): Activity => ({
    ...{ name, count, ...units, requests: 0, accessLogs: 0, trips: 1 },
    ...{ fifoMessages: 0, invocations: 0, gbSeconds: seconds, functionLogs: 0 },
  });
  return [
    judged('contact judged by rules after a change', judgedContact),
    judged('contact judged by rules in the daily run', walkedContact),
    published(judged('journey started by a rule, in addition', startedJourney), publishUnits.journey),
  ];
}
/** Contacts that are read at the same time: lib/store/targeting/person.ts. */
const judgedAtOnce = 10;

/** Messages that a turn of the sender works at the same time: lib/operations/messages/send.ts. */
const messagesAtOnce = 10;
/** Of the report of a message, and of each time the publisher tells of it. */
const publishTrips = 5;
const reportMemory = 512;

type RecordUnits = { read: number; write: number; workerMs: number };

/** A record of a dropped file, with its part of the chunk that it is in. */
function record(name: string, count: number, units: RecordUnits): Activity {
  const { read, write, workerMs } = units;
  const { chunk, payload } = importUnits;
  const ofChunk = (value: number) => value / recordsPerChunk;
  const readerMs = durations.readerCpu / cpuShare(endpointMemory) + ofChunk(durations.readerChunk);
  return {
    name,
    count,
    read: read + ofChunk(chunk.read + payload.read),
    write: write + ofChunk(chunk.write + payload.write),
    requests: 0,
    // At most one wake for each chunk: sent, received and deleted.
    invocations: ofChunk(1),
    fifoMessages: ofChunk(3),
    gbSeconds: gbSeconds(fullCpuMemory, workerMs) + gbSeconds(endpointMemory, readerMs),
    functionLogs: ofChunk(logBytes.wake + logBytes.platform),
    accessLogs: 0,
    // Five reads of 100 keys, twice for accounts and links, and those of the chunk. Writes go in groups of 25.
    trips: ofChunk(14) + write / 25,
  };
}

function request(name: string, count: number, { read, write, trips }: RequestUnits): Activity {
  const { requestCpu, trip, coldStarts, coldStart } = durations;
  const ms = requestCpu / cpuShare(endpointMemory) + trips * trip + coldStarts * coldStart;
  return {
    ...{ name, count, read, write, trips },
    requests: 1,
    invocations: 1,
    fifoMessages: 0,
    gbSeconds: gbSeconds(endpointMemory, ms),
    functionLogs: logBytes.request + logBytes.platform,
    accessLogs: logBytes.access,
  };
}

/** A request with a token also reads the state of its client, if it has not been read for 20 seconds. */
const bearer = (name: string, count: number, units: RequestUnits): Activity =>
  request(name, count, { ...units, read: units.read + 1, trips: units.trips + 1 });

/** An upsert also reads which fields are declared for lookups, if that has not been read for five seconds. */
const withDeclarations = (units: RequestUnits): RequestUnits => ({ ...units, read: units.read + 1 });

/** With the invocation of the publisher that tells and counts the change. */
function published(activity: Activity, { read, write, trips }: RequestUnits): Activity {
  const ms = durations.requestCpu / cpuShare(endpointMemory) + trips * durations.trip;
  return {
    ...activity,
    read: activity.read + read,
    write: activity.write + write,
    invocations: activity.invocations + 1,
    gbSeconds: activity.gbSeconds + gbSeconds(endpointMemory, ms),
    functionLogs: activity.functionLogs + logBytes.platform,
  };
}

const gbSeconds = (megabytes: number, milliseconds: number): number => (megabytes / 1024) * (milliseconds / 1000);
const cpuShare = (megabytes: number): number => Math.min(megabytes / fullCpuMemory, 1);

import { hasRule } from '../../../../lib/domain/campaigns/targeting-rule.ts';
import {
  type ExpectedFile,
  type ExpectedState,
  lastHour,
  stateOfExpected,
} from '../../../../lib/domain/drop-box/expected-file.ts';
import { type EndedWebhook, isFailing, type Webhook } from '../../../../lib/domain/events/webhook.ts';
import { batchStatusOf } from '../../../../lib/domain/imports/batch-status.ts';
import { waitingImports } from '../../../../lib/domain/imports/chunk.ts';
import { isDropBatchId } from '../../../../lib/domain/imports/own-batch.ts';
import { type MessageCounts, pauseOf } from '../../../../lib/domain/messages/pause.ts';
import { dayAt } from '../../../../lib/domain/targeting/calendar-day.ts';
import type { Team } from '../../../../lib/domain/teams/team.ts';
import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import { isLate } from '../../../../lib/domain/waiting-work/lane.ts';
import { messagesThatWait } from '../../../../lib/operations/messages/messages-that-wait.ts';
import { loadTeamRules, timeZoneOf } from '../../../../lib/operations/targeting/team-rules.ts';
import type { ContentCache } from '../../../../lib/store/campaigns/content.ts';
import { loadPending } from '../../../../lib/store/campaigns/revisions.ts';
import { listExpectedFiles } from '../../../../lib/store/drop-box/expected-files.ts';
import { listEndedWebhooks, listWebhooks } from '../../../../lib/store/events/webhooks.ts';
import { listBatchIds, loadBatch } from '../../../../lib/store/imports/claims.ts';
import { loadFailed, loadWork } from '../../../../lib/store/imports/import-work.ts';
import { loadMessageCounts, loadMessageState } from '../../../../lib/store/messages/state.ts';
import { loadTeam } from '../../../../lib/store/teams/teams.ts';
import { type DropListService, type ListedDrop, listDroppedFiles } from '../drop-box/list.ts';
import { type Forecast, forecastOf, messagesDue } from './forecast.ts';

export type MorningService = DropListService & { content: ContentCache; eventEpoch: string; sendsMessages: boolean };

/**
 * What happened in a team since a time, by subject. A subject that cannot be read has the error. Of a team it reads, beside
 * single items: its expected files, its files in the bucket and what is stored of them for 30 days, its failed chunks, the
 * chunks of its 10 newest batches, its webhooks, campaigns and rules, and of its messages at most 10,000 entries of what is
 * due today, 1,000 journeys and 1,000 items of the lane. It never scans the table, and nothing grows with the contacts.
 */
export async function factsOf(service: MorningService, teamId: string, since: string) {
  const of = <Facts>(read: (service: MorningService, teamId: string, since: string) => Promise<Facts>) =>
    read(service, teamId, since).catch((error: unknown) => new Unreadable(error));
  const [team, files, chunks, batches, webhooks, rules, messages, content] = await Promise.all([
    of(loadedTeam),
    of(filesOf),
    of(failedChunksOf),
    of(batchesOf),
    of(webhooksOf),
    of(rulesOf),
    of(messagesOf),
    of(contentOf),
  ]);
  return { team, files, chunks, batches, webhooks, rules, messages, content };
}
export type TeamFacts = Awaited<ReturnType<typeof factsOf>>;
export type Facts<Subject extends keyof TeamFacts> = Exclude<TeamFacts[Subject], Unreadable>;

/** Why something could not be read. */
export class Unreadable {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

async function loadedTeam({ database }: MorningService, teamId: string): Promise<Team> {
  const team = await loadTeam(database, teamId);
  if (!team) throw new Error('the team is in the list of teams, but has no item');
  return team;
}

/** Dropped files that are compared: about a month of two files a day. */
const comparedFiles = 60;

export type ExpectedFact = Pick<ExpectedFile, 'type' | 'by' | 'time_zone' | 'max_rejected'> & {
  due_at: string;
  state: ExpectedState;
  deviations: readonly string[];
};
export type FileFact = Pick<ListedDrop, 'key' | 'type' | 'state' | 'reason' | 'received_at' | 'notices'> & {
  rows: number;
  /** In percent of the rows. */
  rejected: number;
  /** How many rows more than usual, in percent. `null` if the earlier files of the type are too few or too small to say. */
  change: number | null;
  /** Kinds of notices that no earlier file of the type has. */
  newNotices: readonly string[];
};

async function filesOf(service: MorningService, teamId: string, since: string) {
  const { database, now } = service;
  const [expected, files] = await Promise.all([
    listExpectedFiles(database, teamId),
    listDroppedFiles(service, teamId, comparedFiles),
  ]);
  return {
    expected: expected.map((each): ExpectedFact => {
      const { type, by, time_zone, max_rejected, verdict } = each;
      const settings = { type, by, time_zone, ...(max_rejected === undefined ? {} : { max_rejected }) };
      const state = stateOfExpected(each, now());
      return { ...settings, due_at: timestamp(lastHour(each, now())), state, deviations: verdict?.deviations ?? [] };
    }),
    files: files.filter(({ received_at }) => received_at >= since).map((each) => fileFact(each, files)),
  };
}

const usualFiles = { least: 5, most: 10, rows: 100 };

/** @param all newest first */
export function fileFact(file: ListedDrop, all: readonly ListedDrop[]): FileFact {
  const { key, type, state, reason, received_at, notices, rows } = file;
  const earlier = all.filter((each) => each.type === type && each.state === 'done' && each.received_at < received_at);
  const usual = earlier.slice(0, usualFiles.most).map((each) => each.rows.read);
  const middle = usual.toSorted((a, b) => a - b)[Math.floor(usual.length / 2)] ?? 0;
  const isKnown = usual.length >= usualFiles.least && middle >= usualFiles.rows && state === 'done';
  const knownKinds = new Set(earlier.flatMap((each) => each.notices.map(({ kind }) => kind)));
  return {
    ...{ key, type, state, reason, received_at, notices, rows: rows.read },
    rejected: rows.read === 0 ? 0 : (100 * rows.rejected) / rows.read,
    change: isKnown ? (100 * (rows.read - middle)) / middle : null,
    newNotices: notices.map(({ kind }) => kind).filter((kind) => !knownKinds.has(kind)),
  };
}

const failedChunksOf = async ({ database }: MorningService, teamId: string) =>
  (await loadFailed(database, teamId)).map(({ batch_id, records, failure = '' }) => ({ batch_id, records, failure }));

const newestBatches = 10;

/** A batch of which a chunk waits, or has not come. A dropped file is among the files. */
async function batchesOf({ database, now }: MorningService, teamId: string, since: string) {
  const [{ open, state }, { ids }] = await Promise.all([
    loadWork(database, teamId, 1),
    listBatchIds(database, teamId, newestBatches),
  ]);
  const late = open.filter((chunk) => isLate(waitingImports(chunk, state), now()));
  const loaded = await Promise.all(
    ids.filter((id) => !isDropBatchId(id)).map(async (id) => ({ id, ...(await loadBatch(database, teamId, id)) })),
  );
  const incomplete = loaded.flatMap(({ id, chunks, head }) => {
    const { expected, missing = [] } = batchStatusOf(id, chunks, { expected: head.chunk_count })?.chunks ?? {};
    const last =
      chunks
        .map(({ accepted_at }) => accepted_at)
        .sort()
        .at(-1) ?? '';
    const hasStopped = last >= since && isLate({ since: Date.parse(last) }, now());
    const client_id = chunks[0]?.client_id ?? null;
    return missing.length > 0 && hasStopped ? [{ batch_id: id, client_id, expected: expected!, missing, last }] : [];
  });
  return { late: late.map(({ batch_id, accepted_at }) => ({ batch_id, accepted_at })), incomplete };
}

async function webhooksOf({ database, now }: MorningService, teamId: string, since: string) {
  const [live, ended] = await Promise.all([listWebhooks(database, teamId), listEndedWebhooks(database, teamId, now())]);
  return {
    failing: live.flatMap(({ webhook: { webhook_id, url }, progress: { failing_since, last_attempt } }) =>
      failing_since !== null && isFailing({ failing_since }, now())
        ? [{ webhook_id, url, failing_since, result: last_attempt?.result ?? null }]
        : [],
    ),
    ended: ended
      .filter(
        ({ url, ended_at }) =>
          ended_at >= since && !live.some(({ webhook }) => isMadeAgain(webhook, { url, ended_at })),
      )
      .map(({ webhook_id, url, ended_at, cause }) => ({ webhook_id, url, ended_at, cause })),
  };
}

/** A webhook that was made for the URL of another one after that had ended. */
const isMadeAgain = (webhook: Webhook, { url, ended_at }: Pick<EndedWebhook, 'url' | 'ended_at'>): boolean =>
  webhook.url === url && webhook.inserted_at > ended_at;

/** The rules that started journeys on the day of `since` or later, in the team's time zone, and those that have stopped. */
async function rulesOf(service: MorningService, teamId: string, since: string) {
  const { content, stored } = await loadTeamRules(service, teamId);
  const first = dayAt(Date.parse(since), timeZoneOf(content.team));
  const rules = content.templates.filter(hasRule).flatMap(({ id, name }) => {
    const { brake, live } = stored.get(id) ?? {};
    return brake && live ? [{ template_id: id, name: name ?? id, ...brake }] : [];
  });
  return {
    started: rules
      .filter(({ day, started }) => day >= first && started > 0)
      .map(({ template_id, name, day, started }) => ({ template_id, name, day, started })),
    stopped: rules.flatMap(({ template_id, name, stopped_at }) =>
      stopped_at === null ? [] : [{ template_id, name, stopped_at }],
    ),
  };
}

/** `undefined`: the team sends no messages. */
async function messagesOf(service: MorningService, teamId: string, since: string) {
  const { database, content, now, eventEpoch, sendsMessages } = service;
  const { team, templates } = await content.current(teamId);
  if (!sendsMessages || !team || team.senders.length === 0) return undefined;
  const [state, counts, { lanes }] = await Promise.all([
    loadMessageState(database, teamId),
    loadMessageCounts(database, teamId),
    messagesThatWait(service, teamId),
  ]);
  const paused = pauseOf(state, eventEpoch);
  const live = templates.filter(({ id, is_muted }) => is_muted !== true && state.templates[id] === undefined);
  const forecast: Forecast | null =
    paused === undefined
      ? forecastOf(await messagesDue(service, { ...team, team_id: teamId }, live), team, now())
      : null;
  const last = { sent: 0, bounced: 0, complained: 0 };
  for (const block of counts.blocks) addTo(last, block);
  if ((counts.bounced_at ?? '') < since) last.bounced = 0;
  if ((counts.complained_at ?? '') < since) last.complained = 0;
  return {
    ...{ paused, last, forecast },
    paused_templates: templates
      .filter(({ id }) => state.templates[id])
      .map(({ id, name }) => ({ id, name: name ?? id })),
    waiting_since: lanes.flatMap((lane) => (isLate(lane, now()) ? [timestamp(lane.since!)] : []))[0] ?? null,
  };
}

/** The revision that should have been published. `refused`: why it was not, if the service has tried. */
async function contentOf({ database, now }: MorningService, teamId: string) {
  const [pending, team] = await Promise.all([loadPending(database, teamId), loadTeam(database, teamId)]);
  if (pending?.publish_at === undefined) return {};
  const { revision, publish_at, refused, approved_by } = pending;
  if (!refused && Date.parse(publish_at) + publishedWithin > now()) return {};
  const isUnapproved = team?.content_approval === true && approved_by === undefined;
  return { unpublished: { revision, publish_at, refused, isUnapproved } };
}

/** Milliseconds after its time in which a revision is published. */
const publishedWithin = 300_000;

function addTo(sum: MessageCounts['blocks'][number], { sent, bounced, complained }: MessageCounts['blocks'][number]) {
  sum.sent += sent;
  sum.bounced += bounced;
  sum.complained += complained;
}

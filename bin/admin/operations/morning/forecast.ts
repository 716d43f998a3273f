import type { Template } from '../../../../lib/domain/campaigns/template.ts';
import { dueMomentOf } from '../../../../lib/domain/journeys/due-moments.ts';
import { expiresAt } from '../../../../lib/domain/journeys/journey-page.ts';
import { isMarketing } from '../../../../lib/domain/messages/decide.ts';
import type { Team } from '../../../../lib/domain/teams/team.ts';
import { isClockWithin, nextClockTime } from '../../../../lib/domain/values/local-time.ts';
import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import { loadJourneys } from '../../../../lib/store/journeys/journeys.ts';
import { nextMessages } from '../../../../lib/store/messages/lane.ts';
import type { Database } from '../../../../lib/store/table/database.ts';
import { type DueJourney, dueEntries } from '../../../../lib/store/waiting-work/due-work.ts';

/** Entries of due work, of them those whose journeys are read, and messages of the lane that are read. */
export const forecastLimits = { entries: 10_000, journeys: 1000, waiting: 1000 };

/** The messages of the rest of the day: at most so many, because consent, addresses and caps are judged when they are sent. */
export type Forecast = {
  messages: number;
  /** True if not every journey was looked at. */
  is_estimate: boolean;
  /** True if there are more entries than are read: it is only a part. */
  is_part: boolean;
  campaigns: { template_id: string; name: string; messages: number }[];
  /** When the last one has been sent, at the rate of the team. */
  done_at: string | null;
};

type Named = Pick<Template, 'id' | 'name'>;
export type DueMessages = {
  campaigns: readonly Named[];
  /** Of each journey that was looked at, the times at which messages go out. */
  looked: readonly { templateId: string; times: readonly number[] }[];
  /** The templates of the journeys that were not, and when the last of them is due. */
  others: readonly string[];
  lastAt: number;
  isPart: boolean;
};

/** A journey that was not looked at has as many messages as the others of its campaign on average. */
export function forecastOf(
  { campaigns, looked, others, lastAt, isPart }: DueMessages,
  { messages_a_second }: Pick<Team, 'messages_a_second'>,
  now: number,
): Forecast {
  const further = Map.groupBy(others, (id) => id);
  const counted = campaigns.map(({ id, name }) => {
    const own = looked.filter(({ templateId }) => templateId === id);
    const messages = own.reduce((sum, { times }) => sum + times.length, 0);
    const average = own.length === 0 ? 1 : messages / own.length;
    const estimated = Math.round(average * (further.get(id)?.length ?? 0));
    return { template_id: id, name: name ?? id, messages: messages + estimated, estimated };
  });
  const sum = (of: 'messages' | 'estimated') => counted.reduce((total, each) => total + each[of], 0);
  const each = 1000 / messages_a_second;
  const times = looked.flatMap((journey) => journey.times).sort((a, b) => a - b);
  const last = times.reduce((free, at) => Math.max(free, at) + each, now);
  const done = sum('estimated') === 0 ? last : Math.max(last, lastAt) + sum('estimated') * each;
  return {
    messages: sum('messages'),
    is_estimate: others.length > 0 || isPart,
    is_part: isPart,
    campaigns: counted
      .filter(({ messages }) => messages > 0)
      .map(({ estimated: _, ...campaign }) => campaign)
      .sort((a, b) => b.messages - a.messages),
    done_at: sum('messages') === 0 ? null : timestamp(done),
  };
}

/**
 * What is due until the end of the team's day, in its time zone also for contacts that have another one. A campaign whose
 * plan changes today is counted by its plan of now.
 */
export async function messagesDue(
  { database, now }: { database: Database; now(): number },
  team: Pick<Team, 'team_id' | 'timezone' | 'quiet_hours'>,
  campaigns: readonly Template[],
): Promise<DueMessages> {
  const { team_id: teamId } = team;
  const zone = team.timezone ?? 'UTC';
  const end = nextClockTime(now() + 1000, '00:00', zone);
  const byId = new Map(campaigns.map((each) => [each.id, each]));
  const { journeys, isPart } = await journeysDue(database, teamId, timestamp(end));
  const due = journeys.filter(({ templateId }) =>
    byId.get(templateId)?.template_messages.some((each) => each.live_since),
  );
  const first = due.slice(0, forecastLimits.journeys);
  const stored = await loadJourneys(database, teamId, first);
  const looked = first.flatMap(({ templateId, at }, index) => {
    const journey = stored[index]?.journey;
    const times = journey ? timesOf(byId.get(templateId)!, journey, Date.parse(at), { ...team, zone, end }) : [];
    return times.length > 0 ? [{ templateId, times }] : [];
  });
  const waiting = await nextMessages(database, teamId, forecastLimits.waiting);
  const owners = new Map(
    campaigns.flatMap(({ id, template_messages }) => template_messages.map((each) => [each.id, id])),
  );
  const inLane = waiting.flatMap((each) => {
    const templateId = 'templateMessageId' in each ? owners.get(each.templateMessageId) : undefined;
    return templateId === undefined ? [] : [{ templateId, times: [now()] }];
  });
  const others = due.slice(first.length);
  return {
    campaigns,
    looked: [...inLane, ...looked],
    others: others.map(({ templateId }) => templateId),
    lastAt: Date.parse(others.at(-1)?.at ?? timestamp(now())),
    isPart: isPart || waiting.length === forecastLimits.waiting,
  };
}

async function journeysDue(database: Database, teamId: string, until: string) {
  const journeys: DueJourney[] = [];
  let [read, after]: [number, string | undefined] = [0, undefined];
  do {
    const page = await dueEntries(database, teamId, { now: until, limit: forecastLimits.entries - read, after });
    for (const entry of page.entries) if ('journey' in entry) journeys.push(entry.journey);
    read += page.entries.length;
    after = page.next;
  } while (after !== undefined && read < forecastLimits.entries);
  return { journeys, isPart: after !== undefined };
}

type Day = Pick<Team, 'quiet_hours'> & { zone: string; end: number };

/** When the messages of the journey go out of which something is due at that time, and not before. */
function timesOf(
  template: Template,
  journey: Parameters<typeof dueMomentOf>[1],
  at: number,
  { quiet_hours: quiet, zone, end }: Day,
): number[] {
  const sentAt = (time: number, message: Template['template_messages'][number]): number =>
    isMarketing(message) && quiet !== null && isClockWithin(time, quiet, zone)
      ? nextClockTime(time, quiet.to, zone)
      : time;
  const times = template.template_messages.flatMap((message) => {
    const moment = dueMomentOf(message, journey, zone);
    return moment !== undefined && moment >= at && moment < end ? [sentAt(moment, message)] : [];
  });
  // What is due of the journey is its expiry, or a message that waits.
  const isOther = times.length === 0 && expiresAt(template, journey) !== at;
  return (isOther ? [at] : times).filter((time) => time < end);
}

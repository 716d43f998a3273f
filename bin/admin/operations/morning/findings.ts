import { noticeText } from '../../../../lib/domain/drop-box/file-notice.ts';
import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import { isLate } from '../../../../lib/domain/waiting-work/lane.ts';
import { quantity } from '../../text.ts';
import { isInProgress } from '../drop-box/list.ts';
import { type ExpectedFact, type Facts, type FileFact, type TeamFacts, Unreadable } from './facts.ts';

/** What somebody must look at. `next`: the arguments of the admin command to type next. */
export type Finding = { about: keyof TeamFacts; message: string; next: readonly string[] };
type Found = Omit<Finding, 'about'>;

export type TeamMorning = {
  team_id: string;
  /** `null` if the team cannot be read. */
  name: string | null;
  needs_attention: boolean;
  findings: Finding[];
  expected: readonly ExpectedFact[];
  /** That arrived since the time. */
  files: readonly FileFact[];
  started: Facts<'rules'>['started'];
  forecast: NonNullable<Facts<'messages'>>['forecast'];
};

/** What each subject can find. @param now milliseconds since the epoch */
const finders: { [Subject in keyof TeamFacts]: (facts: Facts<Subject>, teamId: string, now: number) => Found[] } = {
  team: () => [],
  files: findInFiles,
  chunks: (chunks, teamId) =>
    [...Map.groupBy(chunks, ({ batch_id, failure }) => JSON.stringify([batch_id, failure])).values()].map((alike) => {
      const { batch_id, failure } = alike[0]!;
      const records = alike.reduce((sum, each) => sum + each.records, 0);
      const size = `${quantity(alike.length, 'chunk')} with ${quantity(records, 'record')}`;
      return {
        message: `${size} of batch ${quoted(batch_id)} failed: ${failure}`,
        next: ofTeam(['failed', 'list'], teamId),
      };
    }),
  batches: ({ late, incomplete }, teamId) => [
    ...late.map(({ batch_id, accepted_at }) => ({
      message: `batch ${quoted(batch_id)} has waited since ${accepted_at}`,
      next: ofTeam(['batch', 'show', batch_id], teamId),
    })),
    ...incomplete.map(({ batch_id, client_id, expected, missing, last }) => ({
      message: `of ${quantity(expected, 'chunk')} of batch ${quoted(batch_id)} have not come: ${shortList(missing)}; the last one came at ${last}${listedForADay('until they come')}`,
      next:
        client_id === null
          ? ofTeam(['batch', 'show', batch_id], teamId)
          : [...ofTeam(['requests'], teamId), '--client', client_id],
    })),
  ],
  webhooks: ({ failing, ended }, teamId) => [
    ...failing.map(({ webhook_id, url, failing_since, result }) => ({
      message: `the webhook ${url} has received nothing since ${failing_since} (${result})`,
      next: ['webhook', 'show', webhook_id],
    })),
    ...ended.map(({ url, ended_at, cause }) => ({
      message: `the webhook ${url} ended at ${ended_at}: ${cause}${listedForADay('until there is another one for this URL')}`,
      next: ofTeam(['webhook', 'list'], teamId),
    })),
  ],
  rules: ({ stopped }, teamId) =>
    stopped.map(({ name, stopped_at }) => ({
      message: `the rule of ${quoted(name)} was stopped by its brake at ${stopped_at}`,
      next: ofTeam(['targeting', 'status'], teamId),
    })),
  messages: findInMessages,
  content: ({ unpublished }, teamId) => (unpublished ? [unpublishedOf(unpublished, teamId)] : []),
};

function unpublishedOf(
  { revision, publish_at, refused, isUnapproved }: NonNullable<Facts<'content'>['unpublished']>,
  teamId: string,
): Found {
  const message = `the revision ${revision} was not published at ${publish_at}`;
  if (refused)
    return { message: `${message}: ${refused.details[0]?.message ?? refused.error}`, next: shows.content(teamId) };
  return isUnapproved
    ? { message: `${message}, because nobody has approved it`, next: ofTeam(['content', 'approve', revision], teamId) }
    : { message: `${message}, and still waits`, next: shows.content(teamId) };
}

/** What happened in the team, and what needs somebody. */
export function morningOf(
  teamId: string,
  facts: TeamFacts,
  now: number,
  because: (error: unknown) => string,
): TeamMorning {
  const findings = (Object.keys(finders) as (keyof TeamFacts)[]).flatMap((about) =>
    findingsAbout(about, facts, teamId, now, because),
  );
  const { team, files, rules, messages } = facts;
  return {
    team_id: teamId,
    name: team instanceof Unreadable ? null : team.name,
    needs_attention: findings.length > 0,
    findings,
    ...(files instanceof Unreadable ? { expected: [], files: [] } : { expected: files.expected, files: files.files }),
    started: rules instanceof Unreadable ? [] : rules.started,
    forecast: messages instanceof Unreadable ? null : (messages?.forecast ?? null),
  };
}

function findingsAbout<Subject extends keyof TeamFacts>(
  about: Subject,
  facts: TeamFacts,
  teamId: string,
  now: number,
  because: (error: unknown) => string,
): Finding[] {
  const read = facts[about];
  const found =
    read instanceof Unreadable
      ? [
          {
            message: `${about === 'team' ? 'the team' : about} cannot be read: ${because(read.error)}`,
            next: shows[about](teamId),
          },
        ]
      : finders[about](read as Facts<Subject>, teamId, now);
  return found.map((each) => ({ about, ...each }));
}

const ofTeam = (words: readonly string[], teamId: string): string[] => [...words, '--team', teamId];
const quoted = (text: string): string => JSON.stringify(text);

/** What shows the subject, one by one. */
const shows: { [Subject in keyof TeamFacts]: (teamId: string) => string[] } = {
  team: () => ['team', 'list'],
  files: (teamId) => ofTeam(['drop', 'list'], teamId),
  chunks: (teamId) => ofTeam(['failed', 'list'], teamId),
  batches: (teamId) => ofTeam(['batch', 'list'], teamId),
  webhooks: (teamId) => ofTeam(['webhook', 'list'], teamId),
  rules: (teamId) => ofTeam(['targeting', 'status'], teamId),
  messages: (teamId) => ofTeam(['message', 'list'], teamId),
  content: (teamId) => ofTeam(['content', 'history'], teamId),
};

/**
 * From when on a file is probably not meant, unless the team said what it expects: the share of rejected rows, in percent,
 * and how many rows more or less than usual, in percent.
 */
const suspicious = { rejected: 5, less: -50, more: 100 };

function findInFiles({ expected, files }: Facts<'files'>, teamId: string, now: number): Found[] {
  const present = files.filter((file) => !isReplaced(file, files));
  const ofFiles = present.flatMap((file): Found[] => {
    const said = complaintsOf(file, expected, now);
    const ends = isInProgress(file) ? '' : listedForADay(file.type === null ? undefined : untilReplaced);
    const message = `${file.key}: ${said.join('; ')}${ends}`;
    return said.length === 0 ? [] : [{ message, next: ['drop', 'show', file.key] }];
  });
  const hasFailed = new Set(
    present.filter(({ state }) => state === 'failed' || state === 'refused').map(({ type }) => type),
  );
  const ofExpected = expected.flatMap(({ type, by, time_zone, state, deviations }): Found[] => {
    const name = `the file of ${type} expected by ${by} (${time_zone})`;
    if (state === 'missing') return [{ message: `${name} has not arrived`, next: shows.files(teamId) }];
    if (state === 'ok' || (state === 'failed' && hasFailed.has(type))) return [];
    const newest = files.find((file) => file.type === type);
    const next = newest ? ['drop', 'show', newest.key] : shows.files(teamId);
    return [
      { message: `${name} ${state === 'failed' ? 'failed' : `is not as expected: ${deviations.join('; ')}`}`, next },
    ];
  });
  return [...ofExpected, ...ofFiles];
}

/** True if a newer version of the file was dropped. A repeated one, with the same bytes, leaves the file as it is. */
const isReplaced = (file: FileFact, files: readonly FileFact[]): boolean =>
  files.some(
    ({ key, state, received_at }) => key === file.key && received_at > file.received_at && state !== 'repeated',
  );

/** Of what happened: how long it is listed. @param until what ends it earlier */
const listedForADay = (until?: string): string =>
  ` (listed for a day${until === undefined ? '' : `, or ${until}`}; a later --since leaves it out)`;
/** A file in the wrong folder is corrected under another key. */
const untilReplaced = 'until it is dropped again under this name';

/** What is wrong with a file, or probably not meant. */
function complaintsOf(file: FileFact, expected: readonly ExpectedFact[], now: number): string[] {
  const { type, state, reason, received_at, rows, rejected, change, notices, newNotices } = file;
  if (state === 'failed' || state === 'refused') return [`${state}: ${reason}`];
  if (isInProgress(file))
    return isLate({ since: Date.parse(received_at) }, now) ? [`${state} since ${received_at}`] : [];
  const hasBound = expected.some((each) => each.type === type && each.max_rejected !== undefined);
  return [
    ...(!hasBound && rejected >= suspicious.rejected
      ? [`${percent(rejected)} of ${quantity(rows, 'row')} ${rows === 1 ? 'was' : 'were'} rejected`]
      : []),
    ...(change !== null && (change <= suspicious.less || change >= suspicious.more)
      ? [`${quantity(rows, 'row')}, ${besideUsual(change)}`]
      : []),
    ...notices.filter(({ kind }) => newNotices.includes(kind)).map(noticeText),
  ];
}

export const percent = (share: number): string => `${Number(share.toPrecision(2))}%`;

/** @param change in percent */
export function besideUsual(change: number): string {
  if (change >= suspicious.more) return `${Number((1 + change / 100).toPrecision(2))} times as many as usual`;
  const part = Math.round(Math.abs(change));
  return part === 0 ? 'as many as usual' : `${part}% ${change > 0 ? 'more' : 'fewer'} than usual`;
}

/** The state of the messages for which the service pauses a team by itself, by the reason of the pause. */
const stateOfCause: Record<string, string | undefined> = { bounces: 'bounced', complaints: 'complained' };

/** Half of the share of bounces from which a team is paused by itself. */
const manyBounces = 0.02;

function findInMessages(messages: Facts<'messages'>, teamId: string): Found[] {
  if (!messages) return [];
  const { paused, paused_templates, last, waiting_since } = messages;
  const resume = ofTeam(['message', 'resume'], teamId);
  const state = paused === 'restored' ? undefined : stateOfCause[paused?.reason ?? ''];
  // What the service itself has paused is looked at first.
  const next = state === undefined ? resume : [...shows.messages(teamId), '--state', state];
  const why = paused === 'restored' ? 'since the table was restored' : `since ${paused?.at} (${paused?.reason})`;
  return [
    ...(paused === undefined ? [] : [{ message: `all messages are paused ${why}`, next }]),
    ...paused_templates.map(({ id, name }) => ({
      message: `the messages of ${quoted(name)} are paused`,
      next: [...resume, '--template', id],
    })),
    ...(last.bounced > 0 && last.bounced >= manyBounces * last.sent
      ? [
          {
            message: `${last.bounced} of the last ${last.sent} messages bounced${listedForADay()}`,
            next: [...shows.messages(teamId), '--state', 'bounced'],
          },
        ]
      : []),
    ...(last.complained > 0
      ? [
          {
            message: `${last.complained} of the last ${last.sent} messages ${last.complained === 1 ? 'was' : 'were'} reported as spam${listedForADay()}`,
            next: [...shows.messages(teamId), '--state', 'complained'],
          },
        ]
      : []),
    ...(waiting_since === null
      ? []
      : [{ message: `messages have waited since ${waiting_since}`, next: shows.messages(teamId) }]),
  ];
}

const shownNumbers = 10;
const shortList = (numbers: readonly number[]): string =>
  `${numbers.slice(0, shownNumbers).join(', ')}${numbers.length > shownNumbers ? ', …' : ''}`;

/** Since when `morning` looks, unless it is told: a day before now. */
export const dayBefore = (now: number): string => timestamp(now - 24 * 3_600_000);

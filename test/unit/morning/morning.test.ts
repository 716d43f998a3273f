import { describe, expect, test } from 'vitest';
import { shownTeam, textOf } from '../../../bin/admin/morning/morning-text.ts';
import {
  type Facts,
  type FileFact,
  factsOf,
  fileFact,
  type TeamFacts,
  Unreadable,
} from '../../../bin/admin/operations/morning/facts.ts';
import { morningOf } from '../../../bin/admin/operations/morning/findings.ts';
import {
  type DueMessages,
  forecastLimits,
  forecastOf,
  messagesDue,
} from '../../../bin/admin/operations/morning/forecast.ts';
import type { Template } from '../../../lib/domain/campaigns/template.ts';
import { chunksOf } from '../../../lib/store/table/database.ts';
import { dueWrite } from '../../../lib/store/waiting-work/due-work.ts';
import { freshTable } from '../../support/engine/engine.ts';

const now = Date.parse('2027-01-31T07:00:00.000Z');
const [teamId, earlier] = ['0b0d0000-0000-4000-8000-000000000001', '2027-01-31T05:00:00.000000Z'];
const because = (error: unknown) => String(error);

const file: FileFact = {
  ...{ key: `${teamId}/accounts/a.csv`, type: 'accounts', state: 'done', reason: null, received_at: earlier },
  ...{ notices: [], rows: 100, rejected: 0, change: null, newNotices: [] },
};
const expected = { type: 'accounts', by: '05:00', time_zone: 'UTC', due_at: earlier, deviations: [] } as const;
const messages = {
  ...{ paused: undefined, paused_templates: [], waiting_since: null, forecast: null },
  last: { sent: 0, bounced: 0, complained: 0 },
};
const quiet = {
  team: { name: 'Cedar Valley' } as Exclude<TeamFacts['team'], Unreadable>,
  files: { expected: [], files: [] },
  chunks: [],
  batches: { late: [], incomplete: [] },
  webhooks: { failing: [], ended: [] },
  rules: { started: [], stopped: [] },
  messages: undefined,
  content: {},
} satisfies TeamFacts;

const notice = { kind: 'no_rows', count: 1, first_rows: [], message: 'the file has no rows' };
const withFile = (change: Partial<FileFact>, bound: object = {}): Partial<TeamFacts> => ({
  files: { expected: [{ ...expected, state: 'ok', ...bound }], files: [{ ...file, ...change }] },
});
const later = '2027-01-31T06:00:00.000000Z';
const twice = (state: FileFact['state']): Partial<TeamFacts> => ({
  files: {
    expected: [{ ...expected, state: 'ok' }],
    files: [
      { ...file, state, received_at: later },
      { ...file, state: 'failed', reason: 'It is cut.' },
    ],
  },
});
const refused = {
  at: earlier,
  error: 'validation_failed',
  details: [{ path: '/templates/0', message: 'must be set' }],
};
const unpublished = (change: Partial<NonNullable<Facts<'content'>['unpublished']>>): Partial<TeamFacts> => ({
  content: { unpublished: { revision: 'r', publish_at: earlier, refused: undefined, isUnapproved: false, ...change } },
});
const forADay = ' (listed for a day; a later --since leaves it out)';
const untilReplaced =
  ' (listed for a day, or until it is dropped again under this name; a later --since leaves it out)';
const sending = (change: object): Partial<TeamFacts> => ({ messages: { ...messages, ...change } });

describe('what needs somebody', () => {
  test.each<[string, Partial<TeamFacts>, string[]]>([
    ['nothing, if all is as it should be', withFile({ rejected: 4.9, change: 99 }), []],
    ['not many rejected rows that the team expects', withFile({ rejected: 30 }, { max_rejected: 40 }), []],
    ['many rejected rows', withFile({ rejected: 5 }), [`5% of 100 rows were rejected${untilReplaced}`]],
    ['one rejected row of one', withFile({ rows: 1, rejected: 100 }), [`100% of 1 row was rejected${untilReplaced}`]],
    ['twice as many rows', withFile({ change: 100 }), ['100 rows, 2 times as many as usual']],
    ['very many rows', withFile({ change: 59_900 }), ['100 rows, 600 times as many as usual']],
    ['half of the rows', withFile({ change: -50 }), ['100 rows, 50% fewer than usual']],
    ['a new notice', withFile({ notices: [notice], newNotices: ['no_rows'] }), ['the file has no rows']],
    ['not a notice of every night', withFile({ notices: [notice] }), []],
    ['a file that is read for two hours', withFile({ state: 'reading' }), [`a.csv: reading since ${earlier}`]],
    ['not a file that has just come', withFile({ state: 'waiting', received_at: '2027-01-31T06:59:00.000000Z' }), []],
    [
      'a failed file, once',
      withFile({ state: 'failed', reason: 'It is cut.' }, { state: 'failed' }),
      [`failed: It is cut.${untilReplaced}`],
    ],
    ['a file in a wrong folder', withFile({ state: 'refused', type: null, reason: 'Wrong.' }), [`Wrong.${forADay}`]],
    ['not a failed version that was replaced', twice('done'), []],
    ['a failed version that came again with the same bytes', twice('repeated'), ['failed: It is cut.']],
    ['an expected file that failed before', withFile({}, { state: 'failed' }), ['expected by 05:00 (UTC) failed']],
    [
      'a batch that waits',
      { batches: { late: [{ batch_id: 'b', accepted_at: earlier }], incomplete: [] } },
      [`batch "b" has waited since ${earlier}`],
    ],
    ['messages after a restore', sending({ paused: 'restored' }), ['paused since the table was restored']],
    ['a paused campaign', sending({ paused_templates: [{ id: 't', name: 'Welcome' }] }), ['of "Welcome" are paused']],
    [
      '2 % bounces',
      sending({ last: { sent: 100, bounced: 2, complained: 0 } }),
      [`2 of the last 100 messages bounced${forADay}`],
    ],
    ['not 1 %', sending({ last: { sent: 100, bounced: 1, complained: 0 } }), []],
    [
      'a complaint',
      sending({ last: { sent: 900, bounced: 0, complained: 1 } }),
      ['1 of the last 900 messages was reported'],
    ],
    ['messages that wait', sending({ waiting_since: earlier }), [`messages have waited since ${earlier}`]],
    ['a revision that was refused at its time', unpublished({ refused }), [`not published at ${earlier}: must be set`]],
    ['one that nobody has approved', unpublished({ isUnapproved: true }), ['because nobody has approved it']],
    ['one that still waits', unpublished({}), ['and still waits']],
    ['what cannot be read', { rules: new Unreadable('a defect') }, ['rules cannot be read: a defect']],
  ])('%s', (_, facts, said) => {
    const { findings, needs_attention, name } = morningOf(teamId, { ...quiet, ...facts }, now, because);
    expect(findings.map(({ message }) => message)).toEqual(said.map((each) => expect.stringContaining(each)));
    expect([needs_attention, name]).toEqual([said.length > 0, 'Cedar Valley']);
    for (const { next } of findings) expect(next.length).toBeGreaterThan(1);
  });

  test.each([
    ['administrator', ['message', 'resume', '--team', teamId]],
    ['bounces', ['message', 'list', '--team', teamId, '--state', 'bounced']],
    ['complaints', ['message', 'list', '--team', teamId, '--state', 'complained']],
  ])('a pause because of %s leads to what comes first', (reason, next) => {
    const paused = { at: earlier, by: 'service', reason };
    const { findings } = morningOf(teamId, { ...quiet, ...sending({ paused }) }, now, because);
    expect(findings).toMatchObject([{ message: expect.stringContaining(`(${reason})`), next }]);
  });

  test('of a team of which nothing can be read is said of each subject, so that the others are not hidden', async () => {
    const away = () => Promise.reject(new Error('away'));
    const database = { get: away, query: away, write: away, transact: away };
    const content = { current: away };
    const files = { list: away };
    const service = { database, content, files, now: () => now, eventEpoch: '', sendsMessages: true };
    const facts = await factsOf(service as unknown as Parameters<typeof factsOf>[0], teamId, earlier);
    const { findings, name } = morningOf(teamId, facts, now, because);
    expect(name).toBeNull();
    expect(findings.map(({ about }) => about)).toEqual(Object.keys(quiet));
  });
});

test.each([
  [3, 1],
  [4, 5],
])('of %i files, the text has %i lines', (count, lines) => {
  const files = Array.from({ length: count }, (_, n) => ({ ...file, key: `${teamId}/accounts/${n}.csv`, rows: 1 }));
  const team = morningOf(teamId, { ...quiet, files: { expected: [], files } }, now, because);
  const text = textOf([shownTeam(team, undefined)]);
  expect(text.split('\n')).toHaveLength(lines);
  expect(text).toContain('accounts/0.csv at 05:00 UTC: 1 row');
  expect(text).not.toContain('1 rows');
});

describe('a file beside those before it', () => {
  const listed = (number: number, read: number, more: object = {}) => ({
    ...{ key: String(number), version: '1', type: 'accounts' as const, state: 'done' as const, reason: null },
    ...{ warnings: [], notices: [], rows: { read, accepted: read, rejected: 0 }, batch_id: null, report_key: null },
    ...{ received_at: `2027-01-${number}T05:00:00.000000Z`, began_at: null, finished_at: null, ...more },
  });
  const before = [listed(19, 300), listed(18, 100), listed(17, 120), listed(16, 110), listed(15, 130)];
  const contacts = listed(10, 900, { type: 'contacts' });

  test.each([
    ['the middle one of its type says what is usual', listed(20, 60), before, -50],
    ['four say nothing', listed(20, 60), before.slice(1), null],
    ['small ones say nothing', listed(20, 600), before.map((each) => ({ ...each, rows: listed(1, 99).rows })), null],
    ['another type says nothing', listed(20, 60), [...before.slice(1), contacts], null],
    ['a failed file is none', listed(20, 60), [...before.slice(1), listed(10, 900, { state: 'failed' })], null],
  ])('%s', (_, newest, others, change) => {
    expect(fileFact(newest, [newest, ...others]).change).toBe(change);
  });

  test('has new notices only of kinds that none of them has', () => {
    const newest = listed(14, 1, { notices: [notice, { ...notice, kind: 'header' }] });
    expect(fileFact(newest, [newest, listed(13, 1, { notices: [notice] })]).newNotices).toEqual(['header']);
  });
});

describe('the messages of the day', () => {
  const campaigns = [
    { id: 'a', name: 'A' },
    { id: 'b', name: null },
  ];
  const due: DueMessages = { campaigns, looked: [], others: [], lastAt: now, isPart: false };
  const at = (seconds: number) => now + seconds * 1000;
  const time = (seconds: number) => new Date(at(seconds)).toISOString().replace('Z', '000Z');

  test('are looked at for 1,000 journeys; of the others only the campaign is known', async () => {
    const { database } = await freshTable();
    const entries = Array.from({ length: forecastLimits.journeys + 50 }, (_, n) =>
      dueWrite(teamId, {
        ...{ journeyId: `0b0d0000-0000-4000-8000-${String(n).padStart(12, '0')}`, at: time(n) },
        ...{ contactId: teamId, templateId: 'a' },
      }),
    );
    await Promise.all(chunksOf(entries, 100).map((some) => database.transact(some)));
    const message = { id: 'm', live_since: earlier, send_offset_hours: 0 };
    const campaign = { id: 'a', name: 'A', template_messages: [message] } as unknown as Template;
    const team = { team_id: teamId, timezone: null, quiet_hours: null };
    const found = await messagesDue({ database, now: () => now }, team, [campaign]);
    expect(found).toMatchObject({ looked: [], lastAt: at(forecastLimits.journeys + 49), isPart: false });
    expect(found.others).toEqual(Array.from({ length: 50 }, () => 'a'));
  });

  test.each<[string, Partial<DueMessages>, object]>([
    ['none', {}, { messages: 0, is_estimate: false, campaigns: [], done_at: null }],
    [
      'are done when the last one is due, or the rate permits it',
      {
        looked: [
          { templateId: 'b', times: [at(100)] },
          { templateId: 'a', times: [at(100), at(100)] },
        ],
      },
      {
        ...{ messages: 3, is_estimate: false, done_at: time(101.5) },
        campaigns: [
          { template_id: 'a', name: 'A', messages: 2 },
          { template_id: 'b', name: 'b', messages: 1 },
        ],
      },
    ],
    [
      'of journeys that were not looked at are an estimate: as many as the others have',
      { looked: [{ templateId: 'a', times: [now, now] }], others: ['a', 'a', 'b'], lastAt: at(60) },
      { messages: 7, is_estimate: true, is_part: false, done_at: time(62.5) },
    ],
    ['are a part, if not all entries are read', { isPart: true }, { is_estimate: true, is_part: true }],
  ])('%s', (_, given, forecast) => {
    expect(forecastOf({ ...due, ...given }, { messages_a_second: 2 }, now)).toMatchObject(forecast);
  });
});

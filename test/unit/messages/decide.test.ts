import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Template } from '../../../lib/domain/campaigns/template.ts';
import type { Contact } from '../../../lib/domain/contacts/contact.ts';
import type { JourneyAction } from '../../../lib/domain/journeys/completion.ts';
import type { Journey } from '../../../lib/domain/journeys/journey.ts';
import { classOf, type DecidedMessage, decide } from '../../../lib/domain/messages/decide.ts';
import type { SendRecord } from '../../../lib/domain/messages/record.ts';
import { type Team, teamSchema } from '../../../lib/domain/teams/team.ts';
import { isClockWithin, localTime, nextClockTime } from '../../../lib/domain/values/local-time.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { templatesOf } from '../../support/samples/people.ts';
import { contactOf, journeyOf } from '../../support/samples/samples.ts';

/** Whether a message is sent (contract, section 15, "Which and when", "To whom", "Hours and caps"). */

const hour = 3_600_000;
const day = 24 * hour;
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
/** A day without quiet hours at noon. The campaign has been live since January. */
const noon = Date.parse('2026-06-15T12:00:00Z');
const begun = noon - 2 * hour;

const team = (fields: Partial<Team> = {}): Team => ({
  ...teamSchema.parse({
    ...{ team_id: id(1), name: 'Bank', features: [], secret: '', secret_id: 1, previous_secret: null },
    ...{ privacy_policy_url: null, terms_of_service_url: null, language: null, timezone: null, words: null },
    ...{ senders: ['@bank.example'], postal_address: '1 Main Street', inserted_at: '', updated_at: '' },
  }),
  ...fields,
});

type Given = {
  template?: object;
  timing?: object;
  message?: object;
  team?: Partial<Team>;
  contact?: Partial<Contact>;
  journey?: Partial<Journey>;
  actions?: JourneyAction[];
  suppression?: Partial<DecidedMessage['suppression']>;
  sent?: string[];
  sentToAddress?: string[];
  isPaused?: boolean;
  lastPause?: DecidedMessage['lastPause'];
  record?: Partial<SendRecord>;
  now?: number;
};

function templateOf({ template = {}, timing = { send_offset_hours: 2 }, message = {} }: Given): Template {
  const pages = [
    { id: id(11), page: { id: id(12), completion_condition: 'confirm', is_live: true } },
    { id: id(13), page: { id: id(14), completion_condition: 'objective', objective_id: id(900), is_live: true } },
  ];
  const [made] = templatesOf({
    ...{ id: id(2), name: 'Welcome', status: 'live', template_pages: pages, ...template },
    template_messages: [{ id: id(20), ...timing, message: { id: id(21), type: 'email', ...message } }],
  });
  return made!;
}

function given(of: Given = {}): DecidedMessage {
  const template = templateOf(of);
  const [message] = template.template_messages;
  const { now = noon, record = {} } = of;
  return {
    ...{
      template,
      message: message!,
      now,
      isPaused: of.isPaused ?? false,
      lastPause: of.lastPause ?? null,
      team: team(of.team),
    },
    journey: {
      journey: journeyOf({ template_id: id(2), inserted_at: timestamp(begun), ...of.journey }),
      actions: of.actions ?? [],
    },
    contact: contactOf({ email: 'a@b.example', email_verified: true, email_opted_in: true, ...of.contact }),
    suppression: { marketing: false, all: false, ...of.suppression },
    sentTimes: { contact: of.sent ?? [], address: of.sentToAddress ?? [] },
    record: { due_at: timestamp(noon), reason: null, resent_at: null, ...record },
  };
}
const decided = (of: Given = {}) => decide(given(of));
const never = (reason: string) => ({ kind: 'never', reason });
const waits = (reason: string | null, until: number) => ({ kind: 'wait', reason, until });
const completed = (page: number): JourneyAction => ({ kind: 'completed', page_id: id(page), at: timestamp(noon - 1) });
const ago = (milliseconds: number) => timestamp(noon - milliseconds);
const isTransactional = { message: { is_transactional: true } };

test('a message that is due, to an address that is verified and opted in, is sent', () => {
  expect(decided()).toEqual({ kind: 'send' });
});

describe('it is not sent', () => {
  test.each<[why: string, of: Given, reason: string]>([
    ['of type sms', { message: { type: 'sms' } }, 'channel_off'],
    ['of a team without a sender', { team: { senders: [] } }, 'channel_off'],
    ['from an address that is not of the team', { template: { email_sender_address: 'x@y.example' } }, 'channel_off'],
    ['after the journey was cancelled', { journey: { cancelled_at: ago(1) } }, 'cancelled'],
    ['after the journey has expired', { journey: { expired_at: ago(1) } }, 'expired'],
    ['after the time for the journey', { template: { journey_duration_hours: 1 } }, 'expired'],
    ['after the journey was completed', { actions: [{ kind: 'finished', page_id: id(12), at: ago(1) }] }, 'completed'],
    [
      'as a reminder of a page that is completed',
      { timing: { send_offset_hours: 2, template_page_id: id(11) }, actions: [completed(12)] },
      'page_completed',
    ],
    [
      'as a reminder of a page whose objective is completed',
      { timing: { send_offset_hours: 2, template_page_id: id(13) }, contact: { completions: { [id(900)]: ago(1) } } },
      'page_completed',
    ],
    [
      'if its objective is completed',
      { message: { objective_id: id(900) }, contact: { completions: { [id(900)]: ago(1) } } },
      'objective_completed',
    ],
    ['without an address', { contact: { email: null } }, 'no_address'],
    ['to what is no address', { contact: { email: 'none' } }, 'no_address'],
    ['to an address that is not verified', { contact: { email_verified: false } }, 'not_verified'],
    ['to an address of which that is unknown', { contact: { email_verified: null } }, 'not_verified'],
    ['to who opted out', { contact: { email_opted_in: false } }, 'not_opted_in'],
    ['to who was never asked', { contact: { email_opted_in: null } }, 'not_opted_in'],
    ['to an address that is listed for marketing', { suppression: { marketing: true } }, 'suppressed'],
    ['without a postal address', { team: { postal_address: null } }, 'no_postal_address'],
    ['transactional, to an address that is listed', { ...isTransactional, suppression: { all: true } }, 'suppressed'],
    ['transactional, without an address', { ...isTransactional, contact: { email: null } }, 'no_address'],
  ])('%s', (_, of, reason) => {
    expect(decided(of)).toEqual(never(reason));
  });

  test.each<[why: string, of: Given]>([
    ['without a time', { timing: {} }],
    ['while it is archived', { message: { is_archived: true } }],
    ['while its content is a draft', { message: { content_block_status: 'draft' } }],
    ['while its campaign is a draft', { template: { status: 'draft' } }],
    ['while its campaign is archived', { template: { is_archived: true } }],
    ['for a journey that began at its time', { timing: { scheduled_at: timestamp(begun) } }],
    ['for a time that had passed before it went live', { journey: { inserted_at: '2025-12-01T00:00:00.000000Z' } }],
  ])('and nothing is kept of it, %s', (_, of) => {
    expect(decided(of)).toEqual({ kind: 'not due' });
  });
  test('and what was held back says so, when the campaign is archived meanwhile', () => {
    expect(decided({ template: { is_archived: true }, record: { reason: 'quiet_hours' } })).toEqual(never('held_back'));
  });
});

describe('a transactional message', () => {
  test.each<[string, Given]>([
    ['that is neither verified nor opted in', { contact: { email_verified: false, email_opted_in: false } }],
    ['that is listed for marketing', { suppression: { marketing: true } }],
    ['without a postal address of the team', { team: { postal_address: null } }],
    ['at night', { now: noon + 11 * hour }],
    ['after three others', { sent: [ago(1), ago(2), ago(3)] }],
  ])('goes to the address on file: %s', (_, of) => {
    expect(decided({ ...isTransactional, ...of })).toEqual({ kind: 'send' });
  });
});

describe('a message waits', () => {
  test('until its time, if that has changed', () => {
    expect(decided({ timing: { send_offset_hours: 5 } })).toEqual(waits(null, begun + 5 * hour));
  });
  test.each<[reason: string, of: Given]>([
    ['muted', { template: { is_muted: true } }],
    ['paused', { isPaused: true }],
    ['not_verified', { team: { verify_email: true }, contact: { email_verified: false } }],
  ])('while it is %s, for 72 hours at most', (reason, of) => {
    expect(decided(of)).toMatchObject({ kind: 'wait', reason });
    expect(decided({ ...of, now: noon + 70 * hour })).toEqual(waits(reason, noon + 72 * hour));
    expect(decided({ ...of, now: noon + 72 * hour })).toEqual(never(reason));
    const waited = { record: { reason: reason as SendRecord['reason'] } };
    expect(decided({ ...waited, now: noon + 71.9 * hour, team: { quiet_hours: null } })).toEqual({ kind: 'send' });
    expect(decided({ ...waited, now: noon + 72 * hour })).toEqual(never(reason));
  });
  test('while its team was paused, for 72 hours at most', () => {
    const lastPause = { from: ago(hour), until: timestamp(noon + 80 * hour) };
    const at = (hours: number, due = noon) =>
      decided({ lastPause, now: noon + hours * hour, record: { due_at: timestamp(due) }, team: { quiet_hours: null } });
    expect(at(71)).toEqual({ kind: 'send' });
    expect(at(80)).toEqual(never('paused'));
    // One that waits for its turn is not held back.
    expect(at(80, noon - 2 * hour)).toEqual({ kind: 'send' });
  });
  test('for its own link only if the contact is opted in', () => {
    const contact = { email_verified: false, email_opted_in: null };
    expect(decided({ team: { verify_email: true }, contact })).toEqual(never('not_verified'));
  });
  test.each([
    ['the team has no zone', null, null, '2026-06-15T19:59:59Z', '2026-06-15T20:00:00Z', '2026-06-16T08:00:00Z'],
    [
      'in the zone of the contact',
      'America/Los_Angeles',
      'Europe/Prague',
      '2026-06-16T02:59:59Z',
      '2026-06-16T03:00:00Z',
      '2026-06-16T15:00:00Z',
    ],
    [
      'in the zone of the team',
      null,
      'Europe/Prague',
      '2026-06-15T17:59:59Z',
      '2026-06-15T18:00:00Z',
      '2026-06-16T06:00:00Z',
    ],
    [
      'the contact has no known zone',
      'Nowhere',
      'Europe/Prague',
      '2026-06-15T17:59:59Z',
      '2026-06-15T18:00:00Z',
      '2026-06-16T06:00:00Z',
    ],
  ])('from 20:00 until 08:00: %s', (_, timezone, zone, last, from, to) => {
    const at = (time: string) =>
      decided({ contact: { timezone }, team: { timezone: zone }, now: Date.parse(time), record: { due_at: last } });
    expect(at(last)).toEqual({ kind: 'send' });
    expect(at(from)).toEqual(waits('quiet_hours', Date.parse(to)));
    expect(at(to)).toEqual({ kind: 'send' });
  });
  test('not at night, if the team has no quiet hours', () => {
    expect(decided({ now: noon + 11 * hour, team: { quiet_hours: null } })).toEqual({ kind: 'send' });
  });
  test.each<[whom: string, of: Given]>([
    ['the contact', { sent: [ago(6 * day), ago(2 * day), ago(day)] }],
    ['its address', { sentToAddress: [ago(6 * day), ago(2 * day), ago(day)] }],
  ])('while three were sent to %s in seven days', (_, of) => {
    expect(decided(of)).toEqual(waits('held_back', noon + day));
    expect(decided({ ...of, now: noon + day - 1 })).toEqual(waits('held_back', noon + day));
    expect(decided({ ...of, now: noon + day })).toEqual({ kind: 'send' });
    expect(decided({ ...of, team: { max_messages_a_week: 4 } })).toEqual({ kind: 'send' });
  });
  test('for the next chance at most 72 hours, which is never in the quiet hours', () => {
    const sent = [ago(hour), ago(2 * hour), ago(3 * hour)];
    expect(decided({ sent })).toEqual(waits('held_back', noon + 72 * hour));
    expect(decided({ sent, now: noon + 72 * hour })).toEqual(never('held_back'));
    const atNight = [ago(6 * day - 10 * hour), ago(2 * hour), ago(3 * hour)];
    expect(decided({ sent: atNight })).toEqual(waits('held_back', noon + day + 20 * hour));
  });
  test('and one that was asked for again has 72 hours more', () => {
    const record = { due_at: ago(80 * hour), resent_at: ago(hour) };
    expect(decided({ isPaused: true, record })).toMatchObject({ kind: 'wait', reason: 'paused' });
  });
});

test.each<[Given, number]>([
  [isTransactional, 1],
  [{}, 2],
  [{ timing: { scheduled_at: '2026-07-01T00:00:00Z' } }, 3],
])('transactional messages come first, then single journeys, then a whole campaign: %j', (of, expected) => {
  expect(classOf(given(of).message)).toBe(expected);
});

const zones = [
  'UTC',
  'Europe/Prague',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
];
const anyTime = fc.integer({ min: Date.parse('2015-01-01T00:00:00Z'), max: Date.parse('2030-01-01T00:00:00Z') });
const clockTime = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));

describe('laws', () => {
  test('nothing is sent in the quiet hours, whatever the clocks do, and what waits for their end is then sent', () => {
    const quiet = fc.record({ from: clockTime, to: clockTime }).filter(({ from, to }) => from !== to);
    fc.assert(
      fc.property(fc.constantFrom(...zones), quiet, anyTime, (timezone, quiet_hours, now) => {
        const of = {
          contact: { timezone },
          team: { quiet_hours },
          journey: { inserted_at: timestamp(now - 2 * hour) },
        };
        const live = { timing: { send_offset_hours: 2 }, record: { due_at: timestamp(now) } };
        const at = (time: number) => {
          const all = given({ ...of, ...live, now: time });
          return decide({ ...all, message: { ...all.message, live_since: '2000-01-01T00:00:00Z' } });
        };
        const decision = at(now);
        expect(decision.kind === 'send').toBe(!isClockWithin(now, quiet_hours, timezone));
        if (decision.kind === 'wait') {
          expect(decision.until - now).toBeLessThanOrEqual(50 * hour);
          expect(at(decision.until)).toEqual({ kind: 'send' });
        }
      }),
      {
        examples: [
          ['Europe/Prague', { from: '03:00', to: '02:30' }, Date.parse('2026-03-28T12:00:00Z')],
          ['Europe/Prague', { from: '20:00', to: '02:30' }, Date.parse('2026-10-25T00:30:00Z')],
          ['America/Sao_Paulo', { from: '20:00', to: '00:00' }, Date.parse('2018-11-04T02:00:00Z')],
        ],
      },
    );
  });

  test('a contact gets at most so many in any seven days, and the next one at the first chance', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 3 * day }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 4 }),
        (pauses, max_messages_a_week) => {
          const sent: number[] = [];
          let now = noon;
          for (const pause of pauses) {
            now += pause;
            const recent = sent.filter((at) => at > now - 7 * day);
            const of = { sent: recent.map((at) => timestamp(at)), team: { max_messages_a_week, quiet_hours: null } };
            const decision = decided({ ...of, now, record: { due_at: timestamp(now) } });
            expect(decision.kind).toBe(recent.length < max_messages_a_week ? 'send' : 'wait');
            if (decision.kind === 'send') sent.push(now);
          }
          for (const first of sent)
            expect(sent.filter((at) => at >= first && at < first + 7 * day).length).toBeLessThanOrEqual(
              max_messages_a_week,
            );
        },
      ),
    );
  });

  test('the next time of the day is within a day, and the clocks show it unless they skip it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), clockTime, anyTime, (zone, time, from) => {
        const next = nextClockTime(from, time, zone);
        expect(next).toBeGreaterThanOrEqual(from);
        expect(next - from).toBeLessThanOrEqual(26 * hour);
        const { hour: h, minute, second } = localTime(next, zone);
        const shown = h * 60 + minute - (Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
        expect([0, 30, 60]).toContain(shown);
        expect(second).toBe(0);
      }),
    );
  });
});

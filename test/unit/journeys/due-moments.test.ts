import { describe, expect, test } from 'vitest';
import type { MessageTiming } from '../../../lib/domain/campaigns/message.ts';
import { dueMomentOf, momentsOf, type PlannedTemplate } from '../../../lib/domain/journeys/due-moments.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { journeyOf } from '../../support/samples/samples.ts';

/** When messages are due (contract, section 15, "Which and when"). */

const hour = 3_600_000;
const begun = '2026-03-27T12:00:00.000000Z';
const start = Date.parse(begun);
const journey = journeyOf({ inserted_at: begun });
const timing: MessageTiming = {
  send_offset_hours: null,
  send_at: null,
  scheduled_at: null,
  live_since: '2026-01-01T00:00:00.000000Z',
};
const isoOf = (time: number | undefined) =>
  time === undefined ? undefined : new Date(time).toISOString().slice(0, 16);

describe('a message is due', () => {
  test.each<[when: string, timing: object, due: string | undefined, zone?: string]>([
    ['when the journey begins', { send_offset_hours: 0 }, '2026-03-27T12:00'],
    ['hours after it began', { send_offset_hours: 48 }, '2026-03-29T12:00'],
    ['parts of hours after it began', { send_offset_hours: 0.25 }, '2026-03-27T12:15'],
    ['at its time', { scheduled_at: '2026-04-01T09:00:00Z' }, '2026-04-01T09:00'],
    ['not for journeys that begin at its time', { scheduled_at: begun }, undefined],
    ['not for journeys that begin later', { scheduled_at: '2026-03-01T09:00:00Z' }, undefined],
    ['never without a time', { send_at: '09:00' }, undefined],
    ['never while it is not live', { send_offset_hours: 1, live_since: undefined }, undefined],
    [
      'not for a time that had passed before it went live',
      { send_offset_hours: 1, live_since: '2026-03-27T13:00:01Z' },
      undefined,
    ],
    [
      'for the time at which it went live',
      { send_offset_hours: 1, live_since: '2026-03-27T13:00:00Z' },
      '2026-03-27T13:00',
    ],
    ['next at the time of the day', { send_offset_hours: 0, send_at: '09:30' }, '2026-03-28T08:30', 'Europe/Prague'],
    [
      'at once, if it is that time of the day',
      { send_offset_hours: 0, send_at: '13:00' },
      '2026-03-27T12:00',
      'Europe/Prague',
    ],
    [
      'after the clocks are put forward',
      { send_offset_hours: 48, send_at: '09:30' },
      '2026-03-30T07:30',
      'Europe/Prague',
    ],
    ['when the clocks skip the time', { send_offset_hours: 20, send_at: '02:30' }, '2026-03-29T01:30', 'Europe/Prague'],
    [
      'after a scheduled time',
      { scheduled_at: '2026-04-01T20:00:00Z', send_at: '09:00' },
      '2026-04-02T16:00',
      'America/Los_Angeles',
    ],
    ['at the earliest, while the zone is not known', { send_offset_hours: 5, send_at: '09:30' }, '2026-03-27T17:00'],
  ])('%s', (_, given, due, zone) => {
    expect(isoOf(dueMomentOf({ ...timing, ...given }, journey, zone))).toBe(due);
  });
  test('after a reopened journey was opened again', () => {
    const reopened = { ...journey, reopened_at: '2026-04-01T00:00:00.000000Z' };
    expect(isoOf(dueMomentOf({ ...timing, send_offset_hours: 1 }, reopened))).toBe('2026-04-01T01:00');
    expect(dueMomentOf({ ...timing, scheduled_at: '2026-03-31T00:00:00Z' }, reopened)).toBeUndefined();
  });
});

describe('of a journey, what is due is', () => {
  const template = (duration: number | null, ...offsets: number[]): PlannedTemplate => ({
    journey_duration_hours: duration,
    template_messages: offsets.map((send_offset_hours) => ({
      ...timing,
      id: `m${send_offset_hours}`,
      send_offset_hours,
    })),
  });
  const at = (hours: number) => start + hours * hour;
  const moments = (of: PlannedTemplate, hours: number, more: object = {}) =>
    momentsOf(of, journey, { known: [], isOver: false, now: at(hours), ...more });

  test.each<[what: string, of: PlannedTemplate, now: number, due: string[], next: number | undefined]>([
    ['nothing', template(null), 0, [], undefined],
    ['its expiry', template(5), 0, [], 5],
    ['the first of its messages', template(50, 24, 3), 0, [], 3],
    ['each message whose time has come, and then the next', template(50, 1, 3, 24), 3, ['m1', 'm3'], 24],
    ['its expiry before a later message', template(5, 24), 1, [], 5],
  ])('%s', (_, of, now, due, next) => {
    const found = moments(of, now);
    expect(found.due.map(({ id }) => id)).toEqual(due);
    expect(found.next).toBe(next === undefined ? undefined : at(next));
  });
  test('of a message that is known, only when it is looked at again', () => {
    const known = [
      { id: 'm1', tryAt: undefined },
      { id: 'm3', tryAt: at(9) },
    ];
    expect(moments(template(50, 1, 3, 24), 4, { known })).toEqual({ due: [], next: at(9) });
    expect(moments(template(50, 1, 3, 24), 9, { known })).toEqual({ due: [{ id: 'm3', at: at(3) }], next: at(24) });
  });
  test('also of a message that waits and is not due any more, so that it ends', () => {
    const of = { ...template(null), template_messages: [{ ...timing, id: 'm' }] };
    expect(moments(of, 4, { known: [{ id: 'm', tryAt: at(3) }] }).due).toEqual([{ id: 'm', at: at(3) }]);
  });
  test('of one that has ended, its messages and no expiry', () => {
    expect(moments(template(5, 24), 1, { isOver: true })).toEqual({ due: [], next: at(24) });
    const cancelled = { ...journey, cancelled_at: timestamp(at(1)) };
    expect(momentsOf(template(5, 24), cancelled, { known: [], isOver: false, now: at(2) }).next).toBe(at(24));
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isEventFilter, matchesType } from '../../../lib/domain/events/event.ts';
import {
  attempted,
  deliveryGroup,
  dueAt,
  failed,
  isPaused,
  isReceived,
  isSubscribed,
  laneOf,
  liveSecrets,
  nextAttempt,
  nextLook,
  type PendingDelivery,
  type Webhook,
  type WebhookProgress,
} from '../../../lib/domain/events/webhook.ts';
import { contactEvent } from '../../support/operations/webhooks.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const at = (seconds: number) => new Date(noon + seconds * 1000).toISOString().replace('Z', '000Z');
const up: WebhookProgress = {
  ...{ position: { seq: 1, index: 0 }, failures: 0, failing_since: null, up_since: null, next_at: null },
  ...{ last_attempt: null, given_up_until: null, paused_until: null, is_slow: false },
};
const pending = (number: number, contact: number, fields: Partial<PendingDelivery> = {}): PendingDelivery => ({
  ...{ place: String(number), event: contactEvent(number, contact), attempts: 0, since: null, tried_at: null },
  ...fields,
});

test.each([
  ['journey.completed', 'journey.completed', true],
  ['journey.completed', 'journey.created', false],
  ['journey.*', 'journey.page_viewed', true],
  ['journey.*', 'contact.created', false],
  ['journey', 'journey.created', false],
  ['*', 'journey.created', false],
  ['.*', 'journey.created', false],
  ['journey.page*', 'journey.page_viewed', false],
])('the filter %s matches %s: %s', (filter, type, expected) => {
  expect(matchesType(filter, type)).toBe(expected);
});

test.each([
  ['batch.failed', true],
  ['file.*', true],
  ['journey.', false],
  ['webhook.test', false],
  ['contact.*.*', false],
  ['Contact.created', false],
  ['', false],
])('%j is a type or several: %s', (filter, expected) => {
  expect(isEventFilter(filter)).toBe(expected);
});

test('a webhook without types gets all', () => {
  const types = (given: string[] | null) => ({ types: given }) as Webhook;
  expect(isSubscribed(types(null), 'file.failed')).toBe(true);
  expect(isSubscribed(types(['batch.*', 'file.failed']), 'file.failed')).toBe(true);
  expect(isSubscribed(types(['batch.*']), 'file.failed')).toBe(false);
});

test.each([
  [200, true],
  [204, true],
  [299, true],
  [199, false],
  [300, false],
  [301, false],
  [410, false],
  [500, false],
  ['timeout' as const, false],
])('%s means received: %s', (result, expected) => {
  expect(isReceived(result)).toBe(expected);
});

test.each([
  [0, 5],
  [3, 8],
  [5, 10],
  [60, 120],
  [1800, 3600],
  [3600, 7200],
  [7200, 10_800],
  [259_200, 262_800],
])(
  'what failed %i seconds ago for the first time and now again is tried again %i seconds after the first',
  (now, next) => {
    const expected = now < 5 ? now + 5 : next;
    expect(nextAttempt(at(0), noon + now * 1000)).toBe(at(expected));
  },
);

describe('the progress', () => {
  test('counts failures in a row and when they began, until one is received', () => {
    const once = attempted(up, 500, noon);
    expect(once).toMatchObject({ failures: 1, failing_since: at(0), last_attempt: { at: at(0), result: 500 } });
    const twice = attempted(once, 'timeout', noon + 1000);
    expect(twice).toMatchObject({ failures: 2, failing_since: at(0), last_attempt: { at: at(1), result: 'timeout' } });
    expect(attempted(twice, 200, noon + 2000)).toMatchObject({ failures: 0, failing_since: null, up_since: null });
  });

  test('says when an outage ended: at least five failures in a row, over five minutes', () => {
    const down = { ...up, failures: 5, failing_since: at(0) };
    expect(attempted(down, 200, noon + 299_000).up_since).toBeNull();
    expect(attempted(down, 200, noon + 300_000).up_since).toBe(at(300));
    expect(attempted({ ...down, failures: 4 }, 200, noon + 300_000).up_since).toBeNull();
  });

  test('is looked at again for the first due event of a contact, not for those behind it', () => {
    const first = pending(1, 1, { attempts: 2, since: at(-60), tried_at: at(0) });
    expect(nextLook(up, [], noon)).toBeNull();
    expect(nextLook(up, [first, pending(2, 1)], noon)).toBe(at(60));
    expect(nextLook(up, [first, pending(2, 2)], noon)).toBe(at(0));
  });

  test('of a receiver that is down is looked at after growing waits, whatever is due', () => {
    const down = (seconds: number) => ({ ...up, failures: 5, failing_since: at(-seconds) });
    const waits = [1, 20, 100, 600, 90_000].map((since) => nextLook(down(since), [pending(1, 1)], noon));
    // At most five minutes, with the minute that the schedule can be late.
    expect(waits).toEqual([at(5), at(20), at(100), at(240), at(240)]);
  });

  test.each([
    ['120', 120],
    ['Sun, 01 Mar 2026 12:10:00 GMT', 600],
    ['86400', 3600],
    ['Mon, 01 Mar 2027 12:00:00 GMT', 3600],
    ['0', null],
    ['-5', null],
    ['Sun, 01 Mar 2026 11:00:00 GMT', null],
    ['soon', null],
  ])('waits for a Retry-After of %s, up to an hour: %s seconds', (retry_after, expected) => {
    const paused = attempted(up, { status: 429, retry_after }, noon);
    expect(paused.paused_until).toBe(expected === null ? null : at(expected));
    expect(paused).toMatchObject({ failures: 1, last_attempt: { result: 429 } });
    const first = pending(1, 1, { attempts: 1, since: at(0), tried_at: at(0) });
    expect(nextLook(paused, [first], noon)).toBe(at(expected ?? 5));
    expect(isPaused(paused, noon)).toBe(expected !== null);
    expect(isPaused(paused, noon + 3_600_000)).toBe(false);
  });

  test('of slow receivers leads into five message groups of their team, all others have their own', () => {
    const webhooks = Array.from({ length: 100 }, () => ({ team_id: 'T', webhook_id: randomUUID() }));
    const groups = (is_slow: boolean) => new Set(webhooks.map((each) => deliveryGroup(each, { is_slow })));
    expect([groups(false).size, groups(true).size]).toEqual([100, 5]);
    expect([...groups(true)].every((group) => group.startsWith('T#'))).toBe(true);
  });
});

test('an event is due at once if it was never tried, or before the receiver was up again', () => {
  const tried = pending(1, 1, { attempts: 9, since: at(-36_000), tried_at: at(0) });
  expect(dueAt(pending(1, 1), up)).toBeNull();
  expect(dueAt(tried, up)).toBe(at(3600));
  expect(dueAt(tried, { ...up, up_since: at(-1) })).toBe(at(3600));
  expect(dueAt(tried, { ...up, up_since: at(1) })).toBeNull();
});

test('an attempt at a receiver that is down does not put off the event, which follows when it is up again', () => {
  const tried = pending(1, 1, { attempts: 1, since: at(0), tried_at: at(0) });
  expect(dueAt(failed(tried, true, noon + 240_000), up)).toBe(at(5));
  expect(dueAt(failed(tried, false, noon + 240_000), up)).toBe(at(480));
  expect(failed(pending(1, 1), true, noon)).toMatchObject({ attempts: 1, since: at(0), tried_at: at(0) });
});

test('events of one contact, batch or file follow each other', () => {
  const event = contactEvent(1, 1);
  const { contact_id, ...other } = event;
  expect(laneOf(event)).toBe(contact_id);
  expect(laneOf({ ...other, batch_id: 'b' })).toBe('b');
  expect(laneOf({ ...other, file_id: 'f' })).toBe('f');
  expect(laneOf(other)).toBe(event.id);
});

test('an old secret signs until its time', () => {
  const secrets = [
    { secret: 'new', valid_until: null },
    { secret: 'old', valid_until: at(60) },
  ];
  expect(liveSecrets(secrets, noon + 59_999)).toEqual(['new', 'old']);
  expect(liveSecrets(secrets, noon + 60_000)).toEqual(['new']);
});

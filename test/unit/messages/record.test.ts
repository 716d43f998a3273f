import { describe, expect, test } from 'vitest';
import { brakeOf, counted, noCounts, noState, pausedBy, pauseOf, resumed } from '../../../lib/domain/messages/pause.ts';
import {
  claimed,
  isResendable,
  newRecord,
  type SendRecord,
  shownState,
  withOutcome,
} from '../../../lib/domain/messages/record.ts';

const at = (minute: number) => `2030-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;
const record = newRecord({
  ...{ id: 'id', journey_id: 'journey', template_id: 'template', template_message_id: 'message', channel: 'email' },
  due_at: at(0),
});
const claim = claimed(record, at(1), { address_hash: 'hash', revision: null, values: null });
type State = 'sent' | 'failed' | 'delivered' | 'bounced' | 'complained';
const stateAfter = (...states: State[]): SendRecord =>
  states.reduce((before, state, index) => withOutcome(before, { state, at: at(index + 2) }, at(index + 2)), claim);

describe('the state of a message', () => {
  test.each<[State[], SendRecord['state']]>([
    [['sent'], 'sent'],
    [['sent', 'delivered'], 'delivered'],
    // The report is faster than the provider's answer.
    [['delivered', 'sent'], 'delivered'],
    [['complained', 'delivered', 'sent'], 'complained'],
    [['delivered', 'bounced'], 'bounced'],
    [['bounced', 'delivered'], 'bounced'],
    [['bounced', 'complained', 'bounced'], 'complained'],
    [['failed', 'delivered'], 'delivered'],
    [['delivered', 'failed'], 'delivered'],
  ])('after %j is %s: it never goes back', (states, expected) => {
    expect(stateAfter(...states).state).toBe(expected);
  });

  test('keeps the times of what was reported, in whatever order', () => {
    expect(stateAfter('delivered', 'sent')).toMatchObject({ sent_at: at(1), delivered_at: at(2) });
    expect(stateAfter('sent', 'delivered')).toMatchObject({ sent_at: at(2), delivered_at: at(3) });
    // Who complains has got it.
    expect(stateAfter('sent', 'complained')).toMatchObject({ delivered_at: at(3) });
    expect(stateAfter('sent', 'bounced')).toMatchObject({ delivered_at: null });
    const sent = stateAfter('sent');
    expect(withOutcome(sent, { state: 'sent', at: at(9) }, at(9))).toBe(sent);
  });

  test('is unconfirmed when nothing was heard for 15 minutes, and only such and failed ones are sent again', () => {
    const shown = (minute: number) => shownState(claim, Date.parse(at(minute)));
    expect([shown(1), shown(15), shown(16)]).toEqual(['scheduled', 'scheduled', 'unconfirmed']);
    const resendable = (of: SendRecord, minute = 50) => isResendable(of, Date.parse(at(minute)));
    expect([claim, stateAfter('failed'), stateAfter('sent'), record].map((of) => resendable(of))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(resendable(claim, 10)).toBe(false);
  });
});

describe('the brake', () => {
  const counts = (sent: number, bounced: number, complained: number) => {
    let all = noCounts;
    for (let n = 0; n < sent; n++) all = counted(all, { sent: 1 }, at(0));
    return counted(all, { bounced, complained }, at(0));
  };
  test.each([
    [50, 10, 0, undefined],
    [100, 3, 0, undefined],
    [100, 4, 0, 'bounces'],
    [1000, 39, 0, undefined],
    [1000, 40, 0, 'bounces'],
    [500, 0, 3, undefined],
    [1000, 0, 1, 'complaints'],
  ])('of %i messages with %i bounces and %i complaints: %s', (sent, bounced, complained, expected) => {
    expect(brakeOf(counts(sent, bounced, complained))).toBe(expected);
  });

  test('forgets what is older than the last 1,000', () => {
    let all = counts(100, 40, 0);
    for (let n = 0; n < 1000; n++) all = counted(all, { sent: 1 }, at(0));
    expect(brakeOf(all)).toBeUndefined();
  });
});

test('after a restore of the table all messages are paused, and what was due before they are resumed is not sent', () => {
  const pause = { at: at(0), by: 'admin', reason: 'wrong' };
  expect(pauseOf(noState, '')).toBeUndefined();
  expect(pauseOf(pausedBy(noState, pause), '')).toEqual(pause);
  expect(pauseOf(noState, 'restored')).toBe('restored');
  const again = resumed(noState, at(5), 'restored');
  expect([pauseOf(again, 'restored'), again.restored_until]).toEqual([undefined, at(5)]);
  // A pause of a campaign does not end with that of the team.
  const both = pausedBy(pausedBy(noState, pause, 'template'), pause);
  expect(resumed(both, at(6), '')).toMatchObject({
    paused: null,
    templates: { template: pause },
    restored_until: null,
  });
  expect(resumed(both, at(6), '', 'template')).toMatchObject({ paused: pause, templates: {} });
});

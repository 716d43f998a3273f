import { expect, test } from 'vitest';
import { eventBytes, eventsDay } from '../../../bench/cost/events.ts';
import { prices } from '../../../bench/cost/prices.ts';

const uuid = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';

test('an event of a journey has about as many bytes as the calculation says', () => {
  const of = { team_id: uuid, contact_id: uuid, journey_id: uuid, template_id: uuid, page_id: uuid };
  const event = { id: uuid, type: 'journey.page_completed', at: '2026-03-01T12:00:00.000000Z', ...of };
  const { length } = JSON.stringify(event);
  expect(length).toBeLessThanOrEqual(eventBytes);
  expect(length).toBeGreaterThan(0.85 * eventBytes);
});

test('a day of a million events', () => {
  const day = eventsDay(1e6, prices);
  // Each second, twelve events: 4.9 KB, five units for the pack and one for the head, twice in a transaction.
  expect(day.feed).toBeGreaterThan((86_400 * 12 * 0.625) / 1e6);
  expect(day.feed).toBeLessThan(1);
  expect(day.kept).toBeCloseTo(0.42 * 0.25, 9);
  expect(day.bus).toBe(1);
  expect(day.webhook).toBeGreaterThan(0.5 * 86_400 * 0.0000133334);
  expect(day.webhook).toBeLessThan(1.2);
});

test('events that come one by one cost a transaction each', () => {
  expect(eventsDay(1000, prices).feed).toBeGreaterThan((1000 * 4 * 0.625) / 1e6);
});

import { expect, test } from 'vitest';
import { payloadDaysOf } from '../../../lib/domain/teams/retention.ts';

test.each([
  ['7', 7],
  ['07', 7],
  ['30', 30],
  ['6', undefined],
  ['31', undefined],
  ['007', undefined],
  ['7 ', undefined],
  [' 7', undefined],
  ['7.5', undefined],
  ['week', undefined],
  ['', undefined],
])('the setting %j keeps payloads for %s days', (text, days) => {
  expect(payloadDaysOf(text)).toBe(days);
});

import { expect, test } from 'vitest';
import { isTimeZone, timeZoneFor } from '../../../lib/domain/values/timestamp.ts';

test.each<[value: string | null | undefined, zone: string | undefined]>([
  ['Europe/Prague', 'Europe/Prague'],
  ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['europe/prague', 'europe/prague'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['UTC', 'UTC'],
  [undefined, undefined],
  [null, undefined],
  ['', undefined],
  [' Europe/Prague', undefined],
  ['Europe/Nowhere', undefined],
  ['Central European Time', undefined],
  ['+02:00', undefined],
  ['-05', undefined],
  ['GMT+2', undefined],
  ['Zürich', undefined],
  ['\u0000', undefined],
  ['x'.repeat(1024), undefined],
])('the time zone %j of a contact is %s', (value, zone) => {
  expect(timeZoneFor(value)).toBe(zone);
});

test('a time zone is known by its IANA name', () => {
  expect(['UTC', 'Europe/Prague', 'Europe/Nowhere', ''].map(isTimeZone)).toEqual([true, true, false, false]);
});

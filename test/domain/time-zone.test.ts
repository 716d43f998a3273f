import { expect, test } from 'vitest';
import { isTimeZone, timeZoneFor } from '../../lib/domain/timestamp.ts';

test.each<[value: string | null | undefined, zone: string]>([
  ['Europe/Prague', 'Europe/Prague'],
  ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['europe/prague', 'europe/prague'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['UTC', 'UTC'],
  [undefined, 'UTC'],
  [null, 'UTC'],
  ['', 'UTC'],
  [' Europe/Prague', 'UTC'],
  ['Europe/Nowhere', 'UTC'],
  ['Central European Time', 'UTC'],
  ['+02:00', 'UTC'],
  ['-05', 'UTC'],
  ['GMT+2', 'UTC'],
  ['Zürich', 'UTC'],
  ['\u0000', 'UTC'],
  ['x'.repeat(1024), 'UTC'],
])('the time zone %j of a contact is %s', (value, zone) => {
  expect(timeZoneFor(value)).toBe(zone);
});

test('a time zone is known by its IANA name', () => {
  expect(['UTC', 'Europe/Prague', 'Europe/Nowhere', ''].map(isTimeZone)).toEqual([true, true, false, false]);
});

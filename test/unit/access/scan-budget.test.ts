import { expect, test } from 'vitest';
import {
  afterReservation,
  afterScan,
  reservationFor,
  secondsToNextMinute,
  usedAt,
} from '../../../lib/domain/access/scan-budget.ts';
import { metered } from '../../../lib/store/access/scan-uses.ts';
import type { Page } from '../../../lib/store/table/database.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';

const minute = 60_000;
const scan = (units: number, reserved = 0, reservedAt = 0) => ({ units, reserved, reservedAt });

test('the units of a minute add up, and the next minute starts at zero', () => {
  const first = afterScan({ minute: 0, units: 0 }, scan(30), 7 * minute);
  const second = afterScan(first, scan(12), 8 * minute - 1);
  expect([first, second]).toEqual([
    { minute: 7, units: 30, cost: 30 },
    { minute: 7, units: 42, cost: 27 },
  ]);
  expect(afterScan(second, scan(9), 8 * minute)).toMatchObject({ minute: 8, units: 0 });
  expect([usedAt(second, 8 * minute - 1), usedAt(second, 8 * minute)]).toEqual([42, 0]);
});

test('the units of a scan replace those that it reserved, in the same minute', () => {
  const reserved = afterReservation({ minute: 7, units: 40, cost: 30 }, 30, 7 * minute);
  expect(reserved).toEqual({ minute: 7, units: 70, cost: 30 });
  expect(afterScan(reserved, scan(35, 30, 7 * minute), 8 * minute - 1)).toEqual({ minute: 7, units: 75, cost: 35 });
  expect(afterScan(reserved, scan(35, 30, 7 * minute), 8 * minute)).toEqual({ minute: 8, units: 35, cost: 35 });
  const later = afterReservation(reserved, 30, 8 * minute);
  expect(afterScan(later, scan(35, 30, 7 * minute), 8 * minute)).toMatchObject({ units: 65 });
});

test.each([
  ['the first scan', { minute: 0, units: 0 }, 100],
  ['a scan beside the first one', { minute: 7, units: 100 }, 'wait'],
  ['a scan after a first one that never ended', { minute: 6, units: 100 }, 100],
  ['a scan of known cost', { minute: 7, units: 99, cost: 30 }, 30],
  ['a small scan', { minute: 7, units: 99, cost: 9 }, 0],
  ['a scan when the budget is used', { minute: 7, units: 100, cost: 9 }, 'refuse'],
])('%s reserves, waits or is refused', (_, use, expected) => {
  expect(reservationFor(use, 100, 7 * minute)).toBe(expected);
});

test.each([
  [0, 60],
  [1, 60],
  [1000, 59],
  [minute - 1, 1],
  [minute, 60],
  [minute + 59_000, 1],
  [minute + 58_999, 2],
])('at %i the next minute begins in %i seconds', (now, seconds) => {
  expect(secondsToNextMinute(now)).toBe(seconds);
});

test('the read units of queries are added up, where they are known', async () => {
  const model = new ModelDatabase();
  const pages: Page[] = [{ items: [], readUnits: 1.5 }, { items: [] }, { items: [], readUnits: 2 }];
  model.query = async () => pages.shift()!;
  const { database, units } = metered(model);
  expect(units()).toBe(0);
  for (const expected of [1.5, 1.5, 3.5]) {
    expect(await database.query({ pk: 'x' })).toMatchObject({ items: [] });
    expect(units()).toBe(expected);
  }
  expect(await database.write([{ kind: 'insert', item: { pk: 'a', sk: 'a' } }])).toEqual([true]);
});

import { expect, test } from 'vitest';
import { contactUnits, type RequestUnits, requestUnits, tokenUnits } from '../../../bench/cost/units.ts';
import { read } from '../../support/architecture/sources.ts';

/** The tests of operations measure the numbers of units.ts. */
const measured: Record<string, RequestUnits> = {
  '`create-token`': { trips: tokenUnits.trips, read: tokenUnits.read, write: tokenUnits.write },
  '`upsert-contacts`, new contact': contactUnits.created,
  '`upsert-contacts`, unchanged': contactUnits.unchanged,
  '`upsert-contacts`, changed': contactUnits.changed,
  ...Object.fromEntries(Object.entries(requestUnits).map(([id, units]) => [`\`${id}\``, units])),
};

test('docs/performance.md has the round trips and units of the endpoints that tests measure, and minima below them', () => {
  const section = read('docs/performance.md').split('\n## Round trips')[1]!.split('\n## ')[0]!;
  const rows = [...section.matchAll(/^\| (`.+?) \|((?: \d+ \|){6})$/gm)].map(([, name, numbers]) => {
    const [trips, reads, writes, ...least] = numbers!.split('|').map(Number);
    return { name: name!, units: { trips, read: reads, write: writes }, least: least.slice(0, 3) };
  });
  expect(Object.fromEntries(rows.map(({ name, units }) => [name, units]))).toEqual(measured);
  for (const { name, least } of rows) {
    const { trips, read: reads, write } = measured[name]!;
    expect([trips, reads, write].filter((each, index) => each < least[index]!)).toEqual([]);
  }
});

import { expect, test } from 'vitest';
import { contactUnits, type RequestUnits, requestUnits, tokenUnits } from '../../bench/cost/units.ts';
import { read } from '../architecture/sources.ts';

/** The tests in test/operations measure the numbers of units.ts. */
const measured: Record<string, RequestUnits> = {
  '`create-token`': tokenUnits,
  '`upsert-contacts`, new contact': contactUnits.created,
  '`upsert-contacts`, unchanged': contactUnits.unchanged,
  '`upsert-contacts`, changed': contactUnits.changed,
  ...Object.fromEntries(Object.entries(requestUnits).map(([id, units]) => [`\`${id}\``, units])),
};

test('docs/performance.md has the round trips and units of the endpoints that tests measure', () => {
  const section = read('docs/performance.md').split('\n## Round trips')[1]!.split('\n## ')[0]!;
  const rows = [...section.matchAll(/^\| (`.+?) \| (\d+) \| (\d+) \| (\d+) \|$/gm)];
  const written = rows.map(([, name, trips, reads, writes]) => [
    name,
    { trips: Number(trips), read: Number(reads), write: Number(writes) },
  ]);
  const expected = Object.entries(measured).map(([name, { trips, read: reads, write }]) => [
    name,
    { trips, read: reads, write },
  ]);
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(expected));
});

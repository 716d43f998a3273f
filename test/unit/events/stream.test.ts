import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { publish } from '../../../lib/operations/events/publish.ts';
import type { StreamRecord } from '../../../lib/store/events/item-changes.ts';
import { bound, type Database, StoreUnavailable } from '../../../lib/store/table/database.ts';
import { runs } from '../../support/long-form.ts';
import { StreamDatabase } from '../../support/models/stream-database.ts';
import { dependencies } from '../../support/operations/journey-operations.ts';
import { numbers, openCampaign, type Person, person } from '../../support/operations/results-world.ts';
import { publisher } from '../../support/samples/events.ts';

/** What people do, and what the publisher gets of it: a part of the records, perhaps again, perhaps with a fault. */
const act = fc.record({
  who: fc.nat(3),
  what: fc.constantFrom('view', 'accept', 'decline', 'well', 'badly', 'words', 'confirm' as const),
});
const delivery = fc.record({
  records: fc.integer({ min: 1, max: 6 }),
  /** How often the same records come. */
  times: fc.integer({ min: 1, max: 3 }),
  /** The number of the transaction that fails; 0 if none does. */
  fails: fc.nat(3),
  committed: fc.boolean(),
});

const doing: Record<string, (of: Person) => Promise<unknown>> = {
  view: (of) => of.view('view'),
  accept: (of) => of.decide('accepted'),
  decline: (of) => of.decide('declined'),
  well: (of) => of.answer(['How?', 'Well']),
  badly: (of) => of.answer(['How?', 'Badly'], ['Why?', 'x']),
  words: (of) => of.answer(['Why?', 'y']),
  confirm: (of) => of.confirm(),
};

type Delivery = { records: number; times: number; fails: number; committed: boolean };

/** Fails in the transaction with this number, before or after it is committed. */
function failing(table: Database, at: number, committed: boolean): Database {
  let transactions = 0;
  return {
    ...bound(table),
    transact: async (writes, options) => {
      const fails = ++transactions === at;
      if (fails && !committed) throw new StoreUnavailable('away');
      const isWritten = await table.transact(writes, options);
      if (fails) throw new StoreUnavailable('away');
      return isWritten;
    },
  };
}

test('the results are the counts by hand, whatever is delivered twice, in parts, or with faults', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { maxLength: 25 }),
      fc.array(delivery, { maxLength: 8 }),
      async (acts, deliveries) => {
        const table = new StreamDatabase();
        await openCampaign(table);
        const people = [];
        for (let n = 0; n < 4; n++) people.push(await person(`p${n}`));
        const queue: StreamRecord[] = [];
        const deliver = async ({ records, times, fails, committed }: Delivery) => {
          queue.push(...table.take());
          const batch = queue.slice(0, records);
          for (let time = 0; time < times; time++) {
            const using = time === 0 && fails > 0 ? failing(table, fails, committed) : table;
            const failed = await publish({ ...dependencies(using), ...publisher(using), onFailure: () => {} }, batch);
            if (failed.length > 0) continue;
            if (time === times - 1) queue.splice(0, batch.length);
          }
        };
        const expected = people.map(() => ({ viewed: 0, decision: '', answer: '', verified: 0 }));
        for (const [index, { who, what }] of acts.entries()) {
          await doing[what]!(people[who]!);
          const own = expected[who]!;
          if (what === 'view') own.viewed = 1;
          else if (what === 'confirm') own.verified = 1;
          else if (what === 'accept' || what === 'decline') own.decision = what;
          else own.answer = what;
          const next = deliveries[index % Math.max(deliveries.length, 1)];
          if (next) await deliver(next);
        }
        do await deliver({ records: 50, times: 1, fails: 0, committed: false });
        while (queue.push(...table.take()) > 0);
        const sum = (of: (each: (typeof expected)[number]) => boolean) => expected.filter(of).length;
        const found = await numbers();
        expect(found.journeys).toMatchObject({
          created: 4,
          opened: sum(({ viewed }) => viewed === 1),
          verified: sum(({ verified }) => verified === 1),
        });
        expect(found.pages[1]![2]).toBe(sum(({ decision }) => decision === 'decline'));
        expect(found.pages[2]![1]).toBe(sum(({ answer }) => answer !== ''));
        expect(found.answers).toEqual([
          [sum(({ answer }) => answer === 'well'), sum(({ answer }) => answer === 'badly')],
          [sum(({ answer }) => answer === 'badly' || answer === 'words')],
        ]);
      },
    ),
    { numRuns: runs(40) },
  );
});

test('a journey that is confirmed in the millisecond in which it began counts as verified', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const table = new StreamDatabase();
  await openCampaign(table);
  const publishNew = () => publish({ ...dependencies(table), ...publisher(table), onFailure: () => {} }, table.take());
  const ann = await person('ann');
  await publishNew();
  await ann.confirm();
  expect(await publishNew()).toEqual([]);
  expect((await numbers()).journeys).toMatchObject({ created: 1, verified: 1 });
});

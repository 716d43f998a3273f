import { beforeEach, describe, expect, test } from 'vitest';
import { countJourneys } from '../../../lib/operations/results/count.ts';
import { countNoted } from '../../../lib/operations/results/count-noted.ts';
import { loadErasedCounts } from '../../../lib/store/results/erased-counts.ts';
import { loadCounts } from '../../../lib/store/results/results.ts';
import { bound, type Database, StoreUnavailable, type Write } from '../../../lib/store/table/database.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { PersonWorld, page_id, template_id } from '../../support/operations/person-world.ts';

let world: PersonWorld;
beforeEach(async () => {
  world = await PersonWorld.open();
  await world.fill(3);
});

async function count(database: Database = world.database) {
  const keys = [{ contactId: world.contactId, templateId: template_id }];
  await countJourneys(serviceOn(database), world.teamId, keys);
  await countNoted(serviceOn(database), world.teamId, keys);
}
async function counts() {
  const all = await loadCounts(world.database, world.teamId, template_id);
  return Object.entries(all)
    .map(([group, counters]) => [group.replace(/^day.*/, 'day'), counters])
    .sort();
}
const erased = async () => {
  const { counts: kept } = await loadErasedCounts(world.database, world.teamId, template_id);
  return Object.entries(kept)
    .map(([group, counters]) => [group.replace(/^day.*/, 'day'), counters])
    .sort();
};
const ofPerson = [
  ['day', { created: 1, opened: 1 }],
  [`page/${page_id}`, { viewed: 1 }],
  ['source/', { '"api"': 1 }],
  // For two accounts, too.
  ['targeted', { people: 1 }],
];

describe('what an erased person has done', () => {
  test('stays in the results, and is known to be of erased persons', async () => {
    await count();
    expect([await counts(), await erased()]).toEqual([ofPerson, []]);
    await world.erase();
    expect([await counts(), await erased()]).toEqual([ofPerson, ofPerson]);
    await count();
    await world.erase();
    expect([await counts(), await erased()]).toEqual([ofPerson, ofPerson]);
    expect(await world.traces()).toEqual([]);
  });

  test('stays in the results if it was not counted yet', async () => {
    await world.erase();
    expect([await counts(), await erased()]).toEqual([ofPerson, ofPerson]);
  });

  const deletesJourney = (writes: readonly Write[]) =>
    writes.some((each) => each.kind === 'delete' && each.key.sk === `JOURNEY#${template_id}`);
  test.each(['before', 'after'])('is counted once if the command is killed %s the journey is deleted', async (when) => {
    const killed: Database = {
      ...bound(world.database),
      transact: async (writes, options) => {
        if (!deletesJourney(writes)) return world.database.transact(writes, options);
        if (when === 'after') await world.database.transact(writes, options);
        throw new StoreUnavailable('killed');
      },
    };
    await expect(world.erase(undefined, { database: killed })).rejects.toThrow(StoreUnavailable);
    await world.erase();
    expect([await counts(), await erased()]).toEqual([ofPerson, ofPerson]);
  });

  test('is counted once if it is being counted at the same time', async () => {
    let isCounting = true;
    const racing: Database = {
      ...bound(world.database),
      transact: async (writes, options) => {
        if (isCounting && deletesJourney(writes)) {
          isCounting = false;
          await world.database.write([
            {
              kind: 'insert',
              item: {
                pk: `T#${world.teamId}#C#${world.contactId}`,
                sk: `JOURNEY#${template_id}#completed#${page_id}`,
                journey_id: world.journey.id,
                at: '2026-11-20T10:00:00.000000Z',
              },
            },
          ]);
          await count();
        }
        return world.database.transact(writes, options);
      },
    };
    await world.erase(undefined, { database: racing });
    const completed = [ofPerson[0], [`page/${page_id}`, { viewed: 1, completed: 1 }], ...ofPerson.slice(2)];
    expect([await counts(), await erased()]).toEqual([completed, completed]);
  });
});

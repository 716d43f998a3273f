import { expect, test } from 'vitest';
import { Problem } from '../../../lib/domain/values/problem.ts';
import { erasePerson } from '../../../lib/operations/erasure/erase.ts';
import { eraseRequested } from '../../../lib/operations/erasure/erase-requested.ts';
import { loadLinks } from '../../../lib/store/accounts/accounts.ts';
import { loadHolders } from '../../../lib/store/accounts/holders.ts';
import { listErasureRequests } from '../../../lib/store/erasure/erasure-requests.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { openChunks, postBatch, workAll } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { account, mapping } from '../../support/operations/person-world.ts';
import { newTeam } from '../../support/operations/teams.ts';
import { Random } from '../random.ts';

/**
 * An erasure beside workers of the same chunks. Their calls of the table are mixed at random, and workers stall, die and
 * overtake each other. In the end, nothing is left of the person, and everything of the others.
 */
const schedules = 400;
const killed = new Error('killed');
const names = ['p', 'other'];

async function schedule(seed: number): Promise<{ isOvertaken: boolean }> {
  const random = new Random(seed);
  const table = new ModelDatabase();
  const team = await newTeam(table);
  const chunks = 1 + random.below(3);
  const numbers = ['1', '2', '3'];
  const linked = new Set<string>();
  for (let chunk_index = 0; chunk_index < chunks; chunk_index++) {
    const records = Array.from({ length: 1 + random.below(4) }, () => {
      const [number, name] = [random.pick(numbers), random.pick(names)] as const;
      if (name === 'other') linked.add(number);
      return random.chance(0.5) ? account(number, name) : mapping(number, name);
    });
    await postBatch(serviceOn(table), team, { batch_id: 'nightly', chunk_index, records });
  }

  let isSearched = false;
  const turn = async (most = 6) => {
    for (let left = random.below(most); left > 0; left--) await Promise.resolve();
  };
  /** The table for one process. */
  const slow = (mayDie: boolean): Database => {
    let isDead = false;
    const call = async <T>(run: () => Promise<T>): Promise<T> => {
      await turn(random.chance(0.1) ? 3000 : 12);
      // A worker that is overtaken, writes when the erasure ends, and then dies, is more than it promises.
      isDead ||= mayDie && !isSearched && random.chance(0.05);
      if (isDead) throw killed;
      const result = await run();
      await turn();
      return result;
    };
    return {
      get: (keys) => call(() => table.get(keys)),
      query: (input) => call(() => table.query(input)),
      write: (writes) => call(() => table.write(writes)),
      transact: (writes) => call(() => table.transact(writes)),
    };
  };
  const dependencies = (database: Database) => serviceOn(database, { pause: () => turn() });
  const survived = (error: unknown) => {
    if (error !== killed && !(error instanceof Problem)) throw error;
  };
  const work = (mayDie: boolean) => workAll(dependencies(slow(mayDie)), team).catch(survived);
  const rest = {
    files: { list: async function* () {} } as never,
    erasures: { add: async () => {} },
    onProgress: () => {
      isSearched = true;
    },
  };
  const erase = async (): Promise<void> => {
    await turn(2000);
    const erasing = { ...dependencies(slow(false)), ...rest, wait: async () => void (await work(false)) };
    for (;;) {
      const receipt = await erasePerson(erasing, team, 'p').catch(survived);
      if (receipt) break;
    }
  };
  const late = async () => {
    await turn(2000);
    await work(true);
  };
  await Promise.all([work(true), late(), late(), erase()]);

  while ((await openChunks(table, team)).length > 0) await workAll(serviceOn(table), team);
  const isOvertaken = (await listErasureRequests(table)).length > 0;
  const onFailure = (error: unknown) => {
    throw error;
  };
  const sweeping = { retentionDays: 400, hasTime: () => true, wait: async () => {}, onFailure };
  await eraseRequested({ ...serviceOn(table), ...rest, ...sweeping });

  const [person, other] = names.map((name) => derivedContactId(team, name)) as [string, string];
  const left = [...table.items.values()].filter((item) => JSON.stringify(item).includes(person));
  expect({ seed, left }).toEqual({ seed, left: [] });
  const { links } = await loadLinks(table, team, other);
  expect({ seed, links: links.map((link) => link.account_number) }).toEqual({ seed, links: [...linked].sort() });
  for (const number of linked) expect(await loadHolders(table, team, number)).toEqual([other]);
  return { isOvertaken };
}

test('an erasure beside workers leaves nothing of the person, and everything of the others', async () => {
  let overtaken = 0;
  for (let seed = 0; seed < schedules; seed++) overtaken += (await schedule(seed)).isOvertaken ? 1 : 0;
  expect(overtaken).toBeGreaterThan(0);
}, 120_000);

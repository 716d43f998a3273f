import { expect, test } from 'vitest';
import { recountTemplates } from '../../../bin/admin/operations/results/recount.ts';
import { publish } from '../../../lib/operations/events/publish.ts';
import { workCompletions } from '../../../lib/operations/events/work-completions.ts';
import { teamPartition } from '../../../lib/store/table/keys.ts';
import { isLongForm } from '../../support/long-form.ts';
import { StreamDatabase } from '../../support/models/stream-database.ts';
import { dependencies, team, templateId } from '../../support/operations/journey-operations.ts';
import { numbers, openCampaign, type Person, person } from '../../support/operations/results-world.ts';
import { publisher } from '../../support/samples/events.ts';

const size = isLongForm ? 2000 : 500;
const clients = 12;

/** What person `n` does, in its order. */
const planOf = (n: number): ((of: Person) => Promise<unknown>)[] => [
  ...(n % 2 === 0 ? [(of: Person) => of.view('view')] : []),
  ...(n % 5 === 0 ? [(of: Person) => of.decide('declined')] : []),
  ...(n % 3 === 0 ? [(of: Person) => of.decide('accepted')] : []),
  ...(n % 4 === 0 ? [(of: Person) => of.answer(['How?', n % 8 === 0 ? 'Well' : 'Badly'])] : []),
  ...(n % 12 === 0 ? [(of: Person) => of.answer(['How?', 'Badly'], ['Why?', `${n}`])] : []),
  ...(n % 7 === 0 ? [(of: Person) => of.confirm()] : []),
];

/** The number of persons of whom this is true. */
const count = (is: (n: number) => boolean): number => Array.from({ length: size }, (_, n) => n).filter(is).length;

test('the results of many journeys of concurrent clients and publishers are the counts by hand', async () => {
  const table = new StreamDatabase();
  await openCampaign(table);
  const using = { ...dependencies(), ...publisher(table) };
  let isOver = false;
  /** Passes on what has changed, everything twice, to publishers that do not wait for each other. */
  const publishing = async () => {
    const pending: Promise<unknown>[] = [];
    while (!isOver) {
      const records = table.take();
      const fail = (error: unknown) => {
        throw error;
      };
      for (let time = 0; time < 2; time++) pending.push(publish({ ...using, onFailure: fail }, records));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await Promise.all(pending);
  };
  const published = publishing();
  const queue = Array.from({ length: size }, (_, n) => n).values();
  const client = async () => {
    for (const n of queue) {
      const own = await person(`p${n}`);
      for (const [index, act] of planOf(n).entries()) {
        // Every fifth action is sent twice at once.
        const times = (n + index) % 5 === 0 ? 2 : 1;
        await Promise.all(Array.from({ length: times }, () => act(own)));
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  isOver = true;
  await published;
  for (let records = table.take(); records.length > 0; records = table.take())
    await publish({ ...using, onFailure: () => {} }, records);
  // What exceeded the bounds of a publisher waits.
  const passed: unknown[] = [];
  const onContactFailure = (error: unknown) => passed.push(error);
  await workCompletions({ ...using, onContactFailure }, team, () => true);
  expect(passed).toEqual([]);

  const [opened, accepted, asked] = [count((n) => n % 2 === 0), count((n) => n % 3 === 0), count((n) => n % 4 === 0)];
  const found = await numbers();
  expect(found).toMatchObject({
    journeys: { created: size, opened, completed: count((n) => n % 12 === 0), verified: count((n) => n % 7 === 0) },
    pages: [
      [opened, opened, 0],
      [0, accepted, count((n) => n % 5 === 0 && n % 3 !== 0)],
      [0, asked, 0],
    ],
    answers: [
      [count((n) => n % 8 === 0 && n % 12 !== 0), count((n) => n % 12 === 0 || n % 8 === 4)],
      [count((n) => n % 12 === 0)],
    ],
  });
  async function* scanTeam() {
    yield [...table.items.values()].filter(({ pk }) => pk.startsWith(teamPartition(team)));
  }
  expect(await recountTemplates({ ...using, scanTeam }, team, [{ id: templateId, name: null }])).toMatchObject([
    { journeys: size, missed: 0, differences: [], unsettled: 0 },
  ]);
});

import { afterEach, expect, test } from 'vitest';
import { freshTable, intercept } from '../../support/engine/engine.ts';
import { oneIn } from '../../support/one-in.ts';
import { append, numbered, readAll } from '../../support/samples/events.ts';

let remove = () => {};
afterEach(() => remove());

/** Each of these publishers appends its events one after another, in packs of two. */
const publishers = [0, 1, 2, 3, 4, 5];
const packs = [0, 1, 2, 3, 4];
const firstOf = (publisher: number, pack: number) => publisher * 100 + pack * 2;
const eventsOf = (publisher: number) => packs.flatMap((pack) => [0, 1].map((n) => firstOf(publisher, pack) + n));

async function publishAll(database: Parameters<typeof append>[0]): Promise<number[]> {
  const publish = async (publisher: number) => {
    for (const pack of packs) await append(database, numbered(firstOf(publisher, pack), 2));
  };
  await Promise.all(publishers.map(publish));
  return (await readAll(database)).numbers;
}

test('concurrent publishers append every event once, each in its order', async () => {
  const { database } = await freshTable({ backoff: () => 1 });
  const numbers = await publishAll(database);
  for (const publisher of publishers) {
    expect(numbers.filter((number) => Math.floor(number / 100) === publisher)).toEqual(eventsOf(publisher));
  }
  expect(numbers).toHaveLength(publishers.length * packs.length * 2);
});

test('a lost response loses no event and changes no order; it can repeat events', async () => {
  const { client, database } = await freshTable({ backoff: () => 1 });
  const isThird = oneIn(3);
  remove = intercept(client, async (operation, input, send) => {
    const output = await send();
    if (operation !== 'TransactWriteItems' || !isThird(input)) return output;
    throw Object.assign(new Error(), { name: 'TimeoutError' });
  });
  const numbers = await publishAll(database);
  for (const publisher of publishers) {
    const own = numbers.filter((number) => Math.floor(number / 100) === publisher);
    expect([...new Set(own)]).toEqual(eventsOf(publisher));
  }
});

test('of more events than a transaction holds, the head before the first is returned', async () => {
  const { database } = await freshTable();
  await append(database, numbered(0, 1));
  expect(await append(database, numbered(1, 9000))).toMatchObject({ seq: 1 });
  expect((await readAll(database, undefined, 1000)).numbers).toHaveLength(9001);
});

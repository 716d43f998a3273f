import { randomUUID } from 'node:crypto';
import type { BatchExecuteStatementInput, BatchExecuteStatementOutput } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from 'vitest';
import { loadByUniqueId } from '../../../lib/store/contacts/contacts.ts';
import { StoreUnavailable } from '../../../lib/store/table/database.ts';
import { directoryPartition, directoryShards } from '../../../lib/store/table/keys.ts';
import { DropWorld, Killed, mortal } from '../../support/drop-box.ts';
import { freshTable, intercept } from '../../support/engine/engine.ts';
import { oneIn } from '../../support/one-in.ts';
import { serviceOn, upsertBatch, upsertContact } from '../../support/operations/operations.ts';
import { balances, header, row } from '../../support/samples/account-files.ts';
import { record } from '../../support/samples/contacts.ts';

const { client, database } = await freshTable({ backoff: () => 1 });
const dependencies = serviceOn(database);

type Fault = (
  input: BatchExecuteStatementInput,
  send: (input: BatchExecuteStatementInput) => Promise<BatchExecuteStatementOutput>,
) => Promise<BatchExecuteStatementOutput>;

/** Puts the fault between the service and the table's writes. */
function inject(fault: Fault): void {
  remove = intercept(client, (operation, input, send) =>
    operation === 'BatchExecuteStatement' ? fault(input as BatchExecuteStatementInput, send) : send(),
  );
}
let remove = () => {};
afterEach(() => remove());

const named = (name: string) => Object.assign(new Error(name), { name });
const isThird = oneIn(3);

/** The table executes two of three statements and throttles the others. */
const throttlesStatements: Fault = async (input, send) => {
  const statements = input.Statements ?? [];
  const throttled = new Set(statements.filter(isThird));
  const taken = statements.filter((statement) => !throttled.has(statement));
  const responses = taken.length > 0 ? ((await send({ ...input, Statements: taken })).Responses ?? []) : [];
  const answers = responses[Symbol.iterator]();
  return {
    $metadata: {},
    Responses: statements.map((statement) =>
      throttled.has(statement) ? { Error: { Code: 'ThrottlingError' } } : answers.next().value!,
    ),
  };
};
const throttlesRequests: Fault = async (input, send) => {
  if (isThird(input)) throw named('ThrottlingException');
  return send(input);
};
/** The write takes effect, but its response is lost. */
const losesAnswers: Fault = async (input, send) => {
  const output = await send(input);
  if (isThird(input)) throw named('TimeoutError');
  return output;
};
/** Every write takes effect, but the first response to each is lost. */
const losesFirstAnswers = (): Fault => {
  const seen = new Set<string>();
  return async (input, send) => {
    const output = await send(input);
    const name = JSON.stringify(input.Statements);
    if (seen.has(name)) return output;
    seen.add(name);
    throw named('TimeoutError');
  };
};
const isAway: Fault = async () => {
  throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
};

const batch = (count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, n) => record({ unique_id: `p${n}`, name_first: `First ${n}`, ...fields }));

test('flags that contradict each other are applied once, though the response to the write was lost', async () => {
  const team = randomUUID();
  await upsertContact(dependencies, team, record({ unique_id: 'p', email_opted_in: true }));
  inject(losesFirstAnswers());
  const sent = record({ unique_id: 'p', email_opted_in: true, unsubscribe_email: true });
  const { contact, version } = await upsertContact(dependencies, team, sent);
  expect([contact.email_opted_in, version]).toEqual([false, 2]);
  const stored = (await loadByUniqueId(database, team, ['p'])).get('p')!.stored!;
  expect([stored.contact.email_opted_in, stored.version]).toEqual([false, 2]);
});

const names = (count: number) => Array.from({ length: count }, (_, n) => `p${n}`);

async function stored(team: string, uniqueIds: readonly string[]) {
  const found = await loadByUniqueId(database, team, uniqueIds);
  return [...found.values()].map(({ stored: each }) => each);
}

async function directorySize(team: string): Promise<number> {
  const shards = Array.from({ length: directoryShards }, (_, shard) =>
    database.query({ pk: directoryPartition(team, shard), index: 'directory' }),
  );
  return (await Promise.all(shards)).flatMap(({ items }) => items).length;
}

test.each([
  ['throttles one statement in three', throttlesStatements],
  ['throttles one request in three', throttlesRequests],
  ['loses one answer in three', losesAnswers],
])('nothing is lost and nothing doubled by a store that %s', async (_, fault) => {
  const team = randomUUID();
  inject(fault);
  const first = await upsertBatch(dependencies, team, batch(120));
  expect([first.new_contacts.length, first.existing_contacts.length]).toEqual([120, 0]);
  const second = await upsertBatch(dependencies, team, batch(120, { city: 'Oslo' }));
  expect(second.new_contacts).toEqual([]);
  expect(second.existing_contacts.map(({ unique_id }) => unique_id)).toEqual(names(120));
  const contacts = await stored(team, names(120));
  expect(contacts.map((each) => each?.version)).toEqual(contacts.map(() => 2));
  expect(contacts.map((each) => [each?.contact.name_first, each?.contact.city])).toEqual(
    contacts.map((__, n) => [`First ${n}`, 'Oslo']),
  );
  expect(await directorySize(team)).toBe(120);
});

test('of creators of one contact at once, one is told that it created it, although every response was lost', async () => {
  const fault = losesFirstAnswers();
  inject(fault);
  for (let again = 0; again < 3; again++) {
    const team = randomUUID();
    const rivals = Array.from({ length: 6 }, (_, n) => record({ unique_id: 'p', meta_public: { [`k${n}`]: n } }));
    const results = await Promise.all(rivals.map((each) => upsertContact(dependencies, team, each)));
    expect(results.filter(({ created }) => created)).toHaveLength(1);
    const [contact] = await stored(team, ['p']);
    expect(contact?.contact.meta_public).toEqual({ k0: 0, k1: 1, k2: 2, k3: 3, k4: 4, k5: 5 });
  }
});

test('a creator whose response was lost does not write over what others have changed since', async () => {
  const team = randomUUID();
  let isChanged = false;
  inject(async (input, send) => {
    const output = await send(input);
    if (isChanged) return output;
    isChanged = true;
    await upsertContact(dependencies, team, record({ unique_id: 'p', city: 'Oslo' }));
    throw named('TimeoutError');
  });
  const creator = await upsertContact(dependencies, team, record({ unique_id: 'p', city: 'Bergen' }));
  expect(creator).toMatchObject({ created: true, contact: { city: 'Bergen' } });
  const [contact] = await stored(team, ['p']);
  expect([contact?.version, contact?.contact.city]).toEqual([2, 'Oslo']);
});

test('a store that is away is unavailable, and resending when it is back is safe', async () => {
  const team = randomUUID();
  inject(isAway);
  await expect(upsertBatch(dependencies, team, batch(30))).rejects.toBeInstanceOf(StoreUnavailable);
  remove();
  inject(losesAnswers);
  await upsertBatch(dependencies, team, batch(30));
  await upsertBatch(dependencies, team, batch(30));
  expect((await stored(team, names(30))).map((each) => each?.version)).toEqual(Array.from({ length: 30 }, () => 1));
  expect(await directorySize(team)).toBe(30);
});

describe('whatever call an invocation dies at,', () => {
  // Three chunks with mostly invalid rows, so that they are fast. The last row exceeds the limit of its account.
  const junk = Array.from({ length: 498 }, () => 'junk');
  const wide = (line: string, one = '', two = '') => `${line},${one},${two}`;
  const large = 'x'.repeat(9000);
  const accounts = [
    ...[`${header},meta_private.one,meta_private.two`, wide(row(1)), wide(row(2)), ...junk, wide(row(3)), ...junk],
    ...[wide(row(4), large), wide(row(1, '7.00')), wide(row(5)), wide(row(4), '', large)],
  ].join('\n');
  const junkLines = accounts.split('\n').flatMap((line, index) => (line === 'junk' ? [index + 1] : []));
  const people = ['unique_id,name_first,birthdate', 'a,Ann,', 'b,Bob,never', 'c,Cid,', 'd,Dot,2001-02-29'];

  /** Stops at every possible point, in a run for each. */
  async function everywhere(path: string, content: string, check: (world: DropWorld, key: string) => Promise<void>) {
    for (let deaths = 0; ; deaths++) {
      const world = await DropWorld.open();
      const file = world.drop(path, content);
      const { dependencies, hasDied } = mortal(world, deaths + 1);
      for (let isDone = false; !isDone && !hasDied(); ) {
        const outcome = await world.invoke(file, 1, dependencies).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
          return 0;
        });
        isDone = outcome === 'done';
        await world.workImports();
      }
      if (!hasDied()) return deaths;
      await world.finish(file, 1);
      await check(world, file.key);
    }
  }

  test('each account is applied, and each rejected row named, once', async () => {
    const deaths = await everywhere('accounts/a.csv', accounts, async (world, key) => {
      const file = { key, version: '1' };
      const { status, rows: counts } = world.report(file);
      expect([status, counts]).toEqual([
        'completed',
        { read: 1003, accepted: 6, rejected: 997, applied: 6, unchanged: 0, superseded: 0 },
      ]);
      expect(world.rejected(file).map((line) => Number(line.split(',')[0]))).toEqual([...junkLines, 1004]);
      expect(await balances(world, [1, 2, 3, 4, 5])).toEqual(['7.00', '2.50', '3.50', '4.50', '5.50']);
    });
    expect(deaths).toBeGreaterThan(30);
  });

  test('each contact is there', async () => {
    await everywhere('contacts/c.csv', `${people.join('\n')}\n`, async (world, key) => {
      const file = { key, version: '1' };
      expect(world.report(file).rows).toMatchObject({ read: 4, accepted: 2, rejected: 2 });
      expect(world.rejected(file).map((line) => line.split(',').slice(0, 2))).toEqual([
        ['3', 'birthdate'],
        ['5', 'birthdate'],
      ]);
      const found = await loadByUniqueId(world.database, world.teamId, ['a', 'b', 'c', 'd']);
      const names = [...found.values()].map(({ stored }) => stored?.contact.name_first);
      expect(names).toEqual(['Ann', undefined, 'Cid', undefined]);
    });
  });
});

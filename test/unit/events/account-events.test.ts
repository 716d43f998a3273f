import { beforeEach, describe, expect, test } from 'vitest';
import type { AccountRecord } from '../../../lib/domain/accounts/account-record.ts';
import { accountRecord } from '../../../lib/domain/accounts/account-record.ts';
import type { ServiceEvent } from '../../../lib/domain/events/event.ts';
import { workCompletions } from '../../../lib/operations/events/work-completions.ts';
import { bound, chunksOf, StoreUnavailable } from '../../../lib/store/table/database.ts';
import { derivedAccountId } from '../../../lib/store/table/ids.ts';
import { completionWorkPartition, isLinkKey, linkKey } from '../../../lib/store/table/keys.ts';
import { Random } from '../../laws/random.ts';
import { applyRecords } from '../../support/operations/import-operations.ts';
import { dependencies, idOf, team } from '../../support/operations/journey-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { eventsOfAll, openStream, publishAll, publishRecords, stream } from '../../support/operations/publishing.ts';
import { readAll } from '../../support/samples/events.ts';

let order = 0;
let clock = Date.parse('2026-03-01T12:00:00Z');
beforeEach(openStream);

/** One chunk of an import, a second after the one before. */
const apply = (records: readonly AccountRecord[], using = serviceOn(stream, { now: () => clock })) => {
  clock += 1000;
  return applyRecords(using, { teamId: team, order: ++order, records });
};
const parsed = (...records: object[]) => records.map((record) => accountRecord.parse(record));
const product = { code: 'SAV', type: 'savings' };
const account = (fields: object = {}, person?: string) => {
  const contact = person === undefined ? {} : { contact: { unique_id: person } };
  return parsed({ account_number: '1', product, ...contact, ...fields });
};
const mapping = (person: string) => parsed({ account_number: '1', contact: { unique_id: person } });
const unlink = (person: string): AccountRecord[] => [{ account_number: '1', removal: { contact_id: idOf(person) } }];
const removal: AccountRecord[] = [{ account_number: '1', removal: 'account' }];
const closed = { closed_date: '2030-01-01' };

const ofAccounts = (events: readonly ServiceEvent[]) => events.filter(({ type }) => type.startsWith('account.'));
/** The name of each event and its person, without repeats. */
const told = async (people: readonly string[] = ['p', 'q']) => {
  const events = ofAccounts(await eventsOfAll());
  const distinct = [...new Map(events.map((event) => [event.id, event])).values()];
  return distinct.map(({ type, contact_id }) => {
    return `${type.slice('account.'.length)} ${people.find((person) => idOf(person) === contact_id)}`;
  });
};

describe('opened and closed are told once for each contact and account', () => {
  // Contract, section 14.
  test.each<[string, AccountRecord[][] | (() => AccountRecord[][]), string[]]>([
    ['with its first holder', () => [account({}, 'p')], ['opened p']],
    ['again as it is stored', () => [account({}, 'p'), account({}, 'p')], ['opened p']],
    ['without a holder', () => [account()], []],
    ['a mapping without an account', () => [mapping('p')], []],
    ['a mapping of an account that is stored', () => [account(), mapping('p')], ['opened p']],
    ['an account that was mapped before', () => [mapping('p'), mapping('q'), account()], ['opened p', 'opened q']],
    [
      'one that was mapped before, with another holder',
      () => [mapping('p'), account({}, 'q')],
      ['opened p', 'opened q'],
    ],
    ['a link that was removed and comes again', () => [account({}, 'p'), unlink('p'), account({}, 'p')], ['opened p']],
    ['a link whose removal came first', () => [unlink('p'), account({}, 'p')], ['opened p']],
    [
      'a link that was removed before the account was stored, and comes again',
      () => [mapping('p'), unlink('p'), account(), mapping('p')],
      ['opened p'],
    ],
    [
      'a link that was removed after the account was stored',
      () => [mapping('p'), account(), unlink('p')],
      ['opened p'],
    ],
    [
      'an account that was removed and comes again',
      () => [account({}, 'p'), removal, mapping('q'), account()],
      ['opened p', 'opened q'],
    ],
    ['closed when it is stored', () => [account(closed, 'p')], ['opened p', 'closed p']],
    ['closed when it is stored after its mapping', () => [mapping('p'), account(closed)], ['opened p', 'closed p']],
    [
      'closed later',
      () => [account({}, 'p'), mapping('q'), account(closed)],
      ['opened p', 'opened q', 'closed p', 'closed q'],
    ],
    [
      'opened and closed again',
      () => [account({}, 'p'), account(closed), account({ closed_date: null }), account({ closed_date: '2026-02-01' })],
      ['opened p', 'closed p'],
    ],
    ['a link to one that is closed', () => [account(closed), mapping('p')], ['opened p', 'closed p']],
    ['a link that was removed before it closed', () => [account({}, 'p'), unlink('p'), account(closed)], ['opened p']],
  ])('%s', async (_, history, expected) => {
    const chunks = typeof history === 'function' ? history() : history;
    for (const records of chunks) {
      await apply(records);
      await publishAll();
    }
    expect((await told()).sort()).toEqual(expected.sort());
    const once = ofAccounts((await readAll(stream, undefined, 1000, team)).events);
    expect(new Set(once.map(({ id }) => id)).size).toBe(once.length);
    // The same history, of which nothing was published before its end.
    await openStream();
    for (const records of typeof history === 'function' ? history() : history) await apply(records);
    expect((await told()).sort()).toEqual(expected.sort());
  });

  test('opened first, also if the closing is read when a link that was stored after it is read later', async () => {
    await apply(account({}, 'p'));
    await publishAll();
    await apply(account(closed));
    const closing = stream.take();
    await apply(mapping('q'));
    const link = stream.take();
    await publishRecords(closing);
    await publishRecords(link);
    expect((await told()).filter((each) => each.endsWith('q'))).toEqual(['opened q', 'closed q']);
  });

  test('with the ids of contact and account, and the time at which both were stored', async () => {
    await apply(mapping('p'));
    await apply(account(closed));
    const at = new Date(clock).toISOString().replace('Z', '000Z');
    const ids = { team_id: team, contact_id: idOf('p'), account_id: derivedAccountId(team, '1') };
    expect(ofAccounts(await eventsOfAll()).map(({ id: _, ...event }) => event)).toEqual([
      { type: 'account.opened', at, ...ids },
      { type: 'account.closed', at, ...ids },
    ]);
  });

  test('and again, with another id, after the contact was erased', async () => {
    await apply(account({}, 'p'));
    const [first] = ofAccounts(await eventsOfAll());
    await stream.transact([{ kind: 'delete', key: linkKey(team, idOf('p'), '1'), expect: {} }]);
    await apply(account({}, 'p'));
    const [, second] = ofAccounts(await eventsOfAll());
    expect(second).toMatchObject({ type: 'account.opened', contact_id: idOf('p') });
    expect(second!.id).not.toBe(first!.id);
  });

  test('if the worker dies between the accounts and the links of a chunk', async () => {
    const dying = {
      ...bound(stream),
      write: (writes: Parameters<typeof stream.write>[0]) => {
        if (writes.some((write) => isLinkKey(write.kind === 'insert' ? write.item : write.key)))
          throw new StoreUnavailable('the worker died');
        return stream.write(writes);
      },
    };
    const number = ++order;
    const chunk = { teamId: team, order: number, records: account(closed, 'p') };
    await expect(applyRecords(serviceOn(dying, { now: () => clock }), chunk)).rejects.toThrow(StoreUnavailable);
    expect(await told()).toEqual([]);
    clock += 60_000;
    await applyRecords(serviceOn(stream, { now: () => clock }), chunk);
    expect(await told()).toEqual(['opened p', 'closed p']);
  });

  test('as a judge says who knows the whole history, whatever was published when, and again', async () => {
    for (let seed = 1; seed <= 150; seed++) {
      await openStream();
      const random = new Random(seed);
      const linked = new Map<string, 'now' | 'before'>();
      const [opened, shut] = [new Set<string>(), new Set<string>()];
      let [isStored, isClosed] = [false, false];
      const people = ['p', 'q'];
      for (let step = 0; step < 12; step++) {
        const person = random.pick(people);
        const steps: [AccountRecord[], () => void][] = [
          [mapping(person), () => linked.set(person, 'now')],
          [unlink(person), () => linked.delete(person)],
          [account(), () => (isStored = true)],
          [account({ closed_date: null }), () => (isStored = true)],
          [removal, () => (isStored = false)],
        ];
        if (random.chance(0.5)) {
          const [records, happen] = random.pick(steps);
          await apply(records);
          happen();
        } else {
          await apply(account(closed, person));
          linked.set(person, 'now');
          isStored = true;
          isClosed = true;
        }
        for (const each of linked.keys()) {
          if (isStored) opened.add(each);
          // A link that comes again is no new one: what was closed before is told to new links only.
          if (isStored && isClosed) shut.add(each);
        }
        if (random.chance(0.3)) {
          const records = stream.take();
          for (let time = 0; time <= random.below(2); time++) await publishRecords(records);
        }
      }
      const expected = [...[...opened].map((each) => `opened ${each}`), ...[...shut].map((each) => `closed ${each}`)];
      const found = [...new Set(await told())];
      const early = people.filter((each) => found.indexOf(`closed ${each}`) < found.indexOf(`opened ${each}`));
      expect([...found].sort(), `seed ${seed}`).toEqual(expected.sort());
      expect(
        early.filter((each) => shut.has(each)),
        `closed before it was opened, seed ${seed}`,
      ).toEqual([]);
    }
  });
});

describe('an account with very many holders', () => {
  const people = Array.from({ length: 1200 }, (_, n) => `p${n}`);
  const step = async (using = stream as Parameters<typeof workCompletions>[0]['database']) => {
    let looks = 1;
    const working = { ...dependencies(using), onContactFailure: () => {} };
    return workCompletions(working, team, () => looks-- > 0);
  };

  test('is told to each of them, with the publisher and the worker failing on the way', async () => {
    await apply(account());
    for (const some of chunksOf(people, 400)) await apply(some.flatMap(mapping));
    await publishAll();
    await apply(account(closed));
    const random = new Random(1);
    const failing = () => ({
      ...bound(stream),
      transact: async (...given: Parameters<typeof stream.transact>) => {
        if (random.chance(0.3)) throw new StoreUnavailable('before the write');
        const written = await stream.transact(...given);
        if (random.chance(0.3)) throw new StoreUnavailable('after the write');
        return written;
      },
    });
    let [steps, left] = [0, stream.take()];
    for (let outcome = ''; outcome !== 'empty' || left.length > 0; steps++) {
      const failed = new Set(await publishRecords(left, { database: failing(), onFailure: () => {} }));
      left = failed.size > 0 ? left : [];
      outcome = await step(failing()).catch(() => 'failed');
      left = left.concat(stream.take());
      expect(steps).toBeLessThan(200);
    }
    const events = ofAccounts((await readAll(stream, undefined, 1000, team)).events);
    const closings = events.filter(({ type }) => type === 'account.closed');
    expect(new Set(closings.map(({ contact_id }) => contact_id))).toEqual(new Set(people.map(idOf)));
    expect(new Set(closings.map(({ id }) => id)).size).toBe(people.length);
    expect(stream.page({ pk: completionWorkPartition(team) }).items).toEqual([]);
  });

  test('costs one invocation a bounded number of reads', async () => {
    await apply(account());
    for (const some of chunksOf(people, 400)) await apply(some.flatMap(mapping));
    await publishAll();
    await apply(account(closed));
    let reads = 0;
    const counted = {
      ...bound(stream),
      get: (keys: Parameters<typeof stream.get>[0]) => {
        reads += keys.length;
        return stream.get(keys);
      },
      query: async (input: Parameters<typeof stream.query>[0]) => {
        const page = await stream.query(input);
        reads += page.items.length;
        return page;
      },
    };
    await publishRecords(stream.take(), { database: counted });
    expect(reads).toBeLessThan(300);
    expect(await told()).not.toContain('closed undefined');
  });
});

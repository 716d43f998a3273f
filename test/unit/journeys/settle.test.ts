import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { JourneyAction } from '../../../lib/domain/journeys/completion.ts';
import { ProductCache } from '../../../lib/store/accounts/products.ts';
import type { StreamRecord } from '../../../lib/store/events/item-changes.ts';
import { loadJourneyWithActions } from '../../../lib/store/journeys/journeys.ts';
import { bound, chunksOf, type Database, type Write } from '../../../lib/store/table/database.ts';
import { journeyActionKey, journeyIdKey } from '../../../lib/store/table/keys.ts';
import { runs } from '../../support/long-form.ts';
import { putContent } from '../../support/operations/content.ts';
import {
  documentOf,
  idOf,
  ids,
  imported,
  journeysOf,
  named,
  post,
  team,
  templateId,
} from '../../support/operations/journey-operations.ts';
import { openStream, publishAll, publishing, publishRecords, stream } from '../../support/operations/publishing.ts';

/** Every step of a test has a minute of its own. */
const minute = (n: number) => `2026-03-01T12:${String(n).padStart(2, '0')}:00.000000Z`;
let minutes: number;
const tick = () => {
  minutes += 1;
  vi.setSystemTime(minute(minutes));
};

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  minutes = 0;
  vi.setSystemTime(minute(0));
  await openStream();
  await putContent(stream, team, documentOf());
});
afterEach(() => vi.useRealTimers());

/** What is recorded for the person's journey. */
async function recorded(): Promise<Record<string, string>> {
  const found = await loadJourneyWithActions(stream, team, { contactId: idOf('p'), templateId });
  const nameOf = ({ kind, page_id }: JourneyAction) =>
    kind === 'completed' ? Object.entries(ids).find(([, id]) => id === page_id)![0] : kind;
  return Object.fromEntries((found?.actions ?? []).map((action) => [nameOf(action), action.at]));
}

const savings = { account_number: '1', product: { code: 'SAV', type: 'savings' } };
const link = { account_number: '1', contact: { unique_id: 'p' } };
const steps: Record<string, () => Promise<unknown>> = {
  journey: () => post({ unique_id: 'p', ...named }),
  objective: () => post({ unique_id: 'p', enrolled: '2026-01-01' }),
  account: () => imported(savings),
  link: () => imported(link),
  'both at once': () =>
    imported({ account_number: '2', product: { code: 'CD', type: 'investment' }, contact: link.contact }),
  'an account of another product': () => imported({ account_number: '3', product: { code: 'X', type: 'loan' } }),
  'its link': () => imported({ account_number: '3', contact: { unique_id: 'p', role: 'joint' } }),
  'its other product': () =>
    imported({ account_number: '3', product: { code: 'CAR', type: 'loan', standardized_type: 'auto_loan' } }),
};
const names = Object.keys(steps);
/** A product that is another one can only come after the first. */
const orders = fc
  .shuffledSubarray(names, { minLength: names.length })
  .filter((order) => order.indexOf('an account of another product') < order.indexOf('its other product'));

/** The records of two shards, each in its order, mixed by the choices. */
function mixed(records: readonly StreamRecord[], choices: readonly boolean[]): StreamRecord[] {
  const isFirst = ({ dynamodb }: StreamRecord) => {
    const key = JSON.stringify(dynamodb?.Keys?.pk);
    return [...key].reduce((sum, character) => sum + character.charCodeAt(0), 0) % 2 === 0;
  };
  const shards = [records.filter(isFirst), records.filter((record) => !isFirst(record))];
  const taken: StreamRecord[] = [];
  for (let turn = 0; taken.length < records.length; turn++) {
    const shard = shards[choices[turn % choices.length] ? 0 : 1]!;
    const [next] = shard.length > 0 ? shard.splice(0, 1) : shards.find(({ length }) => length > 0)!.splice(0, 1);
    taken.push(next!);
  }
  return taken;
}

describe('completions are recorded without anybody looking', () => {
  test('with the time of their facts, whatever the order of the facts and of the shards', async () => {
    const plans = fc.record({
      order: orders,
      choices: fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }),
      size: fc.integer({ min: 1, max: 9 }),
      isLate: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(plans, async ({ order, choices, size, isLate }) => {
        minutes = 0;
        vi.setSystemTime(minute(0));
        await openStream();
        await putContent(stream, team, documentOf());
        stream.take();
        const at = new Map<string, string>();
        const publish = async () => {
          for (let records = mixed(stream.take(), choices); records.length > 0; ) {
            expect(await publishRecords(records.splice(0, size))).toEqual([]);
            if (records.length === 0) records = mixed(stream.take(), choices);
          }
        };
        for (const name of order) {
          tick();
          at.set(name, minute(minutes));
          await steps[name]!();
          if (!isLate) await publish();
        }
        tick();
        await publish();
        const later = (...facts: string[]) =>
          facts
            .map((fact) => at.get(fact)!)
            .sort()
            .at(-1);
        expect(await recorded()).toEqual({
          objective: '2026-01-01T00:00:00.000000Z',
          type: later('account', 'link'),
          product: at.get('both at once'),
          set: later('its other product', 'its link'),
        });
      }),
      { numRuns: runs(150) },
    );
  });

  test('and the journey is completed at the time of its last fact', async () => {
    const { objectives, templates } = documentOf();
    const template_pages = templates[0]!.template_pages.slice(0, 2);
    await putContent(stream, team, { objectives, templates: [{ ...templates[0]!, template_pages }] });
    await post({ unique_id: 'p', ...named, enrolled: '2026-01-01' });
    tick();
    await imported({ ...savings, ...link });
    tick();
    await publishAll();
    expect(await recorded()).toEqual({
      objective: '2026-01-01T00:00:00.000000Z',
      type: minute(1),
      finished: minute(1),
    });
    const [journey] = await journeysOf('p');
    expect(journey).toMatchObject({ updated_at: minute(2), analytics_cache: { is_completed: true } });
  });

  test('and the journey is completed, also if its two last pages were completed at the same time', async () => {
    const { objectives, templates } = documentOf();
    const template_pages = templates[0]!.template_pages.slice(0, 2);
    await putContent(stream, team, { objectives, templates: [{ ...templates[0]!, template_pages }] });
    await post({ unique_id: 'p', ...named, enrolled: '2026-01-01' });
    await imported({ ...savings, ...link });
    await publishAll();
    // Each of two writers has read the journey before the write of the other, so neither records its end.
    const { journey, actions } = (await loadJourneyWithActions(stream, team, { contactId: idOf('p'), templateId }))!;
    const written = actions.filter(({ kind, page_id }) => kind === 'finished' || page_id === ids.type);
    const keys = written.map((action) => journeyActionKey(team, idOf('p'), templateId, action));
    const [page] = await stream.get(keys.filter((_, at) => written[at]!.kind === 'completed'));
    const isOpen: Write = {
      kind: 'update',
      key: journeyIdKey(team, journey.id),
      set: { ended: undefined },
      expect: {},
    };
    const removals = keys.map((key): Write => ({ kind: 'delete', key, expect: {} }));
    expect(await stream.transact([...removals, isOpen])).toBe(true);
    expect(Object.keys(await recorded())).toEqual(['objective']);
    stream.take();
    await stream.write([{ kind: 'insert', item: page! }]);
    await publishAll();
    expect(Object.keys(await recorded()).sort()).toEqual(['finished', 'objective', 'type']);
  });

  test('and who looks first records the same times', async () => {
    await post({ unique_id: 'p', ...named, enrolled: '2026-01-01' });
    tick();
    await imported({ ...savings, ...link });
    tick();
    await journeysOf('p');
    const shown = await recorded();
    expect(shown).toEqual({ objective: '2026-01-01T00:00:00.000000Z', type: minute(1) });
    await publishAll();
    expect(await recorded()).toEqual(shown);
  });

  test('and what was recorded stays when the link is removed', async () => {
    await post({ unique_id: 'p', ...named });
    await imported({ ...savings, ...link });
    await publishAll();
    await imported({ ...savings, product: { code: 'X', type: 'loan' } });
    await publishAll();
    expect(await recorded()).toEqual({ type: minute(0) });
  });

  test.each<[string, object]>([
    ['an account that was closed before the journey started', { closed_date: '2026-02-01' }],
    ['an account of another product', { product: { code: 'X', type: 'loan' } }],
  ])('but not by %s', async (_, fields) => {
    await post({ unique_id: 'p', ...named });
    await imported({ ...savings, ...link, ...fields });
    await publishAll();
    expect(await recorded()).toEqual({});
  });
});

/** The partition with the rules of the team. Telling events says whether there are any: without events, it is read. */
const rules = 'G';

describe('an import costs no query for each account', () => {
  async function queriesOf(records: readonly object[]): Promise<string[]> {
    stream.take();
    await imported(...records);
    const queried: string[] = [];
    const query: typeof stream.query = (input) => {
      queried.push(input.pk.replace(/^T#[^#]*#/, ''));
      return stream.query(input);
    };
    await publishRecords(stream.take(), publishing({ database: { ...bound(stream), query } }));
    return queried;
  }
  const record = (n: number, fields: object = {}) => ({ ...savings, account_number: `n${n}`, ...fields });
  const many = (fields: (n: number) => object) => Array.from({ length: 50 }, (_, n) => record(n, fields(n)));
  const holder = (n: number) => ({ contact: { unique_id: `u${n}` } });

  test('if the accounts are new', async () => {
    expect(await queriesOf(many(holder))).toEqual([]);
  });

  test('if their product completes no page', async () => {
    await imported(...many(holder));
    expect(await queriesOf(many(() => ({ product: { code: 'X', type: 'loan' } })))).toEqual([rules]);
  });

  test('but one for each account to which others may be linked', async () => {
    await imported({ account_number: 'n7', contact: { unique_id: 'u7' } });
    // For completions, and for events.
    expect(await queriesOf(many(() => ({})))).toEqual([rules, 'A#n7', 'A#n7']);
    expect(await queriesOf([record(8, { product: { code: 'S2', type: 'savings' } })])).toEqual([rules, 'A#n8']);
  });
});

test('a journey that an account completes costs two queries, and shares all other calls', async () => {
  const people = Array.from({ length: 200 }, (_, n) => ({ unique_id: `u${n}` }));
  for (const { unique_id } of people) await post({ unique_id, ...named });
  await publishAll();
  await imported(...people.map((contact, n) => ({ ...savings, account_number: `n${n}`, contact })));
  const calls = { get: 0, query: 0, write: 0, transact: 0 };
  const counted = <T>(kind: keyof typeof calls, isSent: boolean, call: Promise<T>): Promise<T> => {
    if (isSent) calls[kind] += 1;
    return call;
  };
  const database: Database = {
    get: (keys) => counted('get', keys.length > 0, stream.get(keys)),
    query: (input) => counted('query', !input.pk.endsWith(`#${rules}`), stream.query(input)),
    write: (writes) => counted('write', writes.length > 0, stream.write(writes)),
    transact: (writes) => counted('transact', true, stream.transact(writes)),
  };
  const using = { database, productCache: new ProductCache(database) };
  // An account and its link are seldom passed on together.
  for (let records = stream.take(); records.length > 0; records = stream.take())
    for (const part of chunksOf(records, 150)) await publishRecords(part, using);
  for (const { unique_id } of people)
    expect(await journeysOf(unique_id)).toMatchObject([{ analytics_cache: { pages_completed: [ids.type] } }]);
  expect(calls.query).toBe(2 * people.length);
  expect(calls.get + calls.write + calls.transact).toBeLessThan(people.length / 4);
});

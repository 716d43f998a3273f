import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { loadContactAggregate } from '../../../lib/store/journeys/journeys.ts';
import { bound, type Database, type Write } from '../../../lib/store/table/database.ts';
import { putContent } from '../../support/operations/content.ts';
import {
  act,
  database,
  dependencies,
  idOf,
  journeysOf,
  named,
  open,
  post,
  team,
  templateId,
} from '../../support/operations/journey-operations.ts';

const pages = { view: randomUUID(), consent: randomUUID(), objective: randomUUID(), private: randomUUID() };
const objective = { id: randomUUID(), key: 'enrolled' };
const block = {
  id: randomUUID(),
  type: 'agreement',
  order: 1,
  data: { agreementText: 'For {{plan}} of {{name_first}} in {{template.name}}' },
};
const secret = { id: randomUUID(), type: 'text', order: 1, data: { body: '{{meta_private.pin}}' } };
const page = (id: string, order: number, fields: object, others: object = {}) => ({
  ...{ id: randomUUID(), order, page: { id, ...fields } },
  ...others,
});
const template_pages = [
  page(pages.view, 1, { completion_condition: 'view' }),
  page(
    pages.consent,
    2,
    { completion_condition: 'confirm', content_blocks: [block] },
    { content_variables: { plan: 'Plan A' } },
  ),
  page(pages.objective, 3, { completion_condition: 'objective', objective_id: objective.id }),
  page(pages.private, 4, { completion_condition: 'confirm', content_blocks: [secret] }),
];
const put = (fields: object = {}) =>
  putContent(database, team, {
    objectives: [objective],
    templates: [{ id: templateId, name: 'W', template_pages, ...fields }],
  });

let slug: string;
beforeEach(async () => {
  await open();
  await put();
  await post({ unique_id: 'p', name_first: 'Ann', ...named });
  ({ slug } = (await journeysOf('p'))[0]!);
});

const view = { type: 'page_viewed', page_id: pages.view } as const;
const answers = [{ block_id: block.id, answer: 'accepted' as const }];
const consent = { type: 'page_completed', page_id: pages.consent, answers } as const;
const actionsOf = async () =>
  (await loadContactAggregate(database, team, idOf('p')))!.journeys[0]!.actions.map(({ kind, page_id }) => [
    kind,
    page_id,
  ]);

/** Reads of the slug, the content and its document. */
const contentReads = 3;

/** The database, and how often it was called. */
function counted(changes: Partial<Database> = {}) {
  const calls = { get: 0, query: 0, write: [] as number[], transact: 0 };
  const real = { ...bound(database), ...changes };
  const observed: Database = {
    get: (keys) => {
      calls.get++;
      return real.get(keys);
    },
    query: (input) => {
      calls.query++;
      return real.query(input);
    },
    write: (writes) => {
      calls.write.push(writes.length);
      return real.write(writes);
    },
    transact: (writes) => {
      calls.transact++;
      return real.transact(writes);
    },
  };
  return { calls, using: dependencies(observed) };
}

describe('the view of a page', () => {
  test('completes it if that is its condition, but no other page', async () => {
    await post({ unique_id: 'p', enrolled: 'yes' });
    await act(slug, view);
    await act(slug, { type: 'page_viewed', page_id: pages.consent });
    expect((await actionsOf()).toSorted()).toEqual(
      [
        ['completed', pages.view],
        ['viewed', pages.view],
        ['viewed', pages.consent],
      ].toSorted(),
    );
  });

  test('reads the completions of other pages only if it completes the page', async () => {
    const [first, second] = [counted(), counted()];
    await act(slug, view, first.using);
    await act(slug, view, second.using);
    expect(first.calls).toMatchObject({ get: contentReads + 1, query: 1 });
    expect(second.calls).toMatchObject({ get: contentReads, query: 1 });
  });

  test('is not written again for the same time', async () => {
    const { calls, using } = counted();
    const at = Date.now();
    for (const _ of ['first', 'second']) await act(slug, view, { ...using, now: () => at });
    expect(calls).toMatchObject({ transact: 1, write: [] });
  });

  /** Another view with this time is written before the first transaction. */
  const racing = (rival: number): Partial<Database> => {
    let isFirst = true;
    const transact = async (writes: readonly Write[]) => {
      if (isFirst) {
        isFirst = false;
        await act(slug, view, { ...dependencies(), now: () => rival });
      }
      return database.transact(writes);
    };
    return { transact };
  };

  test.each([
    ['later', 1000, []],
    ['earlier', -1000, [1]],
  ])('takes the latest time if another one at a time that is %s is faster', async (_, distance, writes) => {
    const at = Date.now() + 60_000;
    const { calls, using } = counted(racing(at + distance));
    await act(slug, view, { ...using, now: () => at });
    expect(calls.write).toEqual(writes);
    const last = (await journeysOf('p'))[0]!.analytics_cache.last_viewed;
    expect(last).toBe(timestamp(Math.max(at, at + distance)));
  });

  test('reads the action again only after a lost race', async () => {
    await act(slug, { type: 'page_completed', page_id: pages.view });
    const [fast, slow] = [counted(), counted(racing(Date.now()))];
    await act(slug, { type: 'page_viewed', page_id: pages.consent }, fast.using);
    await act(slug, view, slow.using);
    expect([fast.calls.get, slow.calls.get]).toEqual([contentReads, contentReads + 1]);
  });
});

describe('the completion of a page', () => {
  test('with an answer is recorded with it, in one transaction', async () => {
    await act(slug, { type: 'page_completed', page_id: pages.view });
    const { calls, using } = counted();
    await act(slug, consent, using);
    expect((await actionsOf()).toSorted()).toEqual(
      [
        ['completed', pages.view],
        ['completed', pages.consent],
      ].toSorted(),
    );
    const again = counted();
    await act(slug, consent, again.using);
    // The content that was shown decides if the journey is completed, so it is not read again.
    expect(calls).toMatchObject({ transact: 1, get: contentReads + 1, query: 1 });
    expect(again.calls).toMatchObject({ transact: 1, get: contentReads, query: 1 });
  });

  test.each([
    ['the contact', { query: async () => ({ items: [] }) }],
    ['the team', { get: async (keys: readonly object[]) => keys.map(() => undefined) }],
  ])('is kept if %s is deleted at the same time', async (_, gone) => {
    const isWritten = async () => (await actionsOf()).length > 0;
    const { using } = counted({
      query: async (input) => ('query' in gone && (await isWritten()) ? gone.query() : database.query(input)),
      get: async (keys) => ('get' in gone && (await isWritten()) ? gone.get(keys) : database.get(keys)),
    });
    await act(slug, { type: 'page_completed', page_id: pages.view }, using);
    expect(await actionsOf()).toEqual([['completed', pages.view]]);
  });

  test('records nothing in another journey of the contact', async () => {
    const other = randomUUID();
    const own = { id: templateId, name: 'W', template_pages: [template_pages[0]!] };
    const done = { id: other, name: 'Other', template_pages: [template_pages[2]!] };
    await open();
    await putContent(database, team, { objectives: [objective], templates: [own, done] });
    await post({ unique_id: 'p', enrolled: 'yes', journey: { template_id: other } });
    await post({ unique_id: 'p', ...named });
    const recorded = async () => {
      const { journeys } = (await loadContactAggregate(database, team, idOf('p')))!;
      return new Map(journeys.map(({ journey, actions }) => [journey.template_id, { journey, actions }]));
    };
    await act((await recorded()).get(templateId)!.journey.slug, view);
    const after = await recorded();
    expect(after.get(templateId)!.actions.map(({ kind }) => kind)).toContain('finished');
    expect(after.get(other)!.actions).toEqual([]);
  });
});

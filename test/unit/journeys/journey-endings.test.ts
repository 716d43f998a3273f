import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { reopened } from '../../../lib/domain/journeys/journey.ts';
import { confirmJourney } from '../../../lib/operations/journeys/confirm.ts';
import { createJourney } from '../../../lib/operations/journeys/create.ts';
import { endJourney } from '../../../lib/operations/journeys/end.ts';
import { listJourneys } from '../../../lib/operations/journeys/list.ts';
import { countJourneys } from '../../../lib/operations/results/count.ts';
import { readResults } from '../../../lib/operations/results/read.ts';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import {
  insertionsOf,
  judgedWrite,
  loadJourneyWithActions,
  reopeningOf,
} from '../../../lib/store/journeys/journeys.ts';
import type { Database, Write } from '../../../lib/store/table/database.ts';
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
import { upsertContact } from '../../support/operations/operations.ts';
import { justBefore } from '../../support/operations/person-world.ts';
import { record } from '../../support/samples/contacts.ts';
import { journeyOf } from '../../support/samples/samples.ts';

const pageId = randomUUID();
const objective = { id: randomUUID(), key: 'enrolled' };
const key = () => ({ contactId: idOf('p'), templateId });
const stored = async () => (await loadJourneyWithActions(database, team, key()))!;
let [journeyId, slug] = ['', ''];

async function start(page: object): Promise<void> {
  const template_pages = [{ id: randomUUID(), page: { id: pageId, ...page } }];
  await putContent(database, team, { objectives: [objective], templates: [{ id: templateId, template_pages }] });
  await post({ unique_id: 'p', ...named });
  ({ id: journeyId, slug } = (await stored()).journey);
}

const end = (ending: 'cancelled' | 'expired', using: Database, at = '2027-01-01T00:00:00.000000Z') =>
  endJourney(dependencies(using), team, { key: key(), journeyId }, ending, at);
const endings = {
  async completed(using: Database) {
    await act(slug, { type: 'page_viewed', page_id: pageId }, dependencies(using)).catch((error) => {
      expect(error).toMatchObject({ code: 'gone' });
    });
    // A response that shows it as completed has recorded it.
    await listJourneys(dependencies(using), team, idOf('p'));
  },
  cancelled: (using: Database) => end('cancelled', using),
  expired: (using: Database) => end('expired', using),
};
type Name = keyof typeof endings;
const names = Object.keys(endings) as Name[];
const orders = names.flatMap((a) => names.flatMap((b) => names.map((c) => [a, b, c] as const)));

/** How the journey has ended, by all that says so. */
async function endedHow(): Promise<string[]> {
  const [listed] = await journeysOf('p');
  const { journey, actions } = await stored();
  await countJourneys(dependencies(), team, [key()]);
  const { journeys } = await readResults(dependencies(), team, templateId);
  expect(listed!.analytics_cache.is_completed).toBe(journeys.completed === 1);
  expect(listed!.cancelled_at).toBe(journey.cancelled_at);
  return [
    ...actions.flatMap(({ kind }) => (kind === 'finished' ? ['completed'] : [])),
    ...(journey.cancelled_at === null ? [] : ['cancelled']),
    ...(journey.expired_at === null ? [] : ['expired']),
  ];
}

describe('of completed, cancelled and expired the first that is recorded stands', () => {
  beforeEach(async () => {
    await open();
    await start({ completion_condition: 'view' });
  });

  test.each(orders)('%s, then %s, then %s', async (...order) => {
    for (const name of order) await endings[name](database);
    expect(await endedHow()).toEqual([order[0]]);
    const again = await end('cancelled', database);
    expect(again).toMatchObject({ ending: order[0], isNew: false });
  });

  test.each(orders)('%s, overtaken by %s, overtaken by %s', async (outer, middle, inner) => {
    const states = (write: Write) => write.kind === 'update' && 'ended' in write.set;
    const within = justBefore(database, states, () => endings[inner](database));
    const around = justBefore(database, states, () => endings[middle](within));
    await endings[outer](around);
    expect(await endedHow()).toEqual([inner]);
  });
});

describe('a journey that was cancelled', () => {
  beforeEach(async () => {
    await open();
    await start({ completion_condition: 'objective', objective_id: objective.id });
  });
  const progress = () => journeysOf('p').then(([listed]) => listed!.analytics_cache);

  test('is not completed by what is stored later, and what was stored before stays', async () => {
    await end('cancelled', database, '2026-01-02T00:00:00.000000Z');
    await post({ unique_id: 'p', enrolled: '2026-01-03T00:00:00Z' });
    expect(await progress()).toMatchObject({ is_completed: false, pages_completed: [] });
    await open();
    await start({ completion_condition: 'objective', objective_id: objective.id });
    await end('cancelled', database, '2026-01-02T00:00:00.000000Z');
    await post({ unique_id: 'p', enrolled: '2026-01-01T00:00:00Z' });
    expect(await progress()).toMatchObject({ is_completed: false, pages_completed: [pageId] });
  });

  test('after a response has read it, is shown as cancelled and not as completed', async () => {
    await post({ unique_id: 'p', enrolled: 'yes' });
    const ending = justBefore(
      database,
      (write) => write.kind === 'insert',
      () => end('cancelled', database),
    );
    const [listed] = await listJourneys(dependencies(ending), team, idOf('p'));
    expect(listed).toMatchObject({ cancelled_at: expect.any(String), analytics_cache: { is_completed: false } });
  });

  test('cannot be confirmed, also if it was confirmed before; a call for it restarts nothing', async () => {
    const confirm = (isConfirmed: boolean) =>
      confirmJourney(dependencies(), team, { templateId, journeyId }, isConfirmed);
    const { completion_verified_at } = await confirm(true);
    const cancelled_at = '2027-01-01T00:00:00.000000Z';
    await end('cancelled', database, cancelled_at);
    await expect(confirm(true)).rejects.toMatchObject({ code: 'conflict' });
    await post({ unique_id: 'p', ...named });
    expect(await confirm(false)).toMatchObject({ id: journeyId, slug, completion_verified_at, cancelled_at });
  });

  test('is reopened with its id and slug, and can be completed then', async () => {
    await end('cancelled', database);
    const { journey: cancelled, ...rest } = await stored();
    const at = '2027-02-01T00:00:00.000000Z';
    const writes = reopeningOf(team, reopened(cancelled, at), { ...rest, journey: cancelled }, undefined);
    expect([await database.transact(writes), await database.transact(writes)]).toEqual([true, false]);
    const { journey } = await stored();
    expect(journey).toMatchObject({ id: journeyId, slug, cancelled_at: null, reopened_at: at, updated_at: at });
    await post({ unique_id: 'p', enrolled: 'yes' });
    expect(await endedHow()).toEqual(['completed']);
    expect(await end('cancelled', database)).toMatchObject({ ending: 'completed' });
  });

  test('and whose contact was erased, is none', async () => {
    expect(await endJourney(dependencies(), team, { key: key(), journeyId: randomUUID() }, 'expired', '')).toBe(
      undefined,
    );
  });
});

describe('a call for a template with a journey for each account', () => {
  const about = (fields: object) =>
    journeyOf({
      ...{ id: randomUUID(), slug: randomUUID(), contact_id: idOf('p'), template_id: templateId },
      ...{ account_id: randomUUID(), is_one_for_one: true },
      ...fields,
    });
  /** As targeting starts it: on the condition that nothing was decided since the contact was read. */
  const startAbout = async (version: number) => {
    const { contact } = (await loadContact(database, team, idOf('p')))!;
    const at = `2027-01-01T00:00:0${version}.000000Z`;
    const journey = about({ inserted_at: at, updated_at: at });
    const writes = [
      judgedWrite(team, contact, version),
      ...insertionsOf(team, journey, contact.inserted_at, undefined),
    ];
    return (await database.transact(writes)) ? journey : undefined;
  };
  const all = async () => (await journeysOf('p')).map(({ id, account_id }) => ({ id, account_id }));

  const rule = [{ conditions: [{ field: 'product.type', operator: 'is_set' }] }];
  const put = (fields: object) => putContent(database, team, { templates: [{ id: templateId, ...fields }] });

  beforeEach(async () => {
    await open();
    await put({ journey_creation_strategy: 'ONE_FOR_ONE' });
    await post({ unique_id: 'p' });
  });

  test.each(['ONE_FOR_ONE', 'ONE_FOR_ALL', 'NO_JOURNEY', null])(
    'returns the newest of them, too, if the strategy is %s later',
    async (journey_creation_strategy) => {
      await put({ journey_creation_strategy: 'ONE_FOR_ONE', targeting_groups: rule });
      const started = [await startAbout(0), await startAbout(1)];
      await put({ journey_creation_strategy, targeting_groups: rule });
      const call = { contact: { id: idOf('p') }, change: {}, errors: [] };
      const { created, journey } = await createJourney(dependencies(), { teamId: team }, templateId, call);
      expect([created, journey.id]).toEqual([false, started[1]!.id]);
      expect((await all()).map(({ id }) => id)).toEqual(started.map((each) => each!.id));
    },
  );

  test('that targeting overtakes returns the journey of targeting, and starts no other', async () => {
    let started: Awaited<ReturnType<typeof startAbout>>;
    const overtaken = justBefore(
      database,
      (write) => write.kind === 'insert' && write.item.sk.startsWith('JOURNEY'),
      async () => {
        started = await startAbout(0);
      },
    );
    await upsertContact(dependencies(overtaken), team, record({ unique_id: 'p', ...named }));
    expect(await all()).toEqual([{ id: started!.id, account_id: started!.account_id }]);
  });

  test('that overtakes targeting is the one that starts', async () => {
    await post({ unique_id: 'p', ...named });
    expect(await startAbout(0)).toBe(undefined);
    expect(await all()).toEqual([{ id: expect.any(String), account_id: null }]);
  });
});

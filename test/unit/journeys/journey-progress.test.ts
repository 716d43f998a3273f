import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { reissueJourney } from '../../../bin/admin/operations/journeys/reissue-journey.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { confirmJourney } from '../../../lib/operations/journeys/confirm.ts';
import { createJourney } from '../../../lib/operations/journeys/create.ts';
import { listJourneys } from '../../../lib/operations/journeys/list.ts';
import { recordPageAction } from '../../../lib/operations/journeys/record-action.ts';
import {
  journeyKeyOfSlug,
  type OpenJourney,
  openJourney,
  proofUse,
  showJourney,
} from '../../../lib/operations/journeys/show.ts';
import { startJourneys } from '../../../lib/operations/journeys/start.ts';
import { importContent } from '../../../lib/operations/publishing/import-content.ts';
import { loadContacts } from '../../../lib/store/contacts/contacts.ts';
import { loadContactAggregate } from '../../../lib/store/journeys/journeys.ts';
import { bound, type Database, type Write } from '../../../lib/store/table/database.ts';
import { contactKey } from '../../../lib/store/table/keys.ts';
import { putContent } from '../../support/operations/content.ts';
import {
  database,
  dependencies,
  idOf,
  imported,
  journeysOf,
  open,
  post,
  team,
} from '../../support/operations/journey-operations.ts';
import { record } from '../../support/samples/contacts.ts';

const [firstId, secondId, openId] = [randomUUID(), randomUUID(), randomUUID()];
const page = (fields: object, order = 1) => ({ id: randomUUID(), order, page: { id: randomUUID(), ...fields } });
const survey = { id: randomUUID(), type: 'agreement', order: 1, data: { signatureBoxText: 'Sign' } };
const pageId = randomUUID();
const first = {
  id: firstId,
  name: 'First',
  template_pages: [page({ id: pageId, completion_condition: 'confirm', content_blocks: [survey] })],
};
const second = { id: secondId, name: 'Second', template_pages: [page({ completion_condition: 'view' })] };
const opening = {
  id: openId,
  name: 'Open',
  template_pages: [page({ completion_condition: 'open', completion_product_type: 'savings' })],
};
const put = (...templates: object[]) => putContent(database, team, { templates });
/** Each journey is a second newer than the one before. */
let started = 0;
const start = async (template = firstId) => {
  const using = { ...dependencies(), now: () => Date.now() + started * 1000 };
  started++;
  const request = { contact: record({ unique_id: 'p' }), change: {}, errors: [] };
  return (await createJourney(using, { teamId: team }, template, request)).journey;
};
const replace = (...templates: object[]) => {
  const made = { ...dependencies(), fits: () => true };
  return importContent(made, team, { templates } as never, { replaces: true });
};
const notFound = { code: 'not_found' };

beforeEach(async () => {
  await open();
  await put(first);
});

function countingContent() {
  const using = dependencies();
  const reads: string[] = [];
  const current = using.content.current.bind(using.content);
  using.content.current = (teamId) => {
    reads.push(teamId);
    return current(teamId);
  };
  return { reads, using };
}

describe('a list of journeys', () => {
  test('has those whose template was imported after the content was cached', async () => {
    const cached = dependencies();
    await cached.content.load(team);
    await put(second);
    await start(firstId);
    await start(secondId);
    const journeys = await listJourneys(cached, team, idOf('p'));
    expect(journeys.map(({ template_id }) => template_id)).toEqual([firstId, secondId]);
  });

  test('reads the content once if it has all templates', async () => {
    await start();
    const { reads, using } = countingContent();
    await listJourneys(using, team, idOf('p'));
    expect(reads).toHaveLength(1);
  });

  test('leaves out those whose template was removed', async () => {
    await put(second);
    await start(firstId);
    await start(secondId);
    await replace(second);
    expect((await journeysOf('p')).map(({ template_id }) => template_id)).toEqual([secondId]);
  });

  test('completes a page by an account, also beside a journey that needs none', async () => {
    await put(opening);
    await start(firstId);
    await start(openId);
    await imported({ account_number: '1', product: { code: 'S', type: 'savings' }, contact: { unique_id: 'p' } });
    const completed = (await journeysOf('p')).map(({ analytics_cache }) => analytics_cache.is_completed);
    expect(completed).toEqual([false, true]);
  });
});

const described = { product: { code: 'S', type: 'savings' } };
const linked = { contact: { unique_id: 'p' } };
test.each([
  ['link', described, linked],
  ['account', linked, described],
])('an account completes a page since it and its link were both stored, the %s last', async (_, earlier, later) => {
  await put(opening);
  await start(openId);
  await imported({ account_number: '1', ...earlier });
  await expect.poll(Date.now).toBeGreaterThan(Date.now() + 2);
  const between = timestamp(Date.now());
  await imported({ account_number: '1', ...later });
  await journeysOf('p');
  const { actions } = (await loadContactAggregate(database, team, idOf('p')))!.journeys[0]!;
  expect(actions.find(({ kind }) => kind === 'completed')!.at >= between).toBe(true);
});

describe('a journey page', () => {
  const view = (slug: string, page?: string, using = dependencies()) =>
    journeyKeyOfSlug(database, slug).then((key) => openJourney(using, key, { page }));

  test('is found if it was imported after the content was cached', async () => {
    const { slug } = await start();
    const cached = dependencies();
    await cached.content.load(team);
    const added = page({ completion_condition: 'view' }, 2);
    await put({ ...first, template_pages: [...first.template_pages, added] });
    expect(await view(slug, added.page.id, cached)).toMatchObject({ shown: { page: { id: added.page.id } } });
    expect(await view(slug, randomUUID(), cached)).toMatchObject({ closed: 'no_page', journey: { slug } });
  });

  test('reads the content once if it has the page', async () => {
    const { slug } = await start();
    const { reads, using } = countingContent();
    await view(slug, pageId, using);
    expect(reads).toHaveLength(1);
  });

  test('is that of the journey with this slug', async () => {
    await put(second);
    await start(firstId);
    const { id, slug } = await start(secondId);
    expect(await view(slug)).toMatchObject({ journey: { id }, template: { id: secondId } });
  });

  test('is not found without its template, its team or its contact', async () => {
    const { slug } = await start();
    const key = await journeyKeyOfSlug(database, slug);
    const without = (gone: Partial<Database>) => openJourney(dependencies({ ...bound(database), ...gone }), key);
    await expect(without({ get: async (keys) => keys.map(() => undefined) })).rejects.toMatchObject(notFound);
    await expect(without({ query: async () => ({ items: [] }) })).rejects.toMatchObject(notFound);
    await replace(second);
    await expect(view(slug)).rejects.toMatchObject(notFound);
  });

  test('without a name has none in another language either', async () => {
    await put({ ...first, name: null, translations: { es: { null: 'nulo' } } });
    const { slug } = await start();
    const key = await journeyKeyOfSlug(database, slug);
    expect(await openJourney(dependencies(), key, undefined, 'es')).toMatchObject({
      language: 'es',
      journey: { name: null },
    });
  });

  test('shows what was answered with a proof of identity only with a proof', async () => {
    const { slug } = await start();
    const answer = { block_id: survey.id, answer: 'accepted', typed_name: 'Ann' } as const;
    const action = { type: 'page_completed', page_id: pageId, answers: [answer] } as const;
    await recordPageAction(dependencies(), await journeyKeyOfSlug(database, slug), action, () => true);
    const shown = (await view(slug, pageId)) as OpenJourney;
    const [unproved] = (await showJourney(dependencies(), shown)).answers;
    expect(unproved).toMatchObject({ block_id: survey.id });
    expect(unproved).not.toHaveProperty('typed_name');
    const [proved] = (await showJourney(dependencies(), shown, true)).answers;
    expect(proved).toMatchObject({ block_id: survey.id, typed_name: 'Ann' });
  });

  test('asks for a proof of identity only if it shows more with one', async () => {
    const terms = { id: randomUUID(), type: 'agreement', order: 2, data: { agreementText: 'I agree' } };
    const answered = page({ id: pageId, completion_condition: 'confirm', content_blocks: [survey, terms] });
    await put({ ...first, template_pages: [answered] });
    const { slug } = await start();
    const uses = async () => {
      const shown = (await view(slug, pageId)) as OpenJourney;
      return [await proofUse(database, shown), (await showJourney(dependencies(), shown)).proofUse];
    };
    const answer = async (block_id: string, others: object = {}) => {
      const answers = [{ block_id, answer: 'accepted' as const, ...others }];
      const action = { type: 'page_completed', page_id: pageId, answers } as const;
      await recordPageAction(dependencies(), await journeyKeyOfSlug(database, slug), action, () => true);
    };
    expect(await uses()).toEqual([undefined, undefined]);
    await answer(terms.id);
    expect(await uses()).toEqual([undefined, undefined]);
    await answer(survey.id, { typed_name: 'Ann' });
    expect(await uses()).toEqual(['answers', 'answers']);
    await put({ ...first, is_auth_required: true, template_pages: [answered] });
    expect(await uses()).toEqual(['journey', 'journey']);
  });
});

describe('a journey that was deleted since its id was read', () => {
  test('is neither confirmed nor gets another slug', async () => {
    const { id } = await start();
    let reads = 0;
    const get: Database['get'] = (keys) => (reads++ === 0 ? database.get(keys) : Promise.resolve([undefined]));
    const gone = () => {
      reads = 0;
      return dependencies({ ...bound(database), get, query: async () => ({ items: [] }) });
    };
    await expect(reissueJourney(gone(), team, id)).rejects.toMatchObject(notFound);
    const journey = { templateId: firstId, journeyId: id };
    await expect(confirmJourney(gone(), team, journey, true)).rejects.toMatchObject(notFound);
  });
});

test('a confirmation that changes nothing is not written', async () => {
  const { id } = await start();
  const journey = { templateId: firstId, journeyId: id };
  await confirmJourney(dependencies(), team, journey, true);
  const write = () => Promise.reject(new Error('written'));
  const observed = dependencies({ ...bound(database), write });
  for (const isConfirmed of [true, false]) {
    expect(await confirmJourney(observed, team, journey, isConfirmed)).toMatchObject({ id });
  }
});

test('a journey is not created for a contact that is being renamed', async () => {
  await post({ unique_id: 'p' });
  await post({ unique_id: 'q' });
  const [own, other] = ['p', 'q'].map((uniqueId) => contactKey(team, idOf(uniqueId)));
  const get: Database['get'] = (keys) =>
    database.get(keys.map((key) => (key.pk === own!.pk && key.sk === own!.sk ? other! : key)));
  const request = { contact: record({ unique_id: 'p', id: idOf('p') }), change: {}, errors: [] };
  const created = createJourney(dependencies({ ...bound(database), get }), { teamId: team }, firstId, request);
  await expect(created).rejects.toMatchObject({ code: 'unavailable', message: 'the contact is being renamed' });
});

describe('starting journeys', () => {
  const starts = async (count: number, change = {}) => {
    const uniqueIds = Array.from({ length: count }, (_, n) => `p${n}`);
    for (const unique_id of uniqueIds) await post({ unique_id });
    const contacts = await loadContacts(database, team, uniqueIds.map(idOf));
    const template = {
      id: firstId,
      name: 'W',
      journey_creation_strategy: null,
      journey_duration_hours: null,
      template_messages: [],
    };
    return contacts.map((stored) => ({ contact: stored!.contact, template, change }));
  };
  const observedWith = (changes: Partial<Database> = {}) => {
    const transactions: number[] = [];
    const transact = (writes: readonly Write[]) => {
      transactions.push(writes.length);
      return (changes.transact ?? database.transact.bind(database))(writes);
    };
    return { transactions, using: dependencies({ ...bound(database), ...changes, transact }) };
  };

  test('sends only transactions with new journeys, of up to 25 each', async () => {
    const { transactions, using } = observedWith();
    expect(await startJourneys(using, team, [])).toEqual([]);
    await startJourneys(using, team, await starts(25));
    await startJourneys(using, team, await starts(26));
    await startJourneys(using, team, await starts(26, { name: 'Other' }));
    expect(transactions).toEqual([100, 4]);
  });

  test('updates those that exist, also after a lost race', async () => {
    const [before] = await startJourneys(dependencies(), team, await starts(1));
    let isFirst = true;
    const write: Database['write'] = async (writes) => {
      if (!isFirst) return database.write(writes);
      isFirst = false;
      await startJourneys(dependencies(), team, await starts(1, { owner_id: 'o' }));
      return database.write(writes);
    };
    const [after] = await startJourneys(observedWith({ write }).using, team, await starts(1, { name: 'Other' }));
    expect(after).toMatchObject({ created: false, journey: { id: before!.journey.id, name: 'Other', owner_id: 'o' } });
    expect(await startJourneys(dependencies(), team, await starts(1))).toEqual([{ ...after, changed: false }]);
  });
});

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { reissueJourney } from '../../../bin/admin/operations/journeys/reissue-journey.ts';
import { createJourney, type JourneyRequest } from '../../../lib/operations/journeys/create.ts';
import { recordPageAction } from '../../../lib/operations/journeys/record-action.ts';
import { listResponses } from '../../../lib/operations/journeys/responses.ts';
import { journeyKeyOfSlug } from '../../../lib/operations/journeys/show.ts';
import { bound } from '../../../lib/store/table/database.ts';
import { putContent } from '../../support/operations/content.ts';
import {
  act,
  database,
  dependencies,
  idOf,
  journeysOf,
  open,
  post,
  team,
} from '../../support/operations/journey-operations.ts';
import { record } from '../../support/samples/contacts.ts';

const templateId = randomUUID();
const archivedId = randomUUID();
const pages = { consent: randomUUID(), view: randomUUID(), open: randomUUID() };
const blockId = randomUUID();
const consent = {
  id: blockId,
  type: 'agree_disagree',
  order: 1,
  data: { agreementText: 'I agree', disagreeText: 'I do not' },
};
const page = (id: string, order: number, fields: object) => ({ id: randomUUID(), order, page: { id, ...fields } });

beforeEach(async () => {
  await open();
  const template_pages = [
    page(pages.consent, 1, { completion_condition: 'confirm', content_blocks: [consent] }),
    page(pages.view, 2, { completion_condition: 'view' }),
    page(pages.open, 3, { completion_condition: 'open', completion_product_type: 'savings' }),
  ];
  const live = { id: templateId, name: 'W', template_pages };
  const archived = { id: archivedId, name: 'Old', is_archived: true, template_pages: [] };
  await putContent(database, team, {
    objectives: [{ id: randomUUID(), key: 'enrolled' }],
    templates: [live, archived],
  });
});

const create = (contact: JourneyRequest['contact'], { template = templateId, errors = [] as object[] } = {}) =>
  createJourney(dependencies(), { teamId: team }, template, { contact, change: {}, errors: errors as never });
const journeyOf = async (uniqueId = 'p') => (await create(record({ unique_id: uniqueId }))).journey;
const losing = () => ({ ...dependencies(), database: { ...bound(database), transact: async () => false } });
const conflicting = { code: 'unavailable', message: 'too many conflicts on the journey' };
const invalid = (...details: object[]) => ({ code: 'validation_failed', details });
const archivedError = { path: 'template_id', message: 'names a template that is archived' };
const unknown = { path: '/contact/id', message: 'must be the id of an existing contact' };

describe('a journey', () => {
  test('is refused with all its errors', async () => {
    await post({ unique_id: 'p' });
    const own = { path: '/name', message: 'wrong' };
    await expect(create({ id: idOf('p') }, { template: archivedId })).rejects.toMatchObject(invalid(archivedError));
    await expect(create({ id: idOf('p') }, { errors: [own] })).rejects.toMatchObject(invalid(own));
    await expect(create({ id: randomUUID() })).rejects.toMatchObject(invalid(unknown));
    const both = create({ id: randomUUID() }, { template: archivedId, errors: [own] });
    await expect(both).rejects.toMatchObject(invalid(archivedError, own, unknown));
    const upserted = create(record({ unique_id: 'q', birthdate: 'x' }), { template: archivedId });
    await expect(upserted).rejects.toMatchObject({
      details: expect.arrayContaining([archivedError, expect.objectContaining({ path: '/contact/birthdate' })]),
    });
    expect(await journeysOf('p')).toEqual([]);
  });

  test('is refused if id and unique_id name different contacts', async () => {
    await post({ unique_id: 'p' });
    await post({ unique_id: 'q' });
    const path = '/contact/unique_id';
    const different = { path, message: 'must be the unique_id of the contact that id names' };
    await expect(create(record({ unique_id: 'q', id: idOf('p') }))).rejects.toMatchObject(invalid(different));
    await expect(create(record({ unique_id: 'new', id: idOf('new') }))).rejects.toMatchObject(invalid(unknown));
  });

  test('is refused if an objective stands beside an id alone, because its completion would be lost', async () => {
    await post({ unique_id: 'p' });
    const missing = { path: '/contact/unique_id', message: expect.stringContaining('is required') };
    await expect(create({ id: idOf('p'), unknown: { enrolled: true } })).rejects.toMatchObject(invalid(missing));
    expect(await journeysOf('p')).toEqual([]);
  });

  test('is created if id, in whatever case, and unique_id name one contact', async () => {
    await post({ unique_id: 'p' });
    await create(record({ unique_id: 'p', id: idOf('p').toUpperCase() }));
    expect(await journeysOf('p')).toHaveLength(1);
  });

  test('gets another slug', async () => {
    const journey = await journeyOf();
    const reissued = await reissueJourney(dependencies(), team, journey.id);
    expect(reissued).toMatchObject({ id: journey.id, slug: expect.not.stringMatching(journey.slug) });
    expect(await journeyKeyOfSlug(database, reissued.slug)).toMatchObject({ contactId: idOf('p') });
    await expect(journeyKeyOfSlug(database, journey.slug)).rejects.toMatchObject({ code: 'not_found' });
    await expect(reissueJourney(dependencies(), team, randomUUID())).rejects.toMatchObject({ code: 'not_found' });
    await expect(reissueJourney(losing(), team, journey.id)).rejects.toMatchObject(conflicting);
  });
});

describe('an action', () => {
  const answer = (given: string) => ({ block_id: blockId, answer: given, values: [] }) as never;
  const complete = (slug: string, page_id: string, ...answers: never[]) =>
    act(slug, { type: 'page_completed', page_id, answers });

  test('with an answer is stored, with one completion, although another one was faster', async () => {
    const { id, slug } = await journeyOf();
    const key = await journeyKeyOfSlug(database, slug);
    let isFirst = true;
    const racing = {
      ...bound(database),
      transact: async (writes: never) => {
        if (!isFirst) return database.transact(writes);
        isFirst = false;
        await complete(slug, pages.consent, answer('accepted'));
        return database.transact(writes);
      },
    };
    const action = { type: 'page_completed', page_id: pages.consent, answers: [answer('accepted')] } as const;
    await recordPageAction({ ...dependencies(), database: racing as never }, key, action, () => true);
    const { responses } = await listResponses(dependencies(), team, id);
    expect(responses.map(({ identity_proved }) => identity_proved).sort()).toEqual([false, true]);
  });
});

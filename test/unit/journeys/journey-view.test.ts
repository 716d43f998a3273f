import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { createJourney } from '../../../lib/operations/journeys/create.ts';
import { journeyKeyOfSlug, type OpenJourney, openJourney, showJourney } from '../../../lib/operations/journeys/show.ts';
import { putContent } from '../../support/operations/content.ts';
import { act, database, dependencies, imported, open, team } from '../../support/operations/journey-operations.ts';
import { record } from '../../support/samples/contacts.ts';

const templateId = randomUUID();
const text = (body: string) => ({ id: randomUUID(), type: 'text', order: 1, data: { body } });
const blocks = { template: text('About {{account.nickname}}'), first: text('First'), second: text('Second') };
const consent = { id: randomUUID(), type: 'agreement', order: 2, data: { agreementText: 'I agree' } };
const [firstId, secondId] = [randomUUID(), randomUUID()];
const page = (id: string, order: number, content_blocks: object[]) => ({
  id: randomUUID(),
  order,
  page: { id, completion_condition: 'confirm', content_blocks },
});

const put = (fields: object = {}) => {
  const template_pages = [page(firstId, 1, [blocks.first, consent]), page(secondId, 2, [blocks.second])];
  const template = { id: templateId, name: 'W', content_blocks: [blocks.template], template_pages, ...fields };
  return putContent(database, team, { templates: [template] });
};
let slug: string;
beforeEach(async () => {
  await open();
  await put();
  const contact = record({ unique_id: 'p' });
  const request = { contact, change: { name: 'For {{name_first}}' }, errors: [] };
  ({ slug } = (await createJourney(dependencies(), { teamId: team }, templateId, request)).journey);
});
const opened = async (asked: { page?: string | undefined; after?: string }) =>
  (await openJourney(dependencies(), await journeyKeyOfSlug(database, slug), asked)) as OpenJourney;
const view = (page?: string) => opened({ page });
const idsOf = ({ inLanguages }: OpenJourney) => inLanguages(undefined)[0]!.blocks.map(({ id }) => id);

describe('the view of a journey', () => {
  test('shows the blocks of the template on its first page only', async () => {
    expect(idsOf(await view())).toEqual([blocks.template.id, blocks.first.id, consent.id]);
    expect(idsOf(await view(firstId))).toEqual([blocks.template.id, blocks.first.id, consent.id]);
    expect(idsOf(await view(secondId))).toEqual([blocks.second.id]);
    await put({ content_block_status: 'draft' });
    expect(idsOf(await view())).toEqual([blocks.first.id, consent.id]);
  });

  test('knows the page that was asked for', async () => {
    expect((await view()).asked).toBeUndefined();
    expect((await view(secondId)).asked?.page.id).toBe(secondId);
    expect((await view(secondId)).shown.page.id).toBe(secondId);
  });

  test('has the name of the journey, or none', async () => {
    expect((await view()).journey).toMatchObject({ name: 'For {{name_first}}', slug });
  });

  test('is unavailable without a page', async () => {
    await put({ template_pages: [] });
    expect(await view()).toMatchObject({ closed: 'unavailable', journey: { slug }, template: { id: templateId } });
  });

  test('has the account only on a page that names it', async () => {
    const product = { code: 'P', type: 'checking' };
    await imported({ account_number: '1', nickname: 'N', product, contact: { unique_id: 'p' } });
    const shown = await showJourney(dependencies(), await view());
    expect(shown.account).toMatchObject({ account_number: '1' });
    expect((await showJourney(dependencies(), await view(secondId))).account).toBeUndefined();
  });

  test('knows the latest answer to the page that was just answered', async () => {
    const other = { ...consent, id: randomUUID(), order: 3 };
    await put({ template_pages: [page(firstId, 1, [consent, other]), page(secondId, 2, [blocks.second])] });
    for (const block_id of [other.id, consent.id])
      await act(slug, { type: 'page_completed', page_id: firstId, answers: [{ block_id, answer: 'accepted' }] });
    const { answered, shown } = await opened({ after: firstId });
    expect(answered).toMatchObject({ page: { id: firstId }, answer: { block_id: consent.id } });
    expect(shown.page.id).toBe(secondId);
  });

  test('has the latest answers of its page', async () => {
    expect((await showJourney(dependencies(), await view())).answers).toEqual([]);
    const answers = [{ block_id: consent.id, answer: 'accepted', values: [] }] as never;
    await act(slug, { type: 'page_completed', page_id: firstId, answers });
    const { answers: proved } = await showJourney(dependencies(), await view(firstId), true);
    expect(proved).toMatchObject([{ block_id: consent.id, answer: 'accepted' }]);
    const { answers: unproved } = await showJourney(dependencies(), await view(firstId));
    expect(unproved).toMatchObject([{ block_id: consent.id }]);
    expect((await showJourney(dependencies(), await view(secondId))).answers).toEqual([]);
  });
});

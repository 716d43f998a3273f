import { describe, expect, test } from 'vitest';
import { putContent } from '../../support/operations/content.ts';
import { embedding, pageFor } from '../../support/service/channels.ts';
import { service } from '../../support/service/service.ts';

/** Contract, section 10: nothing says accepted that was not, also after the text of an agreement was changed. */
const api = await service();
const note = 'This is what you agreed to. The text has changed since.';
const agreed = 'I agree to paper-free statements, {{name_first}}.';

/** A person who has agreed in a campaign of their own, whose text can be changed. */
async function person() {
  const { teamId, token } = await api.newTeam();
  const [templateId, pageId, blockId] = Array.from({ length: 3 }, () => crypto.randomUUID());
  const put = async (agreementText: string, more: object = {}) => {
    const data = { heading: 'Your consent', agreementText, acceptedConfirmationText: 'Yes!' };
    const content_blocks = [{ id: blockId, type: 'agreement', data }];
    const template_pages = [{ order: 1, page: { id: pageId, completion_condition: 'confirm', content_blocks } }];
    const template = { id: templateId, name: 'A', status: 'live', language: 'en', template_pages, ...more };
    await putContent(api.database, teamId, { templates: [template] });
  };
  await put(agreed);
  const body = { contact: { unique_id: 'c-1', name_first: 'Jana' } };
  const started = await api.request('POST', `/v1/templates/${templateId}/journeys`, { body, token });
  const answers = [{ block_id: blockId, answer: 'accepted' }];
  const action = { type: 'page_completed', page_id: pageId, answers };
  expect((await api.request('POST', `/j/${started.body.slug}/actions`, { body: action })).status).toBe(204);
  const shown = async (headers = {}): Promise<string> =>
    (await api.request('GET', `/j/${started.body.slug}?page=${pageId}`, { headers })).body;
  return { token, put, shown };
}

/** Functions cache content for five seconds, which the tests wait for at the same time. */
describe.concurrent('after an agreement', () => {
  test('the text of its block is shown while that is the same, also with other values in it', async ({ expect }) => {
    const { token, put, shown } = await person();
    await api.request('POST', '/v1/contacts', { body: { unique_id: 'c-1', name_first: 'Eva' }, token });
    const page = await shown();
    expect(page).toContain('paper-free statements, Eva.');
    expect(page).toContain('Yes!');
    expect(page).not.toContain(note);
    // A translation is the same text.
    await put(agreed, { translations: { es: { [agreed]: 'Acepto, {{name_first}}.' } } });
    const spanish = () => shown({ 'accept-language': 'es' });
    await expect.poll(spanish, { interval: 300 }).toContain('Acepto, Eva.');
    expect(await spanish()).not.toContain('statements');
  });

  test('a text of which a part was taken out is another text', async ({ expect }) => {
    const { put, shown } = await person();
    await put('I agree to paper-free statements');
    await expect.poll(shown, { interval: 300 }).toContain(note);
    expect(await shown()).toContain('I agree to paper-free statements, Jana.');
  });

  test('under another text, the page shows what was agreed to, and nothing of the other text', async ({ expect }) => {
    const { put, shown } = await person();
    await put('I want news by email.');
    await expect.poll(shown, { interval: 300 }).toContain(note);
    const page = await shown();
    expect(page).toContain('I agree to paper-free statements, Jana.');
    expect(page).toContain('Thank you. Your answer is recorded.');
    expect(page).not.toContain('I want news by email.');
    expect(page).not.toContain('Yes!');
  });

  test('content of a channel shows what was agreed to in it, too', async ({ expect }) => {
    const block = (agreementText: string) => ({
      ...{ id: crypto.randomUUID(), type: 'agreement' },
      data: { agreementText, acceptedConfirmationText: 'Yes!' },
    });
    const before = block(agreed);
    const bank = await embedding(api, (channel) => [
      pageFor(channel, 'confirm', { container: { content_blocks: [before] } }),
    ]);
    const { path } = await bank.person({ name_first: 'Jana' });
    const answers = [{ block_id: before.id, answer: 'accepted' }];
    const body = { type: 'page_completed', page_id: bank.pages[0]!.id, answers };
    expect(await api.request('POST', `${path}/actions`, { body })).toMatchObject({ status: 204 });
    const content = async (): Promise<string> => (await api.request('GET', path)).body;
    expect(await content()).not.toContain(note);
    const [page] = bank.pages as [(typeof bank.pages)[number]];
    const [container] = page.content_containers as [object];
    const changed = { ...container, content_blocks: [{ ...before, data: block('I want news by email.').data }] };
    const template_pages = [{ order: 0, page: { ...page, content_containers: [changed] } }];
    await bank.put({ template: { template_pages } });
    await expect.poll(content, { interval: 300 }).toContain(note);
    expect(await content()).toContain('I agree to paper-free statements, Jana.');
    expect(await content()).not.toMatch(/I want news by email|Yes!/);
  });
});

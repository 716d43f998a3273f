import { beforeAll, expect, test } from 'vitest';
import { embedding, pageFor } from '../support/channels.ts';
import { putContent } from '../support/content.ts';
import { service, type TestTeam } from '../support/service.ts';

/** Contract, section 10: nothing says accepted that was not, also after the text of an agreement was changed. */
const api = await service();
const [templateId, pageId, blockId] = Array.from({ length: 3 }, () => crypto.randomUUID());
const note = 'This is what you agreed to. The text has changed since.';
const agreed = 'I agree to paper-free statements, {{name_first}}.';

let team: TestTeam;
let url: string;

async function put(agreementText: string, more: object = {}): Promise<void> {
  const ready = { is_live: true, content_block_status: 'published' };
  const data = { heading: 'Your consent', agreementText, acceptedConfirmationText: 'Yes!' };
  const content_blocks = [{ id: blockId, type: 'agreement', data }];
  const page = { ...ready, id: pageId, completion_condition: 'confirm', content_blocks };
  const template_pages = [{ order: 1, page }];
  const template = { id: templateId, name: 'A', status: 'live', language: 'en', template_pages, ...more };
  await putContent(api.database, team.teamId, { templates: [template] });
}

const shown = async (headers = {}): Promise<string> => (await api.request('GET', url, { headers })).body;

/** Functions cache content for five seconds. */
const seen = (headers = {}) => expect.poll(() => shown(headers), { timeout: 30_000 });

beforeAll(async () => {
  team = await api.newTeam();
  const { token } = team;
  await put(agreed);
  const body = { contact: { unique_id: 'c-1', name_first: 'Jana' } };
  const started = await api.request('POST', `/v1/templates/${templateId}/journeys`, { body, token });
  url = `/j/${started.body.slug}?page=${pageId}`;
  const answers = [{ block_id: blockId, answer: 'accepted' }];
  const action = { type: 'page_completed', page_id: pageId, answers };
  expect((await api.request('POST', `/j/${started.body.slug}/actions`, { body: action })).status).toBe(204);
});

test('an answer is shown with the text of its block while that is the same, also with other values in it', async () => {
  await api.request('POST', '/v1/contacts', { body: { unique_id: 'c-1', name_first: 'Eva' }, token: team.token });
  const page = await shown();
  expect(page).toContain('paper-free statements, Eva.');
  expect(page).toContain('Yes!');
  expect(page).not.toContain(note);
});

test('a translation is the same text', async () => {
  await put(agreed, { translations: { es: { [agreed]: 'Acepto, {{name_first}}.' } } });
  await seen({ 'accept-language': 'es' }).toContain('Acepto, Eva.');
  expect(await shown({ 'accept-language': 'es' })).not.toContain('statements');
});

test('a text of which a part was taken out is another text', async () => {
  await put('I agree to paper-free statements');
  await seen().toContain(note);
  expect(await shown()).toContain('I agree to paper-free statements, Jana.');
});

test('after another text is imported, the page shows what was agreed to, and nothing of the other text', async () => {
  await put('I want news by email.');
  await seen().toContain(note);
  const page = await shown();
  expect(page).toContain('I agree to paper-free statements, Jana.');
  expect(page).toContain('Thank you. Your answer is recorded.');
  expect(page).not.toContain('I want news by email.');
  expect(page).not.toContain('Yes!');
});

test('content of a channel shows what was agreed to in it, too', async () => {
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
  await expect.poll(content, { timeout: 30_000 }).toContain(note);
  expect(await content()).toContain('I agree to paper-free statements, Jana.');
  expect(await content()).not.toMatch(/I want news by email|Yes!/);
});

import { describe, expect, test } from 'vitest';
import { embedding, pageFor } from '../../support/service/channels.ts';
import { campaign, testPage } from '../../support/service/journeys.ts';
import { service } from '../../support/service/service.ts';

const api = await service();
const get = async (path: string, headers: Record<string, string> = {}) =>
  (await (await fetch(new URL(path, api.baseUrl), { headers })).text()) as string;

const consent = { agreementText: 'I agree to what stands in the document, {{name_first}}.' };
const pages = [
  testPage('confirm', {
    navigation_title: 'Agree',
    content_blocks: [
      { type: 'text', order: 1, data: { heading: 'Hello {{name_first}}' } },
      { type: 'agreement', order: 2, id: crypto.randomUUID(), data: consent },
    ],
  }),
];
const translations = {
  es: {
    Campaign: 'Campaña',
    'Hello {{name_first}}': 'Hola {{name_first}}',
    [consent.agreementText]: 'Acepto todo lo que dice este documento, {{name_first}}.',
  },
  ar: { 'Hello {{name_first}}': 'مرحبًا {{name_first}}' },
};

describe('a template with translations', () => {
  const start = async (contact: object = {}, template: object = {}) =>
    (await campaign(api, pages, { translations, ...template })).start({ name_first: 'Ana', ...contact });

  test.each([
    ['the language of the contact', { meta_public: { language: 'es-MX' } }, 'ar', 'es', 'Hola Ana'],
    ['else that of the browser', {}, 'fr, ar-EG;q=0.9, es;q=0.2', 'ar', 'مرحبًا <bdi>Ana</bdi>'],
    ['else its own', { meta_public: { language: 'fr' } }, 'de', 'en', 'Hello Ana'],
    ['its own for a contact who has it', { meta_public: { language: 'en-GB' } }, 'es', 'en', 'Hello Ana'],
  ])('is shown in %s', async (_, contact, browser, language, text) => {
    const { url } = await start(contact);
    const html = await get(url, { 'accept-language': browser });
    expect(html).toContain(`<html lang="${language}"`);
    expect(html).toContain(`<h2>${text}</h2>`);
  });

  test('has its name and the words of the page in that language, and its other texts as they are', async () => {
    const html = await get((await start()).url, { 'accept-language': 'es' });
    expect(html).toMatch(/<h1>Campaña<\/h1>/);
    expect(html).toContain('<button class="button">Acepto</button>');
    expect(html).toContain('<title>Agree · Campaña');
  });

  test('stores an answer with the text that was shown', async () => {
    const of = await campaign(api, pages, { translations });
    const journey = await of.start({ name_first: 'Ana', meta_public: { language: 'es' } });
    const block = (pages[0]!.content_blocks as { id: string }[])[1]!;
    const answers = [{ block_id: block.id, answer: 'accepted' }];
    const body = { type: 'page_completed', page_id: pages[0]!.id, answers };
    expect((await api.request('POST', `/j/${journey.slug}/actions`, { body })).status).toBe(204);
    const { body: listed } = await api.request('GET', `/v1/journeys?contact_id=${journey.contactId}`, {
      token: of.token,
    });
    const kept = await api.request('GET', `/v1/journeys/${listed[0].id}/responses`, { token: of.token });
    expect(kept.body.responses[0].text).toBe('Acepto todo lo que dice este documento, Ana.');
  });
});

test('a page asks for a proof of identity where its translation shows a private value, and not in other languages', async () => {
  const block = { id: crypto.randomUUID(), type: 'agreement', data: { agreementText: 'I agree' } };
  const page = testPage('confirm', { content_blocks: [block, { type: 'text', data: { body: 'Your limit' } }] });
  const es = { 'Your limit': 'Su límite: {{meta_private.limit}}' };
  const { start } = await campaign(api, [page], { language: 'en', translations: { es } });
  const { slug } = await start({
    birthdate: '1985-03-27',
    post_code: '94110',
    meta_private: { limit: 'seven thousand' },
  });
  const shown = (language: string) => get(`/j/${slug}`, { 'accept-language': language });
  expect(await shown('en')).not.toContain('/identity');
  const spanish = await shown('es');
  expect(spanish).toContain('/identity');
  expect(spanish).not.toContain('seven thousand');
  const complete = async (more: object, language: string) => {
    const answers = [{ block_id: block.id, answer: 'accepted' }];
    const body = { type: 'page_completed', page_id: page.id, answers, ...more };
    return (await api.request('POST', `/j/${slug}/actions`, { body, headers: { 'accept-language': language } })).status;
  };
  expect(await complete({}, 'es')).toBe(403);
  // The language in which the page was shown counts, not that of the request.
  expect([await complete({ language: 'es' }, 'en'), await complete({ language: 'en' }, 'es')]).toEqual([403, 204]);
});

test('the content of a channel is in the language of the contact', async () => {
  const blocks = [{ type: 'text', data: { heading: 'Your card' } }];
  const own = await embedding(
    api,
    (id) => [pageFor(id, 'view', { navigation_title: 'Card', container: { content_blocks: blocks } })],
    { show_navigation: true },
    { translations: { es: { 'Your card': 'Su tarjeta', Card: 'Tarjeta' } } },
  );
  const html = await get((await own.person({ meta_public: { language: 'es' } })).url);
  expect(html).toContain('<h2>Su tarjeta</h2>');
  expect(html).toContain('<h1 class="unseen">Tarjeta</h1>');
  expect(html).toContain('<html lang="es"');
});

import { describe, expect, test } from 'vitest';
import { teamKey } from '../../../lib/store/table/keys.ts';
import { embedding, pageFor } from '../../support/service/channels.ts';
import { campaign, testPage } from '../../support/service/journeys.ts';
import { service } from '../../support/service/service.ts';

const api = await service();

const page = async (path: string, language?: string) => {
  const headers: Record<string, string> = language === undefined ? {} : { 'accept-language': language };
  const { status, headers: given, body } = await api.request('GET', path, { headers });
  const [, tag, direction] = /<html lang="([^"]*)" dir="([^"]*)">/.exec(body) ?? [];
  return { status, tag, direction, varies: given.get('vary')?.includes('accept-language') ?? false, body };
};
const german = { status: 200, tag: 'de-AT', direction: 'ltr', varies: false };

describe('a page is in the language', () => {
  test('of its template, whatever the browser asks for', async () => {
    const { start } = await campaign(api, [testPage('confirm')], { language: 'de-at' });
    const { slug } = await start();
    const { body, ...rest } = await page(`/j/${slug}`, 'fr');
    expect(rest).toEqual(german);
    expect(body).toContain('>Bestätigen</button>');
  });

  test('of its template where it asks who the person is', async () => {
    const { start } = await campaign(api, [testPage('view')], { language: 'ar', is_auth_required: true });
    const { slug } = await start({ birthdate: '1985-03-27', post_code: '11000' });
    const asked = await page(`/j/${slug}`);
    expect(asked).toMatchObject({ status: 200, tag: 'ar', direction: 'rtl' });
    const answers = new URLSearchParams({ birth_day: '٢٧', birth_month: '٣', birth_year: '١٩٨٥', post_code: '١١٠٠٠' });
    const proved = await fetch(`${api.baseUrl}/j/${slug}/identity`, {
      method: 'POST',
      body: answers,
      redirect: 'manual',
      headers: { origin: api.baseUrl },
    });
    expect(proved.status).toBe(303);
  });

  test('of its template where it says why there is nothing to see', async () => {
    const journeys = await campaign(api, [testPage('view')], { language: 'cs' });
    const { slug } = await journeys.start();
    await journeys.put({ is_archived: true });
    const archived = await page(`/j/${slug}`, 'de');
    expect(archived).toMatchObject({ status: 410, tag: 'cs', varies: false });
    expect(archived.body).toContain('Tato nabídka skončila');
  });

  test('of its team where the template names none, in the frame of a channel too', async () => {
    const pagesOf = (channelId: string) => [pageFor(channelId, 'confirm', { container: {} })];
    const french = async (template: object = {}) => {
      const made = await embedding(api, pagesOf, { show_navigation: true }, { ...template });
      const set = { language: 'fr' };
      await api.database.write([{ kind: 'update', key: teamKey(made.teamId), set, expect: {} }]);
      return made;
    };
    const { person, search } = await french();
    const { path, journeyUrl } = await person();
    const framed = await page(path, 'de');
    expect(framed).toMatchObject({ status: 200, tag: 'fr' });
    expect(framed.body).toContain('Voir toutes les étapes');
    expect(await page(new URL(journeyUrl).pathname, 'de')).toMatchObject({ status: 200, tag: 'fr' });
    expect(await page((await search(crypto.randomUUID())).path, 'de')).toMatchObject({ status: 200, tag: 'fr' });
    expect(await page((await (await french({ language: 'es' })).person()).path)).toMatchObject({ tag: 'es' });
  });

  test('of the browser where nobody knows whose it is', async () => {
    const unknown = `/j/${'A'.repeat(24)}`;
    expect(await page(unknown, 'pl, ar;q=0.8, en;q=0.1')).toMatchObject({ tag: 'ar', direction: 'rtl', varies: true });
    expect(await page(unknown, 'pl')).toMatchObject({ status: 404, tag: 'en', varies: true });
    expect(await page(unknown)).toMatchObject({ status: 404, tag: 'en', varies: true });
    const framed = await page(`/c/${crypto.randomUUID()}/nothing`, 'es-MX');
    expect(framed).toMatchObject({ status: 404, tag: 'es', varies: true });
    expect(framed.body).toContain('Aquí no hay nada que mostrar');
    const foreign = await fetch(`${api.baseUrl}/j/${'A'.repeat(24)}/identity`, {
      method: 'POST',
      body: new URLSearchParams(),
      headers: { origin: 'https://other.example', 'accept-language': 'de' },
    });
    expect([foreign.status, foreign.headers.get('vary')]).toEqual([403, expect.stringContaining('accept-language')]);
    expect(await foreign.text()).toContain('Dieses Formular wurde von einer anderen Seite gesendet');
  });
});

test('the API shows no language: the specification lists none', async () => {
  const { start, token } = await campaign(api, [testPage('view')], { language: 'es' });
  const { contactId } = await start();
  const { body } = await api.request('GET', '/v1/templates', { token });
  const [template] = body.templates;
  const { body: single } = await api.request('GET', `/v1/templates/${template.id}`, { token });
  const { body: journeys } = await api.request('GET', `/v1/journeys?contact_id=${contactId}`, { token });
  for (const shown of [template, single.template, journeys[0].template]) {
    expect(shown).toHaveProperty('layout_basis');
    expect(shown).not.toHaveProperty('language');
  }
});

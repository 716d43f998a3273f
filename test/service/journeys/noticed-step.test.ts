import { expect, test } from 'vitest';
import { putContent } from '../../support/operations/content.ts';
import { service } from '../../support/service/service.ts';

/** Steps that something elsewhere completes: there is nothing to press on the page. */
const api = await service();
const { teamId, token } = await api.newTeam();
const id = () => crypto.randomUUID();
const [objective, templateId] = [id(), id()];
const page = { completion_condition: 'objective', objective_id: objective };
const pages = {
  plain: { id: id(), ...page },
  linked: { id: id(), ...page, cta: { text: 'How to', url: 'https://bank.example' } },
  own: { id: id(), ...page, cta: { text: 'It takes {{name_first}} two days' } },
  account: { id: id(), completion_condition: 'open', completion_product_type: 'checking' },
  confirm: { id: id(), completion_condition: 'confirm' },
};
const put = (language: string) =>
  putContent(api.database, teamId, {
    objectives: [{ id: objective, key: 'paycheck' }],
    templates: [
      { id: templateId, name: 'Steps', language, template_pages: Object.values(pages).map((page) => ({ page })) },
    ],
  });
const post = async (path: string, body: object) => (await api.request('POST', path, { token, body })).body;

test('says that it is noticed when it is done, in the words of the page, until it is done', async () => {
  await put('en');
  const { slug } = await post(`/v1/templates/${templateId}/journeys`, {
    contact: { unique_id: 'a', name_first: 'Ann' },
  });
  const body = async (name: keyof typeof pages) =>
    (await api.request('GET', `/j/${slug}?page=${pages[name].id}`)).body as string;
  const noticed = 'We notice when this is done.';
  for (const name of ['plain', 'linked', 'account'] as const) expect(await body(name)).toContain(noticed);
  expect(await body('linked')).toContain('href="https://bank.example/"');
  expect(await body('own')).toContain('<p class="note">It takes Ann two days</p>');
  for (const name of ['own', 'confirm'] as const) expect(await body(name)).not.toContain(noticed);
  await post('/v1/contacts', { unique_id: 'a', paycheck: 'done' });
  for (const name of ['plain', 'own'] as const) expect(await body(name)).not.toContain('<p class="note">');
});

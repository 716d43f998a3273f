import { describe, expect, test } from 'vitest';
import { putContent } from '../../support/operations/content.ts';
import { journeyRequests, page, template } from './journey-requests.ts';

const { api, team, pages, act, progress, journey } = await journeyRequests();

describe('POST /j/:slug/actions', () => {
  test('refuses a form of more fields than any page has, before it is read', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { slug } = await journey();
    const answer = await api.request('POST', `/j/${slug}/actions`, { body: '%41&'.repeat(4000), headers });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });

  test('takes the id of the page in upper case, too', async () => {
    const { slug, contact_id } = await journey();
    expect((await act(slug, 'page_viewed', pages.read.id.toUpperCase())).status).toBe(204);
    expect((await progress(contact_id)).pages_viewed).toEqual([pages.read.id]);
  });

  test('looks at the slug before the body', async () => {
    expect((await api.request('POST', '/j/none/actions', { body: 'no JSON' })).status).toBe(404);
  });

  test('thirty page events at once lose none', async () => {
    const many = template(
      'Many',
      Array.from({ length: 15 }, () => page('confirm')),
    );
    await putContent(api.database, team.teamId, { templates: [many] });
    const { slug, contact_id } = await journey(many);
    const ids = many.template_pages.map((each) => each.page.id);
    const answers = await Promise.all(
      ids.flatMap((id) => [act(slug, 'page_viewed', id), act(slug, 'page_completed', id)]),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    expect(await progress(contact_id)).toMatchObject({
      is_completed: true,
      is_completely_viewed: true,
      pages_completed: ids,
      pages_viewed: ids,
    });
  });
});

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { upsertContact } from '../../lib/operations/contacts/upsert.ts';
import { loadContactAggregate } from '../../lib/store/journeys.ts';
import { contactDependencies, record } from '../support/contacts.ts';
import { putContent } from '../support/content.ts';
import { faults, journeyRequests, nothingYet, page, person, template } from '../support/journey-requests.ts';
import type { TestRequest } from '../support/service.ts';

const { api, team, pages, welcome, plain, journeysOf, confirm, act, progress, journey } = await journeyRequests();

describe('POST /j/:slug/actions', () => {
  test('refuses a form of more fields than any page has, before it is read', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { slug } = await journey();
    const started = performance.now();
    const answer = await api.request('POST', `/j/${slug}/actions`, { body: '%41&'.repeat(4000), headers });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test('needs no token, and answers 204 to JSON', async () => {
    const { slug, contact_id } = await journey();
    const { status, body } = await act(slug, 'page_viewed', pages.read.id);
    expect([status, body]).toEqual([204, undefined]);
    expect(await progress(contact_id)).toEqual({
      ...nothingYet,
      last_viewed: expect.any(String),
      pages_viewed: [pages.read.id],
    });
  });

  test('takes the id of the page in upper case, too', async () => {
    const { slug, contact_id } = await journey();
    expect((await act(slug, 'page_viewed', pages.read.id.toUpperCase())).status).toBe(204);
    expect((await progress(contact_id)).pages_viewed).toEqual([pages.read.id]);
  });

  test('answers a form with 303 back to the page', async () => {
    const { slug, web_client_url, contact_id } = await journey();
    const body = new URLSearchParams({ type: 'page_completed', page_id: pages.confirm.id, button: 'OK' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await api.request('POST', `/j/${slug}/actions`, { body, headers });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(web_client_url);
    expect((await progress(contact_id)).pages_completed).toEqual([pages.confirm.id]);
  });

  test('counts each action once a page', async () => {
    const { slug, contact_id } = await journey();
    await act(slug, 'page_viewed', pages.view.id);
    const first = await progress(contact_id);
    await sleep(2);
    await act(slug, 'page_viewed', pages.view.id);
    const again = await progress(contact_id);
    expect(again).toEqual({ ...first, last_viewed: expect.any(String) });
    expect(again.last_viewed > first.last_viewed).toBe(true);
  });

  test('moves updated_at with every view, completion and confirmation', async () => {
    const { slug, id, contact_id } = await journey();
    const changed = async () => (await journeysOf(contact_id))[0].updated_at as string;
    const times = [await changed()];
    for (const step of [
      () => act(slug, 'page_viewed', pages.read.id),
      () => act(slug, 'page_viewed', pages.read.id),
      () => act(slug, 'page_completed', pages.action.id),
      () => confirm(welcome, id, { is_completion_confirmed: true }),
    ]) {
      await sleep(2);
      await step();
      times.push(await changed());
    }
    expect(times).toEqual([...new Set(times)].sort());
    expect(times).toHaveLength(5);
    await act(slug, 'page_completed', pages.action.id);
    expect(await changed()).toBe(times.at(-1));
  });

  test('refuses what comes from another site, as JSON and as a form', async () => {
    const { slug, contact_id } = await journey();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const fields = `type=page_completed&page_id=${pages.confirm.id}`;
    for (const site of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://elsewhere.example' }]) {
      const json = { body: { type: 'page_completed', page_id: pages.confirm.id }, headers: { ...site } };
      for (const request of [json, { body: fields, headers: { ...site, ...form } }]) {
        const refused = await api.request('POST', `/j/${slug}/actions`, request as TestRequest);
        expect([refused.status, refused.body.error]).toEqual([403, 'forbidden']);
      }
    }
    expect((await progress(contact_id)).pages_completed).toEqual([]);
    const own = { 'sec-fetch-site': 'same-origin', origin: 'null', ...form };
    expect((await api.request('POST', `/j/${slug}/actions`, { body: fields, headers: own })).status).toBe(303);
  });

  test('looks at the slug before the body', async () => {
    expect((await api.request('POST', '/j/none/actions', { body: 'no JSON' })).status).toBe(404);
  });

  const states: [number, string, object, object][] = [
    [410, 'gone', { journey_duration_hours: 0 }, {}],
    [410, 'gone', { is_archived: true }, {}],
    [404, 'not_found', { is_muted: true }, {}],
    [404, 'not_found', {}, { is_archived: true }],
    [404, 'not_found', {}, { content_block_status: 'draft' }],
    [404, 'not_found', {}, { is_live: false }],
  ];
  test('takes nothing where the page would not be shown', async () => {
    const own = await api.newTeam();
    const started = await Promise.all(
      states.map(async ([status, error, changes, ofPage]) => {
        const [target, other] = [page('confirm'), page(null)];
        const before = template('Before', [target, other]);
        const changed = template('After', [{ ...target, ...ofPage }, other], changes);
        return { status, error, target, before, after: { ...changed, id: before.id } };
      }),
    );
    const put = (templates: object[]) => putContent(api.database, own.teamId, { templates });
    await put(started.map(({ before }) => before));
    const slugs = await Promise.all(
      started.map(async ({ before }) => {
        // Not by the service, which would cache this content for some seconds.
        const contact = record({ ...person(), journey: { template_id: before.id } });
        const made = await upsertContact(contactDependencies(api.database), own.teamId, contact);
        const file = await loadContactAggregate(api.database, own.teamId, made.contact.id);
        return file!.journeys[0]!.journey.slug;
      }),
    );
    await put(started.map(({ after }) => after));
    for (const [n, { status, error, target }] of started.entries()) {
      for (const type of ['page_viewed', 'page_completed']) {
        const refused = await act(slugs[n]!, type, target.id);
        expect([refused.status, refused.body.error]).toEqual([status, error]);
      }
    }
  });

  test('is 404 for an unknown slug or page, and for a page of another template', async () => {
    const { slug } = await journey();
    expect((await act('A'.repeat(24), 'page_viewed', pages.view.id)).status).toBe(404);
    expect((await act('none', 'page_viewed', pages.view.id)).status).toBe(404);
    expect((await act(slug, 'page_viewed', randomUUID())).status).toBe(404);
    expect((await act(slug, 'page_viewed', plain.template_pages[0]!.page.id)).status).toBe(404);
  });

  test('is 422 for another type, and for a page_id that is no string', async () => {
    const { slug } = await journey();
    expect(faults(await act(slug, 'journey_completed', pages.view.id))).toEqual(['/type']);
    expect(faults(await act(slug, 'page_viewed', 5))).toEqual(['/page_id']);
    expect(faults(await api.request('POST', `/j/${slug}/actions`, { body: {} })).sort()).toEqual(['/page_id', '/type']);
  });

  test('is 400 for a body that is not JSON and 415 for another type of body', async () => {
    const { slug } = await journey();
    expect((await api.request('POST', `/j/${slug}/actions`, { body: '{' })).status).toBe(400);
    const headers = { 'content-type': 'text/plain' };
    expect((await api.request('POST', `/j/${slug}/actions`, { body: 'x', headers })).status).toBe(415);
  });

  test('cannot complete a page whose condition is not view, confirm or action: 422', async () => {
    const objective = { id: randomUUID(), key: `key-${randomUUID()}` };
    const others = [
      page(null),
      page('objective', { objective_id: objective.id }),
      page('open', { completion_product_type: 'loan' }),
    ];
    const own = template('Others', others);
    await putContent(api.database, team.teamId, { objectives: [objective], templates: [own] });
    const { slug, contact_id } = await journey(own);
    for (const each of others) expect(faults(await act(slug, 'page_completed', each.id))).toEqual(['/page_id']);
    for (const each of others) expect((await act(slug, 'page_viewed', each.id)).status).toBe(204);
    expect(await progress(contact_id)).toMatchObject({ is_completely_viewed: true, pages_completed: [] });
  });

  test('a hundred page events at once lose none', async () => {
    const many = template(
      'Many',
      Array.from({ length: 50 }, () => page('confirm')),
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

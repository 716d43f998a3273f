import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { contentCachedFor } from '../../lib/store/content.ts';
import { derivedContactId } from '../../lib/store/keys.ts';
import { putContent } from '../support/content.ts';
import { service, type TestRequest, type TestService, type TestTeam } from '../support/service.ts';

let api: TestService;
let team: TestTeam;

beforeAll(async () => {
  api = await service();
  team = await api.newTeam();
  await putContent(api.database, team.teamId, { templates: [welcome, plain, archived] });
});

const send = (method: string, path: string, body?: unknown, token = team.token) =>
  api.request(method, path, { token, ...(body === undefined ? {} : { body }) } as TestRequest);
const start = (template: { id: string }, body: unknown, token?: string) =>
  send('POST', `/v1/templates/${template.id}/journeys`, body, token);
const journeysOf = async (contactId: string, token?: string) =>
  (await send('GET', `/v1/journeys?contact_id=${contactId}`, undefined, token)).body;
const confirm = (template: { id: string }, id: string, body: unknown) =>
  send('PUT', `/v1/templates/${template.id}/journeys/${id}`, body);
const act = (slug: string, type: string, page_id: unknown) =>
  api.request('POST', `/j/${slug}/actions`, { body: { type, page_id } });
const faults = ({ status, body }: { status: number; body: { details?: { path: string }[] } }) => {
  expect(status).toBe(422);
  return body.details!.map(({ path }) => path);
};

type Page = { id: string; completion_condition?: string | null; [field: string]: unknown };
const page = (completion_condition: string | null, fields: object = {}): Page => ({
  id: randomUUID(),
  completion_condition,
  ...fields,
});
const template = (name: string, pages: Page[], fields: object = {}) => ({
  id: randomUUID(),
  name,
  template_pages: pages.map((each, order) => ({ id: randomUUID(), order, page: each })),
  ...fields,
});

const pages = { view: page('view'), confirm: page('confirm'), action: page('action'), read: page(null) };
const welcome = template('Welcome', Object.values(pages));
const plain = template('Plain', [page(null)]);
const archived = template('Gone', [], { is_archived: true });
const nothingYet = {
  is_completed: false,
  is_completely_viewed: false,
  last_viewed: null,
  pages_completed: [],
  pages_viewed: [],
};

let people = 0;
const person = () => ({ unique_id: `person-${++people}` });
/** A fresh contact with its journey. */
async function journey(of: { id: string } = welcome, body: object = {}) {
  const contact = person();
  const { status, body: started } = await start(of, { contact, ...body });
  expect(status).toBe(201);
  const { body: found } = await send('POST', '/v1/contacts', contact);
  return { ...started, contact_id: found.id as string, unique_id: contact.unique_id };
}
const progress = async (contactId: string) => (await journeysOf(contactId))[0].analytics_cache;

describe('POST /v1/templates/:template_id/journeys', () => {
  test('needs a contact', async () => {
    expect(faults(await start(welcome, {}))).toEqual(['/contact']);
    expect(faults(await start(welcome, { contact: null }))).toEqual(['/contact']);
    expect(faults(await start(welcome, { contact: [] }))).toEqual(['/contact']);
    expect(faults(await start(welcome, { contact: {} }))).toEqual(['/contact/unique_id']);
  });

  test('upserts the contact by the contact rules', async () => {
    const { unique_id } = person();
    const created = await start(welcome, { contact: { unique_id, phone_mobile: '(555) 123-4567' } });
    expect(created.status).toBe(201);
    const updated = await start(welcome, { contact: { unique_id, city: 'Tabor', nonsense: 1 } });
    expect(updated.status).toBe(200);
    const { body } = await send('POST', '/v1/contacts', { unique_id });
    expect(body).toMatchObject({ phone_mobile: '15551234567', city: 'Tabor' });
    const byEmail = await start(welcome, { contact: { email: `${unique_id}@example.com` } });
    expect(byEmail.status).toBe(201);
  });

  test('takes an id alone, which names a contact that exists', async () => {
    const { body: contact } = await send('POST', '/v1/contacts', person());
    const answer = await start(welcome, { contact: { id: contact.id.toUpperCase() } });
    expect(answer.status).toBe(201);
    expect(await journeysOf(contact.id)).toHaveLength(1);
  });

  test('takes an id beside other fields only where it is that of the contact that unique_id names', async () => {
    const contact = person();
    expect(faults(await start(welcome, { contact: { ...contact, id: randomUUID() } }))).toEqual(['/contact/unique_id']);
    expect(faults(await start(welcome, { contact: { ...contact, id: 'x' }, name: 5 })).sort()).toEqual([
      '/contact/unique_id',
      '/name',
    ]);
    const own = derivedContactId(team.teamId, contact.unique_id);
    expect(faults(await start(welcome, { contact: { ...contact, id: own } }))).toEqual(['/contact/id']);
    const { status, body } = await send('POST', '/v1/contacts', contact);
    expect([status, body.id]).toEqual([201, own]);
    const other = await send('POST', '/v1/contacts', person());
    expect(faults(await start(welcome, { contact: { ...contact, id: other.body.id } }))).toEqual([
      '/contact/unique_id',
    ]);
    const named = { ...contact, id: body.id.toUpperCase(), city: 'Tabor' };
    expect((await start(welcome, { contact: named })).status).toBe(201);
    expect(faults(await start(welcome, { contact: { id: randomUUID(), city: 'Tabor' } }))).toEqual([
      '/contact/unique_id',
    ]);
  });

  test('makes one journey for each contact and template: 201 when made, 200 when it existed', async () => {
    const contact = person();
    const first = await start(welcome, { contact });
    const second = await start(welcome, { contact });
    const other = await start(plain, { contact });
    expect([first.status, second.status, other.status]).toEqual([201, 200, 201]);
    expect(second.body).toEqual(first.body);
    expect(other.body.id).not.toBe(first.body.id);
  });

  test('updates name, owner and source when they are sent, and only then', async () => {
    const { contact_id, unique_id } = await journey(welcome, { source: 'branch', owner_id: 'u1', name: 'Mine' });
    const contact = { unique_id };
    const [before] = await journeysOf(contact_id);
    expect(before.source).toBe('branch');
    await start(welcome, { contact });
    expect(await journeysOf(contact_id)).toEqual([before]);
    await start(welcome, { contact, source: 'mailing' });
    const [after] = await journeysOf(contact_id);
    expect(after).toMatchObject({ id: before.id, slug: before.slug, source: 'mailing' });
    expect(after.inserted_at).toBe(before.inserted_at);
    expect(after.updated_at > before.updated_at).toBe(true);
    await start(welcome, { contact, owner_id: 'u2', name: 'Yours' });
    expect((await journeysOf(contact_id))[0].updated_at > after.updated_at).toBe(true);
  });

  test('has the source api unless another is sent', async () => {
    const { contact_id } = await journey();
    expect((await journeysOf(contact_id))[0].source).toBe('api');
  });

  test('is 404 for an unknown template, one of another team, and an id that is none', async () => {
    const elsewhere = await api.newTeam();
    const contact = person();
    expect((await start({ id: randomUUID() }, { contact })).status).toBe(404);
    expect((await start({ id: 'none' }, { contact })).status).toBe(404);
    expect((await start(welcome, { contact }, elsewhere.token)).status).toBe(404);
    expect((await send('POST', '/v1/contacts', contact)).status).toBe(201);
  });

  test('is 422 for an archived template and writes nothing', async () => {
    const contact = person();
    expect(faults(await start(archived, { contact }))).toEqual(['template_id']);
    expect((await send('POST', '/v1/contacts', contact)).status).toBe(201);
  });

  test('is 422 for an unknown contact id, and for that of another team', async () => {
    const elsewhere = await api.newTeam();
    const { body: foreign } = await send('POST', '/v1/contacts', person(), elsewhere.token);
    for (const id of [randomUUID(), 'none', '', foreign.id, '😀'.repeat(1024)]) {
      expect(faults(await start(welcome, { contact: { id } }))).toEqual(['/contact/id']);
    }
    expect(faults(await start(welcome, { contact: { id: 5 } }))).toEqual(['/contact/id']);
  });

  test.each([
    ['is missing', {}, 'is required'],
    ['is no object', { contact: 'cif-1' }, 'must be an object'],
  ])('says of a contact that %s what is wrong', async (_, body, message) => {
    const answer = await start(welcome, body);
    expect(answer.body.details).toEqual([{ path: '/contact', message }]);
  });

  test('names all faults together, those of the contact under /contact', async () => {
    const contact = { unique_id: 'faulty', name_first: 5, journey: { template_id: randomUUID() } };
    const answer = await start(archived, { contact, name: 5, source: 'x'.repeat(1025), owner_id: [] });
    expect(faults(answer).sort()).toEqual(
      ['/contact/journey/template_id', '/contact/name_first', '/name', '/owner_id', '/source', 'template_id'].sort(),
    );
    const { status } = await send('POST', '/v1/contacts', { unique_id: 'faulty' });
    expect(status).toBe(201);
  });

  test('answers id, slug, template_id and web_client_url, and no more', async () => {
    const { body } = await start(welcome, { contact: person() });
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      slug: expect.any(String),
      template_id: welcome.id,
      web_client_url: `${api.baseUrl}/j/${body.slug}`,
    });
  });

  test('gives slugs of at least 128 random bits', async () => {
    const slugs = await Promise.all(Array.from({ length: 20 }, async () => (await journey()).slug as string));
    expect(new Set(slugs).size).toBe(20);
    for (const slug of slugs) expect(slug).toMatch(/^[\w-]{22,}$/);
    // Every place of the slug varies: none of it is fixed or counts.
    for (const place of slugs[0]!.split('').keys())
      expect(new Set(slugs.map((slug) => slug[place])).size).toBeGreaterThan(3);
  });

  test('fifty creations at once for one contact and template make one journey and one slug', async () => {
    const contact = person();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => start(welcome, { contact, source: `s${n}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
    expect(new Set(answers.map(({ body }) => `${body.id} ${body.slug}`)).size).toBe(1);
    const { body } = await send('POST', '/v1/contacts', contact);
    expect(await journeysOf(body.id)).toMatchObject([{ id: answers[0]!.body.id, slug: answers[0]!.body.slug }]);
  });
});

describe('GET /v1/journeys', () => {
  test('is a bare array, oldest first', async () => {
    const { unique_id, contact_id, id } = await journey(plain);
    const { body: second } = await start(welcome, { contact: { unique_id } });
    const found = await journeysOf(contact_id);
    expect(found.map((each: { id: string }) => each.id)).toEqual([id, second.id]);
  });

  test.each(['', '?contact_id=', '?contact_id=none', '?contact=x'])('%s is 400', async (query) => {
    const { status, body } = await send('GET', `/v1/journeys${query}`);
    expect(status).toBe(400);
    expect(body.details).toMatchObject([{ path: 'contact_id' }]);
  });

  test('is empty for an unknown contact, and for one of another team', async () => {
    const elsewhere = await api.newTeam();
    const { contact_id } = await journey();
    expect(await journeysOf(randomUUID())).toEqual([]);
    expect(await journeysOf(contact_id, elsewhere.token)).toEqual([]);
  });

  test('has every field that the specification lists, contact and template among them', async () => {
    const contact = { ...person(), city: 'Tabor', meta_private: { core: { id: 7 } } };
    const { body: started } = await start(welcome, { contact, source: 'branch' });
    const { body: stored } = await send('POST', '/v1/contacts', contact);
    const { body: shown } = await send('GET', `/v1/templates/${welcome.id}`);
    expect(await journeysOf(stored.id)).toEqual([
      {
        analytics_cache: nothingYet,
        completion_verified_at: null,
        contact: stored,
        id: started.id,
        inserted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
        slug: started.slug,
        source: 'branch',
        template: shown.template,
        template_id: welcome.id,
        updated_at: expect.any(String),
      },
    ]);
  });

  test('has contacts that carry meta_private', async () => {
    const contact = { ...person(), meta_private: { core_id: 'c-1' } };
    const { body } = await send('POST', '/v1/contacts', contact);
    await start(welcome, { contact: { id: body.id } });
    expect((await journeysOf(body.id))[0].contact.meta_private).toEqual({ core_id: 'c-1' });
  });

  test('has an analytics_cache that is all unset at first', async () => {
    expect(await progress((await journey()).contact_id)).toEqual(nothingYet);
  });
});

describe('PUT /v1/templates/:template_id/journeys/:journey_id', () => {
  test('with true sets completion_verified_at once: a repeat keeps the first time', async () => {
    const { id, slug, contact_id } = await journey(welcome, { source: 'branch' });
    const { status, body } = await confirm(welcome, id, { is_completion_confirmed: true });
    expect(status).toBe(200);
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(body).toEqual({
      completion_verified_at: time,
      id,
      inserted_at: time,
      slug,
      source: 'branch',
      template_id: welcome.id,
      updated_at: time,
    });
    await sleep(2);
    expect((await confirm(welcome, id, { is_completion_confirmed: true })).body).toEqual(body);
    expect((await journeysOf(contact_id))[0].completion_verified_at).toBe(body.completion_verified_at);
  });

  test('with false changes nothing, 200', async () => {
    const { id } = await journey();
    const unset = await confirm(welcome, id, { is_completion_confirmed: false });
    expect([unset.status, unset.body.completion_verified_at]).toEqual([200, null]);
    const { body } = await confirm(welcome, id, { is_completion_confirmed: true });
    expect((await confirm(welcome, id, { is_completion_confirmed: false })).body).toEqual(body);
  });

  test.each([[{}], [{ is_completion_confirmed: null }], [{ is_completion_confirmed: 'true' }]])(
    '%j is 422',
    async (body) => {
      const { id } = await journey();
      expect(faults(await confirm(welcome, id, body))).toEqual(['/is_completion_confirmed']);
    },
  );

  test('is 404 for an unknown template or journey, a journey of another template, or of another team', async () => {
    const { id } = await journey();
    const body = { is_completion_confirmed: true };
    expect((await confirm({ id: randomUUID() }, id, body)).status).toBe(404);
    expect((await confirm({ id: 'none' }, id, body)).status).toBe(404);
    expect((await confirm(welcome, randomUUID(), body)).status).toBe(404);
    expect((await confirm(welcome, 'none', body)).status).toBe(404);
    expect((await confirm(plain, id, body)).status).toBe(404);
    const elsewhere = await api.newTeam();
    const foreign = await send('PUT', `/v1/templates/${welcome.id}/journeys/${id}`, body, elsewhere.token);
    expect(foreign.status).toBe(404);
  });

  test('that is confirmed by many at once keeps one time', async () => {
    const { id } = await journey();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => confirm(welcome, id, { is_completion_confirmed: true })),
    );
    expect(new Set(answers.map(({ body }) => body.completion_verified_at)).size).toBe(1);
  });
});

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
      started.map(async ({ before }) => (await start(before, { contact: person() }, own.token)).body.slug),
    );
    await put(started.map(({ after }) => after));
    await sleep(contentCachedFor);
    for (const [n, { status, error, target }] of started.entries()) {
      for (const type of ['page_viewed', 'page_completed']) {
        const refused = await act(slugs[n], type, target.id);
        expect([refused.status, refused.body.error]).toEqual([status, error]);
      }
    }
  }, 15_000);

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

describe('a page completes', () => {
  test('by view when it is viewed', async () => {
    const { slug, contact_id } = await journey();
    await act(slug, 'page_viewed', pages.view.id);
    await act(slug, 'page_viewed', pages.confirm.id);
    expect((await progress(contact_id)).pages_completed).toEqual([pages.view.id]);
  });

  test('by confirm and by action when the journey page records it', async () => {
    const { slug, contact_id } = await journey();
    await act(slug, 'page_completed', pages.action.id);
    await act(slug, 'page_completed', pages.confirm.id);
    expect((await progress(contact_id)).pages_completed).toEqual([pages.confirm.id, pages.action.id]);
  });

  test('by objective when its objective is completed for the contact, before the journey or after', async () => {
    const objective = { id: randomUUID(), key: 'enrolled_online' };
    const target = page('objective', { objective_id: objective.id });
    const own = template('Enrol', [target]);
    await putContent(api.database, team.teamId, { objectives: [objective], templates: [own] });
    const before = { ...person(), enrolled_online: '2026-01-01' };
    const { body: first } = await send('POST', '/v1/contacts', before);
    await start(own, { contact: { id: first.id } });
    const after = await journey(own);
    expect((await progress(after.contact_id)).pages_completed).toEqual([]);
    await send('POST', '/v1/contacts', { unique_id: after.unique_id, enrolled_online: 'yes' });
    for (const id of [first.id, after.contact_id]) {
      expect(await progress(id)).toMatchObject({ is_completed: true, pages_completed: [target.id] });
    }
  });
});

describe('a page with the condition open', () => {
  const savings = { code: 'SAV', type: 'savings', standardized_type: 'money_market' };
  const loan = { code: 'LOAN', type: 'loan', standardized_type: 'auto_loan' };

  /** What the pages of a team of their own show, for a contact that has these accounts. */
  async function completedFor(
    features: Parameters<TestService['newTeam']>[0],
    held: (typeof savings)[],
    pagesFor: (productId: (code: string) => string) => Page[],
  ): Promise<boolean[]> {
    const own = await api.newTeam(features);
    await openAccounts(own, 'setup', [savings, loan]);
    const setup = await send('POST', '/v1/contacts', { unique_id: 'setup' }, own.token);
    const { body: known } = await send('GET', `/v1/contacts/${setup.body.id}/accounts`, undefined, own.token);
    const ids = new Map<string, string>(
      known.map(({ account: { product } }: { account: { product: { code: string; id: string } } }) => [
        product.code,
        product.id,
      ]),
    );
    const opened = pagesFor((code) => ids.get(code)!);
    const campaign = template('Open', opened);
    await putContent(api.database, own.teamId, { templates: [campaign] });
    // The account comes before the contact and its journey, and works all the same.
    await openAccounts(own, 'p', held);
    await start(campaign, { contact: { unique_id: 'p' } }, own.token);
    const { body: contact } = await send('POST', '/v1/contacts', { unique_id: 'p' }, own.token);
    const [found] = await journeysOf(contact.id, own.token);
    return opened.map(({ id }) => found.analytics_cache.pages_completed.includes(id));
  }

  async function openAccounts(own: TestTeam, unique_id: string, products: (typeof savings)[]) {
    if (products.length === 0) return;
    const records = products.map((product) => ({
      account_number: `${unique_id}-${product.code}`,
      contact: { unique_id },
      product,
    }));
    const { body } = await send('POST', '/v1/batches', { type: 'account', records }, own.token);
    for (let tries = 0; tries < 200; tries++) {
      const { body: batch } = await send('GET', `/v1/batches/${body.batch_id}`, undefined, own.token);
      if (batch.status === 'completed') return;
      await sleep(25);
    }
    throw new Error('the import did not complete');
  }

  const both = ['product_objective_reporting', 'product_objective_reporting_phase_2'] as const;

  test('completes by whichever of product and type are set, for a team without the features', async () => {
    const completed = await completedFor([], [savings], (id) => [
      page('open', { completion_product_id: id('SAV') }),
      page('open', { completion_product_id: id('LOAN') }),
      page('open', { completion_product_type: 'savings' }),
      page('open', { completion_product_type: 'loan' }),
      page('open', { completion_product_id: id('SAV'), completion_product_type: 'savings' }),
      page('open', { completion_product_id: id('SAV'), completion_product_type: 'loan' }),
    ]);
    expect(completed).toEqual([true, false, true, false, true, false]);
  });

  test('completes by the product set where it applies, and by product and type where it is empty', async () => {
    const completed = await completedFor([...both], [savings], (id) => [
      page('open', { completion_product_ids: [id('LOAN'), id('SAV')] }),
      page('open', { completion_product_ids: [id('LOAN')], completion_product_type: 'savings' }),
      page('open', { completion_standardized_types: ['money_market'] }),
      page('open', { completion_standardized_types: ['auto_loan'] }),
      page('open', { completion_product_type: 'savings' }),
    ]);
    expect(completed).toEqual([true, false, true, false, true]);
  });

  test('does not complete without an account', async () => {
    expect(await completedFor([], [], () => [page('open', { completion_product_type: 'savings' })])).toEqual([false]);
  });
});

describe('is_completed', () => {
  test('follows when the last page with a condition completes', async () => {
    const { slug, contact_id } = await journey();
    await act(slug, 'page_completed', pages.confirm.id);
    await act(slug, 'page_viewed', pages.view.id);
    expect((await progress(contact_id)).is_completed).toBe(false);
    await act(slug, 'page_completed', pages.action.id);
    expect(await progress(contact_id)).toMatchObject({ is_completed: true, is_completely_viewed: false });
  });
});

describe('journey on a contact', () => {
  const named = ({ id }: { id: string }) => ({ journey: { template_id: id } });

  test('creates or updates its journey at once: single, batch and by id', async () => {
    const single = { ...person(), ...named(welcome) };
    const { body } = await send('POST', '/v1/contacts', single);
    const [first] = await journeysOf(body.id);
    expect(first).toMatchObject({ template_id: welcome.id, source: 'api', analytics_cache: nothingYet });
    await send('POST', '/v1/contacts', single);
    expect(await journeysOf(body.id)).toEqual([first]);
    await send('PUT', `/v1/contacts/${body.id}`, named(plain));
    expect((await journeysOf(body.id)).map((each: { template_id: string }) => each.template_id)).toEqual([
      welcome.id,
      plain.id,
    ]);

    const contacts = Array.from({ length: 80 }, () => ({ ...person(), ...named(welcome) }));
    const batch = await send('POST', '/v1/contacts', { contacts: [...contacts, { ...contacts[0], ...named(plain) }] });
    expect(batch.body.new_contacts).toHaveLength(80);
    const found = await Promise.all(batch.body.new_contacts.map(({ id }: { id: string }) => journeysOf(id)));
    expect(found.map((each) => each.length)).toEqual([2, ...Array(79).fill(1)]);
  });

  test('with an unknown or archived template is 422 and writes nothing', async () => {
    const good = { ...person(), ...named(welcome) };
    const bad = [{ id: randomUUID() }, archived].map((each) => ({ ...person(), ...named(each) }));
    for (const each of bad) expect(faults(await send('POST', '/v1/contacts', each))).toEqual(['/journey/template_id']);
    expect(faults(await send('POST', '/v1/contacts', { contacts: [good, ...bad] }))).toEqual([
      '/contacts/1/journey/template_id',
      '/contacts/2/journey/template_id',
    ]);
    const contacts = [good, ...bad].map(({ unique_id }) => ({ unique_id }));
    const { body } = await send('POST', '/v1/contacts', { contacts });
    expect(body.new_contacts).toHaveLength(3);
    for (const { id } of body.new_contacts) expect(await journeysOf(id)).toEqual([]);
  });
});

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { faults, journeyRequests, nothingYet, person } from '../support/journey-requests.ts';

const { api, welcome, plain, send, start, journeysOf, confirm, progress, journey } = await journeyRequests();

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

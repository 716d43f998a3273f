import { describe, expect, test } from 'vitest';
import { journeyRequests, person } from './journey-requests.ts';

const { welcome, send, start, journeysOf, confirm, journey } = await journeyRequests();

describe('POST /v1/templates/:template_id/journeys', () => {
  test.each([
    ['is missing', {}, 'is required'],
    ['is no object', { contact: 'cif-1' }, 'must be an object'],
  ])('says of a contact that %s what is wrong', async (_, body, message) => {
    const answer = await start(welcome, body);
    expect(answer.body.details).toEqual([{ path: '/contact', message }]);
  });

  test('gives slugs of at least 128 random bits', async () => {
    const slug = async (): Promise<string> => (await start(welcome, { contact: person() })).body.slug;
    const slugs = await Promise.all(Array.from({ length: 20 }, slug));
    expect(new Set(slugs).size).toBe(20);
    for (const slug of slugs) expect(slug).toMatch(/^[\w-]{22,}$/);
    // Every character of the slug varies: no part is fixed or counts up.
    for (const place of slugs[0]!.split('').keys())
      expect(new Set(slugs.map((slug) => slug[place])).size).toBeGreaterThan(3);
  });

  test('twenty creations at once for one contact and template make one journey and one slug', async () => {
    const contact = person();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => start(welcome, { contact, source: `s${n}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(new Set(answers.map(({ body }) => `${body.id} ${body.slug}`)).size).toBe(1);
    const { body } = await send('POST', '/v1/contacts', contact);
    expect(await journeysOf(body.id)).toMatchObject([{ id: answers[0]!.body.id, slug: answers[0]!.body.slug }]);
  });
});

describe('PUT /v1/templates/:template_id/journeys/:journey_id', () => {
  test('that is confirmed by many at once keeps one time', async () => {
    const { id } = await journey();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => confirm(welcome, id, { is_completion_confirmed: true })),
    );
    expect(new Set(answers.map(({ body }) => body.completion_verified_at)).size).toBe(1);
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { derivedContactId } from '../../lib/store/ids.ts';
import { faults, journeyRequests, person } from '../support/journey-requests.ts';

const { team, welcome, plain, archived, send, start, journeysOf, confirm, journey } = await journeyRequests();

describe('POST /v1/templates/:template_id/journeys', () => {
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

describe('journey on a contact', () => {
  const named = ({ id }: { id: string }) => ({ journey: { template_id: id } });

  test('starts the journeys of a large batch', async () => {
    const contacts = Array.from({ length: 80 }, () => ({ ...person(), ...named(welcome) }));
    const batch = await send('POST', '/v1/contacts', { contacts: [...contacts, { ...contacts[0], ...named(plain) }] });
    expect(batch.body.new_contacts).toHaveLength(80);
    const some = [0, 1, 49, 50, 79].map((at) => journeysOf(batch.body.new_contacts[at].id));
    expect((await Promise.all(some)).map((each) => each.length)).toEqual([2, 1, 1, 1, 1]);
  });

  test('with an unknown or archived template is 422 and writes nothing', async () => {
    const good = { ...person(), ...named(welcome) };
    const bad = [{ id: randomUUID() }, archived].map((each) => ({ ...person(), ...named(each) }));
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

describe('PUT /v1/templates/:template_id/journeys/:journey_id', () => {
  test('that is confirmed by many at once keeps one time', async () => {
    const { id } = await journey();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => confirm(welcome, id, { is_completion_confirmed: true })),
    );
    expect(new Set(answers.map(({ body }) => body.completion_verified_at)).size).toBe(1);
  });
});

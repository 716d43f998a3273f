import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { derivedContactId } from '../../lib/store/ids.ts';
import { faults, journeyRequests, nothingYet, person } from '../support/journey-requests.ts';

const { api, team, welcome, plain, archived, send, start, journeysOf, confirm, journey } = await journeyRequests();

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

  test('gives slugs of at least 128 random bits', async () => {
    const slugs = await Promise.all(Array.from({ length: 20 }, async () => (await journey()).slug as string));
    expect(new Set(slugs).size).toBe(20);
    for (const slug of slugs) expect(slug).toMatch(/^[\w-]{22,}$/);
    // Every character of the slug varies: no part is fixed or counts up.
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

describe('GET /v1/journeys', () => {
  test.each(['', '?contact_id=', '?contact_id=none', '?contact=x'])('%s is 400', async (query) => {
    const { status, body } = await send('GET', `/v1/journeys${query}`);
    expect(status).toBe(400);
    expect(body.details).toMatchObject([{ path: 'contact_id' }]);
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

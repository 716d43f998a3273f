import { put } from './contact-rules.ts';
import { has, holds, keys, matches, same } from './expect.ts';
import { eventually, type Json } from './http.ts';
import { check, shortCheck } from './suite.ts';
import { newId, type Team } from './world.ts';

shortCheck(
  'Specification, batch upsert: new_contacts and existing_contacts (contract 3: each in the order sent)',
  async (world) => {
    const team = await world.team();
    const [a, b, c, d] = [newId(), newId(), newId(), newId()];
    const made = [await team.contact({ unique_id: b }), await team.contact({ unique_id: d })];
    const contacts = [d, c, b, a].map((unique_id, at) => ({ unique_id, city: `city ${at}` }));
    const { body } = await team.call(200, 'POST /v1/contacts', { contacts });
    keys(body, ['new_contacts', 'existing_contacts'], 'the answer');
    const idsOf = (list: Json[]) => list.map(({ unique_id, city }) => [unique_id, city]);
    same(
      idsOf(body.new_contacts),
      [
        [c, 'city 1'],
        [a, 'city 3'],
      ],
      'new_contacts',
    );
    same(
      idsOf(body.existing_contacts),
      [
        [d, 'city 0'],
        [b, 'city 2'],
      ],
      'existing_contacts',
    );
    same(
      body.existing_contacts.map(({ id }: Json) => id),
      [made[1].id, made[0].id],
      'the ids',
    );
    same(
      (await team.call(200, 'POST /v1/contacts', { contacts: [] })).body,
      { new_contacts: [], existing_contacts: [] },
      'of none',
    );
  },
);

check('Contract 3: the same unique_id twice in one batch is applied in order and listed once', async (world) => {
  const team = await world.team();
  const [one, two] = [newId(), newId()];
  await team.contact({ unique_id: two });
  const contacts = [one, two].flatMap((unique_id) => [
    { unique_id, city: 'A', state: 'S' },
    { unique_id, city: 'B' },
  ]);
  const { body } = await team.call(200, 'POST /v1/contacts', { contacts });
  same([body.new_contacts.length, body.existing_contacts.length], [1, 1], 'the numbers');
  for (const each of [body.new_contacts[0], body.existing_contacts[0]])
    has(each, { city: 'B', state: 'S' }, 'the contact');
});

check('Contract 3: at most 500 contacts; over it, 422 at /contacts; not an array: 422', async (world) => {
  const team = await world.team();
  const many = (count: number) => Array.from({ length: count }, () => ({ unique_id: newId() }));
  const { body } = await team.call(200, 'POST /v1/contacts', { contacts: many(500) });
  // Contract 3: if the batch was resent after a 503, those written before are in existing_contacts.
  same([...body.new_contacts, ...body.existing_contacts].length, 500, 'the contacts of the answer');
  await team.refuse(422, ['/contacts'], 'POST /v1/contacts', { contacts: many(501) });
  for (const contacts of [{}, 'x', 1, true, null])
    await team.refuse(422, ['/contacts'], 'POST /v1/contacts', { contacts });
  await team.refuse(422, ['/contacts/0', '/contacts/1'], 'POST /v1/contacts', { contacts: [1, 'x'] });
});

check(
  'Contract 3: one bad record is 422 naming every bad index, and nothing of the batch is written',
  async (world) => {
    const team = await world.team();
    const good = newId();
    const contacts = [{ unique_id: good }, { unique_id: newId(), city: 5 }, {}, { unique_id: newId(), birthdate: 'x' }];
    const paths = ['/contacts/1/city', '/contacts/2/unique_id', '/contacts/3/birthdate'];
    await team.refuse(422, paths, 'POST /v1/contacts', { contacts });
    same((await team.get(`/v1/contacts?unique_id=${good}`)).contacts, [], 'the good contact');
  },
);

check('Contract 3: contacts beside unique_id or email is ambiguous: 422; an array as body: 400', async (world) => {
  const team = await world.team();
  for (const beside of [{ unique_id: 'a' }, { unique_id: null }, { email: 'a@example.com' }, { email: null }]) {
    await team.refuse(422, ['/contacts'], 'POST /v1/contacts', { contacts: [], ...beside });
  }
  await team.refuse(400, [''], 'POST /v1/contacts', '[]');
});

check('Contract 1: all faults of a request are reported together, up to 100', async (world) => {
  const team = await world.team();
  const { details } = (
    await team.call(422, 'POST /v1/contacts', {
      unique_id: 5,
      city: 1,
      birthdate: 'x',
      phone_home: 'call',
      meta_public: [],
    })
  ).body;
  same(
    details.map(({ path }: Json) => path).sort(),
    ['/birthdate', '/city', '/meta_public', '/phone_home', '/unique_id'],
    'paths',
  );
  const contacts = Array.from({ length: 120 }, () => ({ unique_id: newId(), city: 1 }));
  same((await team.call(422, 'POST /v1/contacts', { contacts })).body.details.length, 100, 'the number of details');
  await team.refuse(422, ['/contacts', '/contacts/0/name_first'], 'POST /v1/contacts', {
    unique_id: 'u',
    contacts: [{ unique_id: 'v', name_first: 5 }],
  });
});

check('Contract 1: all faults together: metas over their limit beside a bad field', async (world) => {
  const team = await world.team();
  const many = (from: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${from + at}`, 1]));
  const { id } = await team.contact({ meta_public: many(0, 900) });
  const large = { a: 'x'.repeat(17_000) };
  await team.refuse(422, ['/birthdate', '/meta_public'], `PUT /v1/contacts/${id}`, {
    meta_public: many(900, 200),
    birthdate: 'x',
  });
  await team.refuse(422, ['/meta_private', '/meta_public'], `PUT /v1/contacts/${id}`, {
    meta_public: many(900, 200),
    meta_private: large,
  });
});

check(
  'Contract 3: two concurrent upserts of one new unique_id make one contact, and one of them is answered 201',
  async (world) => {
    const team = await world.team();
    const unique_id = newId();
    const authorization = `Bearer ${await team.token()}`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        fetch(`${team.baseUrl}/v1/contacts`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ unique_id }),
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    same(statuses, [200, 200, 200, 200, 200, 200, 200, 201], 'the statuses');
    const bodies: Json[] = await Promise.all(answers.map((each) => each.json()));
    same(new Set(bodies.map(({ id }) => id)).size, 1, 'the number of ids');
  },
);

check('Contract 1: one contact comes with a strong ETag; If-Match and If-None-Match', async (world) => {
  const team = await world.team();
  const made = await team.call(201, 'POST /v1/contacts', { unique_id: newId(), city: 'Brno' });
  const { id, unique_id } = made.body;
  const path = `/v1/contacts/${id}` as const;
  const tag = made.headers.get('etag')!;
  matches(tag, /^"[^"]+"$/, 'the ETag of a creation');
  const read = await team.call(200, `GET ${path}`);
  const current = read.headers.get('etag')!;
  matches(current, /^"[^"]+"$/, 'the ETag of GET');
  await team.call(304, `GET ${path}`, undefined, { 'if-none-match': current });
  await team.call(200, `GET ${path}`, undefined, { 'if-none-match': '"other"' });
  for (const method of ['PUT', 'PATCH'] as const) {
    const before = (await team.call(200, `GET ${path}`)).headers.get('etag')!;
    const changed = await team.call(200, `${method} ${path}`, { city: method }, { 'if-match': before });
    holds(changed.headers.get('etag') !== before, 'the ETag did not change');
    await team.call(412, `${method} ${path}`, { city: 'Never' }, { 'if-match': before });
    await team.call(304, `GET ${path}`, undefined, { 'if-none-match': changed.headers.get('etag')! });
  }
  matches(
    (await team.call(200, 'POST /v1/contacts', { unique_id })).headers.get('etag'),
    /^"[^"]+"$/,
    'the ETag of POST',
  );
  same((await team.get(path)).city, 'PATCH', 'the city, which a failed precondition does not change');
});

for (const [spelled, form] of [
  ['journey: {template_id}', (template_id: unknown) => ({ journey: { template_id } })],
  ['one dotted key', (template_id: unknown) => ({ 'journey.template_id': template_id })],
] as const) {
  check(`Specification, Contact: journey.template_id starts a journey at once (${spelled})`, async (world) => {
    const { team, ids } = await world.content();
    const unique_id = newId();
    const { body } = await team.call(201, 'POST /v1/contacts', { unique_id, ...form(ids.short) });
    holds(!('journey' in body), 'journey is returned');
    const [journey, ...others] = await team.get(`/v1/journeys?contact_id=${body.id}`);
    has(journey, { template_id: ids.short, source: 'api' }, 'the journey');
    await team.call(200, 'POST /v1/contacts', { unique_id, ...form(ids.short) });
    same([others.length, (await team.get(`/v1/journeys?contact_id=${body.id}`)).length], [0, 1], 'journeys');
    const batch = await team.call(200, 'POST /v1/contacts', { contacts: [{ unique_id: newId(), ...form(ids.short) }] });
    same((await team.journeyOf(batch.body.new_contacts[0])).template_id, ids.short, 'the journey of a batch');
    await team.call(200, `PUT /v1/contacts/${body.id}`, form(ids.survey));
    same((await team.get(`/v1/journeys?contact_id=${body.id}`)).length, 2, 'journeys after PUT');
    for (const id of [ids.archived, crypto.randomUUID(), 'x', 5]) {
      const response = await team.call(422, 'POST /v1/contacts', { unique_id: `${unique_id}-no`, ...form(id) });
      matches(response.body.details[0].path, /^\/journey[/.]template_id$/, `the path for ${id}`);
    }
    same((await team.get(`/v1/contacts?unique_id=${unique_id}-no`)).contacts, [], 'the contact that was refused');
  });
}

check('Contract 3: the dotted key beside journey is 422', async (world) => {
  const { team, ids } = await world.content();
  const body = { unique_id: newId(), journey: { template_id: ids.short }, 'journey.template_id': ids.short };
  const { details } = (await team.call(422, 'POST /v1/contacts', body)).body;
  matches(details[0].path, /^\/journey/, 'the path');
});

/** Whether the goal of the team is completed for the contact: its page is. */
const reached = async (team: Team, contact: Json, page: string): Promise<boolean> =>
  (await team.journeyOf(contact)).analytics_cache.pages_completed.includes(page);

const completing = [
  true,
  1,
  't',
  '1',
  'y',
  'yes',
  'complete',
  'completed',
  'done',
  'YES',
  'Done',
  'T',
  '2026-01-02T03:04:05Z',
  '2026-01-02',
];
const idle = [false, 0, '', null, 'no', 'true!', 'f', 'later', 2, {}, ['yes'], '2026-13-01', 'y y'];
for (const [values, expected] of [
  [[...completing, 'true'], true],
  [idle, false],
] as const) {
  check(
    `Contract 3: an objective's key as a field ${expected ? 'completes it' : 'with anything else does nothing'}`,
    async (world) => {
      const { team, ids } = await world.content();
      await Promise.all(
        values.map(async (value) => {
          const { contact } = await team.journey(ids.welcome, { app_installed: value });
          same(await reached(team, contact, ids.goalPage), expected, `completed by ${JSON.stringify(value)}`);
        }),
      );
    },
  );
}

check('Contract 3: an objective completes by PUT, PATCH and in a batch; nothing un-completes', async (world) => {
  const { team, ids } = await world.content();
  const ways = [
    ({ id }: Json) => team.call(200, `PUT /v1/contacts/${id}`, { app_installed: 'done' }),
    ({ id }: Json) => team.call(200, `PATCH /v1/contacts/${id}`, { app_installed: 'done' }),
    ({ unique_id }: Json) => team.call(200, 'POST /v1/contacts', { contacts: [{ unique_id, app_installed: 'done' }] }),
  ];
  for (const way of ways) {
    const { contact } = await team.journey(ids.welcome);
    same(await reached(team, contact, ids.goalPage), false, 'completed at first');
    await way(contact);
    same(await reached(team, contact, ids.goalPage), true, 'completed');
    for (const app_installed of [false, null, 'no', 0]) await put(team, contact, { app_installed });
    same(await reached(team, contact, ids.goalPage), true, 'completed after false, null and no');
  }
});

check('Contract 3: a field whose name is an objective’s key completes it, also __proto__', async (world) => {
  const { team, ids } = await world.content();
  const { contact } = await team.journey(ids.strange);
  await team.call(200, `PUT /v1/contacts/${contact.id}`, '{"__proto__":true}');
  same(await reached(team, contact, ids.strangePage), true, 'completed');
});

check('Contract 3: a contact field of the same name wins over an objective', async (world) => {
  const { team } = await world.content();
  same((await team.contact({ city: 'yes' })).city, 'yes', 'city');
});

check('Contract 1: reads by id see every acknowledged write; lists and search follow', async (world) => {
  const team = await world.team();
  const contact = await team.contact();
  for (let at = 0; at < 5; at++) {
    const city = newId();
    await put(team, contact, { city });
    same((await team.get(`/v1/contacts/${contact.id}`)).city, city, 'the city by id');
    same(
      (await team.get(`/v1/contacts?unique_id=${contact.unique_id}`)).contacts[0].city,
      city,
      'the city by unique_id=',
    );
  }
  await eventually(async () =>
    same((await team.get(`/v1/contacts?search=${contact.unique_id}`)).contacts.length, 1, 'found'),
  );
});

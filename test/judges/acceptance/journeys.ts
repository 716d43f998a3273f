import { randomUUID } from 'node:crypto';
import { record } from './accounts.ts';
import { has, holds, keys, matches, same, timePattern, uuidPattern } from './expect.ts';
import { eventually, type Json } from './http.ts';
import { check, shortCheck } from './suite.ts';
import { newId, type Team, type World } from './world.ts';

const nothingYet = {
  is_completed: false,
  is_completely_viewed: false,
  last_viewed: null,
  pages_completed: [],
  pages_viewed: [],
};
const start = (templateId: string) => `POST /v1/templates/${templateId}/journeys` as const;

/** An action of the person on the journey's page. */
export const act = (
  team: Team,
  { slug }: Json,
  type: 'page_viewed' | 'page_completed',
  page_id: string,
  more: object = {},
) => team.open(204, `POST /j/${slug}/actions`, { type, page_id, ...more });

shortCheck('Specification, POST …/journeys: the response has id, slug, template_id, web_client_url', async (world) => {
  const { team, ids } = await world.content();
  const unique_id = newId();
  const { body } = await team.call(201, start(ids.short), { contact: { unique_id, name_first: 'Ada' } });
  // Contract 14: account_id and cancelled_at are additions to every answer that shows a journey.
  keys(body, ['account_id', 'cancelled_at', 'id', 'slug', 'template_id', 'web_client_url'], 'the answer');
  same([body.account_id, body.cancelled_at], [null, null], 'account_id and cancelled_at');
  matches(body.id, uuidPattern, 'id');
  same(body.template_id, ids.short, 'template_id');
  holds(body.web_client_url.endsWith(`/j/${body.slug}`), `web_client_url is ${body.web_client_url}`);
  matches(body.slug, /^[\w-]{22,}$/, 'slug, of at least 128 random bits');
  await team.open(200, `GET /j/${body.slug}`);
});

check('Contract 6: one journey for each contact and template: 201 when made, 200 when it existed', async (world) => {
  const { team, ids } = await world.content();
  const contact = await team.contact();
  const first = (await team.call(201, start(ids.short), { contact: { unique_id: contact.unique_id } })).body;
  const again = { contact: { id: contact.id }, source: 'branch', name: 'Renamed', owner_id: 'owner' };
  same((await team.call(200, start(ids.short), again)).body, first, 'the journey');
  const [journey, ...others] = await team.get(`/v1/journeys?contact_id=${contact.id}`);
  same([journey.source, others.length], ['branch', 0], 'the source, which is updated when sent');
  await team.call(200, start(ids.short), { contact: { id: contact.id } });
  same((await team.journeyOf(contact)).source, 'branch', 'the source when it is not sent');
  await team.call(201, start(ids.survey), { contact: { id: contact.id } });
});

check('Contract 6: contact is required and upserted by the contact rules, or is {"id"} alone', async (world) => {
  const { team, ids } = await world.content();
  const unique_id = newId();
  await team.call(201, start(ids.short), { contact: { unique_id, name_first: 'Ada' } });
  await team.call(200, start(ids.short), { contact: { unique_id, city: 'Brno' } });
  const [contact] = (await team.get(`/v1/contacts?unique_id=${unique_id}`)).contacts;
  has(contact, { name_first: 'Ada', city: 'Brno' }, 'the contact');
  await team.call(200, start(ids.short), { contact: { id: contact.id, unique_id, state: 'MN' } });
  same((await team.get(`/v1/contacts/${contact.id}`)).state, 'MN', 'state');
  for (const value of [undefined, null, 'x', []])
    await team.refuse(422, ['/contact'], start(ids.short), { contact: value });
  await team.refuse(422, ['/contact/unique_id'], start(ids.short), { contact: { name_first: 'x' } });
  await team.refuse(422, ['/contact/city'], start(ids.short), { contact: { unique_id: newId(), city: 5 } });
  await team.refuse(422, ['/contact/id'], start(ids.short), { contact: { id: crypto.randomUUID() } });
  await team.refuse(422, ['/contact/unique_id'], start(ids.short), { contact: { id: contact.id, unique_id: newId() } });
  // An unknown field beside the id is ignored, one that can be set needs the contact's own unique_id.
  for (const beside of [{ crm_owner: 'jd' }, { updated_at: contact.updated_at, fields: [] }])
    await team.call(200, start(ids.short), { contact: { id: contact.id, ...beside } });
  for (const beside of [{ city: 'Brno' }, { email: 'a@example.com' }, { 'meta_public.a': 1 }, { unique_id: null }])
    await team.refuse(422, ['/contact/unique_id'], start(ids.short), { contact: { id: contact.id, ...beside } });
});

check('Contract 6: unknown template 404; archived template 422', async (world) => {
  const [{ team, ids }, other] = [await world.content(), await world.other()];
  const body = () => ({ contact: { unique_id: newId() } });
  for (const id of [crypto.randomUUID(), 'x', other.ids.short]) await team.call(404, start(id), body());
  await team.call(422, start(ids.archived), body());
});

check('Specification, Journey: source, api by default, and custom strings', async (world) => {
  const { team, ids } = await world.content();
  for (const source of ['api', 'admin-console', 'automatic-targeting', 'direct', 'branch 17', undefined]) {
    const { contact } = await team.journey(ids.short, {}, source === undefined ? {} : { source });
    same((await team.journeyOf(contact)).source, source ?? 'api', 'source');
  }
  for (const field of ['source', 'name', 'owner_id']) {
    await team.refuse(422, [`/${field}`], start(ids.short), { contact: { unique_id: newId() }, [field]: 17 });
  }
});

check('Specification, Journey: name; the template’s name is used when it is omitted', async (world) => {
  const { team, ids } = await world.content();
  const title = async (name?: string) =>
    (await team.open(200, `GET /j/${(await team.journey(ids.short, {}, name ? { name } : {})).slug}`)).text;
  matches(await title('A name of its own'), /A name of its own/, 'the page');
  matches(await title(), /Short/, 'the page without a name');
});

shortCheck('Specification, GET /v1/journeys: an array of journeys with the listed fields', async (world) => {
  const { team, ids } = await world.content();
  const made = await team.journey(ids.welcome, { meta_private: { a: 1 } });
  const list = await team.get(`/v1/journeys?contact_id=${made.contact.id}`);
  holds(Array.isArray(list) && list.length === 1, 'it is no bare array of one');
  const fields = [
    'account_id',
    'analytics_cache',
    'cancelled_at',
    'completion_verified_at',
    'contact',
    'id',
    'inserted_at',
    'slug',
    'source',
    'template',
    'template_id',
    'updated_at',
  ];
  keys(list[0], fields, 'a journey');
  has(
    list[0],
    { id: made.id, slug: made.slug, template_id: ids.welcome, source: 'api', completion_verified_at: null },
    'the journey',
  );
  same(list[0].analytics_cache, nothingYet, 'analytics_cache at first');
  same(list[0].contact, await team.get(`/v1/contacts/${made.contact.id}`), 'contact');
  same(list[0].contact.meta_private, { a: 1 }, 'meta_private, for a valid bearer token');
  same(list[0].template, (await team.get(`/v1/templates/${ids.welcome}`)).template, 'template');
  for (const field of ['inserted_at', 'updated_at']) matches(list[0][field], timePattern, field);
});

check(
  'Contract 6: GET /v1/journeys: oldest first; contact_id missing or not a UUID: 400; unknown contact: []',
  async (world) => {
    const [{ team, ids }, other] = [await world.content(), await world.other()];
    const contact = await team.contact();
    const templates = [ids.survey, ids.short, ids.welcome, ids.agreement];
    for (const id of templates) await team.call(201, start(id), { contact: { id: contact.id } });
    const list: Json[] = await team.get(`/v1/journeys?contact_id=${contact.id}`);
    same(
      list.map(({ template_id }) => template_id),
      templates,
      'the order',
    );
    for (const query of ['?contact_id=x', '?contact_id='])
      await team.refuse(400, ['contact_id'], `GET /v1/journeys${query}`);
    same(await team.get(`/v1/journeys?contact_id=${crypto.randomUUID()}`), [], 'of an unknown contact');
    same(await other.team.get(`/v1/journeys?contact_id=${contact.id}`), [], 'of a contact of another team');
  },
);

shortCheck('Specification, States: is_completion_confirmed true sets completion_verified_at, once', async (world) => {
  const { team, ids } = await world.content();
  const { id, contact } = await team.journey(ids.short);
  const path = `PUT /v1/templates/${ids.short}/journeys/${id}` as const;
  const unconfirmed = (await team.call(200, path, { is_completion_confirmed: false })).body;
  keys(
    unconfirmed,
    [
      ...['account_id', 'cancelled_at', 'completion_verified_at', 'id', 'inserted_at', 'slug', 'source'],
      ...['template_id', 'updated_at'],
    ],
    'the answer',
  );
  same(unconfirmed.completion_verified_at, null, 'completion_verified_at after false');
  const first = (await team.call(200, path, { is_completion_confirmed: true })).body;
  matches(first.completion_verified_at, timePattern, 'completion_verified_at');
  holds(first.updated_at > unconfirmed.updated_at, 'updated_at did not move with the confirmation');
  for (const is_completion_confirmed of [true, false]) {
    same(
      (await team.call(200, path, { is_completion_confirmed })).body.completion_verified_at,
      first.completion_verified_at,
      'it',
    );
  }
  const listed = await team.journeyOf(contact);
  same(
    [listed.completion_verified_at, listed.analytics_cache.is_completed],
    [first.completion_verified_at, false],
    'the listed journey',
  );
  for (const value of [undefined, null, 'true', 1]) {
    await team.refuse(422, ['/is_completion_confirmed'], path, { is_completion_confirmed: value });
  }
});

check(
  'Contract 6: PUT …/journeys/:journey_id: unknown template or journey, or a journey of another template: 404',
  async (world) => {
    const [{ team, ids }, other] = [await world.content(), await world.other()];
    const { id } = await team.journey(ids.short);
    const body = { is_completion_confirmed: true };
    for (const [template, journey] of [
      [crypto.randomUUID(), id],
      [ids.short, crypto.randomUUID()],
      [ids.welcome, id],
      [ids.short, 'x'],
      ['x', id],
    ]) {
      await team.call(404, `PUT /v1/templates/${template}/journeys/${journey}`, body);
    }
    await other.team.call(404, `PUT /v1/templates/${ids.short}/journeys/${id}`, body);
  },
);

const cancel = (id: string) => `POST /v1/journeys/${id}/cancel` as const;

shortCheck(
  'Contract 14: cancel is 200 with the journey, a repeat changes nothing; completed: 409; unknown: 404',
  async (world) => {
    const [{ team, ids }, other] = [await world.content(), await world.other()];
    const journey = await team.journey(ids.short);
    await other.team.call(404, cancel(journey.id));
    const { body } = await team.call(200, cancel(journey.id));
    has(body, { id: journey.id, slug: journey.slug, template_id: ids.short, account_id: null }, 'the answer');
    matches(body.cancelled_at, timePattern, 'cancelled_at');
    same((await team.call(200, cancel(journey.id))).body, body, 'the answer to the repeat');
    const { cancelled_at, updated_at } = await team.journeyOf(journey.contact);
    same([cancelled_at, updated_at], [body.cancelled_at, body.updated_at], 'the listed journey');
    const completed = await team.journey(ids.short);
    await act(team, completed, 'page_completed', ids.shortPage);
    await team.call(409, cancel(completed.id));
    same((await team.journeyOf(completed.contact)).cancelled_at, null, 'cancelled_at of a completed journey');
    for (const id of [crypto.randomUUID(), 'x']) await team.call(404, cancel(id));
  },
);

check('Contract 14: the pages of a cancelled journey are 410; nothing completes it', async (world) => {
  const { team, ids } = await world.content();
  const journey = await team.journey(ids.short);
  await team.call(200, cancel(journey.id));
  await team.open(410, `GET /j/${journey.slug}`);
  const completes = { type: 'page_completed', page_id: ids.shortPage };
  same((await team.open(410, `POST /j/${journey.slug}/actions`, completes)).body.error, 'gone', 'the error');
  same((await team.journeyOf(journey.contact)).analytics_cache, nothingYet, 'analytics_cache');
});

check('Contract 14: a call for a cancelled journey is 200 with it; confirming it is 409', async (world) => {
  const { team, ids } = await world.content();
  const { id, slug, contact } = await team.journey(ids.short);
  const { cancelled_at } = (await team.call(200, cancel(id))).body;
  const { body } = await team.call(200, start(ids.short), { contact: { id: contact.id } });
  has(body, { id, slug, cancelled_at }, 'the answer');
  const confirm = { is_completion_confirmed: true };
  const refused = await team.call(409, `PUT /v1/templates/${ids.short}/journeys/${id}`, confirm);
  same(refused.body.error, 'conflict', 'the error');
  has(await team.journeyOf(contact), { cancelled_at, completion_verified_at: null }, 'the listed journey');
});

check('Specification, analytics_cache: pages_viewed and pages_completed have each page once', async (world) => {
  const { team, ids } = await world.content();
  for (const [type, field, empty] of [
    ['page_viewed', 'pages_viewed', 'pages_completed'],
    ['page_completed', 'pages_completed', 'pages_viewed'],
  ] as const) {
    const journey = await team.journey(ids.welcome);
    for (const page of [ids.confirm, ids.action, ids.confirm]) await act(team, journey, type, page);
    const cache = (await team.journeyOf(journey.contact)).analytics_cache;
    same([...cache[field]].sort(), [ids.confirm, ids.action].sort(), field);
    same(cache[empty], [], empty);
  }
});

check('Specification, analytics_cache: is_completely_viewed when every page has a view', async (world) => {
  const { team, ids } = await world.content();
  const journey = await team.journey(ids.welcome);
  const viewed = async () => (await team.journeyOf(journey.contact)).analytics_cache.is_completely_viewed;
  for (const page of [ids.view, ids.confirm, ids.action, ids.goalPage, ids.openPage])
    await act(team, journey, 'page_viewed', page);
  same(await viewed(), false, 'before the last page');
  await act(team, journey, 'page_viewed', ids.plain);
  same(await viewed(), true, 'after the last page that has part in it');
});

check(
  'Contract 6: last_viewed is the latest view; updated_at moves with every view, completion and confirmation',
  async (world) => {
    const { team, ids } = await world.content();
    const journey = await team.journey(ids.welcome);
    const states = [await team.journeyOf(journey.contact)];
    const steps = [
      () => act(team, journey, 'page_viewed', ids.confirm),
      () => act(team, journey, 'page_viewed', ids.confirm),
      () => act(team, journey, 'page_completed', ids.confirm),
      () =>
        team.call(200, `PUT /v1/templates/${ids.welcome}/journeys/${journey.id}`, { is_completion_confirmed: true }),
    ];
    for (const step of steps) {
      await step();
      states.push(await team.journeyOf(journey.contact));
    }
    const updated = states.map(({ updated_at }) => updated_at);
    same(new Set(updated).size, 5, `different updated_at in ${updated}`);
    same(updated, [...updated].sort(), 'updated_at in order');
    same(new Set(states.map(({ inserted_at }) => inserted_at)).size, 1, 'different inserted_at');
    const last = states.map(({ analytics_cache }) => analytics_cache.last_viewed);
    matches(last[1], timePattern, 'last_viewed');
    holds(last[2] > last[1], 'a second view of the page does not move last_viewed');
    same(last.slice(2), [last[2], last[2], last[2]], 'last_viewed after other actions');
  },
);

check('Contract 6: journey and contact of another team do not exist', async (world) => {
  const [{ team, ids }, other] = [await world.content(), await world.other()];
  const { contact } = await team.journey(ids.short);
  await other.team.refuse(422, ['/contact/id'], start(other.ids.short), { contact: { id: contact.id } });
  for (const method of ['GET', 'PUT', 'PATCH']) {
    await other.team.call(404, `${method} /v1/contacts/${contact.id}`, method === 'GET' ? undefined : { city: 'x' });
  }
  await other.team.call(404, `GET /v1/contacts/${contact.id}/accounts`);
  same((await other.team.get(`/v1/contacts?unique_id=${contact.unique_id}`)).contacts, [], 'the contact by unique_id');
});

const completed = async (team: Team, { contact }: Json): Promise<string[]> =>
  (await team.journeyOf(contact)).analytics_cache.pages_completed;
const isCompleted = async (team: Team, { contact }: Json): Promise<boolean> =>
  (await team.journeyOf(contact)).analytics_cache.is_completed;
const open = (team: Team, { contact }: Json, product: object, more: object = {}) =>
  team.import([record({ contact: { unique_id: contact.unique_id }, product: { code: newId(), ...product }, ...more })]);

shortCheck('Contract 6: completion_condition view: the page completes when it is viewed', async (world) => {
  const { team, ids } = await world.content();
  const journey = await team.journey(ids.welcome);
  await act(team, journey, 'page_viewed', ids.view);
  same(await completed(team, journey), [ids.view], 'pages_completed');
});

for (const condition of ['confirm', 'action'] as const) {
  check(`Contract 6: completion_condition ${condition}: recorded by the journey page`, async (world) => {
    const { team, ids } = await world.content();
    const journey = await team.journey(ids.welcome);
    await act(team, journey, 'page_viewed', ids[condition]);
    same(await completed(team, journey), [], 'pages_completed after the view');
    await act(team, journey, 'page_completed', ids[condition]);
    same(await completed(team, journey), [ids[condition]], 'pages_completed');
  });
}

check(
  'Contract 6: completion_condition objective: completed for the contact, before or after the journey starts',
  async (world) => {
    const { team, ids } = await world.content();
    const early = await team.journey(ids.welcome, { app_installed: '2020-01-02T03:04:05Z' });
    same(await completed(team, early), [ids.goalPage], 'pages_completed of an earlier one');
    const late = await team.journey(ids.welcome, { online_banking_enrolled: true });
    same(await completed(team, late), [], 'pages_completed with another objective');
    await team.call(200, `PATCH /v1/contacts/${late.contact.id}`, { app_installed: true });
    same(await completed(team, late), [ids.goalPage], 'pages_completed');
  },
);

check(
  'Contract 6: completion_condition open: an account of the product type is linked to the contact',
  async (world) => {
    const { team, ids } = await world.content();
    const journey = await team.journey(ids.welcome);
    await open(team, journey, { type: 'loan' });
    same(await completed(team, journey), [], 'pages_completed with another type');
    await open(team, journey, { type: 'lease' }, { closed_date: '2020-01-01' });
    same(await completed(team, journey), [], 'pages_completed with a closed account');
    await open(team, journey, { type: 'lease' }, { closed_date: '2999-01-01' });
    same(await completed(team, journey), [ids.openPage], 'pages_completed');
  },
);

check(
  'Contract 6: what once was complete stays so: closing or changing the account does not undo it',
  async (world) => {
    const { team, ids } = await world.content();
    const journey = await team.journey(ids.welcome);
    const account = record({
      contact: { unique_id: journey.contact.unique_id },
      product: { code: newId(), type: 'lease' },
    });
    await team.import([account]);
    same(await completed(team, journey), [ids.openPage], 'pages_completed');
    await team.import([{ ...account, closed_date: '2000-01-01' }]);
    same(await completed(team, journey), [ids.openPage], 'pages_completed after the account was closed');
  },
);

check('Contract 6: a completion is recorded when its fact is stored, whether anybody looks or not', async (world) => {
  const { team, ids } = await world.content();
  const journey = await team.journey(ids.welcome);
  const account = record({
    contact: { unique_id: journey.contact.unique_id },
    product: { code: newId(), type: 'lease' },
  });
  await team.import([account]);
  await new Promise((resolve) => setTimeout(resolve, 20_000));
  await team.import([{ ...account, closed_date: '2000-01-01' }]);
  same(
    await completed(team, journey),
    [ids.openPage],
    'pages_completed, at which nobody looked before the account was closed',
  );
});

check('Specification, Template page: with both features, the sets count', async (world) => {
  const { team, ids } = await world.other();
  const journey = await team.journey(ids.short);
  await open(team, journey, { type: 'savings', standardized_type: 'cd' });
  same(await completed(team, journey), [], 'pages_completed with another standardized type');
  await open(team, journey, { type: 'savings', standardized_type: 'heloc' });
  await eventually(async () => same(await completed(team, journey), [ids.byTypes], 'pages_completed'));
});

check('Contract 6: is_completed follows when the last page with a condition completes, and stays', async (world) => {
  const { team, ids } = await world.content();
  const journey = await team.journey(ids.welcome);
  await act(team, journey, 'page_viewed', ids.view);
  for (const page of [ids.confirm, ids.action]) await act(team, journey, 'page_completed', page);
  await team.call(200, `PATCH /v1/contacts/${journey.contact.id}`, { app_installed: true });
  same(await isCompleted(team, journey), false, 'is_completed before the last page');
  const account = record({
    contact: { unique_id: journey.contact.unique_id },
    product: { code: newId(), type: 'lease' },
  });
  await team.import([account]);
  same(await isCompleted(team, journey), true, 'is_completed, without archived, draft, dead and unconditional pages');
  await team.import([{ ...account, closed_date: '2000-01-01' }]);
  await team.call(200, `PATCH /v1/contacts/${journey.contact.id}`, { app_installed: false });
  same(await isCompleted(team, journey), true, 'is_completed later');
  same((await completed(team, journey)).length, 5, 'pages_completed later');
});

check('Contract 6: neither an unset field nor new content undoes a completion', async (world) => {
  const { team } = await world.content();
  const [template, page, second, objective] = Array.from({ length: 4 }, () => crypto.randomUUID());
  const key = `goal_${template}`;
  const document = (pages: object[]) => ({
    objectives: [{ id: objective, key, name: 'A goal' }],
    templates: [
      {
        id: template,
        name: `Changing ${template}`,
        status: 'live',
        template_pages: pages.map((each, order) => ({ order, page: each })),
      },
    ],
  });
  const write = (pages: object[]) =>
    world.admin(['content', 'import', '-', '--team', team.credential.team_id!], document(pages));
  const goal = { id: page, completion_condition: 'objective', objective_id: objective, content: 'Goal' };
  await write([goal]);
  const journey = await eventually(() => team.journey(template!, { [key]: true }));
  await eventually(async () => same(await completed(team, journey), [page], 'pages_completed'));
  same(await isCompleted(team, journey), true, 'is_completed');
  await write([
    { ...goal, completion_condition: 'confirm', objective_id: null },
    { id: second, completion_condition: 'confirm', content: 'New' },
  ]);
  await eventually(async () => {
    const pages = await team.get(`/v1/templates/${template}/template_pages`);
    holds(pages.length === 2, 'the import is not visible');
  });
  same(
    [await completed(team, journey), await isCompleted(team, journey)],
    [[page], true],
    'pages_completed and is_completed',
  );
});

const page = (content_name: string | null, body: string) => ({
  ...{ content_name, completion_condition: 'confirm' },
  content_blocks: [{ type: 'confirm', data: { body, text: 'Yes' } }],
});
const campaign = (name: string, ...pages: object[]) => ({
  templates: [{ name, template_pages: pages.map((each, at) => ({ order: at + 1, page: each })) }],
});

/** A campaign without ids, of which one person has completed the first page. */
async function underWay(world: World, ...pages: object[]) {
  const { team } = await world.content();
  const name = newId();
  const admin = ['--team', team.credential.team_id!];
  const tryImport = (document: object, ...options: string[]) =>
    world.tryAdmin(['content', 'import', '-', ...admin, ...options], document);
  same((await tryImport(campaign(name, ...pages))).status, 0, 'the exit status of the first import');
  const templates = async (): Promise<Json[]> => (await world.admin(['content', 'export', ...admin])).templates;
  const own = async (): Promise<Json> => (await templates()).find((each) => each.name === name);
  const pageIds = async (): Promise<string[]> => (await own()).template_pages.map((each: Json) => each.page.id);
  const { id } = await own();
  const [first] = await pageIds();
  // A function instance may show content that is 5 seconds old.
  const journey = await eventually(() => team.journey(id));
  await eventually(() => act(team, journey, 'page_completed', first!));
  const completed = async () => (await team.journeyOf(journey.contact)).analytics_cache.pages_completed;
  return { name, tryImport, templates, own, pageIds, completed };
}

check('Contract 6: pages keep their identity by title, then by content, and only then by place', async (world) => {
  const [one, two, three] = [page('One', 'first'), page('Two', 'second'), page(null, 'third')];
  const { name, tryImport, pageIds, completed } = await underWay(world, one, two, three);
  const [first, second, third] = await pageIds();
  const changed = campaign(name, page('New', 'new'), page('Deux', 'second'), page('One', 'rewritten'), three);
  same((await tryImport(changed)).status, 0, 'the exit status');
  const [inserted, ...ids] = await pageIds();
  same(ids, [second, first, third], 'the pages that stayed recognisable');
  holds(![first, second, third].includes(inserted), 'the inserted page has the id of another');
  same(await completed(), [first], 'the completed pages');
});

check('Contract 6: content export and the receipt of an import name every id, of blocks too', async (world) => {
  const [one, two] = [page('One', newId()), page('Two', newId())];
  const { name, tryImport, own } = await underWay(world, one, two);
  const { body: receipt } = await tryImport(campaign(name, two, one));
  const template = await own();
  const pages: Json[] = template.template_pages;
  for (const id of [template.id, ...pages.flatMap((each) => [each.id, each.page.id, each.page.content_blocks[0].id])]) {
    holds(typeof id === 'string', `an id of the export is ${id}`);
    holds(JSON.stringify(receipt).includes(id), `the receipt does not name ${id}`);
  }
});

check('Contract 6: progress is given to another page only with --accept-moves', async (world) => {
  const two = page('Two', newId());
  const { name, tryImport, pageIds, completed } = await underWay(world, page('One', newId()), two);
  const before = await pageIds();
  const changed = campaign(name, page('Other', newId()), two);
  const { status, body } = await tryImport(changed);
  same(status, 1, 'the exit status');
  const message = JSON.stringify(body.details);
  for (const part of ['One', 'Other', '1 person', '--accept-moves'])
    holds(message.includes(part), `${message}: ${part}`);
  same(await pageIds(), before, 'the pages after the refusal');
  same((await tryImport(changed, '--accept-moves')).status, 0, 'the exit status with --accept-moves');
  same([await pageIds(), await completed()], [before, [before[0]]], 'the pages and the completed ones');
});

check('Contract 6: answers count for another option only with --accept-moves', async (world) => {
  const { team } = await world.content();
  const [name, block, pageId, id] = [newId(), randomUUID(), randomUUID(), randomUUID()];
  const document = (...options: string[]) => {
    const content_blocks = [{ id: block, type: 'survey', data: { questions: [{ text: 'Which color?', options }] } }];
    const page = { id: pageId, completion_condition: 'confirm', content_blocks };
    return { templates: [{ id, name, template_pages: [{ order: 1, page }] }] };
  };
  const tryImport = (content: object, ...options: string[]) =>
    world.tryAdmin(['content', 'import', '-', '--team', team.credential.team_id!, ...options], content);
  same((await tryImport(document('Red', 'Blue'))).status, 0, 'the exit status of the first import');
  const journey = await eventually(() => team.journey(id));
  const answers = [{ block_id: block, values: [{ key: 'question_1', value: 'Blue' }] }];
  await eventually(() => act(team, journey, 'page_completed', pageId, { answers }));
  same((await tryImport(document('Green', 'Red', 'Blue'))).status, 0, 'the exit status of an import that inserts one');
  const changed = document('Green', 'Red', 'No opinion');
  for (const options of [[], ['--strict']]) {
    const { status, body } = await tryImport(changed, ...options);
    same(status, 1, `the exit status with ${options}`);
    const message = JSON.stringify(body.details);
    for (const part of ['Which color?', 'Blue', 'No opinion', '1 person', '--accept-moves'])
      holds(message.includes(part), `${message}: ${part}`);
  }
  same((await tryImport(changed, '--accept-moves')).status, 0, 'the exit status with --accept-moves');
});

check('Contract 6: a template is matched by its name; --new makes one whose name alone changed', async (world) => {
  const { name, tryImport, templates } = await underWay(world, page('One', newId()));
  const changed = page('One', newId());
  same((await tryImport(campaign(name, changed))).status, 0, 'the exit status');
  same((await templates()).filter((each) => each.name === name).length, 1, 'the number of templates of the name');
  const renamed = campaign(newId(), changed);
  same((await tryImport(renamed)).status, 1, 'the exit status under another name');
  same((await tryImport(renamed, '--new')).status, 0, 'the exit status with --new');
  const ofOtherPages = campaign(newId(), { ...changed, id: randomUUID() });
  same((await tryImport(ofOtherPages)).status, 0, 'the exit status under another name, with another page');
});

check('Contract 1: reads by id see every acknowledged write: a template and its pages, an import', async (world) => {
  const { team } = await world.content();
  const [id, pageId] = [randomUUID(), randomUUID()];
  for (const name of ['First', 'Second']) {
    const page = { id: pageId, content_name: `${name} page` };
    const document = { templates: [{ id, name, template_pages: [{ order: 1, page }] }] };
    await world.admin(['content', 'import', '-', '--team', team.credential.team_id!], document);
    same((await team.get(`/v1/templates/${id}`)).template.name, name, 'name');
    const [first] = await team.get(`/v1/templates/${id}/template_pages`);
    same(first.page.content_name, `${name} page`, 'content_name');
  }
});

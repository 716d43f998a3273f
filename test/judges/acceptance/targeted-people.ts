import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { record } from './accounts.ts';
import { has, holds, matches, NotChecked, same, timePattern } from './expect.ts';
import { eventually, type Json } from './http.ts';
import { act } from './journeys.ts';
import { check } from './suite.ts';
import { newId, Team, type World } from './world.ts';

/** Seconds from a write to the journey that it gives. */
const started = 45;
/** Milliseconds after which a journey that is not there will not come. */
const settled = 8000;

const page = (id: string) => ({
  order: 1,
  page: {
    ...{ id, is_live: true, content_block_status: 'published', completion_condition: 'view', content_name: 'Start' },
    content_blocks: [{ type: 'text', order: 1, data: { heading: 'Hello', body: 'Account {{account.nickname}}' } }],
  },
});

/** A live campaign with these rules. */
const campaign = (groups: Json, more: object = {}): Json => {
  const id = randomUUID();
  return {
    ...{ id, name: `Campaign ${id}`, status: 'live', content_block_status: 'published', targeting_groups: groups },
    ...{ template_pages: [page(randomUUID())], ...more },
  };
};
const group = (conditions: Json[], more: object = {}) => ({ name: 'Rule', conditions, ...more });
const is = (field: string, operator: string, value?: unknown) => ({
  ...{ field, operator },
  ...(value === undefined ? {} : { value }),
});
const checking = is('product.type', 'equals', 'checking');

/** A team of its own with these campaigns. */
async function teamWith(
  world: World,
  ...templates: Json[]
): Promise<{ team: Team; id: string; put(all: Json[]): Promise<Json> }> {
  const { team_id: id } = await world.admin(['team', 'create', '--name', 'Acceptance', '--sandbox']);
  world.teams.push(id);
  const put = (all: Json[], ...args: string[]) =>
    world.admin(['content', 'import', '-', '--team', id, ...args], { templates: all });
  const [credential] = await Promise.all([world.client(id), put(templates)]);
  return { team: new Team(world.target.baseUrl, credential), id, put };
}

const journeysOf = (team: Team, contact: Json): Promise<Json[]> => team.get(`/v1/journeys?contact_id=${contact.id}`);

/** The journeys of the contact, once there are so many. */
const journeysIn = (team: Team, contact: Json, count: number): Promise<Json[]> =>
  eventually(async () => {
    const found = await journeysOf(team, contact);
    holds(found.length >= count, `${found.length} of ${count} journeys are there`);
    return found;
  }, started);

/** A contact with accounts of these kinds. */
async function holderOf(team: Team, ...records: Record<string, Json>[]): Promise<Json> {
  const contact = await team.contact();
  if (records.length > 0)
    await team.import(records.map((each) => ({ ...each, contact: { unique_id: contact.unique_id, ...each.contact } })));
  return contact;
}

const savings = (more: object = {}) => record({ product: { code: 'SAVE', type: 'savings' }, ...more });

check(
  'Contract 14: an account that is opened starts the journey of a live rule, with its source and account',
  async (world) => {
    const welcome = campaign([group([checking])]);
    const { team } = await teamWith(world, welcome);
    const [holder, saver] = [await holderOf(team, record()), await holderOf(team, savings())];
    const [journey] = await journeysIn(team, holder, 1);
    has(journey, { source: 'automatic-targeting', template_id: welcome.id, cancelled_at: null }, 'the journey');
    const [{ account }] = await team.accountsOf(holder);
    same(journey.account_id, account.id, 'account_id');
    await team.open(200, `GET /j/${journey.slug}`);
    await sleep(settled);
    same(await journeysOf(team, saver), [], 'the journeys of who opened another account');
    const { account_number } = account;
    await team.import([record({ account_number, nickname: 'Mine', contact: { unique_id: holder.unique_id } })]);
    await holderOf(team);
    await sleep(settled);
    same((await journeysOf(team, holder)).length, 1, 'the journeys after the account changed');
  },
);

check(
  'Contract 14: a rule without conditions on accounts is judged once, and its journey has no account',
  async (world) => {
    const { team } = await teamWith(world, campaign([group([is('contact.city', 'equals', 'brno')])]));
    const contact = await team.contact({ city: 'BRNO' });
    const [journey] = await journeysIn(team, contact, 1);
    has(journey, { source: 'automatic-targeting', account_id: null }, 'the journey');
    const other = await team.contact({ city: 'Praha' });
    await sleep(settled);
    same(await journeysOf(team, other), [], 'the journeys of another city');
    await team.call(200, `PATCH /v1/contacts/${other.id}`, { city: 'Brno' });
    await journeysIn(team, other, 1);
  },
);

check('Contract 14: going live starts nothing for those already there; later they may come to hold', async (world) => {
  const later = campaign([group([checking])], { status: 'draft' });
  const { team, put } = await teamWith(world, later);
  const holder = await holderOf(team, record());
  const waiting = await holderOf(team, savings());
  await put([{ ...later, status: 'live' }]);
  await sleep(settled);
  await team.call(200, `PATCH /v1/contacts/${holder.id}`, { city: 'Brno' });
  const fresh = await holderOf(team, record());
  await journeysIn(team, fresh, 1);
  await sleep(settled);
  same(await journeysOf(team, holder), [], 'the journeys of who was there before');
  await team.import([record({ contact: { unique_id: waiting.unique_id } })]);
  await journeysIn(team, waiting, 1);
});

check('Contract 14: ONE_FOR_ONE starts a journey for each account, which its placeholders mean', async (world) => {
  const each = campaign([group([checking])], { journey_creation_strategy: 'ONE_FOR_ONE' });
  const { team } = await teamWith(world, each);
  const holder = await holderOf(team, record({ nickname: 'First' }), record({ nickname: 'Second' }), savings());
  const journeys = await journeysIn(team, holder, 2);
  const accounts = await team.accountsOf(holder);
  for (const journey of journeys) {
    const { account } = accounts.find((entry) => entry.account.id === journey.account_id)!;
    matches((await team.open(200, `GET /j/${journey.slug}`)).text, new RegExp(account.nickname), 'the page');
  }
  same(new Set(journeys.map(({ account_id }) => account_id)).size, 2, 'the accounts');
  const { body } = await team.call(200, `POST /v1/templates/${each.id}/journeys`, { contact: { id: holder.id } });
  holds(
    journeys.some(({ id }) => id === body.id),
    'a call gives another journey',
  );
  await sleep(settled);
  same((await journeysOf(team, holder)).length, 2, 'the journeys');
});

check('Contract 14: ONE_FOR_ALL is about the account that targeting_account_priority picks', async (world) => {
  const by = (targeting_account_priority: string) => campaign([group([checking])], { targeting_account_priority });
  const templates = ['newest', 'oldest', 'highest_balance', 'primary'].map(by);
  const { team } = await teamWith(world, ...templates);
  const opened = (nickname: string, opened_date: string, balance: string, role: string) =>
    record({ nickname, opened_date, balance, contact: { role } });
  const holder = await holderOf(
    team,
    opened('old', '2001-02-03', '10.10', 'joint'),
    opened('rich', '2011-02-03', '10.100000000000000001', 'joint'),
    opened('own', '2012-02-03', '-5', 'primary'),
    opened('new', '2021-02-03', '10.1', 'joint'),
  );
  const journeys = await journeysIn(team, holder, 4);
  const accounts = await team.accountsOf(holder);
  const found = templates.map(({ id }) => {
    const { account_id } = journeys.find(({ template_id }) => template_id === id)!;
    return accounts.find(({ account }) => account.id === account_id)!.account.nickname;
  });
  same(found, ['new', 'old', 'rich', 'own'], 'the accounts');
});

check('Contract 14: NO_JOURNEY starts none; the contact is noted, told once, and counted', async (world) => {
  const noted = campaign([group([checking])], { journey_creation_strategy: 'NO_JOURNEY' });
  const { team } = await teamWith(world, noted);
  const holder = await holderOf(team, record());
  const told = () =>
    eventually(async () => {
      const since = new Date(Date.now() - 120_000).toISOString();
      const { events } = await team.get(`/v1/events?limit=1000&since=${since}`);
      const own = events.filter(({ type }: Json) => type === 'contact.targeted');
      holds(own.length > 0, 'contact.targeted is not there');
      return own;
    }, started);
  const [event, ...others] = await told();
  const [{ account }] = await team.accountsOf(holder);
  has(event, { contact_id: holder.id, template_id: noted.id, account_id: account.id }, 'the event');
  same(others, [], 'other events');
  await eventually(async () => {
    const { targeted } = await team.get(`/v1/templates/${noted.id}/results`);
    same(targeted, 1, 'targeted');
  }, started);
  same(await journeysOf(team, holder), [], 'the journeys');
});

check(
  'Contract 14: muted, archived and unpublished campaigns start nothing; who has the journey gets no second one',
  async (world) => {
    const rule = [group([checking])];
    const draft = [{ order: 1, page: { ...page(randomUUID()).page, content_block_status: 'draft' } }];
    const own = campaign(rule);
    const templates = [
      campaign(rule, { is_muted: true }),
      campaign(rule, { is_archived: true }),
      campaign(rule, { template_pages: draft }),
    ];
    const { team } = await teamWith(world, own, ...templates);
    const contact = await team.contact();
    const { body } = await team.call(201, `POST /v1/templates/${own.id}/journeys`, { contact: { id: contact.id } });
    await team.import([record({ contact: { unique_id: contact.unique_id } })]);
    await sleep(settled);
    const found = await journeysOf(team, contact);
    same([found.length, found[0].id, found[0].source], [1, body.id, 'api'], 'the journeys');
  },
);

check('Contract 14: has_no_account asks over all accounts; closed ones are left out', async (world) => {
  const cards = { has_no_account: [is('product.type', 'equals', 'savings')] };
  const { team } = await teamWith(world, campaign([group([checking, cards])]));
  const [plain, both, closed, past] = [
    await holderOf(team, record()),
    await holderOf(team, savings(), record()),
    await holderOf(team, savings({ closed_date: '2020-01-01' }), record()),
    await holderOf(team, record({ closed_date: '2020-01-01' })),
  ];
  await journeysIn(team, plain, 1);
  await journeysIn(team, closed, 1);
  await sleep(settled);
  same(await journeysOf(team, both), [], 'the journeys of who has the other account');
  same(await journeysOf(team, past), [], 'the journeys of who has only a closed account');
});

check('Contract 14: a priority campaign keeps the others back until its journey ends', async (world) => {
  const first = campaign([group([checking])], {
    is_targeting_priority: true,
    journey_duration_hours: 720,
    targeting_order: 9,
  });
  const second = campaign([group([checking])], { targeting_order: 1 });
  const { team } = await teamWith(world, first, second);
  const holder = await holderOf(team, record());
  const [journey] = await journeysIn(team, holder, 1);
  await sleep(settled);
  same(
    (await journeysOf(team, holder)).map(({ template_id }) => template_id),
    [first.id],
    'the campaigns',
  );
  await team.call(200, `POST /v1/journeys/${journey.id}/cancel`);
  await journeysIn(team, holder, 2);
});

check('Contract 14: preview starts nothing and counts; explain says what came of each campaign', async (world) => {
  const later = campaign([group([checking])], { status: 'draft' });
  const { team, id } = await teamWith(world, later);
  const holder = await holderOf(team, record());
  await holderOf(team, savings());
  await eventually(async () => {
    const preview = await world.admin(['targeting', 'preview', '--team', id, '--template', later.id]);
    holds(/"hold[a-z_]*":1\b/.test(JSON.stringify(preview)), `one holds: ${JSON.stringify(preview).slice(0, 400)}`);
  }, started);
  const explained = await world.admin(['targeting', 'explain', '--team', id, '--unique-id', holder.unique_id]);
  holds(JSON.stringify(explained).includes(later.id), 'explain leaves the campaign out');
  await sleep(settled);
  same(await journeysOf(team, holder), [], 'the journeys');
});

check('Contract 14: include-existing reaches back, and is refused above --up-to', async (world) => {
  if (world.target.skipsWaits) throw new NotChecked('a walk begins after two minutes');
  const later = campaign([group([checking])], { status: 'draft' });
  const { team, id, put } = await teamWith(world, later);
  const holders = [await holderOf(team, record()), await holderOf(team, record())];
  await put([{ ...later, status: 'live' }]);
  const reach = (upTo: number) =>
    world.tryAdmin([
      'targeting',
      'include-existing',
      '--team',
      id,
      '--template',
      later.id,
      '--from',
      'beginning',
      '--up-to',
      `${upTo}`,
      '--yes',
    ]);
  await eventually(
    async () => holds((await reach(1)).status !== 0, 'two journeys are started where one is permitted'),
    started,
  );
  for (const holder of holders) same(await journeysOf(team, holder), [], 'the journeys after the refusal');
  const { status, body } = await reach(2);
  same(status, 0, `include-existing ended with ${JSON.stringify(body)}`);
  await eventually(async () => {
    for (const holder of holders) same((await journeysOf(team, holder)).length, 1, 'the journeys');
  }, 240);
});

check('Contract 14: the brake stops at --max-starts-a-day, status says so, and resume goes on', async (world) => {
  if (world.target.skipsWaits) throw new NotChecked('a walk begins after two minutes');
  const welcome = campaign([group([checking])]);
  const { team, id } = await teamWith(world, welcome);
  await world.admin(['team', 'update', '--team', id, '--max-starts-a-day', '2']);
  const holders = await Promise.all(Array.from({ length: 5 }, () => holderOf(team, record())));
  const count = async () => (await Promise.all(holders.map((each) => journeysOf(team, each)))).flat().length;
  await eventually(async () => same(await count(), 2, 'the journeys'), started);
  await sleep(settled);
  same(await count(), 2, 'the journeys after a while');
  const status = await world.admin(['targeting', 'status', '--team', id]);
  matches(JSON.stringify(status), /stopped/, 'the status');
  await world.admin(['targeting', 'resume', '--team', id, '--template', welcome.id, '--up-to', '2', '--yes']);
  await eventually(async () => same(await count(), 4, 'the journeys after it was resumed'), 240);
});

check(
  'Contract 14: undo cancels what nobody has opened, is refused while live, and a later form of the rule reopens it',
  async (world) => {
    const wrong = campaign([group([checking])]);
    const { team, id, put } = await teamWith(world, wrong);
    const since = new Date(Date.now() - 1000).toISOString();
    const [opened, unopened] = [await holderOf(team, record()), await holderOf(team, record())];
    const [[seen], [unseen]] = [await journeysIn(team, opened, 1), await journeysIn(team, unopened, 1)];
    await act(team, seen, 'page_viewed', wrong.template_pages[0].page.id);
    const undo = () =>
      world.tryAdmin(['targeting', 'undo', '--team', id, '--template', wrong.id, '--since', since, '--yes']);
    holds((await undo()).status !== 0, 'undo of a live rule ended with 0');
    await put([{ ...wrong, is_muted: true }]);
    const { status, body } = await undo();
    same(status, 0, `undo ended with ${JSON.stringify(body)}`);
    await eventually(async () => {
      const [journey] = await journeysOf(team, unopened);
      matches(journey.cancelled_at, timePattern, 'cancelled_at of the one that nobody has opened');
    }, started);
    same((await journeysOf(team, opened))[0].cancelled_at, null, 'cancelled_at of the one that was opened');
    await put([{ ...wrong, targeting_groups: [group([checking, is('contact.city', 'equals', 'Brno')])] }]);
    const fresh = await holderOf(team, record());
    await team.call(200, `PATCH /v1/contacts/${fresh.id}`, { city: 'Brno' });
    await journeysIn(team, fresh, 1);
    await team.import([record({ contact: { unique_id: unopened.unique_id } })]);
    await team.call(200, `PATCH /v1/contacts/${unopened.id}`, { city: 'Brno' });
    await eventually(async () => {
      const [journey] = await journeysOf(team, unopened);
      has(journey, { id: unseen.id, slug: unseen.slug, cancelled_at: null }, 'the reopened journey');
    }, started);
    await team.open(200, `GET /j/${unseen.slug}`);
  },
);

check('Contract 14: a template that a rule names cannot be removed', async (world) => {
  const first = campaign(undefined);
  const second = campaign([group([is(`journey.${first.name}`, 'is_completed')])]);
  const { team, id } = await teamWith(world, first, second);
  const exported = await world.admin(['content', 'export', '--team', id]);
  const { targeting_groups: groups } = (exported.content ?? exported).templates.find(
    (each: Json) => each.id === second.id,
  );
  same(groups[0].conditions[0].field, `journey.${first.id}`, 'the stored field');
  const { status } = await world.tryAdmin(['content', 'import', '-', '--team', id], { templates: [second] });
  holds(status !== 0, 'the template is removed');
  same((await team.get('/v1/templates')).templates.length, 2, 'the templates');
  const contact = await team.contact({ unique_id: newId() });
  const { body } = await team.call(201, `POST /v1/templates/${first.id}/journeys`, { contact: { id: contact.id } });
  await act(team, body, 'page_viewed', first.template_pages[0].page.id);
  await journeysIn(team, contact, 2);
});

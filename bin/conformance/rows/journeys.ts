import { holds, keysOf, matches, pathsOf, refused, same, timePattern, uuidPattern } from '../assert.ts';
import { once, type Row, sectionOf } from '../row.ts';
import type { World } from '../world.ts';

const { row, elsewhere } = sectionOf('Journey');
const cache = sectionOf('analytics_cache');

/** A journey of the campaign with a page for each completion condition, and requests for it. */
async function started({ team, ids }: World, fields: object = {}) {
  const journey = await team.journey(ids.welcome, fields);
  const act = (type: string, page_id: string, status = 204) =>
    team.open(status, `POST /j/${journey.slug}/actions`, { type, page_id });
  const read = async () => (await team.journeysOf(journey.contact))[0];
  return { ...journey, act, read };
}

const fixture = once(async (world) => {
  const { read, ...journey } = await started(world, { name_first: 'Ada', meta_private: { a: 1 } });
  return { ...journey, listed: await read() };
});

const nothingYet = {
  is_completed: false,
  is_completely_viewed: false,
  last_viewed: null,
  pages_completed: [],
  pages_viewed: [],
};

const create = 'Starts a journey with it (201), and sends a number instead (422).';

const listed = (field: string, demand: string, shown: string, check: (world: World) => Promise<void>): Row =>
  row(`\`${field}\` ${demand}`, shown, check);

export const journeyRows: readonly Row[] = [
  row('`owner_id` is accepted when a journey is created.', create, async ({ team, ids }) => {
    const { id } = await team.contact();
    const path = `POST /v1/templates/${ids.short}/journeys` as const;
    const refusal = await team.call(422, path, { contact: { id }, owner_id: 17 });
    refused(refusal, 'validation_failed', '/owner_id');
    await team.call(201, path, { contact: { id }, owner_id: 'owner-7' });
  }),
  row(
    '`name` is the name of the journey. The name of the template is used if it is left out.',
    'Starts one journey with a name and one without, and reads the titles of their pages. A number is 422.',
    async ({ team, ids }) => {
      const named = await team.journey(ids.short, {}, { name: 'A start of my own' });
      const plain = await team.journey(ids.short);
      const [own, other] = await Promise.all(
        [named, plain].map(async ({ slug }) => (await team.open(200, `GET /j/${slug}`)).text),
      );
      holds(own!.includes('A start of my own'), 'the page does not show the name of the journey');
      matches(other, /<h1[^>]*>Short</, 'the page without a name');
      const request = { contact: { id: named.contact.id }, name: 17 };
      refused(await team.call(422, `POST /v1/templates/${ids.short}/journeys`, request), 'validation_failed', '/name');
    },
  ),
  row(
    '`contact` is a contact object.',
    'Starts a journey with a new contact, which is created, and with changes to it, which are stored. Without one: 422.',
    async ({ team, ids }) => {
      const unique_id = team.newId();
      const path = `POST /v1/templates/${ids.short}/journeys` as const;
      await team.call(201, path, { contact: { unique_id, name_first: 'Ada' } });
      await team.call(200, path, { contact: { unique_id, city: 'Brno' } });
      const { body } = await team.call(200, `GET /v1/contacts?unique_id=${unique_id}`);
      same([body.contacts[0].name_first, body.contacts[0].city], ['Ada', 'Brno'], 'the contact');
      same(pathsOf(await team.call(422, path, {})), ['/contact'], 'the named path');
    },
  ),
  row(
    '`source` is one of `api`, `admin-console`, `automatic-targeting`, `direct`, or a custom string.',
    'Starts journeys with each value and a custom one, which is returned; without it, it is `api`. A number is 422.',
    async ({ team, ids }) => {
      const sources = ['api', 'admin-console', 'automatic-targeting', 'direct', 'branch 17', undefined];
      const found = await Promise.all(
        sources.map(async (source) => {
          const { contact } = await team.journey(ids.short, {}, source === undefined ? {} : { source });
          return (await team.journeysOf(contact))[0].source;
        }),
      );
      same(found, [...sources.slice(0, -1), 'api'], 'the sources');
      const request = { contact: { unique_id: team.newId() }, source: 17 };
      refused(
        await team.call(422, `POST /v1/templates/${ids.short}/journeys`, request),
        'validation_failed',
        '/source',
      );
    },
  ),
  listed(
    'analytics_cache',
    'is an object.',
    'Reads the journey: the five fields, all empty at first.',
    async (world) => {
      same((await fixture(world)).listed.analytics_cache, nothingYet, 'analytics_cache');
    },
  ),
  listed(
    'completion_verified_at',
    'is the ISO 8601 UTC time of manual completion, or `null`.',
    'Reads the journey before and after the completion is confirmed.',
    async (world) => {
      const { id, read } = await started(world);
      same((await read()).completion_verified_at, null, 'completion_verified_at at first');
      const path = `PUT /v1/templates/${world.ids.welcome}/journeys/${id}` as const;
      await world.team.call(200, path, { is_completion_confirmed: true });
      matches((await read()).completion_verified_at, timePattern, 'completion_verified_at');
    },
  ),
  listed(
    'contact',
    'is the contact object. `meta_private` is included only with a valid bearer token.',
    'Compares it with the contact that is read by id. A token without `contacts:private` gets no `meta_private`.',
    async (world) => {
      const { contact, listed: journey } = await fixture(world);
      const { team } = world;
      same(journey.contact, (await team.call(200, `GET /v1/contacts/${contact.id}`)).body, 'the contact');
      same(journey.contact.meta_private, { a: 1 }, 'meta_private');
      const limited = await team.limitedTo('journeys:read');
      const { body } = await team.call(200, `GET /v1/journeys?contact_id=${contact.id}`, undefined, limited);
      holds(!('meta_private' in body[0].contact), 'a token without contacts:private reads meta_private');
    },
  ),
  listed('id', 'is the id of the journey.', 'Reads the id that the creation returned, a UUID.', async (world) => {
    const { id, listed: journey } = await fixture(world);
    matches(id, uuidPattern, 'id');
    same(journey.id, id, 'the listed id');
  }),
  ...(['inserted_at', 'updated_at'] as const).map((field) =>
    listed(
      field,
      `is the ISO 8601 UTC time of ${field === 'inserted_at' ? 'creation' : 'the last update'}.`,
      'Reads it before and after a recorded view: `inserted_at` stays, `updated_at` moves.',
      async (world) => {
        const { act, read } = await started(world);
        const before = await read();
        matches(before[field], timePattern, field);
        await act('page_viewed', world.ids.confirm);
        const after = await read();
        holds(after[field] > before[field] === (field === 'updated_at'), `${field} went to ${after[field]}`);
      },
    ),
  ),
  listed(
    'slug',
    'is unique.',
    'Starts three journeys: three slugs of at least 128 bits, each of which opens its page.',
    async ({ team, ids }) => {
      const made = await Promise.all([1, 2, 3].map(() => team.journey(ids.short)));
      same(new Set(made.map(({ slug }) => slug)).size, 3, 'the number of slugs');
      for (const { slug } of made) {
        matches(slug, /^[\w-]{22,}$/, 'slug');
        await team.open(200, `GET /j/${slug}`);
      }
    },
  ),
  listed('template', 'is the template object.', 'Compares it with the template that is read by id.', async (world) => {
    const { listed: journey } = await fixture(world);
    const { body } = await world.team.call(200, `GET /v1/templates/${world.ids.welcome}`);
    same(journey.template, body.template, 'the template');
  }),
  listed('template_id', 'is the id of the campaign.', 'Reads it in the list and after the creation.', async (world) => {
    const { listed: journey, template_id } = await fixture(world);
    same([journey.template_id, template_id], [world.ids.welcome, world.ids.welcome], 'template_id');
  }),
  row('The listed journey has these ten fields.', 'Compares the keys of a listed journey.', async (world) => {
    const { listed: journey } = await fixture(world);
    const all = ['analytics_cache', 'completion_verified_at', 'contact', 'id', 'inserted_at', 'slug', 'source'];
    same(keysOf(journey), [...all, 'template', 'template_id', 'updated_at'], 'the fields');
  }),
  cache.row(
    '`is_completed`: at least one journey_completed action exists.',
    'Completes the only page of a journey: it changes from false to true.',
    async ({ team, ids }) => {
      const { slug, contact } = await team.journey(ids.short);
      const read = async () => (await team.journeysOf(contact))[0].analytics_cache.is_completed;
      same(await read(), false, 'is_completed at first');
      await team.open(204, `POST /j/${slug}/actions`, { type: 'page_completed', page_id: ids.shortPage });
      same(await read(), true, 'is_completed');
    },
  ),
  cache.row(
    '`is_completely_viewed`: every page has at least one page_viewed action.',
    'Views all pages but one (false), then the last one (true).',
    async (world) => {
      const { ids } = world;
      const { act, read } = await started(world);
      for (const page of [ids.view, ids.confirm, ids.action, ids.goalPage]) await act('page_viewed', page);
      same((await read()).analytics_cache.is_completely_viewed, false, 'before the last page');
      await act('page_viewed', ids.productPage);
      same((await read()).analytics_cache.is_completely_viewed, true, 'after the last page');
    },
  ),
  cache.row(
    '`last_viewed` is the ISO 8601 UTC time of the latest page_viewed action.',
    'Views a page twice: the time is set, then moves.',
    async (world) => {
      const { act, read } = await started(world);
      await act('page_viewed', world.ids.confirm);
      const first = (await read()).analytics_cache.last_viewed;
      matches(first, timePattern, 'last_viewed');
      await act('page_viewed', world.ids.confirm);
      const second = (await read()).analytics_cache.last_viewed;
      holds(second > first, `the second view changed last_viewed from ${first} to ${second}`);
    },
  ),
  ...(['pages_viewed', 'pages_completed'] as const).map((field) =>
    cache.row(
      `\`${field}\` is the array of page ids with at least one ${field === 'pages_viewed' ? 'page_viewed' : 'page_completed'} action.`,
      'Sends the action twice for one page and once for another: both ids are listed once, and only in this array.',
      async (world) => {
        const { ids } = world;
        const { act, read } = await started(world);
        const type = field === 'pages_viewed' ? 'page_viewed' : 'page_completed';
        for (const page of [ids.confirm, ids.action, ids.confirm]) await act(type, page);
        const { analytics_cache } = await read();
        same([...analytics_cache[field]].sort(), [ids.confirm, ids.action].sort(), field);
        const other = field === 'pages_viewed' ? 'pages_completed' : 'pages_viewed';
        same(analytics_cache[other], [], other);
      },
    ),
  ),
  elsewhere(
    '`direct`, `admin-console` and `automatic-targeting` are set by the system.',
    'No part of this service starts journeys other than by the API. It stores and returns the values (checked above).',
    'test/http/journeys-start.test.ts',
  ),
];

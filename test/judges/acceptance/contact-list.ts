import { contactFields } from './contacts.ts';
import { has, holds, keys, matches, same } from './expect.ts';
import { eventually, type Json } from './http.ts';
import { check, once, shortCheck } from './suite.ts';
import { newId, type Team } from './world.ts';

/** Contacts that share a mark, in the order of their creation. */
const listed = once(async (world) => {
  const team = await world.team();
  const mark = `m${crypto.randomUUID().slice(0, 8)}`;
  const people = [
    {
      name_first: `${mark} Čapek`,
      city: 'brno',
      email_opted_in: true,
      phone_home: '16125550199',
      birthdate: '1990-01-01',
    },
    { name_first: `x${mark.toUpperCase()}x`, city: 'Aš', email_opted_in: false, birthdate: '1980-01-01' },
    { name_last: mark, city: 'Cheb', meta_public: { a: 'deep value' } },
    { meta_private: { note: `${mark} private` }, city: 'ADAMOV', sms_verified: true },
    { address2: `flat ${mark}`, post_code: '90210', meta_public: { n: 77_123 } },
  ];
  const made: Json[] = [];
  for (const person of people) made.push(await team.contact(person));
  await eventually(async () => same((await find(team, mark)).length, 5, 'contacts found'));
  return { team, mark, ids: made.map(({ id }) => id as string), made };
});

const query = (parameters: Record<string, string>) => `/v1/contacts?${new URLSearchParams(parameters)}` as const;
async function find(team: Team, search: string, more: Record<string, string> = {}): Promise<string[]> {
  return (await team.get(query({ search, ...more }))).contacts.map(({ id }: Json) => id);
}

shortCheck('Contract 3: the list is {"contacts","limit","offset","has_more"}', async (world) => {
  const { team, mark } = await listed(world);
  const body = await team.get(query({ search: mark, limit: '2', offset: '1' }));
  keys(body, ['contacts', 'limit', 'offset', 'has_more', 'next_cursor'], 'the list');
  has(body, { limit: 2, offset: 1, has_more: true }, 'the list');
  keys(body.contacts[0], contactFields, 'a listed contact');
  const last = await team.get(query({ search: mark, limit: '2', offset: '3' }));
  keys(last, ['contacts', 'limit', 'offset', 'has_more'], 'the last page');
  has(last, { has_more: false }, 'the last page');
});

check(
  'Specification, GET /v1/contacts: limit is 20 by default and 100 at most; outside 1–100 it is 400',
  async (world) => {
    const team = await world.team();
    const mark = `l${crypto.randomUUID().slice(0, 8)}`;
    const contacts = Array.from({ length: 101 }, () => ({ unique_id: newId(), city: mark }));
    await team.call(200, 'POST /v1/contacts', { contacts });
    await eventually(async () => {
      const body = await team.get(query({ search: mark, limit: '100' }));
      same([body.contacts.length, body.has_more, body.limit], [100, true, 100], 'the largest page');
    });
    const body = await team.get(query({ search: mark }));
    same([body.contacts.length, body.limit, body.offset], [20, 20, 0], 'the default page');
    same((await team.get(query({ search: mark, limit: '1' }))).contacts.length, 1, 'the smallest page');
    same((await team.get(query({ search: mark, offset: '100' }))).contacts.length, 1, 'contacts after 100');
    for (const limit of ['0', '101', '-1', '1.5', 'x', ''])
      await team.refuse(400, ['limit'], `GET ${query({ limit })}`);
    for (const offset of ['-1', '1.5', 'x']) await team.refuse(400, ['offset'], `GET ${query({ offset })}`);
  },
);

check(
  'Contract 3: an unknown sort_column or sort_direction is 400; all bad parameters are named together',
  async (world) => {
    const team = await world.team();
    await team.refuse(400, ['sort_column'], 'GET /v1/contacts?sort_column=favourite');
    await team.refuse(400, ['sort_column'], 'GET /v1/contacts?sort_column=meta_public');
    await team.refuse(400, ['sort_direction'], 'GET /v1/contacts?sort_column=city&sort_direction=up');
    const all = { limit: '0', offset: '-1', sort_column: 'x', sort_direction: 'y', updated_since: 'z', cursor: 'q' };
    await team.refuse(400, Object.keys(all), `GET ${query(all)}`);
  },
);

check(
  'Specification, GET /v1/contacts: search is a substring within all contact fields, without regard to case',
  async (world) => {
    const { team, mark, ids } = await listed(world);
    const found: [string, number[]][] = [
      [`${mark} čAPEK`, [0]],
      [`X${mark}X`, [1]],
      [`${mark.toUpperCase()} PRIV`, [3]],
      [`flat ${mark}`, [4]],
      [mark, [0, 1, 2, 3, 4]],
    ];
    for (const [search, expected] of found)
      same(
        await find(team, search),
        expected.map((at) => ids[at]),
        `found by ${search}`,
      );
    for (const [at, search] of [
      [0, '12555019'],
      [2, 'EEP VAL'],
      [4, '7712'],
      [4, '0210'],
    ] as const) {
      holds((await find(team, search, { limit: '100' })).includes(ids[at]!), `${search} does not find contact ${at}`);
    }
  },
);

check('Contract 3: search does not look at ids, booleans or timestamps, and never across fields', async (world) => {
  const { team, ids, made } = await listed(world);
  holds(!(await find(team, ids[0]!)).includes(ids[0]!), 'the id is searched');
  holds(!(await find(team, made[0].inserted_at)).includes(ids[0]!), 'inserted_at is searched');
  holds(!(await find(team, 'true', { limit: '100' })).includes(ids[0]!), 'booleans are searched');
  holds(!(await find(team, '555-0199')).includes(ids[0]!), 'a phone without punctuation is found with it');
  const { id } = await team.contact({ name_first: 'Zed', name_last: `Q${made[0].id}` });
  await eventually(async () => holds((await find(team, `Q${made[0].id}`)).includes(id), 'name_last does not find it'));
  for (const join of ['', ' ', ',', '\n', '\u0000'])
    same(await find(team, `Zed${join}Q${made[0].id}`), [], `across fields by ${JSON.stringify(join)}`);
});

check('Contract 3: search is without regard to case and to Unicode composition', async (world) => {
  const team = await world.team();
  const mark = newId();
  const cities = ['\u0130STANBUL', 'Plze\u0148', 'Plzen\u030c'].map((city) => `${city} ${mark}`);
  const made = await Promise.all(cities.map((city) => team.contact({ city })));
  const found = { [`istanbul ${mark}`]: [0], [`ZE\u0147 ${mark}`]: [1, 2], [`zen\u030c ${mark}`]: [1, 2] };
  for (const [search, expected] of Object.entries(found)) {
    await eventually(async () =>
      same((await find(team, search)).sort(), expected.map((at) => made[at].id).sort(), `found by ${search}`),
    );
  }
});

check('Contract 3: an empty search filters nothing', async (world) => {
  const { team } = await listed(world);
  const whole = await team.get('/v1/contacts?limit=3');
  for (const none of ['search=', 'unique_id=', 'updated_since=']) {
    same((await team.get(`/v1/contacts?limit=3&${none}`)).contacts, whole.contacts, none);
  }
});

check('Contract 3: the default order is inserted_at, ascending; sort_direction alone applies to it', async (world) => {
  const { team, mark, ids } = await listed(world);
  same(await find(team, mark), ids, 'the default order');
  same(await find(team, mark, { sort_direction: 'desc' }), ids.toReversed(), 'descending');
  same(await find(team, mark, { sort_direction: 'asc' }), ids, 'ascending');
});

const orders: [column: string, ascending: number[], descending: number[]][] = [
  ['city', [3, 1, 0, 2, 4], [2, 0, 1, 3, 4]],
  ['birthdate', [1, 0], [0, 1]],
  ['email_opted_in', [1, 0], [0, 1]],
  ['name_first', [0, 1], [1, 0]],
  ['inserted_at', [0, 1, 2, 3, 4], [4, 3, 2, 1, 0]],
  ['updated_at', [0, 1, 2, 3, 4], [4, 3, 2, 1, 0]],
];
for (const [column, ascending, descending] of orders) {
  check(
    `Contract 3: sort_column ${column}: without regard to case, nulls last in both directions, ties by id`,
    async (world) => {
      const { team, mark, ids } = await listed(world);
      for (const [sort_direction, expected] of [
        ['asc', ascending],
        ['desc', descending],
      ] as const) {
        const found = await find(team, mark, { sort_column: column, sort_direction });
        const nulls = ids.filter((_, at) => !expected.includes(at));
        same(
          found.slice(0, expected.length),
          expected.map((at) => ids[at]),
          `${column} ${sort_direction}`,
        );
        same(found.slice(expected.length).sort(), nulls.sort(), `${column} ${sort_direction}, the nulls`);
        if (sort_direction === 'asc') same(found.slice(expected.length), nulls.sort(), `${column}, ties`);
      }
      same(
        (await find(team, mark, { sort_column: column })).slice(0, ascending.length),
        ascending.map((at) => ids[at]),
        'without direction',
      );
    },
  );
}

check('Contract 3: sort_column takes any scalar contact field, id, inserted_at, updated_at', async (world) => {
  const { team, mark, ids } = await listed(world);
  const scalar = contactFields.filter((field) => !field.startsWith('meta_'));
  for (const sort_column of scalar) {
    same((await find(team, mark, { sort_column })).sort(), [...ids].sort(), `the contacts by ${sort_column}`);
  }
  same(await find(team, mark, { sort_column: 'id' }), [...ids].sort(), 'by id');
});

check(
  'Contract 3: next_cursor and Link rel="next" while there is more; cursor= continues from there',
  async (world) => {
    const { team, mark } = await listed(world);
    for (const more of [
      {},
      { sort_column: 'city' },
      { sort_column: 'city', sort_direction: 'desc' },
      { sort_column: 'birthdate' },
    ]) {
      const whole = await find(team, mark, more);
      const walked: string[] = [];
      for (let path: string | undefined = query({ search: mark, limit: '2', ...more }); path !== undefined; ) {
        const { body, headers } = await team.call(200, `GET ${path}` as `GET /${string}`);
        walked.push(...body.contacts.map(({ id }: Json) => id));
        const link = headers.get('link');
        same(
          [typeof body.next_cursor, link === null],
          body.has_more ? ['string', false] : ['undefined', true],
          'next_cursor and Link',
        );
        if (!body.has_more) break;
        holds(body.next_cursor.length <= 2000, 'the cursor is longer than 2,000 characters');
        matches(link, /^<[^>]+>; rel="next"$/, 'Link');
        const next = new URL(/<([^>]+)>/.exec(link!)![1]!, team.baseUrl);
        same(next.searchParams.get('cursor'), body.next_cursor, 'the cursor of Link');
        path = query({ search: mark, limit: '2', ...more, cursor: body.next_cursor });
      }
      same(walked, whole, `the contacts page by page, ${JSON.stringify(more)}`);
    }
  },
);

check('Contract 3: a cursor belongs to the query that gave it (other parameters: 400)', async (world) => {
  const { team, mark } = await listed(world);
  const { next_cursor: cursor } = await team.get(query({ search: mark, limit: '2' }));
  for (const parameters of [
    { search: `${mark}x`, cursor },
    { search: mark, sort_column: 'city', cursor },
    { search: mark, sort_direction: 'desc', cursor },
  ]) {
    await team.call(400, `GET ${query({ limit: '2', ...parameters } as Record<string, string>)}`);
  }
  await team.refuse(400, ['limit'], `GET ${query({ search: mark, limit: '3', cursor })}`);
  for (const bad of ['x', `${cursor}A`, cursor.slice(2)])
    await team.refuse(400, ['cursor'], `GET ${query({ search: mark, limit: '2', cursor: bad })}`);
});

check('Contract 1: a cursor of another team is 400', async (world) => {
  const { team, mark } = await listed(world);
  const { next_cursor: cursor } = await team.get(query({ search: mark, limit: '2' }));
  await (await world.other()).team.call(400, `GET ${query({ search: mark, limit: '2', cursor })}`);
});

check('Contract 3: unique_id= lists the one contact that it names, or none', async (world) => {
  const { team, mark, made } = await listed(world);
  const one = await team.get(query({ unique_id: made[2].unique_id }));
  same(
    one.contacts.map(({ id }: Json) => id),
    [made[2].id],
    'the contact',
  );
  same([one.has_more, (await team.get(query({ unique_id: newId() }))).contacts], [false, []], 'none');
  same((await team.get(query({ unique_id: made[2].unique_id, search: `${mark}-not` }))).contacts, [], 'with a search');
  same((await team.get(query({ unique_id: made[2].unique_id.toUpperCase() }))).contacts, [], 'in capitals');
});

check(
  'Contract 3: updated_since= lists those updated at that time or later; not a date-time with Z: 400',
  async (world) => {
    const { team, mark, ids, made } = await listed(world);
    same(await find(team, mark, { updated_since: made[2].updated_at }), ids.slice(2), 'since the third');
    same(
      await find(team, mark, { updated_since: made[2].updated_at, sort_direction: 'desc' }),
      ids.slice(2).toReversed(),
      'descending',
    );
    for (const updated_since of ['2024-01-01', '2024-01-01T00:00:00', '2024-01-01T00:00:00+01:00', 'x']) {
      await team.refuse(400, ['updated_since'], `GET ${query({ updated_since })}`);
    }
  },
);

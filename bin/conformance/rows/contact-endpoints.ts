import { sortColumns } from '../../../lib/domain/directory.ts';
import { type Request, send } from '../../checks/http.ts';
import { holds, keysOf, matches, refused, same } from '../assert.ts';
import { once, quoted, type Row, sectionOf } from '../row.ts';
import { eventually, type World } from '../world.ts';

const list = sectionOf('GET /v1/contacts');
const single = sectionOf('POST /v1/contacts (single upsert)');
const batch = sectionOf('POST /v1/contacts (batch upsert)');
const change = sectionOf('PUT /v1/contacts/:id and PATCH /v1/contacts/:id');

type Found = { id: string; unique_id: string; name_first: string | null };

/** Contacts that share a last name which no other contact has, once all are listed. */
const family = once(async ({ team }) => {
  const name = `family-${crypto.randomUUID()}`;
  const contacts = ['beta', 'Alpha', 'gamma', null, 'delta'].map((name_first) => ({
    unique_id: team.newId(),
    name_last: name,
    name_first,
  }));
  const { body } = await team.call(200, 'POST /v1/contacts', { contacts });
  await eventually(async () => {
    const found = await team.call(200, `GET /v1/contacts?search=${name}&limit=100`);
    same(found.body.contacts.length, contacts.length, 'the number of listed contacts');
  });
  return { name, contacts: body.new_contacts as Found[] };
});

const firstNames = async ({ team }: World, query: string): Promise<(string | null)[]> =>
  (await team.call(200, `GET /v1/contacts?${query}`)).body.contacts.map(({ name_first }: Found) => name_first);

const crowd = once(async ({ team }) => {
  const contacts = Array.from({ length: 105 }, () => ({ unique_id: team.newId(), city: 'Crowd' }));
  await team.call(200, 'POST /v1/contacts', { contacts });
  return eventually(async () => {
    const { body } = await team.call(200, 'GET /v1/contacts?limit=100&offset=5');
    same(body.contacts.length, 100, 'the number of listed contacts');
  });
});

export const contactEndpointRows: readonly Row[] = [
  list.row(
    '`limit` is the number of rows per call: 20 by default, 100 at most.',
    'With more than 105 contacts: 20 without it, 100 with 100, 7 with 7; 101, 0 and text are 400.',
    async (world) => {
      const { team } = world;
      await crowd(world);
      for (const [query, count] of Object.entries({ '': 20, '?limit=100': 100, '?limit=7': 7 })) {
        const { body } = await team.call(200, `GET /v1/contacts${query}`);
        same([body.contacts.length, body.limit], [count, count], `the number of contacts with ${query}`);
      }
      for (const value of ['101', '0', '-1', 'ten', '1.5']) {
        refused(await team.call(400, `GET /v1/contacts?limit=${value}`), 'invalid_request', 'limit');
      }
    },
  ),
  list.row(
    '`offset` is the number of rows to skip, 0 by default: with `limit` it pages.',
    'Reads one page of five, and the same contacts one by one with an offset; a negative one is 400.',
    async (world) => {
      const { name, contacts } = await family(world);
      const all = await firstNames(world, `search=${name}&sort_column=name_first`);
      const pages = await Promise.all(
        contacts.map((_, at) => firstNames(world, `search=${name}&sort_column=name_first&limit=1&offset=${at}`)),
      );
      same(pages.flat(), all, 'the contacts page by page');
      same(await firstNames(world, `search=${name}&offset=5`), [], 'the contacts after the last one');
      refused(await world.team.call(400, 'GET /v1/contacts?offset=-1'), 'invalid_request', 'offset');
    },
  ),
  list.row(
    '`search` finds a substring of at most 1024 characters within all contact fields.',
    'Finds a contact by a part of its name, email, address, phone and metadata, in any case; another text finds nothing, and 1025 characters are 400.',
    async ({ team }) => {
      const mark = crypto.randomUUID().slice(0, 13);
      const fields = {
        name_first: `N${mark}`,
        email: `E${mark}@example.com`,
        address2: `A ${mark}`,
        meta_public: { x: { y: `P${mark}` } },
      };
      const contact = await team.contact({ ...fields, meta_private: { z: `Q${mark}` }, phone_home: '4155550177' });
      for (const part of [`n${mark}`, `E${mark}@EX`, `A ${mark}`, `P${mark}`, `q${mark}`]) {
        await eventually(async () => {
          const { body } = await team.call(200, `GET /v1/contacts?search=${encodeURIComponent(part)}`);
          same(
            body.contacts.map(({ id }: Found) => id),
            [contact.id],
            `the contacts with ${part}`,
          );
        });
      }
      const { body } = await team.call(200, `GET /v1/contacts?search=x${mark}`);
      same(body.contacts, [], 'the contacts with another text');
      refused(await team.call(400, `GET /v1/contacts?search=${'x'.repeat(1025)}`), 'invalid_request', 'search');
    },
  ),
  list.row(
    '`sort_column` is the column to sort by, `sort_direction` is `asc` or `desc`.',
    'Sorts five contacts by a name in both directions: case does not count, and unset values come last.',
    async (world) => {
      const { name } = await family(world);
      const query = `search=${name}&sort_column=name_first`;
      same(await firstNames(world, query), ['Alpha', 'beta', 'delta', 'gamma', null], 'ascending by default');
      same(
        await firstNames(world, `${query}&sort_direction=asc`),
        ['Alpha', 'beta', 'delta', 'gamma', null],
        'ascending',
      );
      same(
        await firstNames(world, `${query}&sort_direction=desc`),
        ['gamma', 'delta', 'beta', 'Alpha', null],
        'descending',
      );
    },
  ),
  list.row(
    `\`sort_column\` is one of ${quoted(sortColumns)}. By default the list is sorted by \`inserted_at\`, ascending.`,
    'Sorts by each column (200); another column and another direction are 400; compares the default with `inserted_at`.',
    async (world) => {
      const { name } = await family(world);
      for (const column of sortColumns) {
        const { body } = await world.team.call(200, `GET /v1/contacts?search=${name}&sort_column=${column}`);
        same(body.contacts.length, 5, `the number of contacts by ${column}`);
      }
      const usual = await firstNames(world, `search=${name}`);
      same(usual, await firstNames(world, `search=${name}&sort_column=inserted_at&sort_direction=asc`), 'the default');
      refused(await world.team.call(400, 'GET /v1/contacts?sort_column=meta_public'), 'invalid_request', 'sort_column');
      refused(await world.team.call(400, 'GET /v1/contacts?sort_direction=up'), 'invalid_request', 'sort_direction');
    },
  ),
  single.row(
    'The body is a contact object, and the response is the contact object.',
    'Creates (201) and updates (200) a contact: both responses have the fields that were sent. A body that is an array: 400.',
    async ({ team }) => {
      const unique_id = team.newId();
      const { body: created } = await team.call(201, 'POST /v1/contacts', { unique_id, city: 'Praha' });
      same([created.unique_id, created.city], [unique_id, 'Praha'], 'the created contact');
      const { body: updated } = await team.call(200, 'POST /v1/contacts', { unique_id, city: null });
      same([updated.id, updated.city], [created.id, null], 'the updated contact');
      same((await team.call(400, 'POST /v1/contacts', [{ unique_id }])).body.error, 'invalid_request', 'the error');
    },
  ),
  single.row(
    'A creation returns 201 without `meta_private`.',
    'Compares the keys of the created contact with those of the same contact read by id.',
    async ({ team }) => {
      const created = await team.contact({ meta_private: { a: 1 } });
      const { body: read } = await team.call(200, `GET /v1/contacts/${created.id}`);
      same(
        keysOf(read).filter((key) => !(key in created)),
        ['meta_private'],
        'the keys that only the read contact has',
      );
    },
  ),
  single.row(
    'It creates or updates by the rules of `unique_id`: concurrent requests for a new one make one contact.',
    'Sends ten requests for a new `unique_id` at once: one is 201, all others are 200, and all have the same id.',
    async ({ team }) => {
      const unique_id = team.newId();
      const bearer = { authorization: `Bearer ${await team.token()}` };
      const responses = await Promise.all(
        Array.from({ length: 10 }, () => send(team.baseUrl, 'POST /v1/contacts', { unique_id }, bearer)),
      );
      same(responses.filter(({ status }) => status === 201).length, 1, 'the number of responses with 201');
      same(responses.filter(({ status }) => status === 200).length, 9, 'the number of responses with 200');
      same(new Set(responses.map(({ body }) => body.id)).size, 1, 'the number of ids');
    },
  ),
  batch.row(
    'The body shape decides the intent: `contacts`, an array of contact objects, is a batch.',
    'Sends two new contacts: 200 with both. `contacts` that is not an array, or is beside `unique_id`: 422. None: two empty arrays.',
    async ({ team }) => {
      const contacts = [{ unique_id: team.newId() }, { unique_id: team.newId() }];
      const { body } = await team.call(200, 'POST /v1/contacts', { contacts });
      same(
        body.new_contacts.map((each: Found) => each.unique_id),
        contacts.map((each) => each.unique_id),
        'new_contacts',
      );
      await team.call(422, 'POST /v1/contacts', { contacts: contacts[0] });
      await team.call(422, 'POST /v1/contacts', { contacts, unique_id: team.newId() });
      const { body: none } = await team.call(200, 'POST /v1/contacts', { contacts: [] });
      same(none, { new_contacts: [], existing_contacts: [] }, 'the response to an empty batch');
    },
  ),
  batch.row(
    'The response has `new_contacts` (created) and `existing_contacts` (updated).',
    'Sends known and new contacts mixed: each list has its own in the order sent, and they are stored.',
    async ({ team }) => {
      const [known, second] = [await team.contact(), await team.contact()];
      const ids = [second.unique_id, team.newId(), known.unique_id, team.newId()];
      const contacts = ids.map((unique_id, at) => ({ unique_id, city: `City ${at}` }));
      const { body } = await team.call(200, 'POST /v1/contacts', { contacts });
      same(keysOf(body), ['existing_contacts', 'new_contacts'], 'the fields');
      same(
        body.new_contacts.map((each: Found) => each.unique_id),
        [ids[1], ids[3]],
        'new_contacts',
      );
      same(
        body.existing_contacts.map((each: Found) => each.id),
        [second.id, known.id],
        'existing_contacts',
      );
      const { body: read } = await team.call(200, `GET /v1/contacts/${known.id}`);
      same(read.city, 'City 2', 'the stored field');
    },
  ),
  ...(['PUT', 'PATCH'] as const).flatMap((method) => [
    change.row(
      `\`${method}\`: \`:id\` is the system id, the body and the response are contact objects.`,
      'Changes one field, clears one and leaves one out. An unknown id and one of another team: 404.',
      async ({ team, featured }) => {
        const contact = await team.contact({ name_first: 'Ada', city: 'Praha', state: 'CZ' });
        const path: Request = `${method} /v1/contacts/${contact.id}`;
        const { body } = await team.call(200, path, { name_first: 'Eva', city: null });
        same([body.id, body.name_first, body.city, body.state], [contact.id, 'Eva', null, 'CZ'], 'the contact');
        same((await team.call(200, `GET /v1/contacts/${contact.id}`)).body, body, 'the contact by id');
        holds(body.updated_at > contact.updated_at, 'updated_at did not move');
        await featured.call(404, path, { city: 'Brno' });
        for (const id of [crypto.randomUUID(), contact.unique_id, 'x']) {
          const refusal = await team.call(404, `${method} /v1/contacts/${id}`, { city: 'Brno' });
          same(refusal.body.error, 'not_found', 'the error');
        }
        matches(body.updated_at, /Z$/, 'updated_at');
      },
    ),
  ]),
];

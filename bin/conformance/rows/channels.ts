import { flagFields, textFields } from '../../../lib/domain/contact.ts';
import type { Request } from '../../checks/http.ts';
import { holds, keysOf, matches, refused, same } from '../assert.ts';
import { once, type Row, sectionOf } from '../row.ts';
import { eventually, type World } from '../world.ts';

const { row } = sectionOf('GET /v1/engagement-channels/:channel_id/content-containers/search');

const search = (channel: string, query: string): Request =>
  `GET /v1/engagement-channels/${channel}/content-containers/search?${query}`;
const by = (field: string, value: string) => new URLSearchParams({ [field]: value }).toString();

const find = async ({ team, ids }: World, field: string, value: string) =>
  (await team.call(200, search(ids.channel, by(field, value)))).body;

/** A field and a value that only this contact has. */
const newFields = (mark: string): Record<string, string> => ({
  ...Object.fromEntries(textFields.map((field) => [field, `${field} ${mark}`])),
  ...{ phone_home: digits(), phone_mobile: digits(), phone_work: digits() },
  birthdate: `19${mark.slice(0, 2).replace(/\D/g, '4')}-01-02`,
});
const digits = () => `442${String(crypto.getRandomValues(new Uint32Array(1))[0]).padStart(10, '0')}`;

/** A person with content for the channel, and the references to it and to the default content. */
const fixture = once(async (world) => {
  const { team, ids } = world;
  const mark = crypto.randomUUID();
  const own = newFields(mark);
  const meta_private = { core_id: mark, car: [{ make: `make ${mark}` }] };
  const journey = await team.journey(ids.welcome, { ...own, meta_private, meta_public: { branch: mark } });
  const found = await eventually(async () => {
    const body = await find(world, 'meta_private[core_id]', mark);
    holds(body.journey_url !== null, 'the lookup does not find the contact');
    return body;
  });
  const none = await find(world, 'unique_id', crypto.randomUUID());
  return { mark, own, journey, found, none };
});

/** The page at a reference, through the base URL of the run. */
async function content({ team }: World, url: string): Promise<string> {
  const path = /\/c\/[^/]+\/[^/]+$/.exec(new URL(url).pathname)?.[0];
  holds(path !== undefined, `the url is ${url}`);
  return (await team.open(200, `GET ${path}` as Request)).text;
}

export const channelRows: readonly Row[] = [
  row(
    '`:channel_id` is the id of the engagement channel; the channel must exist.',
    'Asks for an unknown channel, one of another team and a malformed id: 404.',
    async ({ team, featuredIds }) => {
      for (const channel of [crypto.randomUUID(), featuredIds.channel, 'x']) {
        same(
          (await team.call(404, search(channel, by('email', 'a@example.com')))).body.error,
          'not_found',
          'the error',
        );
      }
    },
  ),
  row(
    'One query parameter names a contact field and the value to match.',
    'None, two and an unknown field: 400.',
    async ({ team, ids }) => {
      const wrong = {
        '': [''],
        'email=a&city=b': ['email', 'city'],
        'favourite=blue': ['favourite'],
        'meta_private=x': ['meta_private'],
      };
      for (const [query, paths] of Object.entries(wrong)) {
        refused(await team.call(400, search(ids.channel, query)), 'invalid_request', ...paths);
      }
    },
  ),
  row(
    `Any contact field may be used: ${['id', 'unique_id', ...textFields].map((field) => `\`${field}\``).join(', ')}.`,
    'Looks one contact up by each of these fields, with values that no other contact has: always the same journey.',
    async (world) => {
      const { own, found, journey } = await fixture(world);
      const { contact } = journey;
      const { birthdate: _, ...unique } = own;
      const values = { ...unique, id: contact.id, unique_id: contact.unique_id };
      for (const [field, value] of Object.entries(values)) {
        same((await find(world, field, value)).journey_url, found.journey_url, `the journey found by ${field}`);
      }
    },
  ),
  row(
    `Fields that many contacts share may be used too: ${['birthdate', 'inserted_at', 'updated_at', ...flagFields].map((field) => `\`${field}\``).join(', ')}, \`unsubscribe_email\`, \`unsubscribe_sms\`.`,
    'Looks up by a value of each: 200 with a reference.',
    async (world) => {
      const { journey } = await fixture(world);
      const times = {
        birthdate: '1801-02-03',
        inserted_at: journey.contact.inserted_at,
        updated_at: journey.contact.updated_at,
      };
      const flags = Object.fromEntries(
        [...flagFields, 'unsubscribe_email', 'unsubscribe_sms'].map((field) => [field, 'true']),
      );
      for (const [field, value] of Object.entries({ ...times, ...flags })) {
        same((await find(world, field, value))._type, 'content_container_reference', `the reference by ${field}`);
      }
    },
  ),
  row(
    'Nested forms such as `meta_private[<key>]` may be used; a partner id in `meta_private` is the recommended key.',
    'Looks up by `meta_private[core_id]`, `meta_private[car.0.make]`, `meta_private[car][0][make]` and `meta_public[branch]`.',
    async (world) => {
      const { mark, found } = await fixture(world);
      const queries = {
        'meta_private[core_id]': mark,
        'meta_private[car.0.make]': `make ${mark}`,
        'meta_private[car][0][make]': `make ${mark}`,
        'meta_public[branch]': mark,
      };
      for (const [field, value] of Object.entries(queries)) {
        await eventually(async () =>
          same((await find(world, field, value)).journey_url, found.journey_url, `the journey by ${field}`),
        );
      }
    },
  ),
  row(
    'The contact must exist in the team of the caller.',
    'Another team looks up the same values on its channel: default content, nothing of the contact.',
    async (world) => {
      const { mark, own } = await fixture(world);
      const { featured, featuredIds } = world;
      for (const [field, value] of [
        ['meta_private[core_id]', mark],
        ['email', own.email!],
      ] as const) {
        const { body } = await featured.call(200, search(featuredIds.channel, by(field, value)));
        same(body.journey_url, null, `journey_url by ${field}`);
      }
    },
  ),
  row(
    'The response has `_type`, `journey_url` and `url`.',
    'Compares the keys and types of a found and of a default reference.',
    async (world) => {
      const { found, none } = await fixture(world);
      for (const body of [found, none]) {
        same(keysOf(body), ['_type', 'journey_url', 'url'], 'the fields');
        same(body._type, 'content_container_reference', '_type');
        matches(body.url, /^https?:\/\/.+\/c\//, 'url');
      }
    },
  ),
  row(
    '`journey_url` is the journey of the contact, `null` when default content is returned.',
    'Compares it with `web_client_url` of the journey, and with the one of an unknown contact.',
    async (world) => {
      const { found, none, journey } = await fixture(world);
      same([found.journey_url, none.journey_url], [journey.web_client_url, null], 'journey_url');
    },
  ),
  row(
    '`url` is the address of the content, meant for a browser.',
    'Opens both without a token: pages in HTML. The URL has no personal data.',
    async (world) => {
      const { found, none, own, mark } = await fixture(world);
      holds(!found.url.includes(mark) && !found.url.includes(own.phone_home!), 'the url has personal data');
      for (const { url } of [found, none]) matches(await content(world, url), /<html/, 'the page');
    },
  ),
  row(
    'Exactly one contact matched: the reference is to content for that contact.',
    'Opens the page: it shows the name of the contact.',
    async (world) => {
      const { found, own } = await fixture(world);
      holds(
        (await content(world, found.url)).includes(`Content of ${own.name_first}`),
        'the page does not name the contact',
      );
    },
  ),
  row(
    'No contact matched: the reference is to the default content of the channel.',
    'Opens the page: it shows the default content, which is the same URL for all.',
    async (world) => {
      const { none } = await fixture(world);
      holds((await content(world, none.url)).includes('For everyone'), 'the page does not show the default content');
      same((await find(world, 'email', 'nobody@example.com')).url, none.url, 'the url of another unknown contact');
    },
  ),
  row(
    'Several contacts matched: the reference is to the default content of the channel.',
    'Gives a second contact the same email: the lookup that found the first one now gives the default content.',
    async (world) => {
      const { team, ids } = world;
      const { none } = await fixture(world);
      const email = `${crypto.randomUUID()}@example.com`;
      await team.journey(ids.welcome, { email });
      await eventually(async () =>
        holds((await find(world, 'email', email)).journey_url !== null, 'one contact is not found'),
      );
      await team.journey(ids.welcome, { email });
      await eventually(async () => same(await find(world, 'email', email), none, 'the reference'));
    },
  ),
];

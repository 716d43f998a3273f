import { has, holds, keys, same } from './expect.ts';
import { eventually, type Json } from './http.ts';
import { act } from './journeys.ts';
import { check, once, shortCheck } from './suite.ts';
import { newId, type Team } from './world.ts';

const path = (channel: string, query: string) =>
  `/v1/engagement-channels/${channel}/content-containers/search?${query}` as const;
const find = async (team: Team, channel: string, field: string, value: string): Promise<Json> =>
  team.get(path(channel, String(new URLSearchParams({ [field]: value }))));
const page = async (team: Team, url: string): Promise<string> =>
  (await team.open(200, `GET ${new URL(url).pathname.replace(/^.*(?=\/c\/)/, '')}` as `GET /${string}`)).text;
const digits = () => `442${String(crypto.getRandomValues(new Uint32Array(1))[0]).padStart(10, '0')}`;

const textFields = [
  ...['name_title', 'name_first', 'name_last', 'name_suffix', 'address', 'address2', 'city', 'state', 'county'],
  ...['country', 'post_code', 'timezone', 'email'],
];

/** A person with content for the channel, the reference to it, and the default reference. */
const fixture = once(async (world) => {
  const { team, ids } = await world.content();
  const mark = crypto.randomUUID();
  const fields: Record<string, string> = {
    ...Object.fromEntries(textFields.map((field) => [field, `${field} ${mark}`])),
    ...{ phone_home: digits(), phone_mobile: digits(), phone_work: digits() },
  };
  const metas = {
    meta_private: { core_id: mark, car: [{ make: mark }], n: 7 },
    meta_public: { branch: mark, ok: true },
  };
  const journey = await team.journey(ids.first, { ...fields, ...metas });
  const found = await eventually(async () => {
    const body = await find(team, ids.channel, 'meta_private[core_id]', mark);
    holds(body.journey_url !== null, 'the lookup does not find the contact');
    return body;
  });
  return { team, ids, mark, fields, journey, found, none: await find(team, ids.channel, 'unique_id', newId()) };
});

shortCheck('Contract 8: one contact matches: its journey_url, and the url of its content', async (world) => {
  const { team, found, journey, fields, mark } = await fixture(world);
  keys(found, ['_type', 'journey_url', 'url'], 'the answer');
  has(found, { _type: 'content_container_reference', journey_url: journey.web_client_url }, 'the answer');
  const text = await page(team, found.url);
  holds(text.includes(`For ${fields.name_first}`), 'the content does not name the contact');
  for (const value of [mark, journey.contact.id, fields.phone_home])
    holds(!found.url.includes(value), 'url holds personal data');
});

check(
  'Contract 8: none matches: journey_url is null and url is the default content, the same for all',
  async (world) => {
    const { team, ids, none } = await fixture(world);
    has(none, { _type: 'content_container_reference', journey_url: null }, 'the answer');
    holds((await page(team, none.url)).includes('For everyone'), 'the page has not the default content');
    same(await find(team, ids.channel, 'email', 'nobody@example.com'), none, 'the answer for another unknown contact');
  },
);

check('Specification, search: several contacts matched: the default content', async (world) => {
  const { team, ids, none } = await fixture(world);
  const email = `${newId()}@example.com`;
  await team.journey(ids.first, { email });
  await eventually(async () =>
    holds((await find(team, ids.channel, 'email', email)).journey_url !== null, 'one is not found'),
  );
  await team.journey(ids.first, { email });
  await eventually(async () => same(await find(team, ids.channel, 'email', email), none, 'the answer'));
});

check('Contract 8, 14: a channel passes over a cancelled journey', async (world) => {
  const { team, ids, none } = await fixture(world);
  const journey = await team.journey(ids.first);
  const search = () => find(team, ids.channel, 'unique_id', journey.contact.unique_id);
  same((await search()).journey_url, journey.web_client_url, 'journey_url before');
  await team.call(200, `POST /v1/journeys/${journey.id}/cancel`);
  same(await search(), none, 'the answer');
});

check('Specification, search: any contact field may be used, including nested forms', async (world) => {
  const { team, ids, mark, fields, journey } = await fixture(world);
  const { contact } = journey;
  const queries = {
    ...{ ...fields, id: contact.id, unique_id: contact.unique_id, inserted_at: contact.inserted_at },
    ...{ 'meta_private[core_id]': mark, 'meta_private[car.0.make]': mark, 'meta_private[car][0][make]': mark },
    ...{ 'meta_public[branch]': mark, phone_work: `+${fields.phone_work}` },
  };
  await Promise.all(
    Object.entries(queries).map(([field, value]) =>
      eventually(async () =>
        same(
          (await find(team, ids.channel, field, value)).journey_url,
          journey.web_client_url,
          `journey_url by ${field}`,
        ),
      ),
    ),
  );
  const upper = (await find(team, ids.channel, 'id', contact.id.toUpperCase())).journey_url;
  same(upper, journey.web_client_url, 'journey_url by id in upper case');
});

check('Contract 8: values compare exactly; a boolean or number matches its JSON text', async (world) => {
  const { team, ids, mark, fields } = await fixture(world);
  const near: [string, string][] = [
    ['email', `EMAIL ${mark}`],
    ['name_first', mark],
    ['meta_public[branch]', mark.toUpperCase()],
    ['city', `${fields.city} `],
  ];
  for (const [field, value] of near)
    same((await find(team, ids.channel, field, value)).journey_url, null, `journey_url by ${field}=${value}`);
  const number = 1e9 + Math.floor(Math.random() * 1e9);
  const { web_client_url } = await team.journey(ids.first, { meta_public: { n: number } });
  await eventually(async () =>
    same((await find(team, ids.channel, 'meta_public[n]', String(number))).journey_url, web_client_url, 'by a number'),
  );
  for (const field of ['email_verified', 'sms_opted_in', 'unsubscribe_email', 'birthdate', 'updated_at']) {
    has(
      await find(team, ids.channel, field, 'true'),
      { _type: 'content_container_reference' },
      `the answer by ${field}`,
    );
  }
});

check('Contract 8: a phone is normalised first, and digits as they are stored find it too', async (world) => {
  const { team, ids } = await fixture(world);
  const phone = `65${String(crypto.getRandomValues(new Uint32Array(1))[0])
    .padStart(8, '0')
    .slice(-8)}`;
  const { web_client_url } = await team.journey(ids.first, { phone_home: `+${phone}` });
  for (const value of [phone, `+${phone}`, `00 ${phone.slice(0, 2)} ${phone.slice(2)}`]) {
    await eventually(async () =>
      same((await find(team, ids.channel, 'phone_home', value)).journey_url, web_client_url, `by ${value}`),
    );
  }
});

check(
  'Contract 8: exactly one query parameter; none, several, an unknown field, meta without a key: 400; unknown channel: 404',
  async (world) => {
    const [{ team, ids }, other] = [await world.content(), await world.other()];
    await team.call(400, `GET ${path(ids.channel, '')}`);
    for (const query of ['email=a&city=b', 'favourite=blue', 'meta_private=x', 'meta_private[]=x', 'journey=x']) {
      await team.call(400, `GET ${path(ids.channel, query)}`);
    }
    for (const channel of [crypto.randomUUID(), 'x', other.ids.channel])
      await team.call(404, `GET ${path(channel, 'email=a')}`);
  },
);

check('Specification, search: the contact must exist in the team', async (world) => {
  const { mark, fields } = await fixture(world);
  const { team, ids } = await world.other();
  for (const [field, value] of [
    ['meta_private[core_id]', mark],
    ['email', fields.email!],
  ] as const) {
    same((await find(team, ids.channel, field, value)).journey_url, null, `journey_url by ${field}`);
  }
});

check('Contract 8: compared on the contact itself, not on an index entry', async (world) => {
  const { team, ids } = await fixture(world);
  const [first, second] = [newId(), newId()];
  const { contact } = await team.journey(ids.first, { meta_private: { core_id: first } });
  const by = async (value: string) => (await find(team, ids.channel, 'meta_private[core_id]', value)).journey_url;
  await eventually(async () => holds((await by(first)) !== null, 'it is not found'));
  await team.call(200, `PUT /v1/contacts/${contact.id}`, { meta_private: { core_id: second } });
  same(await by(first), null, 'journey_url by the former value');
  await eventually(async () => holds((await by(second)) !== null, 'it is not found by the new value'));
});

check(
  'Contract 8: the first page that the journey would show, not exclude_from_cce, not (hide_when_complete and completed)',
  async (world) => {
    const { team, ids } = await fixture(world);
    const journey = await team.journey(ids.first, { name_first: 'Grace' });
    const shown = async () => page(team, (await find(team, ids.channel, 'unique_id', journey.contact.unique_id)).url);
    const first = await shown();
    holds(
      first.includes('For Grace') && !first.includes('Excluded'),
      'the content is not that of the first page that counts',
    );
    await act(team, journey, 'page_completed', ids.hidden);
    holds((await shown()).includes('Second page'), 'a completed page with hide_when_complete is shown');
    await act(team, journey, 'page_completed', ids.shown);
    holds((await shown()).includes('Second page'), 'a completed page without hide_when_complete is not shown');
  },
);

check(
  'Contract 8: a contact without content for the channel gets the default content, the same for all',
  async (world) => {
    const { team, ids, none } = await fixture(world);
    const journey = await team.journey(ids.hiding);
    const found = async () => find(team, ids.channel, 'unique_id', journey.contact.unique_id);
    same((await found()).journey_url, journey.web_client_url, 'journey_url before its only page is completed');
    await act(team, journey, 'page_completed', ids.hidingPage);
    same(await found(), none, 'the answer when its only page is hidden because it is completed');
  },
);

check('Contract 8: journeys whose template is live, not muted, is_cce_enabled; in targeting_order', async (world) => {
  const { team, ids, none } = await fixture(world);
  const { contact } = await team.journey(ids.second);
  const found = async (of: Json) => find(team, ids.channel, 'unique_id', of.unique_id);
  holds((await page(team, (await found(contact)).url)).includes('Of the second'), 'the content of the only journey');
  const first = await team.call(201, `POST /v1/templates/${ids.first}/journeys`, { contact: { id: contact.id } });
  same((await found(contact)).journey_url, first.body.web_client_url, 'journey_url of the lower targeting_order');
  for (const id of [ids.notCce, ids.muted, ids.draft, ids.expired]) {
    same(await found((await team.journey(id)).contact), none, `the answer for a contact of ${id}`);
  }
  same(await found(await team.contact()), none, 'the answer for a contact without a journey');
});

check('Contract 8: url cannot be altered to reach another contact’s content', async (world) => {
  const { team, found, none } = await fixture(world);
  const [, channel, reference] = /\/c\/([^/]+)\/([^/]+)$/.exec(new URL(found.url).pathname)!;
  for (const [at, letter] of [...reference!].entries()) {
    if (at % 9 !== 0 && at !== reference!.length - 1) continue;
    const altered = reference!.slice(0, at) + (letter === 'A' ? 'B' : 'A') + reference!.slice(at + 1);
    const response = await fetch(`${team.baseUrl}/c/${channel}/${altered}`);
    const text = await response.text();
    holds(
      response.status === 404 || !text.includes('For name_first'),
      `the reference altered at ${at} shows the content`,
    );
  }
  holds(found.url !== none.url, 'the content has the url of the default content');
});

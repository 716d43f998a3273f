import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { record } from './accounts.ts';
import { has, holds, keys, matches, NotChecked, same, timePattern, uuidPattern } from './expect.ts';
import { eventually, type Json } from './http.ts';
import { act } from './journeys.ts';
import { check, shortCheck } from './suite.ts';
import { newId, type Team } from './world.ts';

/** Seconds after which every event is found. */
const published = 20;

/** Where the events end now: a cursor for what is published later. */
async function endOf(team: Team): Promise<string> {
  const since = new Date(Date.now() - 60_000).toISOString();
  let page = await team.get(`/v1/events?limit=1000&since=${since}`);
  while (page.has_more) page = await team.get(`/v1/events?limit=1000&cursor=${encodeURIComponent(page.next_cursor)}`);
  return page.next_cursor;
}

/** The events after the cursor that have this value, once there are so many. */
const eventsAfter = (team: Team, cursor: string, isOwn: (event: Json) => boolean, count: number): Promise<Json[]> =>
  eventually(async () => {
    const found: Json[] = [];
    for (let next = cursor, hasMore = true; hasMore; ) {
      const page = await team.get(`/v1/events?limit=1000&cursor=${encodeURIComponent(next)}`);
      found.push(...page.events.filter(isOwn));
      [next, hasMore] = [page.next_cursor, page.has_more];
    }
    holds(found.length >= count, `${found.length} of ${count} events are there`);
    return found;
  }, published);

shortCheck(
  'Contract 12: what happens to a contact is in the feed within 20 seconds, in order, without its data',
  async (world) => {
    const { team, ids } = await world.content();
    const start = await endOf(team);
    const journey = await team.journey(ids.short);
    const { id: contact_id, unique_id } = journey.contact;
    await act(team, journey, 'page_viewed', ids.shortPage);
    for (const name_first of ['Ann', 'Ann']) await team.call(200, `PATCH /v1/contacts/${contact_id}`, { name_first });
    const events = await eventsAfter(team, start, (event) => event.contact_id === contact_id, 4);
    const created = events.find(({ type }) => type === 'contact.created');
    keys(created!, ['id', 'type', 'at', 'team_id', 'contact_id'], 'contact.created');
    matches(created!.id, uuidPattern, 'id');
    matches(created!.at, timePattern, 'at');
    const ofContact = events.filter(({ type }) => type.startsWith('contact.')).map(({ type }) => type);
    same(
      ofContact,
      ['contact.created', 'contact.updated'],
      'the events of the contact, of which one write changed nothing',
    );
    const ofJourney = events.filter(({ type }) => type.startsWith('journey.')).map(({ type }) => type);
    same(ofJourney.slice(0, 2), ['journey.created', 'journey.page_viewed'], 'the events of the journey');
    for (const value of [unique_id, 'Ann']) holds(!JSON.stringify(events).includes(value), `an event has ${value}`);
  },
);

check(
  'Contract 12: type selects events; a cursor of others, an unknown type and a wrong limit are 400',
  async (world) => {
    const [team, other] = [(await world.content()).team, (await world.other()).team];
    const start = await endOf(team);
    const { batch_id } = await team.import([{ account_number: newId(), product: { code: newId(), type: 'loan' } }]);
    const [event] = await eventsAfter(team, start, (each) => each.batch_id === batch_id, 1);
    same(event!.type, 'batch.completed', 'the type');
    same(event!.records.accepted, 1, 'records');
    const { events, next_cursor } = await team.get('/v1/events?type=batch.*&limit=5');
    for (const { type } of events) matches(type, /^batch\./, 'the type');
    const cursor = encodeURIComponent(next_cursor);
    for (const query of [
      `cursor=${cursor}&type=contact.created`,
      'cursor=x',
      'type=contact.seen',
      'limit=1001',
      'since=x',
    ])
      await team.call(400, `GET /v1/events?${query}`);
    await other.call(400, `GET /v1/events?cursor=${cursor}&type=batch.*`);
    await team.call(403, 'GET /v1/events', undefined, await team.only('contacts:read'));
  },
);

shortCheck(
  'Contract 12: a webhook has a secret, is tried again while its receiver is away, and can be removed',
  async (world) => {
    const { team } = await world.content();
    const of = ['--team', team.credential.team_id!];
    const { status } = await world.tryAdmin(['webhook', 'create', ...of, '--url', 'http://receiver.example']);
    holds(status !== 0, 'a webhook without https is taken');
    const url = 'https://receiver.invalid/events';
    const { webhook_id, secret } = await world.admin(['webhook', 'create', ...of, '--url', url, '--type', 'contact.*']);
    matches(secret, /^whsec_/, 'the secret');
    const listed = await world.admin(['webhook', 'list', ...of]);
    holds(!JSON.stringify(listed).includes(secret), 'the secret is shown again');
    await team.contact();
    await eventually(async () => {
      const { state, backlog } = await world.admin(['webhook', 'show', webhook_id]);
      same([state, backlog.waiting + backlog.unread > 0], ['failing', true], 'the state, and whether events wait');
    }, 60);
    const tested = await world.tryAdmin(['webhook', 'test', webhook_id]);
    holds(tested.status !== 0, 'webhook test ends with 0 although nothing was received');
    same([tested.body.received, tested.body.error], [false, 'name_not_found'], 'the result of a test');
    await world.admin(['webhook', 'rotate', webhook_id]);
    await world.admin(['webhook', 'redeliver', webhook_id, '--since', new Date(Date.now() - 60_000).toISOString()]);
    await world.admin(['webhook', 'remove', webhook_id, '--yes']);
    holds((await world.tryAdmin(['webhook', 'show', webhook_id])).status !== 0, 'the webhook is still there');
  },
);

check('Contract 12: GET|POST /v1/webhooks, GET|DELETE, rotate and test do what the command does', async (world) => {
  const [team, other] = [(await world.content()).team, (await world.other()).team];
  const url = 'https://receiver.invalid/events';
  for (const wrong of ['http://receiver.example.com/', 'https://10.0.0.1/', 'https://[64:ff9b::a00:1]/'])
    await team.call(422, 'POST /v1/webhooks', { url: wrong });
  const { body: made } = await team.call(201, 'POST /v1/webhooks', { url, types: ['contact.*'] });
  matches(made.id, uuidPattern, 'id');
  matches(made.secret, /^whsec_/, 'secret');
  const one = `/v1/webhooks/${made.id}` as const;
  for (const request of [`GET ${one}`, `DELETE ${one}`, `POST ${one}/rotate`, `POST ${one}/test`] as const)
    await other.call(404, request);
  const { body: rotated } = await team.call(200, `POST ${one}/rotate`);
  holds(rotated.secret !== made.secret, 'the secret is the same after rotate');
  same((await team.call(200, `POST ${one}/test`)).body.received, false, 'received');
  const shown = JSON.stringify([await team.get(one), await team.get('/v1/webhooks')]);
  holds(shown.includes(url), 'the webhook is not shown');
  for (const { secret } of [made, rotated]) holds(!shown.includes(secret), 'a secret is shown again');
  await team.call(204, `DELETE ${one}`);
  await team.call(404, `GET ${one}`);
  await team.call(403, 'GET /v1/webhooks', undefined, await team.only('events:read'));
});

const now = () => encodeURIComponent(new Date(Date.now() - 5000).toISOString());

/** Follows the feed from here until these events of one contact or batch have come, in this order. Repeats are passed over. */
async function told(
  team: Team,
  since: string,
  of: (event: Json) => boolean,
  types: readonly string[],
): Promise<Json[]> {
  const found = new Map<string, Json>();
  let query = `since=${since}`;
  return eventually(async () => {
    for (let hasMore = true; hasMore; ) {
      const page = await team.get(`/v1/events?limit=1000&${query}`);
      keys(page, ['events', 'next_cursor', 'has_more'], 'the feed');
      for (const event of page.events) if (of(event) && !found.has(event.id)) found.set(event.id, event);
      query = `cursor=${encodeURIComponent(page.next_cursor)}`;
      hasMore = page.has_more;
    }
    const events = [...found.values()];
    same(
      events.map(({ type }) => type),
      types,
      'the types of the events',
    );
    return events;
  }, 20);
}
const ofContact =
  ({ id }: Json) =>
  (event: Json) =>
    event.contact_id === id;

shortCheck(
  'Contract 12: events are thin, come in the order of the writes, each fact once, and within 20 seconds',
  async (world) => {
    const { team, ids } = await world.content();
    const since = now();
    const secret = `s${randomUUID()}`;
    const { contact, id: journey_id, ...journey } = await team.journey(ids.welcome, { name_first: secret });
    await team.call(200, `PATCH /v1/contacts/${contact.id}`, { name_first: secret });
    await team.call(200, `PATCH /v1/contacts/${contact.id}`, { name_first: `${secret}2` });
    for (let time = 0; time < 2; time++) await act(team, journey, 'page_viewed', ids.confirm);
    for (let time = 0; time < 2; time++) await act(team, journey, 'page_completed', ids.confirm);
    for (let time = 0; time < 2; time++) {
      const confirm = { is_completion_confirmed: true };
      await team.call(200, `PUT /v1/templates/${ids.welcome}/journeys/${journey_id}`, confirm);
    }
    const events = await told(team, since, ofContact(contact), [
      ...['contact.created', 'journey.created', 'contact.updated', 'journey.page_viewed', 'journey.page_completed'],
      'journey.verified',
    ]);
    const page = ['page_id'];
    const own = ['journey_id', 'template_id'];
    for (const [event, more] of events.map((each, n) => [
      each,
      [[], own, [], [...own, ...page], [...own, ...page], own][n]!,
    ])) {
      keys(event, ['id', 'type', 'at', 'team_id', 'contact_id', ...more], event.type);
      matches(event.id, uuidPattern, 'id');
      matches(event.at, timePattern, 'at');
      same(event.team_id, team.credential.team_id ?? event.team_id, 'team_id');
      if (more.length > 0) has(event, { journey_id, template_id: ids.welcome }, event.type);
      if (more.includes('page_id')) same(event.page_id, ids.confirm, 'page_id');
    }
    const text = JSON.stringify(events);
    for (const personal of [secret, contact.unique_id])
      holds(!text.includes(personal), `an event contains ${personal}`);
    const [created, , updated] = events;
    same(created.at, contact.inserted_at, 'the time of contact.created');
    same(updated.at, (await team.get(`/v1/contacts/${contact.id}`)).updated_at, 'the time of contact.updated');
  },
);

check('Contract 12, 6: a completion is told with the time of its fact, and nobody has to look', async (world) => {
  const { team, ids } = await world.content();
  const since = now();
  const { contact } = await team.journey(ids.welcome, { app_installed: '2020-01-02T03:04:05Z' });
  const link = { contact: { unique_id: contact.unique_id } };
  const batch = await team.import([record({ ...link, product: { code: newId(), type: 'lease' } })]);
  const events = await told(
    team,
    since,
    (event) => ofContact(contact)(event) && event.type === 'journey.page_completed',
    [...['journey.page_completed', 'journey.page_completed']],
  );
  const goal = events.find(({ page_id }) => page_id === ids.goalPage);
  same(goal?.at, '2020-01-02T03:04:05.000000Z', 'the time of the objective');
  const opened = events.find(({ page_id }) => page_id === ids.openPage);
  holds(
    opened && opened.at >= batch.inserted_at && opened.at <= batch.completed_at,
    `${opened?.at} is not in the import`,
  );
});

check(
  'Contract 14: account.opened and account.closed are told once for each contact and account, with the ids of both',
  async (world) => {
    const team = await world.team();
    const since = now();
    const contacts = [await team.contact(), await team.contact()];
    const [owner, later] = contacts.map(({ unique_id }) => ({ contact: { unique_id } }));
    const account = record({ ...owner });
    const { account_number } = account;
    // The link of the second comes before its account.
    const mapped = record({ ...later, closed_date: '2099-12-31' });
    await team.import([account, { account_number: mapped.account_number, ...later }]);
    for (let time = 0; time < 2; time++) await team.import([account]);
    await team.import([mapped]);
    for (const closed_date of ['2026-01-31', null, '2026-02-28']) await team.import([{ ...account, closed_date }]);
    await team.import([{ account_number, ...later }]);
    const both = ['account.opened', 'account.closed'];
    const isOf = (contact: Json) => (event: Json) => ofContact(contact)(event) && event.type.startsWith('account.');
    const [first, second] = [
      await told(team, since, isOf(contacts[0]!), both),
      await told(team, since, isOf(contacts[1]!), [...both, ...both]),
    ];
    for (const event of [...first, ...second]) {
      keys(event, ['id', 'type', 'at', 'team_id', 'contact_id', 'account_id'], event.type);
      matches(event.account_id, uuidPattern, 'account_id');
      matches(event.at, timePattern, 'at');
    }
    same(new Set(second.map(({ account_id }) => account_id)).size, 2, 'the number of accounts');
    holds(!JSON.stringify([first, second]).includes(account_number), 'an event has an account number');
  },
);

check('Contract 14: journey.expired is told within two minutes though nobody looks, and counted', async (world) => {
  if (world.target.skipsWaits) throw new NotChecked('a journey expires within two minutes');
  const { team, ids } = await world.content();
  const start = await endOf(team);
  const { contact, id: journey_id } = await team.journey(ids.expired);
  const isOwn = (event: Json) => event.journey_id === journey_id && event.type === 'journey.expired';
  const [event] = await eventually(async () => {
    const found = await eventsAfter(team, start, isOwn, 1);
    same(found.length, 1, 'the number of events');
    return found;
  }, 140);
  keys(event, ['id', 'type', 'at', 'team_id', 'contact_id', 'journey_id', 'template_id'], 'journey.expired');
  has(event, { contact_id: contact.id, template_id: ids.expired }, 'journey.expired');
  const results = await eventually(async () => {
    const found = await team.get(`/v1/templates/${ids.expired}/results`);
    holds(found.journeys.expired > 0, 'no journey is counted as expired');
    return found;
  });
  holds(results.journeys.expired <= results.journeys.created, 'more journeys expired than were created');
});

check(
  'Contract 12: batch.completed has the records of the status; another chunk makes another event',
  async (world) => {
    const team = await world.team();
    const since = now();
    const batch_id = newId();
    const records = [record(), record()];
    const send = (chunk_index: number) => team.import(records, { batch_id, chunk_index });
    const ofBatch = (event: Json) => event.batch_id === batch_id;
    const first = await send(0);
    const [event] = await told(team, since, ofBatch, ['batch.completed']);
    keys(event, ['id', 'type', 'at', 'team_id', 'batch_id', 'chunk_index', 'records'], 'batch.completed');
    same([event.chunk_index, event.records], [0, first.records], 'chunk_index and records');
    const second = await send(1);
    const [, later] = await told(team, since, ofBatch, ['batch.completed', 'batch.completed']);
    same([later.chunk_index, later.records], [1, second.records], 'chunk_index and records of the later one');
  },
);

check(
  'Contract 12: a reader that keeps next_cursor sees every event, whatever the limit; since starts there',
  async (world) => {
    const { team } = await world.other();
    const since = now();
    const created: string[] = [];
    for (let n = 0; n < 5; n++) created.push((await team.contact()).id);
    await told(team, since, ({ contact_id }) => contact_id === created[4], ['contact.created']);
    const seen: string[] = [];
    let query = `since=${since}`;
    for (let pages = 0; !seen.includes(created[4]!); pages++) {
      holds(pages < 500, 'the feed does not end');
      const page = await team.get(`/v1/events?type=contact.*&limit=2&${query}`);
      holds(page.events.length <= 2, `${page.events.length} events with limit=2`);
      same(typeof page.next_cursor, 'string', 'the type of next_cursor');
      for (const { type, contact_id } of page.events) {
        holds(type.startsWith('contact.'), `${type} with type=contact.*`);
        if (created.includes(contact_id)) seen.push(contact_id);
      }
      query = `cursor=${encodeURIComponent(page.next_cursor)}`;
    }
    same([...new Set(seen)], created, 'contacts in the order of their creation, across pages');
    const future = encodeURIComponent(new Date(Date.now() + 3_600_000).toISOString());
    // A cursor goes on over all types without `type`, and wins against `since`.
    const { next_cursor } = await team.get(`/v1/events?type=journey.*&limit=1&since=${since}`);
    const cursor = encodeURIComponent(next_cursor);
    const later = await team.contact();
    await eventually(async () => {
      const { events } = await team.get(`/v1/events?cursor=${cursor}&since=${future}&limit=1000`);
      holds(
        events.some(({ contact_id }: Json) => contact_id === later.id),
        'a cursor without its type misses a contact',
      );
    });
    const empty = await team.get(`/v1/events?since=${future}`);
    same([empty.events, empty.has_more], [[], false], 'what was published in an hour');
    holds(empty.next_cursor, 'an empty page has no next_cursor');
  },
);

check('Contract 12: limit is 1 to 1000; an unknown type, a wrong since and a wrong cursor are 400', async (world) => {
  const [{ team }, { team: other }] = [await world.content(), await world.other()];
  const refuse = (path: string, query: string) => team.refuse(400, [path], `GET /v1/events?${query}`);
  for (const limit of ['0', '1001', '-1', 'x', '1.5', '']) await refuse('limit', `limit=${limit}`);
  await team.get('/v1/events?limit=1000');
  for (const type of ['', 'contact', 'contact.x', 'x.*', '*', 'webhook.test']) await refuse('type', `type=${type}`);
  const unknown = await team.refuse(400, ['type'], 'GET /v1/events?type=contact.x');
  for (const type of ['contact.erased', 'journey.*', 'batch.failed'])
    holds(JSON.stringify(unknown.body).includes(type), `the error of an unknown type does not name ${type}`);
  await team.get('/v1/events?type=journey.*&type=contact.created');
  for (const since of ['yesterday', '2026-13-01T00:00:00Z']) await refuse('since', `since=${since}`);
  for (const cursor of ['x', randomUUID(), '1.AAAA']) await refuse('cursor', `cursor=${cursor}`);
  const cursorOf = async (of: Team, query = '') =>
    encodeURIComponent((await of.get(`/v1/events?limit=1${query}`)).next_cursor);
  await refuse('cursor', `cursor=${await cursorOf(other)}`);
  const typed = await cursorOf(team, '&type=journey.*');
  await team.get(`/v1/events?cursor=${typed}&type=journey.*`);
  await refuse('type', `cursor=${typed}&type=contact.*`);
  const ofAll = await cursorOf(team);
  await refuse('type', `cursor=${ofAll}&type=contact.*`);
  const { contacts: _, ...list } = await team.get('/v1/contacts?limit=1');
  if (list.next_cursor) await refuse('cursor', `cursor=${encodeURIComponent(list.next_cursor)}`);
});

check(
  'Contract 12: deliveries are Standard Webhooks: id, timestamp, signature, and the event as data',
  async (world) => {
    const { team, ids } = await world.content();
    // A deployed service sends to public addresses alone.
    const isLocal = new URL(team.baseUrl).hostname === '127.0.0.1' && !world.target.isStack;
    if (!isLocal) throw new NotChecked('the receiver must be reachable');
    const received: { headers: Json; body: string }[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      // The first attempt fails, and is made again within 30 seconds.
      response.writeHead(received.length === 1 ? 500 : 204).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const webhook = await world.admin([
      ...['webhook', 'create', '--team', team.credential.team_id!, '--url', url, '--type', 'journey.verified'],
    ]);
    try {
      const { contact, id } = await team.journey(ids.short);
      await team.call(200, `PUT /v1/templates/${ids.short}/journeys/${id}`, { is_completion_confirmed: true });
      const own = () => received.filter(({ body }) => body.includes(contact.id));
      await eventually(async () => holds(own().length >= 1 && received.length >= 2, `${received.length} attempts`), 45);
      const { headers, body } = own().at(-1)!;
      const { data, ...rest } = JSON.parse(body);
      same(rest, { type: 'journey.verified', timestamp: data.at }, 'type and timestamp');
      has(data, { type: 'journey.verified', contact_id: contact.id, journey_id: id }, 'data');
      same(headers['webhook-id'], data.id, 'webhook-id');
      const timestamp = headers['webhook-timestamp'];
      holds(Math.abs(Date.now() / 1000 - Number(timestamp)) < 120, `webhook-timestamp is ${timestamp}`);
      const key = Buffer.from(webhook.secret.slice('whsec_'.length), 'base64');
      const expected = createHmac('sha256', key).update(`${data.id}.${timestamp}.${body}`).digest('base64');
      same(headers['webhook-signature'], `v1,${expected}`, 'webhook-signature');
    } finally {
      server.close();
      await world.admin(['webhook', 'remove', webhook.webhook_id, '--yes']);
    }
  },
);

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

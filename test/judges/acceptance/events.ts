import { holds, keys, matches, same, timePattern, uuidPattern } from './expect.ts';
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

import { randomUUID } from 'node:crypto';
import { has, holds, keys, matches, NotChecked, same, timePattern, uuidPattern } from './expect.ts';
import { eventually, type Json, send } from './http.ts';
import { check, once } from './suite.ts';
import { newId, Team, type World } from './world.ts';

/** Seconds: a message goes out within 60, and its journey is planned before. */
const decidedWithin = 100;
/** Hours: time enough to end the journey before. */
const soon = 0.004;

const ids = { campaign: randomUUID(), marketing: randomUUID(), service: randomUUID(), later: randomUUID() };
const ending = { campaign: randomUUID(), any: randomUUID(), ofPage: randomUUID(), ofObjective: randomUUID() };
const objective = { id: randomUUID(), key: 'card_activated', name: 'Card activated' };
const pageIds = [randomUUID(), randomUUID()];
const pages = pageIds.map((id, at) => ({
  ...{ order: at + 1, id: randomUUID() },
  page: {
    ...{ id, is_live: true, content_block_status: 'published' },
    ...{ completion_condition: 'confirm', content_name: `P${at}` },
  },
}));

const message = (id: string, send_offset_hours: number, more: object = {}, around: object = {}) => ({
  ...{ id, send_offset_hours, ...around },
  message: {
    ...{ id: randomUUID(), type: 'email', content_block_status: 'published', content_name: 'A message' },
    ...{ payload: { subject: 'A message' }, content_blocks: [], ...more },
  },
});
const byService = { is_transactional: true };

const template = (id: string, template_messages: object[], more: object = {}) => ({
  ...{ id, name: `Campaign ${id}`, status: 'live', content_block_status: 'published', template_pages: [] },
  ...{ template_messages, ...more },
});

const campaign = template(ids.campaign, [
  message(ids.marketing, 0),
  message(ids.service, 0, byService),
  message(ids.later, 100, byService),
]);

type Bank = { world: World; team: Team; id: string };

/** A team whose messages go to the outbox, at any hour. */
async function bankWith(world: World, templates: object[], objectives: object[] = []): Promise<Bank> {
  if (world.target.isStack || !world.target.admin) throw new NotChecked('the outbox is local');
  const { team_id: id } = await world.admin(['team', 'create', '--name', 'Messages', '--sandbox']);
  world.teams.push(id);
  await world.admin(['team', 'update', '--team', id, '--quiet-hours', 'none']);
  await world.admin(['content', 'import', '-', '--team', id], { objectives, templates });
  return { world, id, team: new Team(world.target.baseUrl, await world.client(id)) };
}

const bank = once((world) =>
  bankWith(
    world,
    [
      campaign,
      template(
        ending.campaign,
        [
          message(ending.any, soon, byService),
          message(ending.ofPage, soon, byService, { template_page_id: pages[0]!.id }),
          message(ending.ofObjective, soon, { ...byService, objective_id: objective.id }),
        ],
        { template_pages: pages },
      ),
    ],
    [objective],
  ),
);

const consent = { email_verified: true, email_opted_in: true };
const newAddress = () => `${newId()}@mail.example`;

const messagesOf = async (team: Team, { id }: Json): Promise<Json[]> =>
  (await team.get(`/v1/journeys/${id}/messages`)).messages;

const messageOf = async (team: Team, journey: Json, templateMessageId: string): Promise<Json> =>
  (await messagesOf(team, journey)).find((each) => each.template_message_id === templateMessageId);

/** The message, once it has this state and this reason. */
const becomes = (team: Team, journey: Json, of: string, state: string, reason: string | null = null): Promise<Json> =>
  eventually(async () => {
    const found = await messageOf(team, journey, of);
    has(found, { state, reason }, 'the message');
    return found;
  }, decidedWithin);

/** What is in the outbox for this address. */
async function mailsTo({ world }: Bank, to: string): Promise<Json[]> {
  const { body } = await send(world.target.baseUrl, 'GET /outbox', undefined, { accept: 'application/json' });
  return body.messages.filter((each: Json) => each.to === to);
}

const report = async ({ world }: Bank, id: string, type: string) =>
  same(
    (await send(world.target.baseUrl, `POST /outbox/${id}/events`, { type })).status,
    204,
    `the status of the report ${type}`,
  );

check('Contract 15, What became of it: the messages of a journey, each with its state and times', async (world) => {
  const own = await bank(world);
  const email = newAddress();
  const journey = await own.team.journey(ids.campaign, { email, ...consent });
  const sent = await becomes(own.team, journey, ids.service, 'sent');
  await becomes(own.team, journey, ids.marketing, 'sent');
  const all = await messagesOf(own.team, journey);
  same(
    all.map(({ template_message_id }) => template_message_id).sort(),
    [ids.marketing, ids.service, ids.later].sort(),
    'the messages',
  );
  const fields = ['id', 'template_message_id', 'channel', 'state', 'reason', 'due_at', 'sent_at', 'delivered_at'];
  for (const each of all) {
    keys(each, fields, 'a message');
    matches(each.id, uuidPattern, 'its id');
    matches(each.due_at, timePattern, 'due_at');
    has(each, { channel: 'email', reason: null, delivered_at: null }, 'a message');
  }
  matches(sent.sent_at, timePattern, 'sent_at');
  holds(sent.sent_at >= sent.due_at, `sent_at ${sent.sent_at} is before due_at ${sent.due_at}`);
  const later = await messageOf(own.team, journey, ids.later);
  has(later, { state: 'scheduled', sent_at: null }, 'the message that is due later');
  const hours = (Date.parse(later.due_at) - Date.parse(sent.due_at)) / 3_600_000;
  same(hours, 100, 'the hours between the message without an offset and the one that is due later');

  const mails = await mailsTo(own, email);
  const mail = mails.find(({ id }) => id === sent.id) ?? mails[0]!;
  await report(own, mail.id, 'delivered');
  const delivered = await eventually(async () => {
    const found = (await messagesOf(own.team, journey)).find(({ state }) => state === 'delivered');
    holds(found, 'no message is delivered');
    return found;
  });
  matches(delivered.delivered_at, timePattern, 'delivered_at');
});

check('Contract 15, What became of it: a journey that the team does not have is a 404', async (world) => {
  const { team } = await bank(world);
  const { team: foreign } = await world.content();
  const journey = await team.journey(ids.campaign);
  await foreign.call(404, `GET /v1/journeys/${journey.id}/messages`);
  await team.call(404, `GET /v1/journeys/${randomUUID()}/messages`);
});

for (const [reason, of, contact] of [
  ['not_verified', ids.marketing, { email_opted_in: true }],
  ['not_opted_in', ids.marketing, { email_verified: true }],
  ['no_address', ids.service, { email: null }],
] as const) {
  check(`Contract 15, To whom: a message that may not be sent is not_sent (${reason})`, async (world) => {
    const own = await bank(world);
    const email = newAddress();
    const journey = await own.team.journey(ids.campaign, { email, ...contact });
    has(await becomes(own.team, journey, of, 'not_sent', reason), { sent_at: null }, 'the message');
    if (of === ids.service) return;
    // A transactional message goes to the address on file.
    await becomes(own.team, journey, ids.service, 'sent');
    same((await mailsTo(own, email)).length, 1, 'the messages in the outbox');
  });
}

const completes = ({ team }: Bank, { slug }: Json, page_id: string) =>
  team.open(204, `POST /j/${slug}/actions`, { type: 'page_completed', page_id });
const endings: [string, string, (own: Bank, journey: Json) => Promise<unknown>][] = [
  ['cancelled', ending.any, ({ team }, { id }) => team.call(200, `POST /v1/journeys/${id}/cancel`)],
  ['page_completed', ending.ofPage, (own, journey) => completes(own, journey, pageIds[0]!)],
  [
    'completed',
    ending.any,
    async (own, journey) => {
      for (const id of pageIds) await completes(own, journey, id);
    },
  ],
  [
    'objective_completed',
    ending.ofObjective,
    ({ team }, { contact }) => team.call(200, `PUT /v1/contacts/${contact.id}`, { [objective.key]: true }),
  ],
];
for (const [reason, of, act] of endings) {
  check(`Contract 15, Which and when: what is due is decided when it is sent (${reason})`, async (world) => {
    const own = await bank(world);
    const email = newAddress();
    const journey = await own.team.journey(ending.campaign, { email, ...consent });
    await act(own, journey);
    await becomes(own.team, journey, of, 'not_sent', reason);
    const left = reason === 'page_completed' || reason === 'objective_completed' ? 2 : 0;
    await eventually(async () => same((await mailsTo(own, email)).length, left, 'the others'), decidedWithin);
  });
}

check('Contract 15, Which and when: what is due after the journey has expired is not_sent (expired)', async (world) => {
  const of = randomUUID();
  const short = template(ids.campaign, [message(of, 2 * soon, byService)], { journey_duration_hours: soon });
  const own = await bankWith(world, [short]);
  const email = newAddress();
  const journey = await own.team.journey(ids.campaign, { email, ...consent });
  await becomes(own.team, journey, of, 'not_sent', 'expired');
  same((await mailsTo(own, email)).length, 0, 'the messages in the outbox');
});

check(
  'Contract 15, Which and when: while the campaign is muted a message waits (muted), and goes out then',
  async (world) => {
    const of = randomUUID();
    const campaign = (is_muted: boolean) => template(ids.campaign, [message(of, soon, byService)], { is_muted });
    const own = await bankWith(world, [campaign(false)]);
    const email = newAddress();
    const journey = await own.team.journey(ids.campaign, { email, ...consent });
    await world.admin(['content', 'import', '-', '--team', own.id], { templates: [campaign(true)] });
    await becomes(own.team, journey, of, 'scheduled', 'muted');
    same((await mailsTo(own, email)).length, 0, 'the messages in the outbox');
    await world.admin(['content', 'import', '-', '--team', own.id], { templates: [campaign(false)] });
    await becomes(own.team, journey, of, 'sent');
  },
);

check('Contract 15: messages of the type sms are not sent yet (channel_off)', async (world) => {
  const of = randomUUID();
  const sms = message(of, 0, { ...byService, type: 'sms' });
  const { team } = await bankWith(world, [template(ids.campaign, [sms])]);
  const journey = await team.journey(ids.campaign, { email: newAddress(), phone_mobile: '+15550101234' });
  has(await becomes(team, journey, of, 'not_sent', 'channel_off'), { channel: 'sms' }, 'the message');
});

check('Contract 15, Hours and caps: at most three in seven days; the fourth is held back', async (world) => {
  const four = Array.from({ length: 4 }, () => message(randomUUID(), 0));
  const own = await bankWith(world, [template(ids.campaign, [...four, message(ids.service, 0, byService)])]);
  const email = newAddress();
  const journey = await own.team.journey(ids.campaign, { email, ...consent });
  await eventually(async () => {
    const all = await messagesOf(own.team, journey);
    const states = all.map(({ state, reason }) => `${state} ${reason}`).sort();
    same(states, ['scheduled held_back', ...Array.from({ length: 4 }, () => 'sent null')], 'the states');
  }, decidedWithin);
  same((await mailsTo(own, email)).length, 4, 'the messages in the outbox');
});

check(
  'Contract 15, Hours and caps: in quiet hours marketing waits, and what is transactional is sent',
  async (world) => {
    const own = await bankWith(world, [campaign]);
    const hour = (from: number) => `${String((new Date().getUTCHours() + from + 24) % 24).padStart(2, '0')}:00`;
    const quiet = `${hour(-1)}-${hour(3)}`;
    await world.admin(['team', 'update', '--team', own.id, '--quiet-hours', quiet, '--timezone', 'UTC']);
    const journey = await own.team.journey(ids.campaign, { email: newAddress(), ...consent });
    await becomes(own.team, journey, ids.marketing, 'scheduled', 'quiet_hours');
    await becomes(own.team, journey, ids.service, 'sent');
  },
);

check('Contract 15, Commands: message pause stops what is due, and it goes out after message resume', async (world) => {
  const own = await bankWith(world, [campaign]);
  await world.admin(['message', 'pause', '--team', own.id]);
  const email = newAddress();
  const journey = await own.team.journey(ids.campaign, { email, ...consent });
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  has(await messageOf(own.team, journey, ids.service), { state: 'scheduled', sent_at: null }, 'the message');
  same((await mailsTo(own, email)).length, 0, 'the messages in the outbox');
  await world.admin(['message', 'resume', '--team', own.id, '--yes']);
  await becomes(own.team, journey, ids.service, 'sent');
});

check('Contract 15, Once: of a journey and a template message one is sent, whatever is repeated', async (world) => {
  const own = await bankWith(world, [campaign]);
  const { team, id } = own;
  const [email, unique_id] = [newAddress(), newId()];
  const fields = { unique_id, email, ...consent };
  const journey = await team.journey(ids.campaign, fields);
  const starts = Array.from({ length: 5 }, () =>
    team.call(200, `POST /v1/templates/${ids.campaign}/journeys`, { contact: { unique_id } }),
  );
  const upserts = Array.from({ length: 5 }, () => team.call(200, 'POST /v1/contacts', fields));
  await Promise.all([
    ...starts,
    ...upserts,
    world.admin(['content', 'import', '-', '--team', id], { templates: [campaign] }),
  ]);
  const sent = await becomes(team, journey, ids.service, 'sent');
  await becomes(team, journey, ids.marketing, 'sent');
  await world.admin(['message', 'pause', '--team', id]);
  await world.admin(['message', 'resume', '--team', id, '--yes']);
  const refused = await world.tryAdmin(['message', 'resend', '--team', id, '--id', sent.id]);
  same([refused.status, refused.body.error], [1, 'conflict'], 'message resend of a sent message');
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  same((await mailsTo(own, email)).length, 2, 'the messages in the outbox');
  same((await messageOf(team, journey, ids.service)).id, sent.id, 'the id of the message');
});

check('Contract 15, What became of it: results have messages, and events tell of them', async (world) => {
  const own = await bankWith(world, [template(ids.campaign, [message(ids.marketing, 0)])]);
  const { team } = own;
  const reader = async (fields: object = consent) => {
    const email = newAddress();
    return { email, journey: await team.journey(ids.campaign, { email, ...fields }) };
  };
  const readers = await Promise.all([reader(), reader(), reader(), reader()]);
  const { journey: refused } = await reader({ email_opted_in: true });
  await becomes(team, refused, ids.marketing, 'not_sent', 'not_verified');
  const mails: Json[] = [];
  for (const { email, journey } of readers) {
    await becomes(team, journey, ids.marketing, 'sent');
    mails.push((await mailsTo(own, email))[0]);
  }
  const [delivered, bounced, complained, left] = mails;
  await report(own, delivered.id, 'delivered');
  await report(own, bounced.id, 'bounced');
  await report(own, complained.id, 'complained');
  const { body } = await send(world.target.baseUrl, `GET /outbox/${left.id}`, undefined, {
    accept: 'application/json',
  });
  const [, url = ''] = /<(https?:[^>]+)>/.exec(body.headers['list-unsubscribe']) ?? [];
  const oneClick = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  await send(world.target.baseUrl, `POST ${new URL(url).pathname as `/${string}`}`, oneClick);
  const counts = { due: 5, sent: 4, delivered: 2, bounced: 1, complained: 1, unsubscribed: 1 };
  const ofResults = { template_message_id: ids.marketing, name: 'A message', ...counts };
  await eventually(async () => {
    const { messages } = await team.get(`/v1/templates/${ids.campaign}/results`);
    same(messages.length, 1, 'the number of messages in the results');
    keys(messages[0], Object.keys(ofResults), 'messages in the results');
    has(messages[0], ofResults, 'messages in the results');
  }, decidedWithin);

  const told = async (type: string) => (await team.get(`/v1/events?type=${type}&limit=100`)).events as Json[];
  for (const [type, at] of Object.entries({ 'message.delivered': 0, 'message.bounced': 1, 'message.complained': 2 })) {
    const { journey } = readers[at]!;
    const events = await eventually(async () => {
      const found = await told(type);
      same(found.length, 1, `the events ${type}`);
      return found;
    });
    const { id: message_id } = await messageOf(team, journey, ids.marketing);
    const { id: journey_id, contact } = journey;
    has(events[0], { message_id, journey_id, contact_id: contact.id, channel: 'email' }, type);
  }
  same((await told('message.sent')).length, 4, 'the events message.sent');
  await eventually(async () => {
    const gone = (await told('contact.unsubscribed')).map(({ contact_id, channel }) => [contact_id, channel]);
    holds(
      gone.some(([id, channel]) => id === readers[3]!.journey.contact.id && channel === 'email'),
      'no event contact.unsubscribed',
    );
  });
  // A bounce sets email_verified to false, and consent stays. A complaint is a leaving.
  const stored = (at: number) => team.get(`/v1/contacts/${readers[at]!.journey.contact.id}`);
  has(await stored(1), { email_verified: false, email_opted_in: true }, 'the contact after a bounce');
});

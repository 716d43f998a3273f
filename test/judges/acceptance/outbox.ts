import { randomUUID } from 'node:crypto';
import { has, holds, matches, NotChecked, same, timePattern } from './expect.ts';
import { eventually, type Json, type Response, send } from './http.ts';
import { check, once } from './suite.ts';
import { newId, Team, type World } from './world.ts';

/** Seconds: a message goes out within 60, and its journey is planned before. */
const sentWithin = 100;
const asJson = { accept: 'application/json' };

const block = (order: number, type: string, data: object) => ({ order, type, data });
const pageIds = [randomUUID(), randomUUID()];
const file = randomUUID();
const pages = pageIds.map((id, at) => ({
  ...{ order: at + 1, id: randomUUID() },
  page: {
    id,
    is_live: true,
    content_block_status: 'published',
    completion_condition: 'confirm',
    content_name: `P${at}`,
  },
}));

const message = (subject: string, content_blocks: object[], more: object = {}, around: object = {}) => ({
  ...{ id: randomUUID(), order: 1, send_offset_hours: 0, ...around },
  message: {
    ...{ id: randomUUID(), type: 'email', content_block_status: 'published', is_transactional: false },
    ...{ payload: { subject, preview_text: 'In short', reply_to: 'help@replies.example' }, content_blocks },
    ...more,
  },
});

const texts = [
  block(1, 'heading', { heading: 'Dear {{name_first|friend}}', body: '{{open_steps}} steps: {{journey_url}}' }),
  block(2, 'text', { body: 'Born {{birthdate}}, plan {{meta_private.plan}}, {{name_last|without a last name}}' }),
  block(3, 'button', { text: 'Begin now', url: '{{page_url}}' }),
  block(4, 'image', { file_id: file, altText: 'A house by a river' }),
];
const ids = { template: randomUUID(), marketing: randomUUID(), service: randomUUID(), large: randomUUID() };
const campaign = {
  ...{ id: ids.template, name: 'Messages', status: 'live', content_block_status: 'published', language: 'en' },
  translations: { de: { 'Hello {{name_first}}': 'Hallo {{name_first}}', 'Begin now': 'Jetzt beginnen' } },
  template_pages: pages,
  template_messages: [
    message('Hello {{name_first}}', texts, {}, { id: ids.marketing }),
    message(
      'About your account',
      texts,
      { is_transactional: true },
      { id: ids.service, template_page_id: pages[1]!.id },
    ),
    message('Too long', [block(1, 'text', { body: 'word '.repeat(25_000) })], {}, { id: ids.large }),
  ],
};

type Mail = Json;
type Bank = { world: World; team: Team; id: string };

/** A team that sends at any hour, as a new team of the local service can. */
const bank = once(async (world: World): Promise<Bank> => {
  if (world.target.isStack || !world.target.admin) throw new NotChecked('the outbox is local');
  const { team_id: id } = await world.admin(['team', 'create', '--name', 'Outbox & Co', '--sandbox']);
  world.teams.push(id);
  await world.admin(['team', 'update', '--team', id, '--quiet-hours', 'none']);
  await world.admin(['content', 'import', '-', '--team', id], { templates: [campaign] });
  return { world, id, team: new Team(world.target.baseUrl, await world.client(id)) };
});

const outbox = (world: World, path = '', headers = asJson): Promise<Response> =>
  send(world.target.baseUrl, `GET /outbox${path}`, undefined, headers);

async function list(world: World): Promise<Mail[]> {
  const { status, body } = await outbox(world);
  same(status, 200, 'the status of GET /outbox');
  return body.messages;
}

/** The messages to this address, once there are so many, in full. */
const mailsTo = (world: World, to: string, count: number): Promise<Mail[]> =>
  eventually(async () => {
    const found = (await list(world)).filter((each) => each.to === to);
    holds(found.length >= count, `${found.length} of ${count} messages to the contact are in the outbox`);
    return Promise.all(found.map(async ({ id }) => (await outbox(world, `/${id}`)).body));
  }, sentWithin);

const newAddress = () => `${newId()}@mail.example`;
const consent = { email_verified: true, email_opted_in: true };
const secrets = { birthdate: '1980-02-03', meta_private: { plan: 'PLANTED-PLAN' } };

/** Somebody who gets the messages, and the journey. */
async function reader({ team }: Bank, fields: object = {}): Promise<{ email: string; journey: Json }> {
  const email = newAddress();
  const journey = await team.journey(ids.template, { email, name_first: 'Maria', ...consent, ...secrets, ...fields });
  return { email, journey };
}

const read = once(async (world: World) => {
  const { email, journey } = await reader(await bank(world));
  const mails = await mailsTo(world, email, 2);
  const [marketing, service] = ['Hello Maria', 'About your account'].map(
    (subject) => mails.find((each) => each.subject === subject)!,
  );
  return { email, journey, marketing, service, mails };
});

const messagesOf = async (team: Team, journey: Json): Promise<Json[]> =>
  (await team.get(`/v1/journeys/${journey.id}/messages`)).messages;

check('Contract 15, Locally: a caller that accepts JSON gets the newest messages from /outbox', async (world) => {
  const { email, marketing } = await read(world);
  const all = await list(world);
  const found = all.find(({ id }) => id === marketing.id);
  same(Object.keys(found).sort(), ['channel', 'id', 'sent_at', 'state', 'subject', 'to'], 'the fields of a message');
  has(found, { channel: 'email', to: email, subject: 'Hello Maria' }, 'the message');
  holds(['sent', 'delivered'].includes(found.state), `the state is ${found.state}`);
  matches(found.sent_at, timePattern, 'sent_at');
  holds(Math.abs(Date.parse(found.sent_at) - Date.now()) < 3_600_000, `sent_at is ${found.sent_at}`);
  same(
    all.map(({ sent_at }) => sent_at),
    all
      .map(({ sent_at }) => sent_at)
      .sort()
      .reverse(),
    'the order of the list',
  );
  holds(all.length <= 200, 'the list has more than 200 messages');
  matches((await outbox(world, '', { accept: 'text/html' })).headers.get('content-type'), /^text\/html/, 'the page');
});

check('Contract 15, Locally: one of them has html, text, headers and source', async (world) => {
  const { marketing } = await read(world);
  for (const field of ['id', 'channel', 'to', 'subject', 'sent_at', 'state', 'html', 'text', 'headers', 'source'])
    holds(field in marketing, `the message has no ${field}`);
  const names = Object.keys(marketing.headers);
  same(
    names,
    names.map((name) => name.toLowerCase()),
    'the names of the headers',
  );
  for (const name of ['from', 'to', 'subject', 'date', 'message-id', 'mime-version'])
    holds(names.includes(name), `no ${name}`);
  matches(marketing.source, /^Subject: Hello Maria\r?$/m, 'the MIME text');
  matches(marketing.source, /multipart\/alternative/, 'the MIME text');
  same((await outbox(world, `/${randomUUID()}`)).status, 404, 'the status of an unknown message');
});

check('Contract 15, Locally: POST /outbox/:id/events plays what the provider would report', async (world) => {
  const own = await bank(world);
  const { email, journey } = await reader(own);
  const mails = await mailsTo(world, email, 2);
  const { id } = mails.find(({ subject }) => subject === 'About your account')!;
  const play = (body: object, of = id) => send(world.target.baseUrl, `POST /outbox/${of}/events`, body);
  const stateIs = (state: string) =>
    eventually(async () => {
      const found = (await messagesOf(own.team, journey)).find((each) => each.template_message_id === ids.service);
      same(found.state, state, 'the state of the message');
    });
  for (const type of ['delivered', 'complained']) {
    same((await play({ type })).status, 204, `the status of ${type}`);
    await stateIs(type);
  }
  same((await play({ type: 'delivered' })).status, 204, 'the status of a late report');
  await stateIs('complained');
  same((await play({ type: 'opened' })).status, 422, 'the status of an unknown type');
  same((await play({ type: 'delivered' }, randomUUID())).status, 404, 'the status of an unknown message');
});

check('Contract 15, Content: payload, blocks and placeholders as HTML and as text', async (world) => {
  const { marketing, journey, service } = await read(world);
  const { slug } = (await (await bank(world)).team.journeyOf(journey.contact)) as Json;
  const url = `${world.target.baseUrl}/j/${slug}`;
  for (const [mail, page] of [
    [marketing, pageIds[0]],
    [service, pageIds[1]],
  ]) {
    const { html, text, headers } = mail;
    matches(headers['reply-to'], /help@replies\.example/, 'reply-to');
    for (const part of ['Dear Maria', '2 steps', 'Begin now', `${url}?page=${page}`, 'without a last name', '•••']) {
      holds(text.includes(part), `the text has no ${part}`);
      holds(html.includes(part.replace('&', '&amp;')), `the HTML has no ${part}`);
    }
    holds(text.includes(`2 steps: ${url}`), 'the text has no journey_url');
    matches(html, /In short/, 'the preview text');
    matches(html, /<table/, 'the HTML');
    matches(html, /prefers-color-scheme: ?dark/, 'the dark colors');
    holds(html.includes(`src="${world.target.baseUrl}/files/${file}"`), 'the image has no absolute URL');
    matches(html, /alt="A house by a river"/, 'the text of the image');
    matches(text, /A house by a river/, 'the text of the image');
    holds(Buffer.byteLength(html) < 102 * 1024, 'the HTML has 102 KB or more');
  }
});

check('Contract 15, Content: nothing private is in a message', async (world) => {
  const { mails } = await read(world);
  for (const mail of mails)
    holds(!/PLANTED|1980/.test(JSON.stringify(mail)), `${mail.subject} shows something private`);
});

check('Contract 15, Content: the foot has institution, postal address, why, and the way out', async (world) => {
  const { marketing, service } = await read(world);
  const { id } = await bank(world);
  const teams = (await world.admin(['team', 'list'])) as Json[];
  const { name, postal_address: postal } = teams.find(({ team_id }) => team_id === id)!;
  holds(postal, 'a new team of the local service has no postal address');
  for (const { text } of [marketing, service]) {
    for (const part of [name, postal]) holds(text.includes(part), `the text has no ${part}`);
    matches(text, /You get this email because/, 'why one gets it');
  }
  const [, url] = /^<(http[^>]+)>$/.exec(marketing.headers['list-unsubscribe']) ?? [];
  same(marketing.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click', 'List-Unsubscribe-Post');
  holds(url && marketing.html.includes(url) && marketing.text.includes(url), 'the message has no link to unsubscribe');
});

check('Contract 15, Content: the language is that of the contact, else that of the campaign', async (world) => {
  const own = await bank(world);
  const { email } = await reader(own, { meta_public: { language: 'de' } });
  const found = (await mailsTo(world, email, 2)).find(({ subject }) => subject === 'Hallo Maria');
  holds(found, 'there is no message in German');
  matches(found.html, /<html[^>]* lang="de"/, 'the language of the HTML');
  matches(found.text, /Jetzt beginnen/, 'the text');
  matches((await read(world)).marketing.html, /<html[^>]* lang="en"/, 'the language of the campaign');
});

check('Contract 15, Content: a message of 102 KB or more is not sent (too_large)', async (world) => {
  const { journey } = await read(world);
  const { team } = await bank(world);
  await eventually(async () => {
    const found = (await messagesOf(team, journey)).find((each) => each.template_message_id === ids.large);
    has(found, { state: 'not_sent', reason: 'too_large', sent_at: null }, 'the large message');
  });
});

check('Contract 15, Content: the sender must be one of the team, else 422 at import', async (world) => {
  const { id } = await bank(world);
  const template = { ...campaign, id: randomUUID(), template_pages: [], template_messages: [] };
  const templates = [{ ...template, email_sender_address: 'somebody@elsewhere.example.net' }];
  const { status, body } = await world.tryAdmin(['content', 'import', '-', '--team', id], { templates });
  same(status, 1, 'the exit status');
  same(
    body.details.map(({ path }: Json) => path),
    ['/templates/0/email_sender_address'],
    'the paths of the error',
  );
});

check('Contract 15, Commands: message preview shows a message, and message test sends it', async (world) => {
  const { id } = await bank(world);
  const of = ['--team', id, '--template', ids.template, '--message', ids.marketing];
  const shown = await world.admin(['message', 'preview', ...of]);
  matches(JSON.stringify(shown), /Begin now/, 'the preview');
  const to = newAddress();
  await world.admin(['message', 'test', ...of, '--to', to]);
  const [mail] = await mailsTo(world, to, 1);
  matches(mail.subject, /^\[Test\] /, 'the subject of the test');
});

import { randomUUID } from 'node:crypto';
import { has, holds, matches, NotChecked, same } from './expect.ts';
import { eventually, type Json, send } from './http.ts';
import { check, needsMessages, once } from './suite.ts';
import { newId, Team, type World } from './world.ts';

/** A team that sends a marketing message at the start of each journey, at any hour. */
const mailing = once(async (world: World) => {
  await needsMessages(world);
  const { team_id } = await world.admin(['team', 'create', '--name', 'Mailing', '--sandbox']);
  world.teams.push(team_id);
  const own = ['--sender', '@bank.example', '--no-earlier-list', '--postal-address', '1 Main Street'];
  await world.admin(['team', 'update', '--team', team_id, ...own, '--quiet-hours', 'none']);
  const templateId = randomUUID();
  const message = { type: 'email', content_block_status: 'published', payload: { subject: 'Hello' } };
  const template = { id: templateId, name: 'Mailing', status: 'live', email_sender_address: 'hello@bank.example' };
  const content = { templates: [{ ...template, template_messages: [{ send_offset_hours: 0, message }] }] };
  await world.admin(['content', 'import', '-', '--team', team_id], content);
  return { team: new Team(world.target.baseUrl, await world.client(team_id)), teamId: team_id, templateId };
});

const addressOf = (name: string) => `${name}@example.com`;
const reachable = (name: string) => ({ email: addressOf(name), email_opted_in: true, email_verified: true });
const optsOut = (team: Team, { id }: Json) => team.call(204, `POST /v1/contacts/${id}/opt-outs`, { channel: 'email' });
const stored = (team: Team, { id }: Json) => team.get(`/v1/contacts/${id}`);

/** The newest message to the address in the outbox of the local service. */
async function mailTo({ target }: World, address: string): Promise<Json> {
  const accept = { accept: 'application/json' };
  const { status } = await send(target.baseUrl, 'GET /outbox', undefined, accept);
  if (status === 404) throw new NotChecked('there is no outbox');
  return eventually(async () => {
    const { body } = await send(target.baseUrl, 'GET /outbox', undefined, accept);
    const found = body.messages.find(({ to }: Json) => String(to).includes(address));
    holds(found, `no message to ${address}`);
    return (await send(target.baseUrl, `GET /outbox/${found.id}`, undefined, accept)).body;
  }, 90);
}

const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;

/** The fields of the form on the page, and where it is sent. */
function formOf(page: string, path: string) {
  const [form = ''] = /<form[^>]*method="post"[\s\S]*?<\/form>/i.exec(page) ?? [];
  holds(form !== '', `no form on the page ${path}`);
  const fields = [...form.matchAll(/<(?:input|button)[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)];
  const [, action = path] = /<form[^>]*action="([^"]*)"/i.exec(form) ?? [];
  return {
    path: action,
    body: new URLSearchParams(Object.fromEntries(fields.map(([, name, value]) => [name!, value!]))),
  };
}

/** Presses the one button of the page. @returns the next page */
async function press(world: World, path: string, page?: string): Promise<string> {
  const text = page ?? (await send(world.target.baseUrl, `GET ${path as `/${string}`}`)).text;
  const form = formOf(text, path);
  const pressed = await send(world.target.baseUrl, `POST ${form.path as `/${string}`}`, form.body);
  if (pressed.status !== 303) return pressed.text;
  return (
    await send(
      world.target.baseUrl,
      `GET ${pathOf(new URL(pressed.headers.get('location')!, world.target.baseUrl).href) as `/${string}`}`,
    )
  ).text;
}

/** A contact with the marketing message that it got. */
async function mailed(world: World) {
  const { team, templateId } = await mailing(world);
  const name = newId();
  const { contact } = await team.journey(templateId, { unique_id: name, ...reachable(name) });
  const mail = await mailTo(world, addressOf(name));
  const [, url = ''] = /<(https?:[^>]+)>/.exec(mail.headers['list-unsubscribe'] ?? '') ?? [];
  return { team, contact, name, mail, path: url === '' ? '' : pathOf(url) };
}

check(
  'Contract 15: every marketing email has List-Unsubscribe and List-Unsubscribe-Post; a GET changes nothing',
  async (world) => {
    const { team, contact, mail, path } = await mailed(world);
    matches(mail.headers['list-unsubscribe'], /<https?:/, 'List-Unsubscribe');
    same(mail.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click', 'List-Unsubscribe-Post');
    for (const method of ['GET', 'HEAD']) await send(world.target.baseUrl, `${method} ${path as `/${string}`}`);
    same((await stored(team, contact)).email_opted_in, true, 'email_opted_in after a GET');
  },
);

check('Contract 15: one press unsubscribes and another takes it back, on a page without a script', async (world) => {
  const { team, contact, path } = await mailed(world);
  const { text } = await send(world.target.baseUrl, `GET ${path as `/${string}`}`);
  holds(!/<script/i.test(text), 'the page has a script');
  const left = await press(world, path, text);
  same((await stored(team, contact)).email_opted_in, false, 'email_opted_in after the press');
  await press(world, path, left);
  same((await stored(team, contact)).email_opted_in, true, 'email_opted_in after the second press');
  const { body } = await team.call(200, 'POST /v1/contacts', { unique_id: contact.unique_id, email_opted_in: true });
  same(body.email_opted_in, true, 'email_opted_in of an upsert afterwards');
});

check('Contract 15: the one-click POST takes any body, from anywhere', async (world) => {
  const { team, contact, path } = await mailed(world);
  const bodies = [new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), 'anything', undefined];
  for (const [at, body] of bodies.entries()) {
    const headers = { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' };
    const { status } = await send(world.target.baseUrl, `POST ${path as `/${string}`}`, body, headers);
    holds(status >= 200 && status < 300, `POST ${at} responded ${status}`);
    same((await stored(team, contact)).email_opted_in, false, `email_opted_in after POST ${at}`);
  }
});

check('Contract 15: opt-outs set email_opted_in to false, and every upsert after it stores false', async (world) => {
  const { team } = await mailing(world);
  const name = newId();
  const contact = await team.contact({ unique_id: name, ...reachable(name) });
  await optsOut(team, contact);
  await optsOut(team, contact);
  const upsert = (body: object) => team.call(200, 'POST /v1/contacts', body);
  for (const said of [
    { email_opted_in: true },
    { unsubscribe_email: false },
    { email_opted_in: true, unsubscribe_email: true },
    { email_opted_in: false, unsubscribe_email: false },
    { email: addressOf(newId()), email_opted_in: true },
  ]) {
    const { body } = await upsert({ unique_id: name, ...said });
    has(body, { email_opted_in: false, unsubscribe_email: true }, `the answer to ${JSON.stringify(said)}`);
  }
  const { body } = await upsert({ contacts: [{ unique_id: name, email_opted_in: true }] });
  same(body.existing_contacts[0].email_opted_in, false, 'email_opted_in in a batch');
  for (const method of ['PUT', 'PATCH']) {
    const one = await team.call(200, `${method} /v1/contacts/${contact.id}`, { email_opted_in: true });
    same(one.body.email_opted_in, false, `email_opted_in after ${method}`);
  }
});

check(
  'Contract 15: other contacts of a listed address keep their flags and are not sent to (suppressed)',
  async (world) => {
    const { team, templateId } = await mailing(world);
    const [name, other] = [newId(), newId()];
    const first = await team.contact({ unique_id: name, ...reachable(name) });
    const second = await team.contact({
      unique_id: other,
      ...reachable(name),
      email: ` ${addressOf(name).toUpperCase()}`,
    });
    await optsOut(team, first);
    same((await stored(team, second)).email_opted_in, true, 'email_opted_in of the other contact');
    const { body } = await team.call(201, `POST /v1/templates/${templateId}/journeys`, { contact: { id: second.id } });
    await eventually(async () => {
      const { messages } = await team.get(`/v1/journeys/${body.id}/messages`);
      has(messages[0] ?? {}, { state: 'not_sent', reason: 'suppressed' }, 'the message');
    }, 90);
    const third = await team.contact({ ...reachable(name) });
    same(third.email_opted_in, false, 'email_opted_in of a new contact with the address');
  },
);

check('Contract 15: opt-outs need a contact of the team and the channel email', async (world) => {
  const { team } = await mailing(world);
  await team.call(404, `POST /v1/contacts/${randomUUID()}/opt-outs`, { channel: 'email' });
  const contact = await team.contact();
  await team.refuse(422, ['/channel'], `POST /v1/contacts/${contact.id}/opt-outs`, { channel: 'fax' });
  const { team: foreign } = await world.content();
  await foreign.call(404, `POST /v1/contacts/${contact.id}/opt-outs`, { channel: 'email' });
});

check(
  'Contract 15: suppression remove takes a leaving back, suppression list never shows an address',
  async (world) => {
    const { team, teamId } = await mailing(world);
    const name = newId();
    const contact = await team.contact({ unique_id: name, ...reachable(name) });
    await optsOut(team, contact);
    const of = ['--team', teamId, '--address', addressOf(name)];
    const found = await world.admin(['suppression', 'list', ...of]);
    has(found[0], { channel: 'email', reason: 'unsubscribed' }, 'the entry');
    holds(!JSON.stringify(await world.admin(['suppression', 'list', '--team', teamId])).includes(name), 'an address');
    await world.admin(['suppression', 'remove', ...of, '--reason', 'asked at the branch']);
    const { body } = await team.call(200, 'POST /v1/contacts', { unique_id: name, email_opted_in: true });
    same(body.email_opted_in, true, 'email_opted_in after suppression remove');
  },
);

check('Contract 15: the list outlives an erasure, which lists the address', async (world) => {
  const { team, teamId } = await mailing(world);
  const name = newId();
  await team.contact({ unique_id: name, ...reachable(name) });
  await world.admin(['contact', 'erase', '--team', teamId, '--unique-id', name, '--yes']);
  const found = await world.admin(['suppression', 'list', '--team', teamId, '--address', addressOf(name)]);
  has(found[0], { reason: 'erased' }, 'the entry');
  same((await team.contact({ unique_id: name, ...reachable(name) })).email_opted_in, false, 'email_opted_in');
});

check(
  'Contract 15: each change of email_opted_in and email_verified is kept: when, from what to what, by which client',
  async (world) => {
    const { team, teamId } = await mailing(world);
    const name = newId();
    const contact = await team.contact({ unique_id: name, ...reachable(name) });
    await optsOut(team, contact);
    for (const verb of ['show', 'export']) {
      const { consent } = await world.admin(['contact', verb, '--team', teamId, '--unique-id', name]);
      const changes = consent.map(({ field, from, to }: Json) => [field, from, to]);
      same(
        changes,
        [
          ['email_opted_in', null, true],
          ['email_verified', null, true],
          ['email_opted_in', true, false],
        ],
        `the consent in contact ${verb}`,
      );
      for (const { by } of consent)
        holds(JSON.stringify(by).includes(team.credential.client_id), `by ${JSON.stringify(by)}`);
    }
  },
);

check(
  'Contract 15: a verification sends a link that works once; its page shows the address half hidden',
  async (world) => {
    const { team } = await mailing(world);
    const name = newId();
    const contact = await team.contact({ unique_id: name, email: addressOf(name), email_opted_in: true });
    const asks = (status: number, of = contact) =>
      team.call(status, `POST /v1/contacts/${of.id}/verifications`, { channel: 'email' });
    await asks(202);
    const { text } = await mailTo(world, addressOf(name));
    const urls = [...String(text).matchAll(/https?:\/\/[^\s<>"]+/g)].map(([url]) => url);
    const own = urls.find((url) => url.startsWith(world.target.baseUrl));
    holds(own, 'the message has no link');
    const page = await send(world.target.baseUrl, `GET ${pathOf(own) as `/${string}`}`);
    holds(!page.text.includes(addressOf(name)), 'the page shows the whole address');
    same((await stored(team, contact)).email_verified, null, 'email_verified after a GET');
    await press(world, pathOf(own), page.text);
    same((await stored(team, contact)).email_verified, true, 'email_verified after the press');
    await team.call(200, 'POST /v1/contacts', { unique_id: name, email_verified: false });
    const form = formOf(page.text, pathOf(own));
    await send(world.target.baseUrl, `POST ${form.path as `/${string}`}`, form.body);
    same((await stored(team, contact)).email_verified, false, 'email_verified after a second press');
  },
);

check('Contract 15: three verifications in 24 hours, else 429; no address: 422', async (world) => {
  const { team } = await mailing(world);
  const name = newId();
  const contact = await team.contact({ unique_id: name, email: addressOf(name) });
  const asks = (status: number, { id }: Json) =>
    team.call(status, `POST /v1/contacts/${id}/verifications`, { channel: 'email' });
  for (let n = 0; n < 3; n++) await asks(202, contact);
  const { headers } = await asks(429, contact);
  holds(Number(headers.get('retry-after')) > 0, 'no Retry-After');
  await asks(429, await team.contact({ email: addressOf(name), unique_id: newId() }));
  await asks(422, await team.contact());
  await asks(404, { id: randomUUID() });
});

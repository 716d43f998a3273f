import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { record } from './accounts.ts';
import { has, holds, matches, NotChecked, same } from './expect.ts';
import { eventually, type Json } from './http.ts';
import { act } from './journeys.ts';
import { check, shortCheck } from './suite.ts';
import { newId } from './world.ts';

const ofTeam = (team: { credential: { team_id?: string } }) => ['--team', team.credential.team_id!];

check('Contract 9: contact change-unique-id: the contact keeps its id, accounts and journeys', async (world) => {
  const { team, ids } = await world.content();
  const { contact, id } = await team.journey(ids.short);
  await team.import([record({ contact: { unique_id: contact.unique_id } })]);
  const to = newId();
  const change = (from: string, into: string) =>
    world.tryAdmin(['contact', 'change-unique-id', ...ofTeam(team), '--from', from, '--to', into]);
  const taken = await team.contact();
  same((await change(contact.unique_id, taken.unique_id)).status, 1, 'the exit status for one that is taken');
  same((await change(contact.unique_id, to)).status, 0, 'the exit status');
  has(
    (await team.call(200, 'POST /v1/contacts', { unique_id: to })).body,
    { id: contact.id },
    'the contact of the new one',
  );
  same([(await team.journeyOf(contact)).id, (await team.accountsOf(contact)).length], [id, 1], 'journey and accounts');
  const old = (await team.call(201, 'POST /v1/contacts', { unique_id: contact.unique_id })).body;
  holds(old.id !== contact.id, 'the old unique_id still finds the contact');
});

check(
  'Contract 9: contact erase removes the person; accounts stay, without the person; a second run finds nothing',
  async (world) => {
    if (world.target.skipsWaits) throw new NotChecked('an erasure waits until no earlier request can be running');
    const { team, ids } = await world.content();
    const { contact, slug } = await team.journey(ids.first, { email: `${newId()}@example.com`, name_last: newId() });
    const other = await team.contact();
    const account = record();
    await team.import([contact, other].map(({ unique_id }) => ({ ...account, contact: { unique_id } })));
    await act(team, { slug }, 'page_viewed', ids.shown);
    const exported = await world.admin(['contact', 'export', ...ofTeam(team), '--unique-id', contact.unique_id]);
    holds(JSON.stringify(exported).includes(contact.email), 'the export has not the email');
    await world.admin(['contact', 'erase', ...ofTeam(team), '--unique-id', contact.unique_id, '--yes']);
    await team.call(404, `GET /v1/contacts/${contact.id}`);
    same((await team.get(`/v1/contacts?unique_id=${contact.unique_id}`)).contacts, [], 'the contact by unique_id');
    await eventually(async () =>
      same((await team.get(`/v1/contacts?search=${contact.name_last}`)).contacts, [], 'found'),
    );
    same(await team.get(`/v1/journeys?contact_id=${contact.id}`), [], 'journeys');
    await team.open(404, `GET /j/${slug}`);
    same((await team.accountsOf(other)).length, 1, 'the accounts of the other person');
    const lookup = `/v1/engagement-channels/${ids.channel}/content-containers/search?email=${encodeURIComponent(contact.email)}`;
    same((await team.get(lookup as `/${string}`)).journey_url, null, 'journey_url of a lookup');
  },
);

check('Contract 9: journey reissue: a new slug, the old address ends', async (world) => {
  const { team, ids } = await world.content();
  const journey = await team.journey(ids.short);
  await act(team, journey, 'page_viewed', ids.shortPage);
  await world.admin(['journey', 'reissue', ...ofTeam(team), '--journey', journey.id, '--yes']);
  const renewed = await team.journeyOf(journey.contact);
  holds(renewed.slug !== journey.slug, 'the slug is the same');
  same([renewed.id, renewed.analytics_cache.pages_viewed], [journey.id, [ids.shortPage]], 'the journey');
  await team.open(404, `GET /j/${journey.slug}`);
  await team.open(200, `GET /j/${renewed.slug}`);
});

check(
  'Contract 4, 9: account unlink removes a link, account remove an account; both stand in the audit, and a later file brings either back',
  async (world) => {
    const { team } = await world.other();
    const { unique_id, id } = await team.contact();
    const account = record({ contact: { unique_id }, nickname: 'Wrong' });
    const named = [...ofTeam(team), '--account-number', account.account_number as string];
    const ids = async () => (await team.accountsOf({ id })).map((each: Json) => each.account.id);
    await team.import([account]);
    const before = await ids();
    const removal = await world.admin(['account', 'unlink', ...named, '--unique-id', unique_id, '--yes']);
    same(await ids(), [], 'the accounts of the contact after unlink');
    const { batches } = await team.get('/v1/batches?limit=100');
    holds(!batches.some(({ batch_id }: Json) => batch_id === removal.batch_id), 'a removal is in the list of batches');
    await team.import([{ account_number: account.account_number, contact: { unique_id } }]);
    same(await ids(), before, 'the accounts after a later file');
    await world.admin(['account', 'remove', ...named, '--yes']);
    same(await ids(), [], 'the accounts after remove');
    same((await world.tryAdmin(['account', 'show', ...named])).status, 1, 'the exit status of account show');
    await team.import([{ ...account, nickname: undefined }]);
    same(
      (await team.accountsOf({ id })).map((each: Json) => [each.account.id, each.account.nickname]),
      [[before[0], null]],
      'the account of a later file',
    );
    const audit = JSON.stringify(await world.admin(['audit', 'list', ...ofTeam(team)]));
    for (const what of ['account unlink', 'account remove']) holds(audit.includes(`"${what}"`), `no entry of ${what}`);
    holds(!audit.includes(unique_id), 'the unique_id is in the audit');
  },
);

check('Contract 9: template list names the campaigns of the team, archived ones too', async (world) => {
  const { team } = await world.content();
  const named = (templates: Json) => templates.map(({ id, name }: Json) => ({ id, name }));
  const listed = await world.admin(['template', 'list', ...ofTeam(team)]);
  same(named(listed), named((await team.get('/v1/templates')).templates), 'the list of the command');
});

check('Contract 9: team reset ends the webhooks of the team, and the audit has it', async (world) => {
  const { team_id } = await world.admin(['team', 'create', '--name', 'Reset', '--sandbox']);
  world.teams.push(team_id);
  const ofIt = ['--team', team_id];
  const { webhook_id } = await world.admin(['webhook', 'create', ...ofIt, '--url', 'https://receiver.example.com/']);
  await world.admin(['team', 'reset', ...ofIt, '--yes']);
  same(await world.admin(['webhook', 'list', ...ofIt]), [], 'the webhooks');
  const entries = (await world.admin(['audit', 'list', ...ofIt])).filter(({ what }: Json) => what === 'team reset');
  holds(JSON.stringify(entries).includes(webhook_id), 'the webhook is not in the entry of the reset');
});

check('Contract 5: who sent a chunk is kept with it: client_id in batch show', async (world) => {
  const { team } = await world.content();
  const batch_id = newId();
  await team.call(202, 'POST /v1/batches', { type: 'accounts', batch_id, records: [record()] });
  for (const args of [
    ['batch', 'show', batch_id, ...ofTeam(team)],
    ['batch', 'list', ...ofTeam(team)],
  ]) {
    const shown = JSON.stringify(await world.admin(args));
    holds(shown.includes(team.credential.client_id), `${args[1]} does not name the client`);
  }
});

check(
  'Contract 5: a batch whose last failed chunk is discarded has ended, and that is an event; the chunk leaves accepted and failed',
  async (world) => {
    if (world.target.isStack) throw new NotChecked('only a local service damages a chunk on purpose');
    const { team } = await world.other();
    const { batch_id } = await world.admin(['drill', 'poison-chunk', ...ofTeam(team)]);
    has((await team.finished(batch_id)).chunks, { accepted: 1, failed: 1, failed_indexes: [0] }, 'chunks');
    await world.admin(['failed', 'discard', ...ofTeam(team), '--batch', batch_id, '--chunk', '0', '--yes']);
    const { status, chunks } = await team.get(`/v1/batches/${batch_id}`);
    same([status, chunks.accepted, chunks.failed, chunks.discarded], ['completed', 0, 0, 1], 'the status');
    await world.admin(['drill', 'cure', ...ofTeam(team)]);
    await eventually(async () => {
      const { events } = await team.get('/v1/events?type=batch.*&limit=1000');
      const own = events.filter((event: Json) => event.batch_id === batch_id).map(({ type }: Json) => type);
      same(own, ['batch.failed', 'batch.completed'], 'the events');
    });
  },
);

check('Contract 5: a batch can be cancelled by the administrator', async (world) => {
  const { team } = await world.content();
  const batch_id = newId();
  const body = { type: 'accounts', batch_id, chunk_count: 2, chunk_index: 0, records: [record()] };
  await team.call(202, 'POST /v1/batches', body);
  await eventually(async () =>
    same((await team.get(`/v1/batches/${batch_id}`)).chunks.completed, 1, 'completed chunks'),
  );
  await world.admin(['batch', 'cancel', batch_id, ...ofTeam(team), '--yes']);
  const status = await team.get(`/v1/batches/${batch_id}`);
  has(status.records, { applied: 1 }, 'records, of which those applied stay');
});

check(
  'Contract 9: content export and import: the document of a team, ids kept, changes nothing when imported again',
  async (world) => {
    const { team, ids } = await world.other();
    const before = await team.get(`/v1/templates/${ids.short}/template_pages`);
    const document = await world.admin(['content', 'export', ...ofTeam(team)]);
    has(document.templates[0], { id: ids.short, name: 'Products' }, 'the template');
    const again = await world.admin(['content', 'import', '-', ...ofTeam(team)], document);
    has(again.templates, { created: 0, updated: 0 }, 'the receipt');
    same(await team.get(`/v1/templates/${ids.short}/template_pages`), before, 'the pages');
  },
);

check(
  'Contract 9: content history names every revision, restore brings one back, and what waits for approval is not shown',
  async (world) => {
    const { team_id } = await world.admin(['team', 'create', '--name', 'Approving']);
    const given = ['--team', team_id];
    const [id, [first, second]] = [crypto.randomUUID(), ['First', 'Second'] as const];
    const put = (name: string) => world.admin(['content', 'import', '-', ...given], { templates: [{ id, name }] });
    const names = async () =>
      (await world.admin(['content', 'export', ...given])).templates.map((each: Json) => each.name);
    await put(first);
    await put(second);
    const history = await world.admin(['content', 'history', ...given, '--template', id]);
    same(
      history.map((each: Json) => each.state),
      ['current', 'earlier'],
      'the states',
    );
    await world.admin(['content', 'restore', history[1].revision, ...given, '--yes']);
    same(await names(), [first], 'the names after the restore');
    await world.admin(['team', 'update', ...given, '--content-approval', 'on']);
    const { pending_revision: waits } = await put(second);
    same(await names(), [first], 'the names while the import waits');
    const own = await world.tryAdmin(['content', 'approve', waits, ...given, '--yes']);
    same([own.status, own.body.error], [1, 'forbidden'], 'the approval by the same person');
    has((await world.admin(['content', 'history', ...given]))[0], { state: 'pending', revision: waits }, 'the history');
  },
);

check('Contract 9: content import publishes a document at the time that is set, and not before', async (world) => {
  if (world.target.skipsWaits) throw new NotChecked('a time that has come is noticed within a minute');
  const { team_id } = await world.admin(['team', 'create', '--name', 'Publishing later']);
  const given = ['--team', team_id];
  const name = newId();
  const at = new Date(Date.now() + 60_000);
  await world.admin(['content', 'import', '-', ...given, '--at', at.toISOString()], { templates: [{ name }] });
  const isThere = async () => JSON.stringify(await world.admin(['content', 'export', ...given])).includes(name);
  same(await isThere(), false, 'whether it is published at once');
  await eventually(async () => same(await isThere(), true, 'whether it is published at its time'), 240);
  const [published] = await world.admin(['content', 'history', ...given]);
  holds(Date.parse(published.at) >= at.getTime(), `it was published at ${published.at}, before ${at.toISOString()}`);
});

check(
  'Contract 9: content import writes all or nothing; without --team it takes global objectives only',
  async (world) => {
    const { team } = await world.content();
    const name = newId();
    const document = { templates: [{ name }, { name: 5 }] };
    const { status, body } = await world.tryAdmin(['content', 'import', '-', ...ofTeam(team)], document);
    same([status, body.details[0].path], [1, '/templates/1/name'], 'status and path');
    holds(!(await team.get('/v1/templates')).templates.some((each: Json) => each.name === name), 'a part was written');
    same(
      (await world.tryAdmin(['content', 'import', '-'], { templates: [{ name }] })).status,
      1,
      'the exit status without --team',
    );
  },
);

check(
  'Contract 9: what a page cannot show or complete is a warning with its JSON Pointer; --strict refuses',
  async (world) => {
    const { team } = await world.content();
    const page = { completion_condition: 'objective', content_blocks: [{ type: 'hologram' }], colour: 'red' };
    const document = { templates: [{ name: newId(), template_pages: [{ order: 1, page }] }] };
    const { status, body } = await world.tryAdmin(['content', 'check', '-', ...ofTeam(team)], document);
    same(status, 0, 'the exit status');
    const paths: string[] = body.warnings.map(({ path }: Json) => path);
    for (const tail of ['completion_condition', 'content_blocks/0/type', 'colour']) {
      holds(
        paths.some((path) => path.endsWith(tail)),
        `no warning of ${tail} in ${paths}`,
      );
    }
    same(
      (await world.tryAdmin(['content', 'check', '-', '--strict', ...ofTeam(team)], document)).status,
      1,
      'the exit status of --strict',
    );
  },
);

check(
  'Contract 9: every administrative act and every token issued or refused is an entry of the audit',
  async (world) => {
    const { team } = await world.other();
    const { client_id, client_secret } = await world.client(team);
    const credential = { grant_type: 'client_credentials', client_id, client_secret };
    await team.open(401, 'POST /oauth2/token', { ...credential, client_secret: 'wrong' });
    await team.open(400, 'POST /oauth2/token', { ...credential, scope: 'everything' });
    const of = async () => {
      const printed = await world.admin(['audit', 'list', ...ofTeam(team)]);
      return (Array.isArray(printed) ? printed : (printed.entries ?? Object.values(printed)[0])) as Json[];
    };
    const entries = await of();
    for (const what of ['client create', 'content import', 'token issued']) {
      const entry = entries.find((each) => each.what === what);
      holds(entry, `there is no entry of ${what} in ${[...new Set(entries.map((each) => each.what))]}`);
      for (const field of ['at', 'who', 'what', 'team_id', 'ids', 'outcome'])
        holds(field in entry, `${what} has no ${field}`);
    }
    const refused = entries.filter(({ who, what }) => who === client_id && what === 'token refused');
    same(refused.length, 2, 'the entries of a client that was refused twice');
    holds(!JSON.stringify(entries).includes(team.credential.client_secret), 'a secret is in the audit');
    matches(entries[0]!.at, /Z$/, 'at');
  },
);

shortCheck('Contract 9: drop list: dropped files with their state and rows', async (world) => {
  const { team } = await world.content();
  if (!world.target.drop) throw new NotChecked('needs the drop box');
  const contact = await team.contact();
  const name = `${newId()}.csv`;
  const header = 'account_number,contact.unique_id,product.code,product.type,balance';
  const rows = [
    `${newId()},${contact.unique_id},DROPPED,savings,1.00`,
    `${newId()},${contact.unique_id},DROPPED,gold,x`,
  ];
  await world.target.drop(`${team.credential.team_id}/accounts/${name}`, `${[header, ...rows].join('\n')}\n`);
  await eventually(async () => {
    const printed = JSON.stringify(await world.admin(['drop', 'list', ...ofTeam(team)]));
    const file = printed.slice(printed.indexOf(name));
    holds(
      printed.includes(name) && /"(done|completed)"/.test(file),
      `the file is not done in ${printed.slice(0, 400)}`,
    );
  }, 90);
  same((await team.accountsOf(contact)).length, 1, 'the accounts of the file with one invalid row');
});

check(
  'Contract 9: file put keeps an image, served at /files/:id, immutable; other types are refused',
  async (world) => {
    const { team } = await world.content();
    const folder = mkdtempSync(join(tmpdir(), 'acceptance-'));
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const put = (name: string, content: string | Buffer) => {
      writeFileSync(join(folder, name), content);
      return world.tryAdmin(['file', 'put', join(folder, name), ...ofTeam(team)]);
    };
    const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    same([(await put('a.txt', 'text')).status, (await put('a.svg', script)).status], [1, 1], 'the exit statuses');
    const { status, body } = await put('a.png', png);
    rmSync(folder, { recursive: true });
    same(status, 0, 'the exit status of an image');
    const id = body.id ?? body.file_id;
    const { headers } = await team.open(200, `GET /files/${id}`);
    same(headers.get('content-type'), 'image/png', 'content-type');
    matches(headers.get('cache-control'), /immutable/, 'Cache-Control');
    await team.open(404, `GET /files/${crypto.randomUUID()}`);
  },
);

check('Contract 9: with --json every verb prints one JSON value and nothing else, beside --csv too', async (world) => {
  const { team, ids } = await world.content();
  const { id } = await team.journey(ids.short);
  const list = await world.admin(['template', 'journeys', ...ofTeam(team), '--template', ids.short, '--csv']);
  holds(
    list.some((each: Json) => each.id === id),
    'the list has not the journey',
  );
  const results = await world.admin(['template', 'results', ...ofTeam(team), '--template', ids.short, '--csv']);
  same(results.template_id, ids.short, 'template_id of the results');
  // A verb that only reads a file takes no `--stack`.
  if (world.target.isStack) return;
  const texts = ['content', 'texts', '-', '--csv', '--language', 'es'];
  const translated = { templates: [{ name: 'Hello', translations: { es: { Hello: 'Hola' } } }] };
  same(await world.admin(texts, translated), [{ text: 'Hello', es: 'Hola' }], 'the texts');
});

check(
  'Contract 3: DELETE /v1/contacts/:id: 202 {"id","status":"erasing"}, 404 for an unknown one; the audit names the client',
  async (world) => {
    const { team } = await world.other();
    const { id } = await team.contact();
    const { id: others } = await (await world.team()).contact();
    for (const unknown of [newId(), 'no-uuid', others]) await team.call(404, `DELETE /v1/contacts/${unknown}`);
    for (let times = 0; times < 2; times++) {
      same((await team.call(202, `DELETE /v1/contacts/${id}`)).body, { id, status: 'erasing' }, 'the response');
    }
    const audit = (await world.admin(['audit', 'list', '--team', team.credential.team_id!])) as Json[];
    const entries = audit.filter(({ ids, outcome }) => ids.contact_id === id && outcome === 'begun');
    same(
      entries.map(({ who, what }) => [who, what]),
      [[team.credential.client_id, 'contact erase']],
      'entries',
    );
  },
);

check(
  'Contract 3: DELETE /v1/contacts/:id erases as contact erase does; posted again, the unique_id makes a new contact with the same id, whose earlier events name it',
  async (world) => {
    if (world.target.skipsWaits) throw new NotChecked('an erasure begins within a minute');
    const { team, ids } = await world.content();
    const { contact, slug } = await team.journey(ids.first, { name_last: newId() });
    const [other, renamed] = [await team.contact(), await team.contact()];
    const [account, joint] = [record(), record()];
    const link = (to: Json, ...people: Json[]) =>
      team.import(people.map(({ unique_id }) => ({ ...to, contact: { unique_id } })));
    await link(account, contact, other);
    for (const each of [other, contact]) await link(joint, each);
    const ofTeam = ['--team', team.credential.team_id!];
    await world.admin(['contact', 'change-unique-id', ...ofTeam, '--from', renamed.unique_id, '--to', newId()]);
    await act(team, { slug }, 'page_viewed', ids.shown);
    const dropped = async () => JSON.stringify(await world.admin(['drop', 'list', ...ofTeam]));
    if (world.target.drop) {
      const rows = [contact, other].map(({ unique_id }) => `${unique_id},dropped,`);
      // A warning of the report names the last column.
      const file = [`unique_id,name_first,${contact.unique_id}`, ...rows, ''].join('\n');
      await world.target.drop(`${team.credential.team_id}/contacts/${newId()}.csv`, file);
      for (const { id } of [contact, other])
        await eventually(async () => has(await team.get(`/v1/contacts/${id}`), { name_first: 'dropped' }, 'a row'), 90);
      await eventually(async () => holds((await dropped()).includes(contact.unique_id), 'no file has the warning'), 90);
    }
    const erased = [contact, renamed];
    for (const { id } of erased) await team.call(202, `DELETE /v1/contacts/${id}`);
    for (const { id } of erased) await eventually(() => team.call(404, `GET /v1/contacts/${id}`), 120);
    for (const { id } of erased) await eventually(() => team.call(404, `DELETE /v1/contacts/${id}`), 360);
    await team.open(404, `GET /j/${slug}`);
    if (world.target.drop) holds(!(await dropped()).includes(contact.unique_id), 'a dropped file names the person');
    const again = (await team.call(201, 'POST /v1/contacts', { unique_id: contact.unique_id })).body;
    has(again, { id: contact.id, name_first: null, name_last: null }, 'the new contact');
    const accounts = [again, other].map(async (each) => (await team.accountsOf(each)).length);
    same(await Promise.all(accounts), [0, 2], 'accounts of the new contact and of the other person');
    await eventually(async () => {
      const events = (await team.get(`/v1/events?type=contact.*&since=${contact.inserted_at}&limit=1000`))
        .events as Json[];
      const types = events.filter(({ contact_id }) => contact_id === contact.id).map(({ type }) => type);
      const kept = types.filter((type) => type !== 'contact.updated');
      same(kept, ['contact.created', 'contact.erased', 'contact.created'], 'its events');
    });
  },
);

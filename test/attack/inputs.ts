import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { derivedContactId } from '../../lib/store/keys.ts';
import { type Area, type Attack, type Extent, must } from './attack.ts';
import type { Received, Sent } from './send.ts';
import type { World } from './world.ts';

/**
 * Input that nobody means well by: each gets the documented error, quickly and in the documented form, and changes
 * nothing; or it is data like any other.
 */
export const inputs: Area = async (world, extent) => [
  ...names(world),
  ...json(world, extent),
  ...values(world),
  ...headers(world),
  ...paths(world),
  ...queries(world),
  ...forms(world, extent),
];

/** Milliseconds: no input may keep the service longer, though it may be busy with other attacks. */
const patience = 10_000;

function refused(answer: Received, statuses: readonly number[]): void {
  const { status, json, text, milliseconds } = answer;
  must(statuses.includes(status), `status ${status}, not ${statuses.join(' or ')}`, text);
  must(milliseconds < patience, `took ${Math.round(milliseconds)} ms`);
  must(
    typeof json === 'object' && json !== null && ('error' in json || 'message' in json),
    'no documented error',
    text,
  );
  must(
    !/\bat .*\.[jt]s|node_modules|TypeError|RangeError|SyntaxError|ZodError|DynamoDB/.test(text),
    'shows its inside',
    text,
  );
}

const jsonHeaders = ({ ours }: World): [string, string][] => [
  ['authorization', `Bearer ${ours.token}`],
  ['content-type', 'application/json'],
];

const attack = (group: string, name: string, run: () => Promise<void>): Attack => ({ group, name, run });

/** A body for contacts that must be refused, and nothing kept of it. */
function refusedBody(
  world: World,
  group: string,
  name: string,
  body: string | Uint8Array,
  statuses: readonly number[],
) {
  return attack(group, name, async () => {
    const sent: Sent = { method: 'POST', target: '/v1/contacts', headers: jsonHeaders(world), body };
    refused(await world.send(sent), statuses);
    for (const uniqueId of ['j', 'values']) {
      const { status } = await world.call('GET', `/v1/contacts/${derivedContactId(world.ours.teamId, uniqueId)}`);
      must(status === 404, 'a contact was stored');
    }
  });
}

const dangerous = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '__defineGetter__',
  'valueOf',
];

/** Names that mean something to the language are fields like any other. */
function names(world: World): Attack[] {
  const group = 'names of the language';
  const { call, ours } = world;
  const search = `/v1/engagement-channels/${ours.channelId}/content-containers/search`;
  const stays = async () => {
    const { status, json } = await call('GET', `/v1/contacts/${ours.contactId}`);
    must(
      status === 200 && json.polluted === undefined && json.name_first === 'Annabel',
      'a contact was polluted',
      json,
    );
  };
  return dangerous.flatMap((name) => [
    attack(group, `${name} as a field`, async () => {
      const body = `{"unique_id":"n-${randomUUID()}","${name}":{"polluted":"yes"}}`;
      const sent = await world.send({ method: 'POST', target: '/v1/contacts', headers: jsonHeaders(world), body });
      must(sent.status === 201 && !sent.text.includes('polluted'), 'it is no unknown field', sent.text);
      await stays();
    }),
    attack(group, `${name} in metadata`, async () => {
      const body = `{"unique_id":"n-${randomUUID()}","meta_public":{"${name}":{"polluted":"yes"}}}`;
      const sent = await world.send({ method: 'POST', target: '/v1/contacts', headers: jsonHeaders(world), body });
      must(sent.status === 201 && sent.json.meta_public[`${name}.polluted`] === 'yes', 'it is no key', sent.text);
      await stays();
    }),
    attack(group, `${name} to sort by`, async () =>
      refused(await call('GET', `/v1/contacts?sort_column=${name}`), [400]),
    ),
    attack(group, `${name} to look up by`, async () => refused(await call('GET', `${search}?${name}=x`), [400])),
    attack(group, `${name} as a key to look up by`, async () => {
      const { status, json } = await call('GET', `${search}?meta_public[${name}]=x`);
      must(status === 200 && json.journey_url === null, `status ${status}`, json);
    }),
    attack(group, `${name} as an id`, async () => refused(await call('GET', `/v1/contacts/${name}`), [404])),
    attack(group, `${name} as a template`, async () => refused(await call('GET', `/v1/templates/${name}`), [404])),
  ]);
}

function json(world: World, extent: Extent): Attack[] {
  const contact = '{"unique_id":"j"';
  const huge = extent === 'whole' ? 3_900_000 : 400_000;
  const depth = huge / 4;
  const group = 'odd and huge JSON';
  const cases: [string, string | Uint8Array, number[]][] = [
    ['nothing', '', [400]],
    ['white space', ' \n', [400]],
    ...['null', 'true', '1', '"x"', '[]', '[{}]'].map((text): [string, string, number[]] => [text, text, [400]]),
    ['an open object', contact, [400]],
    ['two values', `${contact}}{}`, [400]],
    ['a trailing comma', `${contact},}`, [400]],
    ['a comment', `${contact}/**/}`, [400]],
    ['single quotes', "{'unique_id':'j'}", [400]],
    ['no quotes', '{unique_id:"j"}', [400]],
    ['a byte order mark', `\ufeff${contact}}`, [400]],
    ['UTF-16', Buffer.from(`${contact}}`, 'utf16le'), [400]],
    ['bytes that are no UTF-8', Buffer.from(`{"unique_id":"M\xfcller"}`, 'latin1'), [400]],
    ['an overlong encoding', Buffer.from([...Buffer.from('{"unique_id":"'), 0xc0, 0xae, ...Buffer.from('"}')]), [400]],
    [
      'a surrogate in UTF-8',
      Buffer.from([...Buffer.from('{"unique_id":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')]),
      [400],
    ],
    ['a control character', '{"unique_id":"a\u0001"}', [400]],
    ['NaN', '{"unique_id":"j","x":NaN}', [400]],
    ['Infinity', '{"unique_id":"j","x":Infinity}', [400]],
    ['a leading zero', '{"unique_id":"j","x":01}', [400]],
    ['a leading plus', '{"unique_id":"j","x":+1}', [400]],
    ['hexadecimal', '{"unique_id":"j","x":0x10}', [400]],
    ['a number beyond a double', '{"unique_id":"j","x":1e999}', [400]],
    ['a number of 2,000 digits', `{"unique_id":"j","x":${'9'.repeat(2000)}}`, [400]],
    ['a number of 100,000 digits', `{"unique_id":"j","meta_public":{"x":0.${'9'.repeat(100_000)}}}`, [400]],
    ['arrays without end', '['.repeat(huge), [400]],
    ['arrays in arrays', `${contact},"x":${'['.repeat(depth)}${']'.repeat(depth)}}`, [400, 422]],
    ['objects in objects', `${contact},"x":${'{"a":'.repeat(depth / 3)}1${'}'.repeat(depth / 3)}}`, [400, 422]],
    ['deep metadata', `${contact},"meta_public":${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}}`, [400, 422]],
    [
      'wide metadata',
      `${contact},"meta_public":{${Array.from({ length: 20_000 }, (_, at) => `"k${at}":1`).join()}}}`,
      [422],
    ],
    ['long metadata', `${contact},"meta_public":{"a":"${'x'.repeat(huge)}"}}`, [422]],
    ['a long field', `{"unique_id":"j","city":"${'x'.repeat(huge)}"}`, [422]],
    ['a long unique_id', `{"unique_id":"${'x'.repeat(huge)}"}`, [422]],
    ['over 4 MB', `{"unique_id":"${'x'.repeat(4 * 1024 * 1024)}"}`, [413]],
    ['501 contacts', JSON.stringify({ contacts: Array.from({ length: 501 }, () => ({ unique_id: 'j' })) }), [422]],
    ['a batch beside a contact', '{"unique_id":"j","contacts":[]}', [422]],
    ['a contact that names nobody', '{"city":"x"}', [422]],
    ['metadata that are an array', '{"unique_id":"j","meta_public":[]}', [422]],
    [
      'faults without end',
      JSON.stringify({ contacts: Array.from({ length: 500 }, () => ({ email_verified: 'x', birthdate: 5 })) }),
      [422],
    ],
  ];
  return [
    ...cases.map(([name, body, statuses]) => refusedBody(world, group, name, body, statuses)),
    attack(group, '22,000 dotted keys', async () => {
      const record = {
        account_number: '1',
        ...Object.fromEntries(Array.from({ length: 22_000 }, (_, at) => [`contact.k${at}`, 1])),
      };
      const answer = await world.call('POST', '/v1/batches', { type: 'accounts', records: [record] });
      refused(answer, [422]);
    }),
    attack(group, 'a key twice', async () => {
      const body = `{"unique_id":"k-${randomUUID()}","city":"first","city":"second"}`;
      const sent = await world.send({ method: 'POST', target: '/v1/contacts', headers: jsonHeaders(world), body });
      must(sent.status === 201 && sent.json.city === 'second', 'the last does not count', sent.text);
    }),
  ];
}

const textFields = ['unique_id', 'name_first', 'email', 'address', 'timezone', 'post_code'];

function values(world: World): Attack[] {
  const group = 'values';
  const refuse = (name: string, body: object) => refusedBody(world, group, name, JSON.stringify(body), [422]);
  const unique_id = 'values';
  const wrong: unknown[] = [5, true, {}, [], { $ne: null }, ['x']];
  return [
    ...textFields.flatMap((field) =>
      wrong.map((value) =>
        refuse(`${field}: ${JSON.stringify(value)}`, { unique_id, email: 'a@example.com', [field]: value }),
      ),
    ),
    ...['email_verified', 'sms_opted_in'].flatMap((field) =>
      [1, 'true', {}, []].map((value) => refuse(`${field}: ${JSON.stringify(value)}`, { unique_id, [field]: value })),
    ),
    ...textFields.map((field) => refuse(`a lone surrogate in ${field}`, { unique_id, [field]: 'a\ud800' })),
    refuse('a lone surrogate in metadata', { unique_id, meta_public: { a: '\udfff' } }),
    refuse('a lone surrogate in a key', { unique_id, meta_private: { '\ud800': 1 } }),
    refuse('U+FFFD in unique_id', { unique_id: 'M\ufffdller' }),
    refuse('U+FFFD in an email that stands for it', { email: 'm\ufffd@example.com' }),
    ...['1999-02-29', '0000-00-00', 'yesterday', '1999-1-1', ''].map((birthdate) =>
      refuse(`birthdate ${birthdate}`, { unique_id, birthdate }),
    ),
    ...[
      { $gt: '' },
      "' OR '1'='1",
      '{"$ne":1}',
      "'; DROP TABLE x; --",
      '$' + '{7*7}',
      '{{constructor}}',
      '../../etc/passwd',
      '\0',
    ].map((value, at) =>
      attack(group, `a text is a text: ${JSON.stringify(value)}`, async () => {
        const id = `t-${at}-${randomUUID()}`;
        const sent = await world.call('POST', '/v1/contacts', {
          unique_id: id,
          meta_public: { v: value },
          ...(typeof value === 'string' ? { name_last: value } : {}),
        });
        must(sent.status === 201, `status ${sent.status}`, sent.text);
        const found = await world.call('GET', `/v1/contacts/${sent.json.id}`);
        must(typeof value !== 'string' || found.json.name_last === value, 'it is kept as another', found.text);
      }),
    ),
  ];
}

function headers(world: World): Attack[] {
  const { ours, send, baseUrl } = world;
  const group = 'headers';
  const body = JSON.stringify({ unique_id: `h-${randomUUID()}` });
  const authorization: [string, string] = ['authorization', `Bearer ${ours.token}`];
  const post = (name: string, extra: [string, string][], statuses: number[], payload: string | Uint8Array = body) =>
    attack(group, name, async () =>
      refused(
        await send({ method: 'POST', target: '/v1/contacts', headers: [authorization, ...extra], body: payload }),
        statuses,
      ),
    );
  const json: [string, string] = ['content-type', 'application/json'];
  return [
    ...[
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
      'text/json-but-not',
      '/',
      'x',
    ].map((type) => post(`content-type ${type}`, [['content-type', type]], [415])),
    ...['gzip', 'br', 'deflate', 'zstd'].map((encoding) =>
      post(`content-encoding ${encoding}`, [json, ['content-encoding', encoding]], [415], gzipSync(body)),
    ),
    ...['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'].map((name) =>
      attack(group, `${name} overrides nothing`, async () => {
        const { status } = await send({
          target: `/v1/contacts/${ours.contactId}`,
          headers: [authorization, [name, 'DELETE']],
        });
        must(status === 200, `status ${status}`);
      }),
    ),
    ...(
      [
        ['host', 'attacker.example'],
        ['x-forwarded-host', 'attacker.example'],
        ['forwarded', 'host=attacker.example'],
        ['x-forwarded-proto', 'gopher'],
      ] as [string, string][]
    ).map(([name, value]) =>
      attack(group, `${name} changes no URL`, async () => {
        const sent = await send({
          ...{ method: 'POST', target: `/v1/templates/${ours.templateId}/journeys` },
          headers: [authorization, json, [name, value]],
          body: JSON.stringify({ contact: { id: ours.contactId } }),
        });
        must(sent.status === 200 && sent.json.web_client_url.startsWith(`${baseUrl}/j/`), 'it does', sent.text);
      }),
    ),
    attack(group, 'a request id of the caller’s is not ours', async () => {
      const answer = await send({ target: '/v1/contacts/x', headers: [authorization, ['x-request-id', 'attacker']] });
      must(
        answer.headers['x-request-id'] !== 'attacker' && !answer.text.includes('attacker'),
        'it is taken',
        answer.text,
      );
    }),
    ...['X-Original-URL', 'X-Rewrite-URL'].map((name) =>
      attack(group, `${name} leads nowhere else`, async () => {
        const answer = await send({
          target: '/v1/nothing',
          headers: [authorization, [name, `/v1/contacts/${ours.contactId}`]],
        });
        refused(answer, [404]);
      }),
    ),
  ];
}

function paths(world: World): Attack[] {
  const { ours, send, call } = world;
  const id = ours.contactId;
  const group = 'paths';
  const odd = [
    ...[
      '//v1/contacts',
      '/v1//contacts',
      '/v1/contacts/',
      '/V1/CONTACTS',
      '/v1/contacts;x=1',
      '/v1/contacts%00',
      '/v1/contacts%20',
    ],
    ...[
      `/v1/contacts/..%2f${id}`,
      `/v1/contacts/%2e%2e/templates`,
      '/v1/x/../contacts',
      '/v1/./contacts',
      `/v1/contacts/${id}%2faccounts`,
    ],
    ...[
      `/v1/contacts/${id}/`,
      `/v1/contacts/${id};x`,
      `/v1/contacts/${id}.json`,
      `/v1/contacts/${id}%00`,
      `/v1/contacts/${id}%0d%0aX:1`,
      `/v1/contacts/${id}/accounts/x`,
    ],
    ...[
      '/v1/contacts/%c0%ae%c0%ae',
      '/v1/contacts/%ff',
      '/v1/contacts/%',
      '/v1/contacts/%zz',
      '/v1/contacts/*',
      '/v1/contacts/.',
      '/v1/contacts/..',
      '/v1/contacts/null',
    ],
    ...[
      `/v1/contacts/${'a'.repeat(7000)}`,
      '/.git/config',
      '/.env',
      '/local.json',
      '/signing-keys.json',
      '/v1/admin',
      '/v1',
      '/docs/..%2f..%2fpackage.json',
      '/docs/%2e%2e%2fpackage.json',
    ],
    ...[
      '/actuator/health',
      '/server-status',
      '/debug',
      '/graphql',
      '/v2/contacts',
      '/v1/teams',
      '/v1/clients',
      '/metrics',
      '/openapi.yaml',
      '/..%2f..%2fetc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
    ],
  ];
  return [
    ...odd.map((target) =>
      attack(group, target.slice(0, 60), async () => refused(await call('GET', target), [400, 404, 405])),
    ),
    ...['TRACE', 'PROPFIND', 'DELETE', 'OPTIONS', 'LOCK', 'PURGE'].map((method) =>
      attack('methods', method, async () => {
        const answer = await send({ method, target: `/v1/contacts/${id}`, headers: jsonHeaders(world) });
        refused(answer, [400, 404, 405]);
        must(answer.headers['access-control-allow-origin'] === undefined, 'other sites may call', answer.headers);
      }),
    ),
  ];
}

function queries(world: World): Attack[] {
  const { call, ours } = world;
  const search = `/v1/engagement-channels/${ours.channelId}/content-containers/search`;
  const bad = [
    ...[
      'limit=0',
      'limit=-1',
      'limit=101',
      'limit=1e1',
      'limit=1.5',
      'limit=x',
      'limit=',
      'limit=%31%00',
      'limit=99999999999999999999',
      'limit=NaN',
      'limit=1&limit=2',
    ],
    ...[
      'offset=-1',
      'offset=x',
      'offset=1e999',
      'sort_column=secret',
      'sort_column=meta_private',
      'sort_column=',
      'sort_direction=ASC',
      'sort_direction=',
    ],
    ...[
      'cursor=',
      'cursor=x',
      'cursor=..',
      'cursor=%00',
      `cursor=${'A'.repeat(6000)}`,
      `cursor=${Buffer.from('["","inserted_at","asc",100,0,null,""]').toString('base64url')}`,
    ],
  ].map((query) => `/v1/contacts?${query}`);
  const lookups = [
    '',
    '?',
    '?x=1',
    '?email=a&email=b',
    '?email=a&unique_id=b',
    '?meta_private=x',
    '?meta_private[]=x',
    '?meta_private[a=x',
    '?meta_private[a]b=x',
    '?meta_public[a]=1&meta_public[b]=2',
    '?EMAIL=a',
    '?team_id=x',
    '?secret=x',
  ].map((query) => search + query);
  const journeys = [
    '',
    '?contact_id=',
    '?contact_id=x',
    `?contact_id=${ours.contactId}x`,
    `?contact_id[]=${ours.contactId}`,
    '?contact_id=%00',
  ].map((query) => `/v1/journeys${query}`);
  return [
    ...[...bad, ...lookups, ...journeys].map((target) =>
      attack('queries', target.slice(0, 80), async () => refused(await call('GET', target), [400])),
    ),
    attack('queries', 'a thousand parameters', async () => {
      const query = Array.from({ length: 500 }, (_, at) => `x${at}=${at}`).join('&');
      const { status, milliseconds } = await call('GET', `/v1/contacts?${query}`);
      must(status === 200 && milliseconds < patience, `status ${status} after ${milliseconds} ms`);
    }),
    ...['%', '\\', '"', '\u0001', 'A', '{{', '.*', '(a+)+$'].map((term) =>
      attack('queries', `a search for ${JSON.stringify(term)} is one for these characters`, async () => {
        const { status, milliseconds } = await call(
          'GET',
          `/v1/contacts?search=${encodeURIComponent(term.repeat(100))}`,
        );
        must(status === 200 && milliseconds < patience, `status ${status} after ${milliseconds} ms`);
      }),
    ),
  ];
}

/** The token endpoint and the pages take forms from anybody. */
function forms(world: World, extent: Extent): Attack[] {
  const { ours, send } = world;
  const form: [string, string] = ['content-type', 'application/x-www-form-urlencoded'];
  const many = extent === 'whole' ? 200_000 : 20_000;
  const credentials = `client_id=${ours.clientId}&client_secret=x`;
  const token = (name: string, body: string | Uint8Array, statuses: number[], headers: [string, string][] = [form]) =>
    attack('forms', `token: ${name}`, async () => {
      const answer = await send({ method: 'POST', target: '/oauth2/token', headers, body });
      refused(answer, statuses);
      must(!answer.text.includes('access_token'), 'a token was given');
    });
  const grant = 'grant_type=client_credentials';
  const page = (name: string, body: string, statuses: number[], end = 'actions') =>
    attack('forms', `page: ${name}`, async () => {
      const { status, milliseconds } = await send({
        method: 'POST',
        target: `/j/${ours.slug}/${end}`,
        headers: [form],
        body,
      });
      must(statuses.includes(status), `status ${status}, not ${statuses.join(' or ')}`);
      must(milliseconds < patience, `took ${Math.round(milliseconds)} ms`);
    });
  return [
    token('a wrong secret', `${grant}&${credentials}`, [401]),
    token('an empty secret', `${grant}&client_id=${ours.clientId}&client_secret=`, [400, 401]),
    token('no secret', `${grant}&client_id=${ours.clientId}`, [400, 401]),
    token('a parameter twice', `${grant}&${credentials}&client_id=x`, [400]),
    token('the secret twice', `${grant}&${credentials}&client_secret=${ours.clientSecret}`, [400]),
    token('another grant', `grant_type=password&${credentials}`, [400]),
    token(
      'parameters in brackets',
      `${grant}&client_id[]=${ours.clientId}&client_secret[]=${ours.clientSecret}`,
      [400, 401],
    ),
    token(
      'an object for a secret',
      JSON.stringify({ grant_type: 'client_credentials', client_id: ours.clientId, client_secret: { $ne: null } }),
      [400],
      [['content-type', 'application/json']],
    ),
    token(
      'two ways at once',
      `${grant}&client_id=${ours.clientId}&client_secret=${ours.clientSecret}`,
      [400],
      [form, ['authorization', `Basic ${btoa(`${ours.clientId}:${ours.clientSecret}`)}`]],
    ),
    token('broken percent-encoding', `${grant}&client_id=%zz&client_secret=%`, [400, 401]),
    token('over 16 KB', `${grant}&${credentials}&x=${'x'.repeat(16 * 1024)}`, [413]),
    token('parameters without end', `${grant}&${'a=&'.repeat(many)}`, [413]),
    token(
      'a file',
      '--x\r\nContent-Disposition: form-data; name="grant_type"\r\n\r\nclient_credentials\r\n--x--',
      [400, 415],
      [['content-type', 'multipart/form-data; boundary=x']],
    ),
    page('over 16 KB', `type=page_viewed&page_id=${ours.pageId}&x=${'x'.repeat(16 * 1024)}`, [413]),
    page('parameters without end', 'a=&'.repeat(many), [413]),
    page('no page', 'type=page_viewed', [422]),
    page('an unknown type', `type=journey_completed&page_id=${ours.pageId}`, [422]),
    page('a type of the prototype', `type=__proto__&page_id=${ours.pageId}`, [422]),
    page('a page that is a path', 'type=page_viewed&page_id=..%2f..%2f', [404, 422]),
  ];
}

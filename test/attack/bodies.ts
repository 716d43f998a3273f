import { randomUUID } from 'node:crypto';
import { type Attack, attack, type Extent, must } from './attack.ts';
import { jsonHeaders, refused, refusedBody } from './refusals.ts';
import type { World } from './world.ts';

const dangerous = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '__defineGetter__',
  'valueOf',
];

/** Names with a meaning in JavaScript are fields like any other. */
export function names(world: World): Attack[] {
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

export function json(world: World, extent: Extent): Attack[] {
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

export function values(world: World): Attack[] {
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

import { has, holds, keys, matches, same, timePattern, uuidPattern } from './expect.ts';
import { eventually, type Json } from './http.ts';
import { check, shortCheck } from './suite.ts';
import { newId, type Team } from './world.ts';

const textFields = [
  ...['name_title', 'name_first', 'name_last', 'name_suffix', 'address', 'address2', 'city', 'state', 'county'],
  ...['country', 'post_code', 'timezone', 'email'],
];
const phoneFields = ['phone_home', 'phone_mobile', 'phone_work'];
const flagFields = [
  ...['email_verified', 'email_opted_in', 'email_authorized', 'sms_verified', 'sms_opted_in', 'sms_authorized'],
  ...['unsubscribe_email', 'unsubscribe_sms'],
];
const metaFields = ['meta_public', 'meta_private'];
const readOnly = ['id', 'inserted_at', 'updated_at'];
/** Every field of the specification's table, in a returned contact. */
export const contactFields = [
  ...['unique_id', 'birthdate', ...textFields, ...phoneFields, ...flagFields, ...metaFields, ...readOnly],
];

const put = async (team: Team, { id }: Json, body: object): Promise<Json> =>
  (await team.call(200, `PUT /v1/contacts/${id}`, body)).body;
const wrongValues = (type: string): unknown[] =>
  [1, 1.5, true, 'text', {}, [], ['a'], { a: 'b' }].filter((value) => {
    const own = Array.isArray(value) ? 'array' : typeof value;
    return own !== type;
  });

shortCheck('Specification, Contact: the same shape is sent and returned', async (world) => {
  const team = await world.team();
  const sent = {
    ...Object.fromEntries(textFields.map((field) => [field, `${field} of Ada`])),
    ...{ phone_home: '15550100', phone_mobile: '442071838750', phone_work: '420224222222', birthdate: '1985-03-27' },
    ...{ email_verified: true, email_opted_in: false, email_authorized: true },
    ...{ sms_verified: false, sms_opted_in: true, sms_authorized: false },
    ...{ meta_public: { branch: 'north' }, meta_private: { limit: 7 }, unique_id: newId() },
  };
  const made = (await team.call(201, 'POST /v1/contacts', sent)).body;
  const derived = { unsubscribe_email: true, unsubscribe_sms: false };
  const { meta_private, ...shown } = sent;
  has(made, { ...shown, ...derived }, 'the created contact');
  has(await team.get(`/v1/contacts/${made.id}`), { ...sent, ...derived, id: made.id }, 'the contact by its id');
});

check(
  'Specification, Rules for contacts 1: a returned contact carries every contact field; unset ones are null',
  async (world) => {
    const team = await world.team();
    const { id } = await team.contact();
    const read = await team.get(`/v1/contacts/${id}`);
    keys(read, contactFields, 'a returned contact');
    for (const field of contactFields) {
      if (![...readOnly, 'unique_id'].includes(field)) same(read[field], null, field);
    }
  },
);

check('Specification, Contact: id is a UUID, inserted_at and updated_at are ISO 8601 UTC', async (world) => {
  const team = await world.team();
  const made = await team.contact();
  matches(made.id, uuidPattern, 'id');
  for (const field of ['inserted_at', 'updated_at']) {
    matches(made[field], timePattern, field);
    holds(Math.abs(Date.parse(made[field]) - Date.now()) < 120_000, `${field} is ${made[field]}`);
  }
  const later = await put(team, made, { city: 'Brno' });
  same(later.inserted_at, made.inserted_at, 'inserted_at after an update');
  holds(later.updated_at > made.updated_at, 'updated_at did not move');
  const sent = { id: newId(), inserted_at: '2001-01-01T00:00:00Z', updated_at: '2001-01-01T00:00:00Z' };
  same(await put(team, made, sent), later, 'the contact after read-only fields were sent');
});

check('Specification, Rules for contacts 2: meta_private is not returned when a contact is created', async (world) => {
  const team = await world.team();
  const unique_id = newId();
  const { body } = await team.call(201, 'POST /v1/contacts', { unique_id, meta_private: { a: 1 } });
  keys(
    body,
    contactFields.filter((field) => field !== 'meta_private'),
    'a created contact',
  );
  const again = await team.call(200, 'POST /v1/contacts', { unique_id });
  same(again.body.meta_private, { a: 1 }, 'meta_private of an update');
  const batch = await team.call(200, 'POST /v1/contacts', {
    contacts: [{ unique_id }, { unique_id: newId(), meta_private: { b: 1 } }],
  });
  same(batch.body.existing_contacts[0].meta_private, { a: 1 }, 'meta_private in existing_contacts');
  holds(!('meta_private' in batch.body.new_contacts[0]), 'meta_private is in new_contacts');
});

check(
  'Specification, Rules for contacts 3: fields that are not recognised are ignored and produce no error',
  async (world) => {
    const team = await world.team();
    const made = await team.contact({ favourite: { colour: ['blue'] }, Name_First: 'x', account: 1 });
    keys(await team.get(`/v1/contacts/${made.id}`), contactFields, 'the contact');
  },
);

for (const [field, type] of [
  ...textFields.map((name) => [name, 'string'] as const),
  ...phoneFields.map((name) => [name, 'string'] as const),
  ...['unique_id', 'birthdate'].map((name) => [name, 'string'] as const),
  ...flagFields.map((name) => [name, 'boolean'] as const),
  ...metaFields.map((name) => [name, 'object'] as const),
]) {
  check(`Contract 1: a known field with the wrong JSON type is 422 (contact, ${field}: ${type})`, async (world) => {
    const team = await world.team();
    const contacts = wrongValues(type).map((value) => ({ unique_id: newId(), [field]: value }));
    const paths = contacts.map((_, at) => `/contacts/${at}/${field}`);
    await team.refuse(422, paths, 'POST /v1/contacts', { contacts });
  });
}

check('Specification, Rules for contacts 4: phone values are normalised (contract 3)', async (world) => {
  const team = await world.team();
  const contact = await team.contact();
  const normal: [string | null, string | null][] = [
    ['(612) 555-0123', '16125550123'],
    ['6125550123', '16125550123'],
    ['+6125550123', '6125550123'],
    ['+420 224 222 222', '420224222222'],
    ['1-612-555-0123', '16125550123'],
    ['555.0100', '5550100'],
    ['+1 (612) 555 0123', '16125550123'],
    ['0049 30 12345678', '493012345678'],
    ['00 65 8123 4567', '6581234567'],
    ['123456789012345', '123456789012345'],
    ['', null],
    [null, null],
  ];
  for (const [at, [value, expected]] of normal.entries()) {
    const field = phoneFields[at % 3]!;
    same((await put(team, contact, { [field]: value }))[field], expected, `${field} of ${JSON.stringify(value)}`);
  }
  const none = ['call me', '555-CALL', '612 555 0123 x9', '--', '+', '( )', '1234567890123456', '420601234567.0'];
  const two = ['6125550123;6125550199', '612-555-0123 / 612-555-0199', '+16125550123,,123#', '5550123;5550199'];
  for (const value of [...none, ...two]) {
    for (const field of phoneFields)
      await team.refuse(422, [`/${field}`], `PUT /v1/contacts/${contact.id}`, { [field]: value });
  }
});

check('Specification, unique_id rules 1: unique_id may have any string format', async (world) => {
  const team = await world.team();
  for (const tail of [' a/b?c#d%20', '+&=;', '"\\', '日本 🏦', '\u0000', 'É', 'é', '  ', '..', '<b>']) {
    const unique_id = `${newId()}${tail}`;
    const { body } = await team.call(201, 'POST /v1/contacts', { unique_id });
    same(body.unique_id, unique_id, 'unique_id');
    same((await team.call(200, 'POST /v1/contacts', { unique_id })).body.id, body.id, `the id of ${unique_id}`);
  }
});

check('Contract 3: unique_id is an opaque string of at most 1,024 bytes, compared byte for byte', async (world) => {
  const team = await world.team();
  const id = newId();
  const made = await Promise.all(
    [id, id.toUpperCase(), `${id} `, ` ${id}`].map((unique_id) => team.contact({ unique_id })),
  );
  same(new Set(made.map((each) => each.id)).size, 4, 'the number of contacts');
  const filled = (bytes: number) =>
    `${id}${'é'.repeat((bytes - id.length) >> 1)}${'a'.repeat((bytes - id.length) % 2)}`;
  await team.contact({ unique_id: filled(1024) });
  await team.refuse(422, ['/unique_id'], 'POST /v1/contacts', { unique_id: filled(1025) });
});

shortCheck(
  'Specification, unique_id rules 2 and 3: an unknown unique_id creates a contact, a known one updates it',
  async (world) => {
    const team = await world.team();
    const unique_id = newId();
    const made = (await team.call(201, 'POST /v1/contacts', { unique_id, name_first: 'Ada' })).body;
    const { body } = await team.call(200, 'POST /v1/contacts', { unique_id, city: 'Brno' });
    has(body, { id: made.id, name_first: 'Ada', city: 'Brno' }, 'the updated contact');
  },
);

check('Specification, unique_id rules 4: without unique_id, email is treated as unique_id', async (world) => {
  const team = await world.team();
  const email = `${newId()}@Example.com`;
  const made = (await team.call(201, 'POST /v1/contacts', { email, name_first: 'Ada' })).body;
  has(made, { unique_id: email, email }, 'the contact');
  for (const unique_id of [undefined, null, '', '  ']) {
    same((await team.call(200, 'POST /v1/contacts', { email, unique_id })).body.id, made.id, `id with ${unique_id}`);
  }
  const other = await team.call(201, 'POST /v1/contacts', { email: email.toLowerCase() });
  holds(other.body.id !== made.id, 'the email is not looked up byte for byte');
  const owner = await team.contact({ email: `x${email}` });
  const second = (await team.call(201, 'POST /v1/contacts', { email: `x${email}` })).body;
  holds(second.id !== owner.id, 'the fallback looks in the email field');
});

check('Specification, unique_id rules 5: neither unique_id nor email is 422', async (world) => {
  const team = await world.team();
  for (const body of [
    {},
    { name_first: 'Ada' },
    { unique_id: null, email: '' },
    { unique_id: '  ', email: null },
    { unique_id: '' },
  ]) {
    await team.refuse(422, ['/unique_id'], 'POST /v1/contacts', body);
  }
  const contacts = [{ unique_id: newId() }, { city: 'Brno' }];
  await team.refuse(422, ['/contacts/1/unique_id'], 'POST /v1/contacts', { contacts });
});

check('Specification, unique_id rules 7: a changed email does not change unique_id', async (world) => {
  const team = await world.team();
  const email = `${newId()}@example.com`;
  const made = (await team.call(201, 'POST /v1/contacts', { email })).body;
  has(await put(team, made, { email: 'new@example.com' }), { unique_id: email, email: 'new@example.com' }, 'contact');
  const again = await team.call(200, 'POST /v1/contacts', { contacts: [{ unique_id: email, email: 'b@example.com' }] });
  has(
    again.body.existing_contacts[0],
    { id: made.id, unique_id: email, email: 'b@example.com' },
    'the contact of a batch',
  );
});

check(
  'Specification, unique_id rules 8: unique_id is not modified by an upload; other than the stored one is 422',
  async (world) => {
    const team = await world.team();
    const made = await team.contact({ city: 'Brno' });
    for (const method of ['PUT', 'PATCH']) {
      await team.refuse(422, ['/unique_id'], `${method} /v1/contacts/${made.id}`, {
        unique_id: newId(),
        city: 'Praha',
      });
      has(
        (await team.call(200, `${method} /v1/contacts/${made.id}`, { unique_id: made.unique_id })).body,
        { city: 'Brno' },
        'it',
      );
    }
  },
);

type Fields = Record<string, unknown>;

/** What is on file, what is sent, and what is then returned. */
const upserts: [sentence: string, before: Fields, sent: Fields, after: Fields][] = [
  ['a field that is sent is set', { city: 'Brno' }, { city: 'Praha' }, { city: 'Praha' }],
  [
    'a field that is absent keeps its value',
    { city: 'Brno', state: 'MN' },
    { state: 'WI' },
    { city: 'Brno', state: 'WI' },
  ],
  [
    'an explicit null clears it',
    { city: 'Brno', sms_opted_in: true, birthdate: '1985-03-27' },
    { city: null, sms_opted_in: null, birthdate: null },
    { city: null, sms_opted_in: null, unsubscribe_sms: null, birthdate: null },
  ],
  [
    'beside a unique_id, an email that is empty clears the email',
    { email: 'a@example.com' },
    { email: '' },
    { email: null },
  ],
  [
    'beside a unique_id, an email that is blank clears the email',
    { email: 'a@example.com' },
    { email: '  ' },
    { email: null },
  ],
  [
    'beside a unique_id, an email that is null clears the email',
    { email: 'a@example.com' },
    { email: null },
    { email: null },
  ],
  ...['email', 'sms'].flatMap((kind): [string, Fields, Fields, Fields][] => {
    const [opted, unsubscribed, verified, authorized] = [
      `${kind}_opted_in`,
      `unsubscribe_${kind}`,
      `${kind}_verified`,
      `${kind}_authorized`,
    ];
    const [address, old, other] =
      kind === 'email' ? ['email', 'a@example.com', 'b@example.com'] : ['phone_mobile', '16125550123', '16125550124'];
    const flags = { [verified]: true, [authorized]: true, [opted]: true };
    const reset = { [verified]: false, [authorized]: false, [opted]: true };
    return [
      [`${unsubscribed} is the inverse of ${opted}`, {}, { [opted]: true }, { [opted]: true, [unsubscribed]: false }],
      [`${unsubscribed} is null with ${opted}`, {}, {}, { [opted]: null, [unsubscribed]: null }],
      [
        `${unsubscribed} alone sets ${opted}`,
        { [opted]: true },
        { [unsubscribed]: true },
        { [opted]: false, [unsubscribed]: true },
      ],
      [
        `when both are sent and both differ from what is stored, ${opted} counts`,
        {},
        { [opted]: true, [unsubscribed]: true },
        { [opted]: true, [unsubscribed]: false },
      ],
      [
        `of both, the one that differs from what is stored counts (${unsubscribed})`,
        { [opted]: true },
        { [opted]: true, [unsubscribed]: true },
        { [opted]: false, [unsubscribed]: true },
      ],
      [
        `of both, the one that differs from what is stored counts (${opted})`,
        { [opted]: false },
        { [opted]: true, [unsubscribed]: true },
        { [opted]: true, [unsubscribed]: false },
      ],
      [
        `${unsubscribed}: null beside ${opted} clears nothing`,
        { [opted]: true },
        { [opted]: true, [unsubscribed]: null },
        { [opted]: true, [unsubscribed]: false },
      ],
      [
        `${unsubscribed}: null alone clears`,
        { [opted]: true },
        { [unsubscribed]: null },
        { [opted]: null, [unsubscribed]: null },
      ],
      [
        `another ${address} makes a true flag of ${kind} false; opted_in stays`,
        { ...flags, [address]: old },
        { [address]: other },
        { [address]: other, ...reset },
      ],
      [
        `clearing ${address} makes a true flag of ${kind} false`,
        { ...flags, [address]: old },
        { [address]: null },
        { [address]: null, ...reset },
      ],
      [`the same ${address} keeps the flags of ${kind}`, { ...flags, [address]: old }, { [address]: old }, flags],
      [
        `a flag that is sent with another ${address} is stored as sent`,
        { ...flags, [address]: old },
        { [address]: other, [verified]: true },
        { [verified]: true, [authorized]: false },
      ],
      [
        `an unset flag stays null with another ${address}`,
        { [address]: old },
        { [address]: other },
        { [verified]: null, [authorized]: null },
      ],
    ];
  }),
  [
    'digits equal to the stored ones of that field are the stored phone',
    { phone_home: '+6581234567', phone_mobile: '+4712345678', phone_work: '+3541234567', sms_verified: true },
    { phone_home: '6581234567', phone_mobile: '47 1234 5678', phone_work: '6581234567' },
    { phone_home: '6581234567', phone_mobile: '4712345678', phone_work: '16581234567', sms_verified: true },
  ],
  [
    'null for the whole object counts before a dotted key',
    { meta_public: { a: 1, b: 2 }, meta_private: { a: 1 } },
    { 'meta_public.c': 3, meta_public: null, meta_private: null, 'meta_private.car': { make: 'B' } },
    { meta_public: { c: 3 }, meta_private: { 'car.make': 'B' } },
  ],
  [
    '"meta_public.car" and "meta_private.car" are the same as the nested form',
    { meta_public: { car: { make: 'A' }, b: 2 }, meta_private: { car: 1, d: 4 } },
    { 'meta_public.car': { year: 1 }, meta_private: { e: 5 }, 'meta_private.car': null },
    { meta_public: { 'car.year': 1, b: 2 }, meta_private: { d: 4, e: 5 } },
  ],
  [
    'another home phone does not touch the flags of sms',
    { phone_mobile: '16125550123', sms_verified: true },
    { phone_home: '16125550199' },
    { sms_verified: true },
  ],
  [
    'another email does not touch the flags of sms',
    { email: 'a@example.com', sms_verified: true },
    { email: 'b@example.com' },
    { sms_verified: true },
  ],
  [
    'a mobile phone that is the same after normalisation is no other',
    { phone_mobile: '6125550123', sms_verified: true },
    { phone_mobile: '(612) 555-0123' },
    { sms_verified: true },
  ],
  [
    'on a new contact an unsent flag is null',
    { email: 'a@example.com', phone_mobile: '16125550123' },
    {},
    { email_verified: null, sms_verified: null, email_authorized: null, sms_authorized: null },
  ],
];
for (const [sentence, before, sent, after] of upserts) {
  check(`Contract 3, upsert: ${sentence}`, async (world) => {
    const team = await world.team();
    const ways: ((unique_id: string, id: string) => Promise<Json>)[] = [
      async (_, id) => (await team.call(200, `PUT /v1/contacts/${id}`, sent)).body,
      async (_, id) => (await team.call(200, `PATCH /v1/contacts/${id}`, sent)).body,
      async (unique_id) => (await team.call(200, 'POST /v1/contacts', { unique_id, ...sent })).body,
      async (unique_id) =>
        (await team.call(200, 'POST /v1/contacts', { contacts: [{ unique_id, ...sent }] })).body.existing_contacts[0],
    ];
    await Promise.all(
      ways.map(async (way, at) => {
        const { id, unique_id } = await team.contact(before);
        has(await way(unique_id, id), after, `the contact in way ${at}`);
        has(await team.get(`/v1/contacts/${id}`), after, `the stored contact in way ${at}`);
      }),
    );
  });
}

check('Specification, PUT and PATCH: :id is the system id; an unknown or malformed one is 404', async (world) => {
  const team = await world.team();
  const made = await team.contact();
  for (const id of [crypto.randomUUID(), 'x', made.unique_id]) {
    for (const method of ['PUT', 'PATCH', 'GET'])
      await team.call(404, `${method} /v1/contacts/${id}`, method === 'GET' ? undefined : {});
  }
});

check('Contract 3: strings are at most 1,024 characters', async (world) => {
  const team = await world.team();
  const fields = [
    'name_title',
    'name_first',
    'name_last',
    'name_suffix',
    'address',
    'address2',
    'city',
    'state',
    'county',
    'country',
    'post_code',
    'timezone',
    'email',
  ];
  const of = (letter: string, length: number) =>
    Object.fromEntries(fields.map((field) => [field, letter.repeat(length)]));
  for (const letter of ['a', 'é', '😀']) {
    has(
      (await team.call(201, 'POST /v1/contacts', { unique_id: newId(), ...of(letter, 1024) })).body,
      of(letter, 1024),
      'it',
    );
    await team.refuse(
      422,
      fields.map((field) => `/${field}`),
      'POST /v1/contacts',
      { unique_id: newId(), ...of(letter, 1025) },
    );
  }
  const { email, timezone } = await team.contact({ email: 'not an email', timezone: 'nowhere' });
  same([email, timezone], ['not an email', 'nowhere'], 'email and timezone, which have no format check');
});

check('Contract 3: birthdate must be a real calendar date', async (world) => {
  const team = await world.team();
  for (const birthdate of ['2024-02-29', '1900-01-31', '2000-12-31'])
    same((await team.contact({ birthdate })).birthdate, birthdate, 'it');
  for (const birthdate of [
    '2023-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-04-31',
    '1985-3-27',
    '27.03.1985',
    '1985-03-27T00:00:00Z',
    '',
    'x',
  ]) {
    await team.refuse(422, ['/birthdate'], 'POST /v1/contacts', { unique_id: newId(), birthdate });
  }
});

check(
  'Contract 1: a string that is not well-formed Unicode is 422; U+FFFD and C1 characters are refused in what identifies',
  async (world) => {
    const team = await world.team();
    const refuse = (path: string, body: string) => team.refuse(422, [path], 'POST /v1/contacts', body);
    await refuse('/name_first', `{"unique_id":"${newId()}","name_first":"\\ud800"}`);
    await refuse('/unique_id', '{"unique_id":"a\\udc00"}');
    await refuse('/unique_id', JSON.stringify({ unique_id: 'a\ufffd' }));
    await refuse('/email', JSON.stringify({ email: 'a\ufffd@example.com' }));
    for (const trace of ['\ufffd', '\u0080', '\u0092', '\u009f']) {
      await refuse('/unique_id', JSON.stringify({ unique_id: `a${trace}` }));
      await refuse('/email', JSON.stringify({ email: `a${trace}@example.com` }));
      const records = [
        { account_number: `a${trace}`, product: { code: 'P', type: 'loan' } },
        { account_number: 'a', product: { code: `P${trace}`, type: 'loan' } },
      ];
      const body = { type: 'accounts', batch_id: `b${trace}`, records };
      const paths = ['/batch_id', '/records/0/account_number', '/records/1/product/code'];
      await team.refuse(422, paths, 'POST /v1/batches', body);
    }
    await team.contact({
      unique_id: `${newId()}\u007f\u00a0`,
      name_last: 'O\u0092Brien',
      email: 'a\u0080@example.com',
    });
    same(
      (await team.contact({ name_first: 'a\ufffd', city: 'a\u0000b' })).city,
      'a\u0000b',
      'a NUL, a character like any other',
    );
  },
);

check('Specification, meta 1 and 2: nested objects and arrays are flattened to dot-joined keys', async (world) => {
  const team = await world.team();
  const sent = { car: [{ make: 'Tatra', year: 1934 }, 'none'], a: { b: { c: true, d: null } }, x: 1.5, e: {}, f: [] };
  const flat = { 'car.0.make': 'Tatra', 'car.0.year': 1934, 'car.1': 'none', 'a.b.c': true, 'a.b.d': null, x: 1.5 };
  const { id } = await team.contact({ meta_public: sent, meta_private: sent });
  const read = await team.get(`/v1/contacts/${id}`);
  same(read.meta_public, flat, 'meta_public');
  same(read.meta_private, flat, 'meta_private');
});

const metaTable: [sentence: string, before: object | null, sent: object | null, after: object | null][] = [
  [
    'the keys sent replace all flattened keys under that top-level key',
    { car: { make: 'A', year: 1 }, b: 1 },
    { car: { make: 'B' } },
    { 'car.make': 'B', b: 1 },
  ],
  ['a shorter array leaves no stale index', { n: [1, 2, 3] }, { n: [4] }, { 'n.0': 4 }],
  ['others stay', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  ['a scalar replaces what was nested', { a: { b: 1 } }, { a: 2 }, { a: 2 }],
  ['a top-level key sent as null removes it', { a: { b: 1, c: 2 }, d: 1 }, { a: null }, { d: 1 }],
  ['a nested null is a value', { a: { b: 1 } }, { a: { b: null } }, { 'a.b': null }],
  ['the whole object sent as null clears it', { a: 1 }, null, null],
  ['an empty object changes nothing', { a: 1 }, {}, { a: 1 }],
  ['empty objects and arrays flatten to nothing', { a: 1, b: 2 }, { a: {}, b: [] }, null],
  ['no keys left is null', { a: 1 }, { a: null }, null],
  [
    'a dotted key is the same as the nested form; its top-level key is the first part',
    { car: { make: 'A', year: 1 } },
    { 'car.make': 'B' },
    { 'car.make': 'B' },
  ],
  [
    'dotted keys count after nested ones, and the later wins',
    null,
    { 'car.make': 'B', car: { make: 'A', year: 1 } },
    { 'car.make': 'B', 'car.year': 1 },
  ],
  ['values keep their type', null, { a: '1', b: 1, c: true, d: 'true' }, { a: '1', b: 1, c: true, d: 'true' }],
  [
    'keys such as constructor are data like any other',
    null,
    { constructor: 1, toString: 'x', prototype: { a: 1 } },
    { constructor: 1, toString: 'x', 'prototype.a': 1 },
  ],
];
for (const [sentence, before, sent, after] of metaTable) {
  check(`Contract 3, meta: ${sentence}`, async (world) => {
    const team = await world.team();
    const first = before === null ? {} : { meta_public: before, meta_private: before };
    const contact = await team.contact(first);
    const body = await put(team, contact, { meta_public: sent, meta_private: sent });
    same([body.meta_public, body.meta_private], [after, after], 'both metas');
    same(await team.get(`/v1/contacts/${contact.id}`), body, 'the contact as it is stored');
  });
}

check('Contract 3, meta: keys such as __proto__ are data like any other', async (world) => {
  const team = await world.team();
  const { body } = await team.call(
    201,
    'POST /v1/contacts',
    `{"unique_id":"${newId()}","meta_public":{"__proto__":{"a":1},"b":2}}`,
  );
  same(JSON.stringify(body.meta_public).length, '{"__proto__.a":1,"b":2}'.length, 'the length of meta_public');
  same(body.meta_public['__proto__.a'], 1, '__proto__.a');
});

check('Contract 3, meta: at most 1,000 flattened keys and 16 KB of JSON in each of the two, merged', async (world) => {
  const team = await world.team();
  const numbered = (count: number, from = 0) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${from + at}`, 1]));
  for (const meta of metaFields) {
    const contact = await team.contact({ [meta]: numbered(999) });
    await put(team, contact, { [meta]: { more: 1 } });
    await team.refuse(422, [`/${meta}`], `PUT /v1/contacts/${contact.id}`, { [meta]: { another: 1 } });
    await team.refuse(422, [`/${meta}`], 'POST /v1/contacts', { unique_id: newId(), [meta]: numbered(1001) });
    const size = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    const large = await team.contact({ [meta]: size(16_384) });
    await team.refuse(422, [`/${meta}`], `PUT /v1/contacts/${large.id}`, { [meta]: size(16_385) });
    await team.refuse(422, [`/${meta}`], `PUT /v1/contacts/${large.id}`, { [meta]: { b: 1 } });
  }
});

shortCheck(
  'Specification, batch upsert: new_contacts and existing_contacts (contract 3: each in the order sent)',
  async (world) => {
    const team = await world.team();
    const [a, b, c, d] = [newId(), newId(), newId(), newId()];
    const made = [await team.contact({ unique_id: b }), await team.contact({ unique_id: d })];
    const contacts = [d, c, b, a].map((unique_id, at) => ({ unique_id, city: `city ${at}` }));
    const { body } = await team.call(200, 'POST /v1/contacts', { contacts });
    keys(body, ['new_contacts', 'existing_contacts'], 'the answer');
    const idsOf = (list: Json[]) => list.map(({ unique_id, city }) => [unique_id, city]);
    same(
      idsOf(body.new_contacts),
      [
        [c, 'city 1'],
        [a, 'city 3'],
      ],
      'new_contacts',
    );
    same(
      idsOf(body.existing_contacts),
      [
        [d, 'city 0'],
        [b, 'city 2'],
      ],
      'existing_contacts',
    );
    same(
      body.existing_contacts.map(({ id }: Json) => id),
      [made[1].id, made[0].id],
      'the ids',
    );
    same(
      (await team.call(200, 'POST /v1/contacts', { contacts: [] })).body,
      { new_contacts: [], existing_contacts: [] },
      'of none',
    );
  },
);

check('Contract 3: the same unique_id twice in one batch is applied in order and listed once', async (world) => {
  const team = await world.team();
  const [one, two] = [newId(), newId()];
  await team.contact({ unique_id: two });
  const contacts = [one, two].flatMap((unique_id) => [
    { unique_id, city: 'A', state: 'S' },
    { unique_id, city: 'B' },
  ]);
  const { body } = await team.call(200, 'POST /v1/contacts', { contacts });
  same([body.new_contacts.length, body.existing_contacts.length], [1, 1], 'the numbers');
  for (const each of [body.new_contacts[0], body.existing_contacts[0]])
    has(each, { city: 'B', state: 'S' }, 'the contact');
});

check('Contract 3: at most 500 contacts; over it, 422 at /contacts; not an array: 422', async (world) => {
  const team = await world.team();
  const many = (count: number) => Array.from({ length: count }, () => ({ unique_id: newId() }));
  const { body } = await team.call(200, 'POST /v1/contacts', { contacts: many(500) });
  // Contract 3: if the batch was resent after a 503, those written before are in existing_contacts.
  same([...body.new_contacts, ...body.existing_contacts].length, 500, 'the contacts of the answer');
  await team.refuse(422, ['/contacts'], 'POST /v1/contacts', { contacts: many(501) });
  for (const contacts of [{}, 'x', 1, true, null])
    await team.refuse(422, ['/contacts'], 'POST /v1/contacts', { contacts });
  await team.refuse(422, ['/contacts/0', '/contacts/1'], 'POST /v1/contacts', { contacts: [1, 'x'] });
});

check(
  'Contract 3: one bad record is 422 naming every bad index, and nothing of the batch is written',
  async (world) => {
    const team = await world.team();
    const good = newId();
    const contacts = [{ unique_id: good }, { unique_id: newId(), city: 5 }, {}, { unique_id: newId(), birthdate: 'x' }];
    const paths = ['/contacts/1/city', '/contacts/2/unique_id', '/contacts/3/birthdate'];
    await team.refuse(422, paths, 'POST /v1/contacts', { contacts });
    same((await team.get(`/v1/contacts?unique_id=${good}`)).contacts, [], 'the good contact');
  },
);

check('Contract 3: contacts beside unique_id or email is ambiguous: 422; an array as body: 400', async (world) => {
  const team = await world.team();
  for (const beside of [{ unique_id: 'a' }, { unique_id: null }, { email: 'a@example.com' }, { email: null }]) {
    await team.refuse(422, ['/contacts'], 'POST /v1/contacts', { contacts: [], ...beside });
  }
  await team.refuse(400, [''], 'POST /v1/contacts', '[]');
});

check('Contract 1: all faults of a request are reported together, up to 100', async (world) => {
  const team = await world.team();
  const { details } = (
    await team.call(422, 'POST /v1/contacts', {
      unique_id: 5,
      city: 1,
      birthdate: 'x',
      phone_home: 'call',
      meta_public: [],
    })
  ).body;
  same(
    details.map(({ path }: Json) => path).sort(),
    ['/birthdate', '/city', '/meta_public', '/phone_home', '/unique_id'],
    'paths',
  );
  const contacts = Array.from({ length: 120 }, () => ({ unique_id: newId(), city: 1 }));
  same((await team.call(422, 'POST /v1/contacts', { contacts })).body.details.length, 100, 'the number of details');
  await team.refuse(422, ['/contacts', '/contacts/0/name_first'], 'POST /v1/contacts', {
    unique_id: 'u',
    contacts: [{ unique_id: 'v', name_first: 5 }],
  });
});

check('Contract 1: all faults together: metas over their limit beside a bad field', async (world) => {
  const team = await world.team();
  const many = (from: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${from + at}`, 1]));
  const { id } = await team.contact({ meta_public: many(0, 900) });
  const large = { a: 'x'.repeat(17_000) };
  await team.refuse(422, ['/birthdate', '/meta_public'], `PUT /v1/contacts/${id}`, {
    meta_public: many(900, 200),
    birthdate: 'x',
  });
  await team.refuse(422, ['/meta_private', '/meta_public'], `PUT /v1/contacts/${id}`, {
    meta_public: many(900, 200),
    meta_private: large,
  });
});

check(
  'Contract 3: two concurrent upserts of one new unique_id make one contact, and one of them is answered 201',
  async (world) => {
    const team = await world.team();
    const unique_id = newId();
    const authorization = `Bearer ${await team.token()}`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        fetch(`${team.baseUrl}/v1/contacts`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ unique_id }),
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    same(statuses, [200, 200, 200, 200, 200, 200, 200, 201], 'the statuses');
    const bodies: Json[] = await Promise.all(answers.map((each) => each.json()));
    same(new Set(bodies.map(({ id }) => id)).size, 1, 'the number of ids');
  },
);

check('Contract 1: one contact comes with a strong ETag; If-Match and If-None-Match', async (world) => {
  const team = await world.team();
  const made = await team.call(201, 'POST /v1/contacts', { unique_id: newId(), city: 'Brno' });
  const { id, unique_id } = made.body;
  const path = `/v1/contacts/${id}` as const;
  const tag = made.headers.get('etag')!;
  matches(tag, /^"[^"]+"$/, 'the ETag of a creation');
  const read = await team.call(200, `GET ${path}`);
  const current = read.headers.get('etag')!;
  matches(current, /^"[^"]+"$/, 'the ETag of GET');
  await team.call(304, `GET ${path}`, undefined, { 'if-none-match': current });
  await team.call(200, `GET ${path}`, undefined, { 'if-none-match': '"other"' });
  for (const method of ['PUT', 'PATCH'] as const) {
    const before = (await team.call(200, `GET ${path}`)).headers.get('etag')!;
    const changed = await team.call(200, `${method} ${path}`, { city: method }, { 'if-match': before });
    holds(changed.headers.get('etag') !== before, 'the ETag did not change');
    await team.call(412, `${method} ${path}`, { city: 'Never' }, { 'if-match': before });
    await team.call(304, `GET ${path}`, undefined, { 'if-none-match': changed.headers.get('etag')! });
  }
  matches(
    (await team.call(200, 'POST /v1/contacts', { unique_id })).headers.get('etag'),
    /^"[^"]+"$/,
    'the ETag of POST',
  );
  same((await team.get(path)).city, 'PATCH', 'the city, which a failed precondition does not change');
});

for (const [spelled, form] of [
  ['journey: {template_id}', (template_id: unknown) => ({ journey: { template_id } })],
  ['one dotted key', (template_id: unknown) => ({ 'journey.template_id': template_id })],
] as const) {
  check(`Specification, Contact: journey.template_id starts a journey at once (${spelled})`, async (world) => {
    const { team, ids } = await world.content();
    const unique_id = newId();
    const { body } = await team.call(201, 'POST /v1/contacts', { unique_id, ...form(ids.short) });
    holds(!('journey' in body), 'journey is returned');
    const [journey, ...others] = await team.get(`/v1/journeys?contact_id=${body.id}`);
    has(journey, { template_id: ids.short, source: 'api' }, 'the journey');
    await team.call(200, 'POST /v1/contacts', { unique_id, ...form(ids.short) });
    same([others.length, (await team.get(`/v1/journeys?contact_id=${body.id}`)).length], [0, 1], 'journeys');
    const batch = await team.call(200, 'POST /v1/contacts', { contacts: [{ unique_id: newId(), ...form(ids.short) }] });
    same((await team.journeyOf(batch.body.new_contacts[0])).template_id, ids.short, 'the journey of a batch');
    await team.call(200, `PUT /v1/contacts/${body.id}`, form(ids.survey));
    same((await team.get(`/v1/journeys?contact_id=${body.id}`)).length, 2, 'journeys after PUT');
    for (const id of [ids.archived, crypto.randomUUID(), 'x', 5]) {
      const response = await team.call(422, 'POST /v1/contacts', { unique_id: `${unique_id}-no`, ...form(id) });
      matches(response.body.details[0].path, /^\/journey[/.]template_id$/, `the path for ${id}`);
    }
    same((await team.get(`/v1/contacts?unique_id=${unique_id}-no`)).contacts, [], 'the contact that was refused');
  });
}

check('Contract 3: the dotted key beside journey is 422', async (world) => {
  const { team, ids } = await world.content();
  const body = { unique_id: newId(), journey: { template_id: ids.short }, 'journey.template_id': ids.short };
  const { details } = (await team.call(422, 'POST /v1/contacts', body)).body;
  matches(details[0].path, /^\/journey/, 'the path');
});

/** Whether the goal of the team is completed for the contact: its page is. */
const reached = async (team: Team, contact: Json, page: string): Promise<boolean> =>
  (await team.journeyOf(contact)).analytics_cache.pages_completed.includes(page);

const completing = [
  true,
  1,
  't',
  '1',
  'y',
  'yes',
  'complete',
  'completed',
  'done',
  'YES',
  'Done',
  'T',
  '2026-01-02T03:04:05Z',
  '2026-01-02',
];
const idle = [false, 0, '', null, 'no', 'true!', 'f', 'later', 2, {}, ['yes'], '2026-13-01', 'y y'];
for (const [values, expected] of [
  [[...completing, 'true'], true],
  [idle, false],
] as const) {
  check(
    `Contract 3: an objective's key as a field ${expected ? 'completes it' : 'with anything else does nothing'}`,
    async (world) => {
      const { team, ids } = await world.content();
      await Promise.all(
        values.map(async (value) => {
          const { contact } = await team.journey(ids.welcome, { app_installed: value });
          same(await reached(team, contact, ids.goalPage), expected, `completed by ${JSON.stringify(value)}`);
        }),
      );
    },
  );
}

check('Contract 3: an objective completes by PUT, PATCH and in a batch; nothing un-completes', async (world) => {
  const { team, ids } = await world.content();
  const ways = [
    ({ id }: Json) => team.call(200, `PUT /v1/contacts/${id}`, { app_installed: 'done' }),
    ({ id }: Json) => team.call(200, `PATCH /v1/contacts/${id}`, { app_installed: 'done' }),
    ({ unique_id }: Json) => team.call(200, 'POST /v1/contacts', { contacts: [{ unique_id, app_installed: 'done' }] }),
  ];
  for (const way of ways) {
    const { contact } = await team.journey(ids.welcome);
    same(await reached(team, contact, ids.goalPage), false, 'completed at first');
    await way(contact);
    same(await reached(team, contact, ids.goalPage), true, 'completed');
    for (const app_installed of [false, null, 'no', 0]) await put(team, contact, { app_installed });
    same(await reached(team, contact, ids.goalPage), true, 'completed after false, null and no');
  }
});

check('Contract 3: a field whose name is an objective’s key completes it, also __proto__', async (world) => {
  const { team, ids } = await world.content();
  const { contact } = await team.journey(ids.strange);
  await team.call(200, `PUT /v1/contacts/${contact.id}`, '{"__proto__":true}');
  same(await reached(team, contact, ids.strangePage), true, 'completed');
});

check('Contract 3: a contact field of the same name wins over an objective', async (world) => {
  const { team } = await world.content();
  same((await team.contact({ city: 'yes' })).city, 'yes', 'city');
});

check('Contract 1: reads by id see every acknowledged write; lists and search follow', async (world) => {
  const team = await world.team();
  const contact = await team.contact();
  for (let at = 0; at < 5; at++) {
    const city = newId();
    await put(team, contact, { city });
    same((await team.get(`/v1/contacts/${contact.id}`)).city, city, 'the city by id');
    same(
      (await team.get(`/v1/contacts?unique_id=${contact.unique_id}`)).contacts[0].city,
      city,
      'the city by unique_id=',
    );
  }
  await eventually(async () =>
    same((await team.get(`/v1/contacts?search=${contact.unique_id}`)).contacts.length, 1, 'found'),
  );
});

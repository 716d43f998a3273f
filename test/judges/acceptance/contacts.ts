import { has, holds, keys, matches, same, timePattern, uuidPattern } from './expect.ts';
import type { Json } from './http.ts';
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
export const metaFields = ['meta_public', 'meta_private'];
const readOnly = ['id', 'inserted_at', 'updated_at'];
/** Every field of the specification's table, in a returned contact. */
export const contactFields = [
  ...['unique_id', 'birthdate', ...textFields, ...phoneFields, ...flagFields, ...metaFields, ...readOnly],
];

export const put = async (team: Team, { id }: Json, body: object): Promise<Json> =>
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

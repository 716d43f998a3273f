import { has, same } from './expect.ts';
import type { Json } from './http.ts';
import { check } from './suite.ts';
import { newId, type Team } from './world.ts';

export const put = async (team: Team, { id }: Json, body: object): Promise<Json> =>
  (await team.call(200, `PUT /v1/contacts/${id}`, body)).body;

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

import { deprecatedFields, flagFields, textFields } from '../../../lib/domain/contact.ts';
import { holds, keysOf, pathsOf, refused, same } from '../assert.ts';
import { type Row, sectionOf } from '../row.ts';
import { eventually } from '../world.ts';
import { proved, shownTo } from './page-of-person.ts';

const everyField = [
  ...['id', 'unique_id', 'inserted_at', 'updated_at', 'meta_public', 'meta_private'],
  ...[...textFields, ...flagFields, ...Object.keys(deprecatedFields)],
].sort();

const rules = sectionOf('Rules for contacts');
const identity = sectionOf('unique_id rules');
const meta = sectionOf('meta_public and meta_private behaviour');

export const contactRuleRows: readonly Row[] = [
  rules.row(
    '1. A returned contact has every contact field, and unset fields are `null`.',
    'Creates a contact with a `unique_id` alone and compares the keys and values of the whole object.',
    async ({ team }) => {
      const { id } = await team.contact();
      const { body } = await team.call(200, `GET /v1/contacts/${id}`);
      same(keysOf(body), everyField, 'the fields');
      const set = Object.keys(body).filter((field) => body[field] !== null);
      same(set.sort(), ['id', 'inserted_at', 'unique_id', 'updated_at'], 'the fields that are not null');
    },
  ),
  rules.row(
    '2. `meta_private` is not returned when a contact is created (201).',
    'Creates a contact with `meta_private`, alone and in a batch: no such key. The update returns it.',
    async ({ team }) => {
      const uniqueId = team.newId();
      const fields = { unique_id: uniqueId, meta_private: { a: 1 } };
      const { body: created } = await team.call(201, 'POST /v1/contacts', fields);
      holds(!('meta_private' in created), 'the created contact has meta_private');
      const { body: batch } = await team.call(200, 'POST /v1/contacts', {
        contacts: [{ ...fields, unique_id: team.newId() }, fields],
      });
      holds(!('meta_private' in batch.new_contacts[0]), 'the contact that the batch created has meta_private');
      same(batch.existing_contacts[0].meta_private, { a: 1 }, 'meta_private of the updated contact');
    },
  ),
  rules.row(
    '2. Journey reads return `meta_private` only with a valid bearer token.',
    'Lists the journeys of a contact with a token (returned), with a wrong token (401) and without one (401).',
    async ({ team, ids }) => {
      const { contact } = await team.journey(ids.short, { meta_private: { a: 1 } });
      const [journey] = await team.journeysOf(contact);
      same(journey.contact.meta_private, { a: 1 }, 'meta_private');
      const path = `GET /v1/journeys?contact_id=${contact.id}` as const;
      for (const authorization of ['Bearer x.y.z', '']) {
        const { body } = await team.open(401, path, undefined, authorization === '' ? {} : { authorization });
        same(body, { error: 'invalid_token' }, 'the body');
      }
    },
  ),
  rules.row(
    '3. Fields that are not recognised are ignored and produce no error.',
    'Sends unknown fields of several types: 201, and none of them is returned.',
    async ({ team }) => {
      const contact = await team.contact({ favourite: 'blue', constructor: { a: [1] }, 'x.y': null, journeys: 7 });
      same(
        keysOf(contact),
        everyField.filter((field) => field !== 'meta_private'),
        'the fields',
      );
    },
  ),
  rules.row(
    '4. Phones are normalised on storage: ten digits get a leading `1`.',
    'Sends ten digits with and without punctuation, eleven digits and a foreign number with `+`; letters are 422.',
    async ({ team }) => {
      const phones = {
        '4155550100': '14155550100',
        '1 (415) 555-0100': '14155550100',
        '+420 222 333 444': '420222333444',
      };
      for (const [sent, stored] of Object.entries(phones)) {
        same((await team.contact({ phone_mobile: sent })).phone_mobile, stored, `the phone ${sent}`);
      }
      const refusal = await team.call(422, 'POST /v1/contacts', { unique_id: team.newId(), phone_work: 'call me' });
      refused(refusal, 'validation_failed', '/phone_work');
    },
  ),
  rules.row(
    '5. Marketing needs an address that is both verified and opted in, so the two flags are independent of each other.',
    'Sets `email_opted_in` and `sms_verified` alone, and reads that the other flag of the pair is unset.',
    async ({ team }) => {
      const contact = await team.contact({ email: 'a@example.com', email_opted_in: true, sms_verified: true });
      const { email_opted_in, email_verified, sms_opted_in, sms_verified } = contact;
      same([email_opted_in, email_verified, sms_opted_in, sms_verified], [true, null, null, true], 'the flags');
    },
  ),
  identity.row(
    '1. `unique_id` may have any string format.',
    'Creates contacts by text with spaces, slashes, `#`, quotes, control characters and other scripts, and reads each back.',
    async ({ team }) => {
      for (const start of ['a b/c?d=e#f', '"quoted" \\ %20', 'Ünïcödé 🐎 日本', '\u0000\t\n', '../..', ' leading']) {
        const unique_id = `${start}${team.newId()}`;
        const { body } = await team.call(201, 'POST /v1/contacts', { unique_id });
        same(body.unique_id, unique_id, 'unique_id');
        same(
          (await team.call(200, 'POST /v1/contacts', { unique_id })).body.id,
          body.id,
          'the id of the second request',
        );
      }
    },
  ),
  identity.row(
    '2. A `unique_id` that does not exist yet creates a contact.',
    'Posts it: 201. Another case or a trailing space is another `unique_id`: 201 with another id.',
    async ({ team }) => {
      const uniqueId = team.newId('-a');
      const others = [uniqueId, uniqueId.toUpperCase(), `${uniqueId} `];
      const ids = await Promise.all(
        others.map(async (unique_id) => (await team.call(201, 'POST /v1/contacts', { unique_id })).body.id),
      );
      same(new Set(ids).size, others.length, 'the number of contacts');
    },
  ),
  identity.row(
    '3. A `unique_id` that exists updates that contact.',
    'Posts it again with one field: 200, the same `id`, the field changed and the other one kept.',
    async ({ team }) => {
      const contact = await team.contact({ name_first: 'Ada', city: 'Praha' });
      const { body } = await team.call(200, 'POST /v1/contacts', { unique_id: contact.unique_id, city: 'Brno' });
      same([body.id, body.name_first, body.city], [contact.id, 'Ada', 'Brno'], 'the contact');
    },
  ),
  identity.row(
    '4. Without `unique_id`, `email` counts as the `unique_id`.',
    'Posts an email alone (201, both fields), and again (200, the same contact); another contact with this email stays as it is.',
    async ({ team }) => {
      const email = team.newId('@example.com');
      const other = await team.contact({ email });
      const { body: created } = await team.call(201, 'POST /v1/contacts', { email });
      same([created.unique_id, created.email], [email, email], 'unique_id and email');
      holds(created.id !== other.id, 'a contact that only has this email was updated');
      const { body: updated } = await team.call(200, 'POST /v1/contacts', { email, city: 'Brno' });
      same([updated.id, updated.city], [created.id, 'Brno'], 'the second request');
    },
  ),
  identity.row(
    '5. A record with neither `unique_id` nor `email` is rejected with 422.',
    'Posts it alone, with both `null` or empty, and in a batch beside a right record: 422, and nothing is stored.',
    async ({ team }) => {
      const absent = { name_first: 'Ada' };
      refused(await team.call(422, 'POST /v1/contacts', absent), 'validation_failed', '/unique_id');
      for (const value of [null, '', ' ']) {
        await team.call(422, 'POST /v1/contacts', { ...absent, unique_id: value, email: value });
      }
      const right = team.newId();
      const batch = await team.call(422, 'POST /v1/contacts', { contacts: [{ unique_id: right }, absent] });
      same(pathsOf(batch), ['/contacts/1/unique_id'], 'the named path');
      const { body } = await team.call(200, `GET /v1/contacts?unique_id=${right}`);
      same(body.contacts, [], 'the contacts of the rejected batch');
    },
  ),
  identity.row(
    '6. The current interface rejects instead of generating an id.',
    'Posts a record with neither field and a name, and searches for the name: no contact was made.',
    async ({ team }) => {
      const name = team.newId();
      await team.call(422, 'POST /v1/contacts', { name_last: name });
      const marker = await team.contact({ name_first: name });
      await eventually(async () => {
        const { body } = await team.call(200, `GET /v1/contacts?search=${name}`);
        same(
          body.contacts.map((each: { id: string }) => each.id),
          [marker.id],
          'the contacts with the name',
        );
      });
    },
  ),
  identity.row(
    '7. A later change of the email by upload does not change the `unique_id`.',
    'Creates a contact by its email, changes the email in a batch and by PATCH: the `unique_id` stays.',
    async ({ team }) => {
      const first = team.newId('@example.com');
      const { body: created } = await team.call(201, 'POST /v1/contacts', { email: first });
      const { body } = await team.call(200, 'POST /v1/contacts', {
        contacts: [{ unique_id: first, email: 'b@example.com' }],
      });
      same(
        [body.existing_contacts[0].unique_id, body.existing_contacts[0].email],
        [first, 'b@example.com'],
        'the batch',
      );
      const patched = await team.call(200, `PATCH /v1/contacts/${created.id}`, { email: 'c@example.com' });
      same([patched.body.unique_id, patched.body.email], [first, 'c@example.com'], 'the contact after PATCH');
    },
  ),
  identity.row(
    '8. The API cannot modify a `unique_id`.',
    'PUT and PATCH with another `unique_id`: 422 at `/unique_id`, and it is as before. With the same one: 200.',
    async ({ team }) => {
      const contact = await team.contact();
      for (const method of ['PUT', 'PATCH']) {
        const refusal = await team.call(422, `${method} /v1/contacts/${contact.id}`, { unique_id: 'another' });
        refused(refusal, 'validation_failed', '/unique_id');
        await team.call(200, `${method} /v1/contacts/${contact.id}`, { unique_id: contact.unique_id });
      }
      const { body } = await team.call(200, `GET /v1/contacts/${contact.id}`);
      same(body.unique_id, contact.unique_id, 'unique_id');
    },
  ),
  identity.elsewhere(
    '8. The administrator can modify a `unique_id`.',
    'It is an act of the admin command, not of the API.',
    'test/operations/change-unique-id.test.ts',
  ),
  identity.row(
    '9. An upload with a changed `unique_id` that does not exist creates a contact.',
    'Posts the data of a contact in a batch under another `unique_id`: a second contact, and the first one stays.',
    async ({ team }) => {
      const contact = await team.contact({ email: 'same@example.com', name_first: 'Ada' });
      const changed = { unique_id: team.newId(), email: 'same@example.com', name_first: 'Ada' };
      const { body } = await team.call(200, 'POST /v1/contacts', { contacts: [changed] });
      same([body.new_contacts.length, body.existing_contacts.length], [1, 0], 'new and existing contacts');
      const { body: first } = await team.call(200, `GET /v1/contacts/${contact.id}`);
      same(first.unique_id, contact.unique_id, 'the unique_id of the first contact');
    },
  ),
  ...['meta_public', 'meta_private'].map((field) =>
    meta.row(
      `1. Nested objects in \`${field}\` are flattened to dot-joined keys, for example \`car.make\`.`,
      'Sends nested objects and reads the flat keys, with every type of value kept.',
      async ({ team }) => {
        const { id } = await team.contact({ [field]: { car: { make: 'Škoda', year: 2020, own: true, lease: null } } });
        const { body } = await team.call(200, `GET /v1/contacts/${id}`);
        const flat = { 'car.make': 'Škoda', 'car.year': 2020, 'car.own': true, 'car.lease': null };
        same(body[field], flat, field);
      },
    ),
  ),
  meta.row(
    '2. Arrays are flattened with the index from zero, for example `car.0.make`.',
    'Sends an array of objects and an array of arrays, and reads the keys.',
    async ({ team }) => {
      const { meta_public } = await team.contact({
        meta_public: { car: [{ make: 'A' }, { make: 'B' }], grid: [[1, 2]] },
      });
      same(meta_public, { 'car.0.make': 'A', 'car.1.make': 'B', 'grid.0.0': 1, 'grid.0.1': 2 }, 'meta_public');
    },
  ),
  meta.row(
    '3. Flattened keys can be used in personalizations through dot notation; elements of arrays need an index.',
    'Shows a journey page with `{{meta_public.car.0.make}}` and, after the proof of identity, `{{meta_private.cards.1.name}}`.',
    async (world) => {
      const { after } = await shownTo(world);
      holds(after.includes('meta_public.car.0.make=[Tatra]'), 'the page does not show meta_public.car.0.make');
      holds(after.includes('meta_private.cards.1.name=[Gold]'), 'the page does not show meta_private.cards.1.name');
    },
  ),
  meta.elsewhere(
    '3. Flattened keys can be used in automatic targeting.',
    'Targeting is not part of the API. The keys are what a lookup and a search find, see the channel lookup below.',
    'test/http/channel-lookup.test.ts',
  ),
  meta.row(
    '4. Nested data is not returned in the shape in which it was sent.',
    'Sends nested data and a dotted key, and reads the same flat object by id, in the list and on the journey.',
    async ({ team, ids }) => {
      const { contact } = await team.journey(ids.short, { meta_public: { car: { make: 'A' }, 'a.b': 1 } });
      const flat = { 'car.make': 'A', 'a.b': 1 };
      const { body } = await team.call(200, `GET /v1/contacts?unique_id=${contact.unique_id}`);
      const [journey] = await team.journeysOf(contact);
      same(
        [contact.meta_public, body.contacts[0].meta_public, journey.contact.meta_public],
        [flat, flat, flat],
        'meta_public',
      );
    },
  ),
  meta.row(
    '`meta_public` can be read by anyone who inspects the journey page.',
    'Opens the page without any proof of identity: the value is there.',
    async (world) => {
      const { before } = await shownTo(world);
      holds(before.includes('meta_public.branch=[north]'), 'the page does not show meta_public');
    },
  ),
  meta.row(
    '`meta_private` is exposed in personalizations only after the contact has validated the identity.',
    'Opens the page before and after the right answers to the identity form, and after wrong ones.',
    async (world) => {
      const { before, after, refused: rejected } = await shownTo(world);
      holds(
        !before.includes('seven thousand') && !rejected.includes('seven thousand'),
        'the private value is shown too early',
      );
      holds(after.includes('meta_private.limit=[seven thousand]'), 'the private value is not shown after the proof');
      holds(proved.birthdate !== '', 'no fact to prove');
    },
  ),
];

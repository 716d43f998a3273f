import { deprecatedFields, flagFields, textFields } from '../../../lib/domain/contact.ts';
import { holds, matches, pathsOf, same, timePattern, uuidPattern } from '../assert.ts';
import { once, type Row, sectionOf } from '../row.ts';

const { row } = sectionOf('Contact');

/** What is sent, and what is returned if that is another value. */
const phones: Record<string, [sent: string, returned: string]> = {
  phone_home: ['(415) 555-0101', '14155550101'],
  phone_mobile: ['+44 20 7946 0102', '442079460102'],
  phone_work: ['415.555.0103', '14155550103'],
};
const textOf = (field: string): [sent: string, returned: string] => {
  if (field === 'birthdate') return ['1985-03-27', '1985-03-27'];
  if (field === 'email') return ['Ada@Example.com', 'Ada@Example.com'];
  return phones[field] ?? [`Žluťoučký ${field} 🐎`, `Žluťoučký ${field} 🐎`];
};

const flags = flagFields.map((field, at) => [field, at % 2 === 0] as const);
const sent = {
  ...Object.fromEntries(textFields.map((field) => [field, textOf(field)[0]])),
  ...Object.fromEntries(flags),
  meta_public: { branch: 'north' },
  meta_private: { segment: 7 },
};
const returned: Record<string, unknown> = {
  ...Object.fromEntries(textFields.map((field) => [field, textOf(field)[1]])),
  ...Object.fromEntries(flags),
  ...Object.fromEntries(
    Object.entries(deprecatedFields).map(([old, field]) => [old, !Object.fromEntries(flags)[field]]),
  ),
  meta_public: { branch: 'north' },
  meta_private: { segment: 7 },
};

/** A contact with every field, as created and as read, one with none, and the errors of one whose fields are wrong. */
const fixture = once(async ({ team }) => {
  const uniqueId = team.newId();
  const created = await team.contact({ ...sent, unique_id: uniqueId });
  const { body: read } = await team.call(200, `GET /v1/contacts/${created.id}`);
  const { body: list } = await team.call(200, `GET /v1/contacts?unique_id=${uniqueId}`);
  const emptyId = (await team.contact()).id;
  const { body: empty } = await team.call(200, `GET /v1/contacts/${emptyId}`);
  const cleared = await team.call(200, 'POST /v1/contacts', {
    unique_id: uniqueId,
    ...Object.fromEntries(Object.keys(sent).map((field) => [field, null])),
  });
  return { created, read, listed: list.contacts[0], empty, cleared: cleared.body };
});

const wrongValues: Record<string, unknown> = {
  unique_id: 17,
  ...Object.fromEntries(textFields.map((field) => [field, 17])),
  ...Object.fromEntries(flagFields.map((field) => [field, 'yes'])),
  ...Object.fromEntries(Object.keys(deprecatedFields).map((field) => [field, 'yes'])),
  meta_public: 'text',
  meta_private: [1],
  journey: 'text',
};

const wrong = once(async ({ team }) => team.call(422, 'POST /v1/contacts', wrongValues));

const kindOf = (field: string): string => {
  if (field === 'birthdate') return 'a date as YYYY-MM-DD';
  if (field in wrongValues && field.startsWith('meta_')) return 'an object';
  return typeof returned[field] === 'boolean' ? 'a boolean' : 'a string';
};

const extras: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries(deprecatedFields).map(([old, field]) => [old, ` It is deprecated and the inverse of \`${field}\`.`]),
  ),
  ...Object.fromEntries(Object.keys(phones).map((field) => [field, ' It is returned as digits.'])),
};

const fieldRow = (field: string): Row =>
  row(
    `\`${field}\` is ${kindOf(field)} and optional. It is returned as it was sent, and \`null\` if it is not set.${extras[field] ?? ''}`,
    'Creates a contact with the field, reads it by id and in the list, clears it with `null`, and sends another type (422).',
    async (world) => {
      const { created, read, listed, empty, cleared } = await fixture(world);
      if (field !== 'meta_private') same(created[field], returned[field], `${field} of the created contact`);
      same(read[field], returned[field], `${field} by id`);
      same(listed[field], returned[field], `${field} in the list`);
      same(empty[field], null, `${field} if not set`);
      same(cleared[field], null, `${field} after null`);
      holds(pathsOf(await wrong(world)).includes(`/${field}`), `${field} of another type is not named`);
    },
  );

const readOnly: readonly [field: string, what: string, pattern: RegExp][] = [
  ['id', 'the system id, a UUID', uuidPattern],
  ['inserted_at', 'the time of creation, ISO 8601 UTC with fractional seconds', timePattern],
  ['updated_at', 'the time of the last update, ISO 8601 UTC with fractional seconds', timePattern],
];

export const contactRows: readonly Row[] = [
  row(
    '`unique_id` is a string: the id that the caller has chosen. All fields are optional.',
    'Creates a contact with a `unique_id` alone (201) and reads it; a number is 422.',
    async (world) => {
      const { team } = world;
      const uniqueId = team.newId();
      const { body } = await team.call(201, 'POST /v1/contacts', { unique_id: uniqueId });
      same(body.unique_id, uniqueId, 'unique_id');
      holds(pathsOf(await wrong(world)).includes('/unique_id'), 'a number as unique_id is not named');
    },
  ),
  ...[...textFields, ...flagFields, ...Object.keys(deprecatedFields), 'meta_public', 'meta_private'].map(fieldRow),
  ...Object.entries(deprecatedFields).map(([old, field]) =>
    row(
      `\`${old}\` is still accepted, and sets \`${field}\` to its inverse.`,
      'Sends only the deprecated field, then both: the new one wins.',
      async ({ team }) => {
        const contact = await team.contact({ [old]: true });
        same([contact[old], contact[field]], [true, false], 'both fields');
        const { body } = await team.call(200, `PATCH /v1/contacts/${contact.id}`, { [old]: true, [field]: true });
        same([body[old], body[field]], [false, true], 'both fields when both are sent');
      },
    ),
  ),
  row(
    '`journey.template_id` (or the object `journey`): a journey from this template is created or updated at once.',
    'Sends the nested and the dotted form, lists the journeys, and sends it again: there is still one. Unknown: 422.',
    async ({ team, ids }) => {
      const nested = await team.contact({ journey: { template_id: ids.short } });
      const dotted = await team.contact({ 'journey.template_id': ids.short });
      await team.call(200, 'POST /v1/contacts', { unique_id: nested.unique_id, journey: { template_id: ids.short } });
      for (const contact of [nested, dotted]) {
        const journeys = await team.journeysOf(contact);
        same(
          journeys.map((each) => each.template_id),
          [ids.short],
          'the templates of the journeys',
        );
      }
      const refusal = await team.call(422, 'POST /v1/contacts', {
        unique_id: team.newId(),
        journey: { template_id: crypto.randomUUID() },
      });
      same(pathsOf(refusal), ['/journey/template_id'], 'the named path');
    },
  ),
  ...readOnly.map(([field, what, pattern]) =>
    row(
      `\`${field}\` is ${what}. It is read-only and on every returned contact.`,
      'Reads it after creation, by id and in the list; another value in a request is ignored.',
      async (world) => {
        const { created, read, listed } = await fixture(world);
        for (const contact of [created, read, listed]) matches(contact[field], pattern, field);
        const before = await world.team.contact();
        const request = { [field]: field === 'id' ? crypto.randomUUID() : '2001-01-01T00:00:00.000000Z' };
        const { body } = await world.team.call(200, `PATCH /v1/contacts/${before.id}`, request);
        same(body[field], before[field], `${field} after a request that sends another`);
      },
    ),
  ),
];

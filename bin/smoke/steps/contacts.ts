import { randomUUID } from 'node:crypto';
import { expect } from '../failure.ts';
import type { Step } from '../step.ts';
import { largePeople } from '../world.ts';

/** Creates and updates of one contact are statements of a batch. */
const writes = ['PartiQLInsert', 'PartiQLUpdate', 'T#*'];
/** The items of a new journey are written in one transaction. */
const startsJourney = ['PutItem', 'T#*', 'S#*'];
const startOf = (templateId: string) => ({ journey: { template_id: templateId } });

export const contactSteps: readonly Step[] = [
  {
    name: 'create a contact, and update it',
    function: 'upsert-contacts',
    uses: { Write: writes },
    async run(world) {
      const { uniqueId } = await world.newPerson({ name_first: 'Ada' });
      const body = { unique_id: uniqueId, city: 'Duluth' };
      const { body: updated } = await world.api('upsert-contacts', { body, status: 200 });
      expect(updated.city === 'Duluth', 'the update is not in the response', 'upsert-contacts');
    },
  },
  {
    name: 'create several contacts in one request',
    function: 'upsert-contacts',
    uses: { Write: writes },
    async run(world) {
      const contacts = [world.newUniqueId(), world.newUniqueId()].map((unique_id) => ({ unique_id }));
      const { body } = await world.api('upsert-contacts', { body: { contacts } });
      expect(body.new_contacts.length === 2, 'two contacts were not created', 'upsert-contacts');
    },
  },
  {
    name: 'create a contact that starts a journey',
    function: 'upsert-contacts',
    uses: { Write: startsJourney },
    async run(world) {
      await world.newPerson(startOf(world.content.ids.open));
    },
  },
  {
    name: 'clear several fields of a contact',
    function: 'upsert-contacts',
    uses: { Write: ['UpdateItem', 'T#*'] },
    async run(world) {
      const { uniqueId } = await world.newPerson(keyed());
      await world.api('upsert-contacts', { body: { unique_id: uniqueId, ...noKeys } });
    },
  },
  {
    name: 'read a contact',
    function: 'get-contact',
    async run(world) {
      const { id, uniqueId } = await world.newPerson();
      const { body } = await world.api('get-contact', { params: { id } });
      expect(body.unique_id === uniqueId, 'another contact was read', 'get-contact');
    },
  },
  {
    name: 'update a contact',
    function: 'update-contact',
    uses: { Write: ['PartiQLUpdate', 'T#*'] },
    async run(world) {
      const { id } = await world.newPerson();
      await world.api('update-contact', { method: 'PUT', params: { id }, body: { timezone: 'America/Chicago' } });
      const { body } = await world.api('update-contact', { method: 'PATCH', params: { id }, body: { timezone: null } });
      expect(body.timezone === null, 'the field was not cleared', 'update-contact');
    },
  },
  {
    name: 'start a journey with an update',
    function: 'update-contact',
    uses: { Write: startsJourney },
    async run(world) {
      const { id } = await world.newPerson();
      await world.api('update-contact', { params: { id }, body: startOf(world.content.ids.open) });
    },
  },
  {
    name: 'clear several fields with an update',
    function: 'update-contact',
    uses: { Write: ['UpdateItem', 'T#*'] },
    async run(world) {
      const { id } = await world.newPerson(keyed());
      await world.api('update-contact', { method: 'PATCH', params: { id }, body: noKeys });
    },
  },
  {
    name: 'find a contact in the list',
    function: 'list-contacts',
    uses: { Directory: [] },
    async run(world) {
      const { uniqueId } = await world.newPerson();
      const find = async () => {
        const { body } = await world.api('list-contacts', { query: { search: uniqueId, limit: '1' } });
        return body.contacts[0]?.unique_id === uniqueId ? true : undefined;
      };
      await world.until(find, 'the contact in the list', 'list-contacts');
    },
  },
  {
    name: 'count the read units of searches',
    function: 'list-contacts',
    uses: { Directory: [], Write: ['PartiQLInsert', 'PartiQLUpdate', 'T#*#M#*'] },
    async run(world) {
      const text = randomUUID();
      await world.newLargePeople(text);
      const find = async () => {
        const { body } = await world.api('list-contacts', { query: { search: text } });
        return body.contacts.length === largePeople ? true : undefined;
      };
      await world.until(find, 'the contacts in the list', 'list-contacts');
      // The first search of the minute inserts the count, the second one updates it.
      await find();
    },
  },
  {
    name: 'list the accounts of a contact without any',
    function: 'list-contact-accounts',
    uses: { Query: ['T#*'] },
    async run(world) {
      const { id } = await world.newPerson();
      await world.api('list-contact-accounts', { params: { contact_id: id } });
    },
  },
];

/** Two fields with entries in lookup indexes: an update that clears both removes two attributes. */
const keyed = () => ({ email: `${randomUUID()}@example.com`, address: randomUUID() });
const noKeys = { email: null, address: null };

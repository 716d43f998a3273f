import { newSlug } from '../../lib/auth/secrets.ts';
import { identityErrors, parsedContact } from '../../lib/domain/contacts/contact-record.ts';
import { type JsonObject, parseJson } from '../../lib/domain/values/json.ts';
import type { ContactDependencies } from '../../lib/operations/service.ts';
import { ContentCache } from '../../lib/store/campaigns/content.ts';
import type { Database } from '../../lib/store/table/database.ts';

const schema = parsedContact(identityErrors);

/** A contact record as the endpoint passes it on. */
export const record = (fields: object) => schema.parse(parseJson(JSON.stringify(fields)) as JsonObject);

/** A person with the usual fields, without `unique_id` and metadata. Its size is part of the measured units. */
export const samplePerson = {
  name_first: 'Ingrid',
  name_last: 'Sorensen',
  address: 'Storgata 14',
  city: 'Trondheim',
  country: 'NO',
  email: 'ingrid.sorensen@example.com',
  phone_mobile: '+47 912 34 567',
  birthdate: '1984-03-09',
};

/** Dependencies for operations that run in the test. The pauses are short. */
export const contactDependencies = (database: Database): ContactDependencies => ({
  database,
  now: Date.now,
  newId: () => crypto.randomUUID(),
  newSlug,
  writer: 'test',
  content: new ContentCache(database, Date.now),
  pause: (round) => new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(50 * 2 ** round, 1500))),
});

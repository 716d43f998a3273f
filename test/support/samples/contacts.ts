import { identityErrors, parsedContact } from '../../../lib/domain/contacts/contact-record.ts';
import { type JsonObject, parseJson } from '../../../lib/domain/values/json.ts';

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

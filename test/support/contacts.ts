import { newSlug } from '../../lib/auth/secrets.ts';
import { identityErrors, parsedContact } from '../../lib/domain/contact-record.ts';
import { type JsonObject, parseJson } from '../../lib/domain/json.ts';
import type { ContactDependencies } from '../../lib/operations/contacts/dependencies.ts';
import { ContentCache } from '../../lib/store/content.ts';
import type { Database } from '../../lib/store/database.ts';

const schema = parsedContact(identityErrors);

/** A contact record as the endpoint hands it on. */
export const record = (fields: object) => schema.parse(parseJson(JSON.stringify(fields)) as JsonObject);

/** For operations that run within the test, with rivals that meet again soon. */
export const contactDependencies = (database: Database): ContactDependencies => ({
  database,
  now: Date.now,
  newId: () => crypto.randomUUID(),
  newSlug,
  content: new ContentCache(database, Date.now),
  pause: (round) => new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(50 * 2 ** round, 1500))),
});

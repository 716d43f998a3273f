import { upsertContacts } from '../../lib/http/contracts/contacts.ts';
import { created, fits, ok } from '../../lib/http/reply.ts';
import { upsertBatch, upsertContact } from '../../lib/operations/contacts/upsert.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { contacts } from '../../lib/runtime/table.ts';

export const handler = bearerEndpoint(upsertContacts, async ({ caller, body }) => {
  if ('contacts' in body) return ok(await upsertBatch({ ...contacts(), fits }, caller.teamId, body.contacts));
  const upserted = await upsertContact(contacts(), caller.teamId, body);
  return upserted.created ? created(upserted.contact) : ok(upserted.contact);
});

import { upsertContacts } from '../../lib/http/contracts/contacts.ts';
import { created, fits, ok } from '../../lib/http/reply.ts';
import { shownTo } from '../../lib/http/visibility.ts';
import { type BatchAnswer, upsertBatch, upsertContact } from '../../lib/operations/contacts/upsert.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { contactDependencies } from '../../lib/runtime/table.ts';

export const handler = bearerEndpoint(upsertContacts, async ({ caller, body }) => {
  if ('contacts' in body) {
    const shown = ({ new_contacts, existing_contacts }: BatchAnswer): BatchAnswer => ({
      new_contacts,
      existing_contacts: existing_contacts.map((contact) => shownTo(caller, contact)),
    });
    const dependencies = { ...contactDependencies(), fits: (answer: BatchAnswer) => fits(shown(answer)) };
    return ok(shown(await upsertBatch(dependencies, caller.teamId, body.contacts)));
  }
  const upserted = await upsertContact(contactDependencies(), caller.teamId, body);
  return upserted.created ? created(upserted.contact) : ok(shownTo(caller, upserted.contact));
});

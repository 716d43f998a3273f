import type { ContactBatch } from '../../lib/domain/contacts/contact-responses.ts';
import { upsertContacts } from '../../lib/http/contracts/contact-writes.ts';
import { contactTag } from '../../lib/http/entity-tag.ts';
import { fits, reply } from '../../lib/http/reply.ts';
import { writtenTo } from '../../lib/http/visibility.ts';
import { upsertBatch, upsertContact } from '../../lib/operations/contacts/upsert.ts';
import { contactDependencies } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

export const handler = bearerEndpoint(upsertContacts, async ({ caller, body, strictErrors }) => {
  const contacts = contactDependencies(caller, strictErrors !== undefined);
  if ('contacts' in body) {
    const shown = ({ new_contacts, existing_contacts }: ContactBatch) => ({
      new_contacts: new_contacts.map((contact) => writtenTo(caller, contact)),
      existing_contacts: existing_contacts.map((contact) => writtenTo(caller, contact)),
    });
    const dependencies = { ...contacts, fits: (stored: ContactBatch) => fits(shown(stored)) };
    return reply(200, shown(await upsertBatch(dependencies, caller.teamId, body.contacts, strictErrors)));
  }
  const { contact, version, created } = await upsertContact(contacts, caller.teamId, body);
  const headers = { etag: contactTag(version, contact) };
  const shown = writtenTo(caller, contact);
  return created ? reply(201, shown, headers) : reply(200, shown, headers);
});

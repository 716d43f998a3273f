import { contactListPages, fitsCursor } from '../../lib/domain/contacts/contact-list.ts';
import { Problem } from '../../lib/domain/values/problem.ts';
import { listContacts } from '../../lib/http/contracts/contacts.ts';
import { fits, reply } from '../../lib/http/reply.ts';
import { readsPrivate, shownTo } from '../../lib/http/visibility.ts';
import { listContacts as list } from '../../lib/operations/contacts/list.ts';
import { environment } from '../../lib/runtime/base.ts';
import { listEndpoint, nextPageOf } from '../../lib/runtime/lists.ts';
import { runtime } from '../../lib/runtime/table.ts';

export const handler = listEndpoint(listContacts, contactListPages, async ({ caller, query }) => {
  const dependencies = { ...runtime(), scanUnits: environment().SCAN_UNITS_PER_MINUTE };
  const listed = await list(dependencies, { ...caller, readsPrivate: readsPrivate(caller) }, query);
  const page = { ...listed, contacts: listed.contacts.map((contact) => shownTo(caller, contact)) };
  // A shorter page would make callers that increase `offset` by `limit` skip contacts.
  if (!fits(page)) throw new Problem('payload_too_large');
  const { search = '' } = query;
  const repeated = fitsCursor(search) ? {} : { search };
  return reply(200, page, nextPageOf('/v1/contacts', page.next_cursor, repeated));
});

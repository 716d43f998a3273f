import * as z from 'zod';
import { contactListPages, fitsCursor, listLimits } from '../../lib/domain/contacts/contact-list.ts';
import { contactList } from '../../lib/domain/contacts/contact-responses.ts';
import { sortColumns } from '../../lib/domain/contacts/directory.ts';
import { maxUniqueIdBytes, text } from '../../lib/domain/values/fields.ts';
import { Problem } from '../../lib/domain/values/problem.ts';
import { contract, nextPage } from '../../lib/http/contract.ts';
import { cursorParam, timeParam, wholeNumber } from '../../lib/http/params.ts';
import { fits, reply } from '../../lib/http/reply.ts';
import { shownTo } from '../../lib/http/visibility.ts';
import { listContacts as list } from '../../lib/operations/contacts/list.ts';
import { listEndpoint, nextPageOf } from '../../lib/runtime/lists.ts';
import { service } from '../../lib/runtime/table.ts';

const listContacts = contract<typeof responses>()({
  id: 'list-contacts',
  scope: 'contacts:read',
  tag: 'Contacts',
  summary: 'List and search contacts',
  description:
    'Sorting ignores case. Unset values come last in both directions, and equal values are sorted by id. To read the ' +
    'next page, send `next_cursor` as `cursor`: every page costs the same. `offset` also reads the contacts that it ' +
    'skips. The list can be behind writes by a moment. Searching and sorting by a field read all contacts of the ' +
    'team: a client that does this too often within a minute gets a 429.',
  query: z.object({
    limit: wholeNumber({ description: 'Contacts per page', minimum: 1, ...listLimits }),
    offset: wholeNumber({
      description: 'Contacts to skip. `cursor` is cheaper',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
    }),
    search: text()
      .optional()
      .describe(
        'Only contacts with this text in a text field or a metadata value. Ignores case. Phones are stored as digits',
      ),
    unique_id: text(maxUniqueIdBytes)
      .optional()
      .describe('Only the contact with this `unique_id`. Sees every acknowledged write'),
    updated_since: timeParam('Only contacts that were updated at this time or later'),
    sort_column: z
      .enum(sortColumns, `must be one of ${sortColumns.join(', ')}`)
      .optional()
      .meta({ default: 'inserted_at', description: 'Field to sort by' }),
    sort_direction: z
      .enum(['asc', 'desc'], 'must be asc or desc')
      .optional()
      .meta({ default: 'asc', description: 'Sort direction: ascending or descending' }),
    cursor: cursorParam(),
  }),
  problems: ['payload_too_large'],
});

const responses = () => ({
  200: {
    description: 'A page of contacts',
    schema: contactList,
    headers: nextPage,
  },
});

export const contracts = () => [{ ...listContacts, responses: responses() }];

export const handler = listEndpoint(listContacts, contactListPages, async ({ caller, query }) => {
  const listed = await list(service(), caller, query);
  const page = { ...listed, contacts: listed.contacts.map((contact) => shownTo(caller, contact)) };
  // A shorter page would make callers that increase `offset` by `limit` skip contacts.
  if (!fits(page)) throw new Problem('payload_too_large');
  const { search = '' } = query;
  const repeated = fitsCursor(search) ? {} : { search };
  return reply(200, page, nextPageOf('/v1/contacts', page.next_cursor, repeated));
});

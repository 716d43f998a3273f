import * as z from 'zod';
import { listLimits } from '../../domain/contacts/contact-list.ts';
import { sortColumns } from '../../domain/contacts/directory.ts';
import { maxUniqueIdBytes, text } from '../../domain/values/fields.ts';
import { contract } from '../contract.ts';
import { cursorParam, timeParam, wholeNumber } from '../params.ts';
import type * as responses from '../responses/contacts.ts';

const tag = 'Contacts';
export const getContact = contract<typeof responses.getContact>()({
  id: 'get-contact',
  scope: 'contacts:read',
  tag,
  summary: 'Get a contact',
  description: 'Returns a contact by its system id. Sees every acknowledged write.',
  conditional: 'reads',
});

export const eraseContact = contract<typeof responses.eraseContact>()({
  id: 'erase-contact',
  scope: 'contacts:erase',
  tag,
  summary: 'Erase a contact',
  description:
    'Deletes everything that is stored of the person, also in batches and dropped files. Accounts are kept. The request ' +
    'is stored durably, and the erasure takes some minutes. It cannot be undone. The contact can be missing from this ' +
    'response on. What is written to it before it is deleted is deleted too. Repeat the request as often as you want: ' +
    'the response is the same until the erasure has ended, then 404.',
});

export const listContacts = contract<typeof responses.listContacts>()({
  id: 'list-contacts',
  scope: 'contacts:read',
  tag,
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

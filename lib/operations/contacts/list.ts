import { type Caller, readsPrivate } from '../../domain/access/caller.ts';
import { contactListPages, type ListParameters, type ListQuery } from '../../domain/contacts/contact-list.ts';
import type { ContactList, ShownContact } from '../../domain/contacts/contact-responses.ts';
import {
  type DirectoryEntry,
  directoryRow,
  FirstInOrder,
  isUpdatedSince,
  type Position,
  positionBy,
  rowContains,
  type Search,
} from '../../domain/contacts/directory.ts';
import { shownContactOf } from '../../domain/contacts/shown-contact.ts';
import { loadByUniqueId, loadContacts } from '../../store/contacts/contacts.ts';
import { scanDirectory, walkDirectory } from '../../store/contacts/directory.ts';
import type { Database } from '../../store/table/database.ts';
import { withinScanBudget } from '../access/scan-budget.ts';
import type { Service, Settings } from '../service.ts';
import { ContactCursors } from './list-cursor.ts';

/**
 * One page of a team's contacts with their current values, in the directory's order. The search includes `meta_private` if
 * the caller may read it.
 * @throws Problem `invalid_request` if the cursor is invalid or contradicts the other parameters; `too_many_requests`
 * if the list has to scan the directory and the client has used its budget for this.
 */
export async function listContacts(
  service: Service & Pick<Settings, 'scanUnits'>,
  caller: Caller,
  { cursor: text, ...sent }: ListParameters & { cursor?: string | undefined },
): Promise<ContactList> {
  const { database } = service;
  const { teamId } = caller;
  const cursors = new ContactCursors(database, teamId);
  const cursor = text === undefined ? undefined : await cursors.decrypt(text, sent);
  const query = cursor?.query ?? contactListPages.query.parse(sent);
  const search = { text: query.search, withPrivate: readsPrivate(caller) };
  if (query.unique_id !== '') return listOfOne(database, teamId, query, search);
  const readPage = (from: Database) => pageOf(from, teamId, { query, search }, cursor?.after);
  const positions = await (isScan(query) ? withinScanBudget(service, caller, readPage) : readPage(database));
  const page = positions.slice(0, query.limit);
  const after = positions.length > page.length ? page.at(-1) : undefined;
  const [contacts, next] = await Promise.all([
    contactsAt(database, teamId, page),
    after && cursors.encrypt({ query, after }),
  ]);
  const list = { contacts, limit: query.limit, offset: query.offset };
  return next === undefined ? { ...list, has_more: false } : { ...list, has_more: true, next_cursor: next };
}

/** So many rows cost a few read units. */
const cheapOffset = 1000;

/** True if the list may have to read more rows than its page has. */
const isScan = ({ search, sort_column, updated_since, offset }: ListQuery): boolean =>
  search !== '' || sort_column !== 'inserted_at' || updated_since !== '' || offset > cheapOffset;

/** The contact that a `unique_id` names, if it matches the other filters. The read is strongly consistent. */
async function listOfOne(
  database: Database,
  teamId: string,
  { unique_id, updated_since, limit, offset }: ListQuery,
  search: Search,
): Promise<ContactList> {
  const found = await loadByUniqueId(database, teamId, [unique_id]);
  const contact = found.get(unique_id)?.stored?.contact;
  const row = contact && directoryRow(contact);
  const matches = row !== undefined && rowContains(row, search) && isUpdatedSince(row, updated_since);
  return {
    contacts: contact && matches && offset === 0 ? [shownContactOf(contact)] : [],
    limit,
    offset,
    has_more: false,
  };
}

async function contactsAt(database: Database, teamId: string, page: readonly Position[]): Promise<ShownContact[]> {
  const ids = page.map(({ id }) => id);
  const stored = await loadContacts(database, teamId, ids);
  return stored.flatMap((each) => (each ? [shownContactOf(each.contact)] : []));
}

/** The positions of the page, and of one more contact if there is one. A cursor already includes the offset. */
async function pageOf(
  database: Database,
  teamId: string,
  { query, search }: { query: ListQuery; search: Search },
  after: Position | undefined,
): Promise<Position[]> {
  const skipped = after ? 0 : query.offset;
  const wanted = skipped + query.limit + 1;
  const scope = { teamId, search: search.text };
  const positionOf = positionBy(query.sort_column);
  // The store has already searched the whole row, including meta_private.
  const isFound = (row: string) => search.withPrivate || rowContains(row, search);
  const matches = ({ row }: DirectoryEntry) => isUpdatedSince(row, query.updated_since) && isFound(row);
  if (query.sort_column !== 'inserted_at') {
    const first = new FirstInOrder(wanted, query.sort_direction, after);
    await scanDirectory(database, scope, (entry) => {
      if (matches(entry)) first.offer(positionOf(entry));
    });
    return first.taken().slice(skipped);
  }
  const positions: Position[] = [];
  const walk = walkDirectory(database, { ...scope, direction: query.sort_direction, after, expected: wanted });
  let matched = 0;
  for await (const entry of walk) {
    if (!matches(entry)) continue;
    if (matched++ >= skipped) positions.push(positionOf(entry));
    if (matched === wanted) break;
  }
  return positions;
}

import { open, seal } from '../../auth/seal.ts';
import {
  type Cursor,
  contradictions,
  type ListParameters,
  type ListQuery,
  queryOf,
  readCursor,
  writeCursor,
} from '../../domain/cursor.ts';
import {
  type DirectoryEntry,
  directoryRow,
  FirstInOrder,
  isUpdatedSince,
  type Position,
  positionBy,
  rowContains,
  type Search,
} from '../../domain/directory.ts';
import { invalidRequest } from '../../domain/problem.ts';
import { type ContactList, type ShownContact, shownContactOf } from '../../domain/shown-contact.ts';
import { secretsOf, type TeamSecrets } from '../../domain/team.ts';
import { loadByUniqueId, loadContacts } from '../../store/contacts.ts';
import type { Database } from '../../store/database.ts';
import { scanDirectory, walkDirectory } from '../../store/directory.ts';
import { loadTeam } from '../../store/teams.ts';

/** What the team's secret seals cursors for. */
const purpose = 'contact list cursor';

/**
 * One page of a team's contacts, as they are now, in the directory's order.
 * @param caller.readsPrivate whether the search looks into `meta_private`, too
 * @throws Problem `invalid_request` when the cursor does not open or contradicts the other parameters.
 */
export async function listContacts(
  { database }: { database: Database },
  { teamId, readsPrivate }: { teamId: string; readsPrivate: boolean },
  { cursor: sealed, ...sent }: ListParameters & { cursor?: string | undefined },
): Promise<ContactList> {
  const secrets = sealed === undefined ? undefined : await liveSecrets(database, teamId);
  const cursor = secrets !== undefined && sealed !== undefined ? opened(secrets, sealed, sent) : undefined;
  const query = cursor?.query ?? queryOf(sent);
  const search = { text: query.search, withPrivate: readsPrivate };
  if (query.unique_id !== '') return listOfOne(database, teamId, query, search);
  const places = await pageOf(database, teamId, { query, search }, cursor?.after);
  const page = places.slice(0, query.limit);
  const after = places.length > page.length ? page.at(-1) : undefined;
  const [contacts, next] = await Promise.all([
    contactsAt(database, teamId, page),
    after && sealedCursor(database, teamId, secrets, { query, after }),
  ]);
  const list = { contacts, limit: query.limit, offset: query.offset };
  return next === undefined ? { ...list, has_more: false } : { ...list, has_more: true, next_cursor: next };
}

/** The contact that a `unique_id` names, if the other filters let it pass; read as strongly as by its id. */
async function listOfOne(
  database: Database,
  teamId: string,
  { unique_id, updated_since, limit, offset }: ListQuery,
  search: Search,
): Promise<ContactList> {
  const found = await loadByUniqueId(database, teamId, [unique_id]);
  const contact = found.get(unique_id)?.stored?.contact;
  const row = contact && directoryRow(contact);
  const passes = row !== undefined && rowContains(row, search) && isUpdatedSince(row, updated_since);
  return {
    contacts: contact && passes && offset === 0 ? [shownContactOf(contact)] : [],
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

async function sealedCursor(
  database: Database,
  teamId: string,
  secrets: TeamSecrets | undefined,
  cursor: Cursor,
): Promise<string> {
  return seal(secrets ?? (await liveSecrets(database, teamId)), purpose, writeCursor(cursor));
}

async function liveSecrets(database: Database, teamId: string): Promise<TeamSecrets> {
  const team = await loadTeam(database, teamId);
  if (!team) throw new Error('a token names a team that is not there');
  return secretsOf(team);
}

function opened(secrets: TeamSecrets, sealed: string, sent: ListParameters): Cursor {
  const text = open(secrets, purpose, sealed);
  const cursor = text === undefined ? undefined : readCursor(text);
  if (!cursor) throw invalidRequest({ path: 'cursor', message: 'is not a cursor of this team' });
  const errors = contradictions(sent, cursor);
  if (errors.length > 0) throw invalidRequest(...errors);
  return cursor;
}

/** The places of the page, and of one contact more if there is one. A cursor has the offset behind it. */
async function pageOf(
  database: Database,
  teamId: string,
  { query, search }: { query: ListQuery; search: Search },
  after: Position | undefined,
): Promise<Position[]> {
  const skipped = after ? 0 : query.offset;
  const wanted = skipped + query.limit + 1;
  const scope = { teamId, search: query.search };
  const place = positionBy(query.sort_column);
  // The store has searched the whole row already.
  const isFound = (row: string) => search.withPrivate || rowContains(row, search);
  const passes = ({ row }: DirectoryEntry) => isUpdatedSince(row, query.updated_since) && isFound(row);
  if (query.sort_column !== 'inserted_at') {
    const first = new FirstInOrder(wanted, query.sort_direction, after);
    await scanDirectory(database, scope, (entry) => {
      if (passes(entry)) first.offer(place(entry));
    });
    return first.taken().slice(skipped);
  }
  const places: Position[] = [];
  const walk = walkDirectory(database, { ...scope, direction: query.sort_direction, after, expected: wanted });
  let passed = 0;
  for await (const entry of walk) {
    if (!passes(entry)) continue;
    if (passed++ >= skipped) places.push(place(entry));
    if (passed === wanted) break;
  }
  return places;
}

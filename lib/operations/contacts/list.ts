import { type ShownContact, shownContact } from '../../domain/contact.ts';
import {
  type Cursor,
  contradictions,
  type ListParameters,
  type ListQuery,
  queryOf,
  readCursor,
  writeCursor,
} from '../../domain/cursor.ts';
import { FirstInOrder, type Position, positionBy } from '../../domain/directory.ts';
import { invalidRequest } from '../../domain/problem.ts';
import { loadContacts } from '../../store/contacts.ts';
import type { Database } from '../../store/database.ts';
import { scanDirectory, walkDirectory } from '../../store/directory.ts';
import { loadTeam } from '../../store/teams.ts';

export type ListDependencies = {
  database: Database;
  /** Text that only the holder of the team's secret can read or make. */
  seal(secret: string, value: string): string;
  open(secret: string, sealed: string): string | undefined;
};

export type ContactList = {
  contacts: ShownContact[];
  limit: number;
  offset: number;
  has_more: boolean;
  /** While there is more. */
  next_cursor?: string;
};

/**
 * One page of a team's contacts, as they are now, in the directory's order.
 * @throws Problem `invalid_request` when the cursor does not open or contradicts the other parameters.
 */
export async function listContacts(
  dependencies: ListDependencies,
  teamId: string,
  { cursor: sealed, ...sent }: ListParameters & { cursor?: string | undefined },
): Promise<ContactList> {
  const { database } = dependencies;
  const secret = sealed === undefined ? undefined : await secretOf(database, teamId);
  const cursor = secret !== undefined && sealed !== undefined ? opened(dependencies, secret, sealed, sent) : undefined;
  const query = cursor?.query ?? queryOf(sent);
  const places = await pageOf(database, teamId, query, cursor?.after);
  const page = places.slice(0, query.limit);
  const after = places.length > page.length ? page.at(-1) : undefined;
  const [contacts, next] = await Promise.all([
    contactsAt(database, teamId, page),
    after && sealedCursor(dependencies, teamId, secret, { query, after }),
  ]);
  const list = { contacts, limit: query.limit, offset: query.offset };
  return next === undefined ? { ...list, has_more: false } : { ...list, has_more: true, next_cursor: next };
}

async function contactsAt(database: Database, teamId: string, page: readonly Position[]): Promise<ShownContact[]> {
  const ids = page.map(({ id }) => id);
  const stored = await loadContacts(database, teamId, ids);
  return stored.flatMap((each) => (each ? [shownContact(each.contact)] : []));
}

async function sealedCursor(
  { database, seal }: ListDependencies,
  teamId: string,
  secret: string | undefined,
  cursor: Cursor,
): Promise<string> {
  return seal(secret ?? (await secretOf(database, teamId)), writeCursor(cursor));
}

async function secretOf(database: Database, teamId: string): Promise<string> {
  const team = await loadTeam(database, teamId);
  if (!team) throw new Error('a token names a team that is not there');
  return team.secret;
}

function opened({ open }: ListDependencies, secret: string, sealed: string, sent: ListParameters): Cursor {
  const text = open(secret, sealed);
  if (text === undefined) throw invalidRequest({ path: 'cursor', message: 'is not a cursor of this team' });
  const cursor = readCursor(text);
  const faults = contradictions(sent, cursor);
  if (faults.length > 0) throw invalidRequest(...faults);
  return cursor;
}

/** The places of the page, and of one contact more if there is one. A cursor has the offset behind it. */
async function pageOf(
  database: Database,
  teamId: string,
  query: ListQuery,
  after: Position | undefined,
): Promise<Position[]> {
  const skipped = after ? 0 : query.offset;
  const wanted = skipped + query.limit + 1;
  const scope = { teamId, search: query.search };
  const place = positionBy(query.sort_column);
  if (query.sort_column !== 'inserted_at') {
    const first = new FirstInOrder(wanted, query.sort_direction, after);
    await scanDirectory(database, scope, (entry) => first.offer(place(entry)));
    return first.taken().slice(skipped);
  }
  const places: Position[] = [];
  const walk = walkDirectory(database, { ...scope, direction: query.sort_direction, after, expected: wanted });
  let passed = 0;
  for await (const entry of walk) {
    if (passed++ >= skipped) places.push(place(entry));
    if (passed === wanted) break;
  }
  return places;
}

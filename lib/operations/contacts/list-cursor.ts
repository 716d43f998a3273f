import {
  contactListPages,
  isSearchDigest,
  type ListParameters,
  type ListQuery,
  searchInCursor,
  shortened,
  startOf,
} from '../../domain/contacts/contact-list.ts';
import { directoryRow, type Position, positionBy } from '../../domain/contacts/directory.ts';
import type { Cursor } from '../../domain/values/cursor.ts';
import { invalidRequest } from '../../domain/values/problem.ts';
import { loadContacts } from '../../store/contacts/contacts.ts';
import type { Database } from '../../store/table/database.ts';
import { digestOf } from '../../store/table/digest.ts';
import { Cursors } from '../access/cursors.ts';

/** Cursors of the list of contacts. However long the values and the search text are, a cursor is short. */
export class ContactCursors {
  readonly #cursors: Cursors<ListQuery, ReturnType<typeof shortened>>;
  readonly #database: Database;
  readonly #teamId: string;

  constructor(database: Database, teamId: string) {
    this.#cursors = new Cursors(database, teamId, contactListPages);
    this.#database = database;
    this.#teamId = teamId;
  }

  async decrypt(text: string, sent: ListParameters): Promise<Cursor<ListQuery, Position>> {
    const search = sent.search === undefined ? undefined : searchInCursor(sent.search, digestOf);
    const { query, after } = await this.#cursors.decrypt(text, { ...sent, search });
    if (isSearchDigest(query.search)) {
      if (sent.search === undefined) throw invalidRequest(searchLeftOut);
      query.search = sent.search;
    }
    return { query, after: after.digest === undefined ? after : await this.#whole(query, after) };
  }

  encrypt({ query, after }: Cursor<ListQuery, Position>): Promise<string> {
    const short = { ...query, search: searchInCursor(query.search, digestOf) };
    return this.#cursors.encrypt({ query: short, after: shortened(after, digestOf) });
  }

  /** The contact at the position has the whole value, unless it has changed. Then no contact is skipped. */
  async #whole(query: ListQuery, after: ReturnType<typeof shortened>): Promise<Position> {
    const [stored] = await loadContacts(this.#database, this.#teamId, [after.id]);
    const contact = stored?.contact;
    const entry = contact && { id: contact.id, insertedAt: contact.inserted_at, row: directoryRow(contact) };
    const value = entry ? positionBy(query.sort_column)(entry).value : null;
    const isSame = value !== null && digestOf(value) === after.digest;
    return isSame ? { value, id: after.id } : startOf(after, query.sort_direction);
  }
}

const searchLeftOut = { path: 'search', message: 'must be sent again with this cursor, because it is long' };

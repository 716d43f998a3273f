import { decrypt, encrypt } from '../../auth/encryption.ts';
import { secretsOf, type TeamSecrets } from '../../domain/teams/team.ts';
import {
  type Cursor,
  contradictions,
  type PagedList,
  readCursor,
  type Sent,
  writeCursor,
} from '../../domain/values/cursor.ts';
import { type ErrorDetail, invalidRequest, Problem } from '../../domain/values/problem.ts';
import type { Database } from '../../store/table/database.ts';
import { loadTeam } from '../../store/teams/teams.ts';

/** Encrypts and decrypts the cursors of one list of a team. The secret of the team is read once, when it is needed. */
export class Cursors<Query extends object, Position> {
  readonly #list: PagedList<Query, Position>;
  readonly #load: () => Promise<TeamSecrets>;
  #secrets: Promise<TeamSecrets> | undefined;

  constructor(database: Database, teamId: string, list: PagedList<Query, Position>) {
    this.#list = list;
    this.#load = () => liveSecrets(database, teamId);
  }

  /**
   * @throws Problem `invalid_request` if the text is not a cursor of this list and team, or if a parameter that is sent
   * differs from the cursor's query
   */
  async decrypt(text: string, sent: Sent<Query>): Promise<Cursor<Query, Position>> {
    const opened = decrypt(await this.#live(), this.#purpose, text);
    const cursor = opened === undefined ? undefined : readCursor(this.#list, opened);
    if (!cursor) throw invalidRequest({ path: 'cursor', message: 'is not a cursor of this list' });
    const errors = contradictions(sent, cursor.query);
    if (errors.length > 0) throw new Problem('invalid_request', errors);
    return cursor;
  }

  async encrypt(cursor: Cursor<Query, Position>): Promise<string> {
    return encrypt(await this.#live(), this.#purpose, writeCursor(cursor));
  }

  get #purpose(): string {
    return `${this.#list.name} cursor`;
  }

  #live(): Promise<TeamSecrets> {
    this.#secrets ??= this.#load();
    return this.#secrets;
  }
}

/** What a page says of those that follow. */
type PageEnd = { has_more: false } | { has_more: true; next_cursor: string };

/**
 * The query of a request for a page, which is that of its cursor if it has one, and the position after which the page
 * starts. `end` makes the end of the page from its last position, or from nothing if no page follows.
 * @param sent the other parameters of the request
 * @throws Problem `invalid_request` if the cursor is invalid or contradicts the other parameters
 */
export async function requestedPage<Query extends object, Position>(
  database: Database,
  teamId: string,
  list: PagedList<Query, Position>,
  cursor: string | undefined,
  sent: Sent<Query>,
) {
  const cursors = new Cursors(database, teamId, list);
  const { query, after = undefined } =
    cursor === undefined ? { query: list.query.parse(sent) } : await cursors.decrypt(cursor, sent);
  const cursorAt = (last: Position) => cursors.encrypt({ query, after: last });
  const end = async (last: Position | undefined): Promise<PageEnd> =>
    last === undefined ? { has_more: false } : { has_more: true, next_cursor: await cursorAt(last) };
  return { query, after, cursorAt, end };
}

/** The errors of a cursor, to be reported together with those of other parameters. */
export async function cursorErrors<Query extends object, Position>(
  database: Database,
  teamId: string,
  list: PagedList<Query, Position>,
  text: string | undefined,
): Promise<readonly ErrorDetail[]> {
  try {
    if (text) await new Cursors(database, teamId, list).decrypt(text, {});
    return [];
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_request') return error.details ?? [];
    throw error;
  }
}

async function liveSecrets(database: Database, teamId: string): Promise<TeamSecrets> {
  const team = await loadTeam(database, teamId);
  if (!team) throw new Error('the team of the access token does not exist');
  return secretsOf(team);
}

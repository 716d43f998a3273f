import type { AccountRecord } from '../../domain/accounts/account-record.ts';
import type { AcceptedChunk } from '../../domain/imports/chunk.ts';
import { loadPayload } from '../../store/imports/payloads.ts';
import type { Database } from '../../store/table/database.ts';
import { contactIds, readTargets, type Targets, targetsOf } from './apply.ts';

/** A chunk's records and their targets; `undefined` if the records cannot be read. */
export type Prepared = { records: readonly AccountRecord[]; targets: Targets } | undefined;

/** Two steps of one read: the records with their targets, and the same with the stored values of the targets. */
type Read = { loaded: Promise<Prepared>; prepared: Promise<Prepared> };

/**
 * Reads payloads and items of the next chunks while the current one is merged and written, so that the table always has
 * a request to answer. Items that an earlier chunk also writes to are left out, because they may still change; the
 * attempt at the chunk reads them. Values that were read here stay valid as long as no other worker changes the team's
 * import state.
 */
export class ReadAhead {
  readonly #database: Database;
  readonly #chunks: readonly AcceptedChunk[];
  readonly #renames: number;
  readonly #ahead: number;
  readonly #reads = new Map<number, Read>();

  /** @param ahead number of chunks to read after the current one */
  constructor(database: Database, chunks: readonly AcceptedChunk[], renames: number, ahead: number) {
    this.#database = database;
    this.#chunks = chunks;
    this.#renames = renames;
    this.#ahead = ahead;
  }

  /** The chunk at this position, which becomes the current one. Call it with one position after another. */
  take(position: number): Promise<Prepared> {
    const { prepared } = this.#read(position);
    for (let next = position + 1; next <= position + this.#ahead && next < this.#chunks.length; next++) {
      this.#read(next);
    }
    this.#reads.delete(position - 1 - this.#ahead);
    return prepared;
  }

  #read(position: number): Read {
    let read = this.#reads.get(position);
    if (!read) {
      const loaded = this.#load(this.#chunks[position]!);
      read = { loaded, prepared: this.#readTargets(position, loaded) };
      // `take` returns this promise with its error. A chunk that is never taken must not cause an unhandled rejection.
      read.prepared.catch(() => {});
      this.#reads.set(position, read);
    }
    return read;
  }

  async #load(chunk: AcceptedChunk): Promise<Prepared> {
    const { team_id } = chunk;
    const records = await loadPayload(this.#database, chunk);
    if (!records) return undefined;
    const contactIdOf = await contactIds(this.#database, team_id, records, this.#renames);
    return { records, targets: targetsOf(team_id, records, contactIdOf) };
  }

  async #readTargets(position: number, loaded: Promise<Prepared>): Promise<Prepared> {
    const chunk = await loaded;
    if (!chunk) return undefined;
    const changing = await this.#targetsBefore(position);
    const unchanging = chunk.targets.all.filter(({ name }) => !changing.has(name));
    await readTargets(this.#database, chunk.targets, unchanging);
    return chunk;
  }

  /** Names of the items that earlier chunks write to, if those chunks may not be closed yet. */
  async #targetsBefore(position: number): Promise<Set<string>> {
    const names = new Set<string>();
    for (let before = Math.max(position - this.#ahead, 0); before < position; before++) {
      const earlier = await this.#reads.get(before)?.loaded;
      for (const { name } of earlier?.targets.all ?? []) names.add(name);
    }
    return names;
  }
}

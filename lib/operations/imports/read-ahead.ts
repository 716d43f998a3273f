import type { AccountRecord } from '../../domain/account-record.ts';
import type { AcceptedChunk } from '../../domain/chunk.ts';
import type { Database } from '../../store/database.ts';
import { loadPayload } from '../../store/payloads.ts';
import { contactIds, readTargets, type Targets, targetsOf } from './apply.ts';

/** A chunk's records and their targets; `undefined` if the records cannot be read. */
export type Prepared = { records: readonly AccountRecord[]; targets: Targets } | undefined;

/**
 * Reads payloads and items of the next chunks while the current one is written. Items that an earlier chunk also writes
 * to are left out, because they may still change; the attempt at the chunk reads them. Values that were read here stay
 * valid as long as no other worker changes the team's import state.
 */
export class ReadAhead {
  readonly #database: Database;
  readonly #chunks: readonly AcceptedChunk[];
  readonly #renames: number;
  readonly #ahead: number;
  readonly #prepared = new Map<number, Promise<Prepared>>();

  /** @param ahead number of chunks to read after the current one */
  constructor(database: Database, chunks: readonly AcceptedChunk[], renames: number, ahead: number) {
    this.#database = database;
    this.#chunks = chunks;
    this.#renames = renames;
    this.#ahead = ahead;
  }

  /** The chunk at this position, which becomes the current one. Call it with one position after another. */
  take(position: number): Promise<Prepared> {
    const requested = this.#prepare(position);
    for (let next = position + 1; next <= position + this.#ahead && next < this.#chunks.length; next++) {
      this.#prepare(next);
    }
    this.#prepared.delete(position - 1 - this.#ahead);
    return requested;
  }

  #prepare(position: number): Promise<Prepared> {
    let prepared = this.#prepared.get(position);
    if (!prepared) {
      prepared = this.#read(position);
      // `take` returns this promise with its error. A chunk that is never taken must not cause an unhandled rejection.
      prepared.catch(() => {});
      this.#prepared.set(position, prepared);
    }
    return prepared;
  }

  async #read(position: number): Promise<Prepared> {
    const chunk = this.#chunks[position]!;
    const records = await loadPayload(this.#database, chunk);
    if (!records) return undefined;
    const targets = targetsOf(
      chunk.team_id,
      records,
      await contactIds(this.#database, chunk.team_id, records, this.#renames),
    );
    const changing = await this.#targetsBefore(position);
    await readTargets(
      this.#database,
      targets,
      targets.all.filter(({ name }) => !changing.has(name)),
    );
    return { records, targets };
  }

  /** Names of the items that earlier chunks write to, if those chunks may not be closed yet. */
  async #targetsBefore(position: number): Promise<Set<string>> {
    const names = new Set<string>();
    for (let before = Math.max(position - this.#ahead, 0); before < position; before++) {
      const prepared = await this.#prepared.get(before);
      for (const { name } of prepared?.targets.all ?? []) names.add(name);
    }
    return names;
  }
}

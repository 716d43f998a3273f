import type { AccountRecord } from '../../domain/account-record.ts';
import type { AcceptedChunk } from '../../domain/chunk.ts';
import type { Database } from '../../store/database.ts';
import { loadPayload } from '../../store/payloads.ts';
import { contactIds, readTargets, type Targets, targetsOf } from './apply.ts';

/** A chunk's records and the items that they touch; `undefined` where the records cannot be read. */
export type Prepared = { records: readonly AccountRecord[]; targets: Targets } | undefined;

/**
 * Reads payloads and items of the next chunks while the one before them is written. Items that a chunk before it
 * touches are left out, since they may still change; the attempt reads them when its turn has come. What was read
 * here holds as long as nobody else changes the team's import state.
 */
export class ReadAhead {
  readonly #database: Database;
  readonly #chunks: readonly AcceptedChunk[];
  readonly #renames: number;
  readonly #ahead: number;
  readonly #prepared = new Map<number, Promise<Prepared>>();

  /** @param ahead chunks to read beyond the one that is worked */
  constructor(database: Database, chunks: readonly AcceptedChunk[], renames: number, ahead: number) {
    this.#database = database;
    this.#chunks = chunks;
    this.#renames = renames;
    this.#ahead = ahead;
  }

  /** The chunk at this position, which is to be worked now. Positions are taken one after another. */
  take(position: number): Promise<Prepared> {
    const taken = this.#prepare(position);
    for (let next = position + 1; next <= position + this.#ahead && next < this.#chunks.length; next++) {
      this.#prepare(next);
    }
    this.#prepared.delete(position - 1 - this.#ahead);
    return taken;
  }

  #prepare(position: number): Promise<Prepared> {
    let prepared = this.#prepared.get(position);
    if (!prepared) {
      prepared = this.#read(position);
      // Whoever takes it hears of it; one that is never taken is of no interest.
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
    const unsettled = await this.#touchedBefore(position);
    await readTargets(
      this.#database,
      targets,
      targets.all.filter(({ name }) => !unsettled.has(name)),
    );
    return { records, targets };
  }

  /** Names of the items that the chunks before this one touch which may not be closed yet. */
  async #touchedBefore(position: number): Promise<Set<string>> {
    const names = new Set<string>();
    for (let before = Math.max(position - this.#ahead, 0); before < position; before++) {
      const prepared = await this.#prepared.get(before);
      for (const { name } of prepared?.targets.all ?? []) names.add(name);
    }
    return names;
  }
}

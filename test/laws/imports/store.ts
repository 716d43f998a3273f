import type { Database, Write } from '../../../lib/store/table/database.ts';
import { ModelDatabase, nameOf } from '../../support/models/model-database.ts';
import type { Random } from '../random.ts';

/** A decided transaction of which some items are not visible yet. */
export type Unfinished = { names: ReadonlySet<string>; parts: (() => void)[]; onEnd: () => void };

/** The table of the simulation. Transactions become visible item by item, as in DynamoDB. */
export class Store {
  readonly database: Database;
  readonly #model: ModelDatabase | undefined;
  readonly #unfinished = new Set<Unfinished>();

  constructor(database: Database) {
    this.database = database;
    this.#model = database instanceof ModelDatabase ? database : undefined;
  }

  get model(): ModelDatabase | undefined {
    return this.#model;
  }

  get isWhole(): boolean {
    return this.#unfinished.size === 0;
  }

  /** @param onEnd called once all items are visible */
  async transact(writes: readonly Write[], torn: Random | undefined, onCommit: () => void, onEnd: () => void) {
    this.#endThoseOf(writes);
    if (!this.#model || !torn) {
      if (!(await this.database.transact(writes))) return undefined;
      onCommit();
      onEnd();
      return done;
    }
    const parts = this.#model.begin(writes);
    if (!parts) return undefined;
    onCommit();
    const shuffled = parts.map((part) => ({ part, at: torn.next() })).sort((a, b) => a.at - b.at);
    const unfinished: Unfinished = {
      names: new Set(writes.map(nameOfWrite)),
      parts: shuffled.map(({ part }) => part),
      onEnd,
    };
    this.#unfinished.add(unfinished);
    for (let shown = torn.below(parts.length); shown > 0; shown--) this.#showOne(unfinished);
    return unfinished;
  }

  /** A write to an item of an unfinished transaction waits for its end. */
  #endThoseOf(writes: readonly Write[]): void {
    for (const each of this.#unfinished) {
      if (writes.some((write) => each.names.has(nameOfWrite(write)))) this.end(each);
    }
  }

  write(writes: Parameters<Database['write']>[0]): Promise<boolean[]> {
    this.#endThoseOf(writes);
    return this.database.write(writes);
  }

  /** Makes one more item of an unfinished transaction visible. */
  showMore(random: Random): void {
    if (this.#unfinished.size > 0) this.#showOne(random.pick([...this.#unfinished]));
  }

  #showOne(unfinished: Unfinished): void {
    unfinished.parts.pop()?.();
    if (unfinished.parts.length > 0 || !this.#unfinished.delete(unfinished)) return;
    unfinished.onEnd();
  }

  end(unfinished: Unfinished): void {
    while (this.#unfinished.has(unfinished)) this.#showOne(unfinished);
  }

  endAll(): void {
    for (const each of this.#unfinished) this.end(each);
  }
}

const done: Unfinished = { names: new Set(), parts: [], onEnd: () => undefined };
const nameOfWrite = (write: Write) => nameOf(write.kind === 'insert' ? write.item : write.key);

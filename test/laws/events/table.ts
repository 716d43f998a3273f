import { marshall } from '@aws-sdk/util-dynamodb';
import { passesFilter } from '../../../bin/local/stream/records.ts';
import type { StreamRecord } from '../../../lib/store/events/item-changes.ts';
import type { Item, Upsert, Write } from '../../../lib/store/table/database.ts';
import type { Key } from '../../../lib/store/table/keys.ts';
import { ModelDatabase, nameOf } from '../../support/models/model-database.ts';
import type { Random } from '../random.ts';

/** A transaction of which some items are not visible yet. */
type Unfinished = { names: ReadonlySet<string>; parts: (() => void)[] };
export type Watcher = (key: Key, before: Item | undefined, after: Item | undefined) => void;

const keyOf = (write: Write): Key => (write.kind === 'insert' ? write.item : write.key);
const image = (item: Item | undefined) => item && marshall(item, { removeUndefinedValues: true });

/** The table of the simulation, with a stream of two shards. Transactions become visible item by item. */
export class StreamedTable {
  readonly model = new ModelDatabase();
  /** Of each shard, in its order. */
  readonly shards: StreamRecord[][] = [[], []];
  readonly #unfinished = new Set<Unfinished>();
  readonly #watch: Watcher;
  readonly #now: () => number;
  #sequence = 0;

  /** @param watch called for each item that becomes visible, in their order */
  constructor(now: () => number, watch: Watcher) {
    this.#now = now;
    this.#watch = watch;
  }

  async write(writes: readonly Upsert[]): Promise<boolean[]> {
    this.#endThoseOf(writes);
    const results: boolean[] = [];
    for (const write of writes) {
      const before = this.model.read(keyOf(write));
      const [written] = await this.model.write([write]);
      results.push(written === true);
      if (written) this.#show(keyOf(write), before);
    }
    return results;
  }

  /** @returns a function that makes all items visible; `undefined` if a condition failed */
  transact(writes: readonly Write[], torn: Random | undefined, onCommit: () => void): (() => void) | undefined {
    this.#endThoseOf(writes);
    const parts = this.model.begin(writes);
    if (!parts) return undefined;
    onCommit();
    const shown = parts.map((part, index) => () => {
      const key = keyOf(writes[index]!);
      if (['check', 'absent'].includes(writes[index]!.kind)) return;
      const before = this.model.read(key);
      part();
      this.#show(key, before);
    });
    const order = torn ? shown.map((part) => ({ part, at: torn.next() })).sort((a, b) => a.at - b.at) : undefined;
    const unfinished: Unfinished = {
      names: new Set(writes.map((write) => nameOf(keyOf(write)))),
      parts: order?.map(({ part }) => part) ?? shown.reverse(),
    };
    this.#unfinished.add(unfinished);
    if (!torn) this.#end(unfinished);
    return () => this.#end(unfinished);
  }

  showMore(random: Random): void {
    if (this.#unfinished.size > 0) this.#showOne(random.pick([...this.#unfinished]));
  }

  endAll(): void {
    for (const each of this.#unfinished) this.#end(each);
  }

  /** A write to an item of an unfinished transaction waits for its end. */
  #endThoseOf(writes: readonly Write[]): void {
    for (const each of this.#unfinished) {
      if (writes.some((write) => each.names.has(nameOf(keyOf(write))))) this.#end(each);
    }
  }

  #showOne(unfinished: Unfinished): void {
    unfinished.parts.pop()?.();
    if (unfinished.parts.length === 0) this.#unfinished.delete(unfinished);
  }

  #end(unfinished: Unfinished): void {
    while (this.#unfinished.has(unfinished)) this.#showOne(unfinished);
  }

  #show({ pk, sk }: Key, before: Item | undefined): void {
    if (!passesFilter(sk)) return;
    const after = this.model.read({ pk, sk });
    this.#watch({ pk, sk }, before, after);
    const hash = [...pk].reduce((sum, character) => Math.imul(sum, 31) + character.charCodeAt(0), 7);
    this.shards[hash & 1]!.push({
      dynamodb: {
        Keys: image({ pk, sk }),
        OldImage: image(before),
        NewImage: image(after),
        SequenceNumber: String(++this.#sequence).padStart(9, '0'),
        ApproximateCreationDateTime: Math.floor(this.#now() / 1000),
      },
    });
  }
}

import { marshall } from '@aws-sdk/util-dynamodb';
import type { StreamRecord } from '../../../lib/store/events/item-changes.ts';
import type { Item, Upsert, Write } from '../../../lib/store/table/database.ts';
import type { Key } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from './model-database.ts';

const keyOf = (write: Write): Key => (write.kind === 'insert' ? write.item : write.key);
const image = (item: Item | undefined) => item && marshall(item, { removeUndefinedValues: true });

/** The model of the table with its stream: a record for each item that a write has changed, in their order. */
export class StreamDatabase extends ModelDatabase {
  readonly records: StreamRecord[] = [];
  /** The clock of the stream, milliseconds since the epoch. */
  now = () => Date.now();
  #taken = 0;

  override async write(writes: readonly Upsert[]): Promise<boolean[]> {
    return this.#recorded(writes, () => super.write(writes));
  }

  override async transact(writes: readonly Write[]): Promise<boolean> {
    return this.#recorded(writes, () => super.transact(writes));
  }

  async #recorded<T>(writes: readonly Write[], apply: () => Promise<T>): Promise<T> {
    const before = writes.map((write) => this.read(keyOf(write)));
    const result = await apply();
    for (const [index, write] of writes.entries()) {
      const { pk, sk } = keyOf(write);
      const after = this.read({ pk, sk });
      if (JSON.stringify(before[index]) === JSON.stringify(after)) continue;
      this.records.push({
        dynamodb: {
          Keys: image({ pk, sk }),
          OldImage: image(before[index]),
          NewImage: image(after),
          SequenceNumber: String(this.records.length + 1).padStart(9, '0'),
          ApproximateCreationDateTime: Math.floor(this.now() / 1000),
        },
      });
    }
    return result;
  }

  /** The records since the last call. */
  take(): StreamRecord[] {
    const taken = this.records.slice(this.#taken);
    this.#taken = this.records.length;
    return taken;
  }
}

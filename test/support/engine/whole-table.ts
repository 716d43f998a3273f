import { gunzipSync } from 'node:zlib';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../../../lib/store/table/database.ts';

type BatchWrite = { PutRequest: { Item: Item } } | { DeleteRequest: { Key: { pk: string; sk: string } } };

/** All items of a table at once, as a backup sees them. */
export class WholeTable {
  readonly #documents: DynamoDBDocumentClient;
  readonly #name: string;

  /** @param client not the client of the service, which returns bytes as base64 */
  constructor(client: DynamoDBClient, name: string) {
    this.#documents = DynamoDBDocumentClient.from(client);
    this.#name = name;
  }

  /** All items, or all entries of an index. */
  async items(index?: string): Promise<Item[]> {
    const items: Item[] = [];
    const scan = { TableName: this.#name, ...(index === undefined ? {} : { IndexName: index }) };
    for (let start: Record<string, never> | undefined, first = true; first || start; first = false) {
      const page = await this.#documents.send(new ScanCommand({ ...scan, ExclusiveStartKey: start }));
      items.push(...((page.Items ?? []) as Item[]));
      start = page.LastEvaluatedKey as typeof start;
    }
    return items;
  }

  /** Replaces the content of the table. */
  async restore(items: readonly Item[]): Promise<void> {
    const kept = new Set(items.map(nameOf));
    const others = (await this.items()).filter((item) => !kept.has(nameOf(item)));
    await this.#write(others.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })));
    await this.#write(items.map((item) => ({ PutRequest: { Item: item } })));
  }

  async #write(writes: readonly BatchWrite[]): Promise<void> {
    for (let at = 0; at < writes.length; at += 200) {
      const batches = [0, 25, 50, 75, 100, 125, 150, 175].map((from) => writes.slice(at + from, at + from + 25));
      const requests = batches.filter(({ length }) => length > 0).map((batch) => ({ [this.#name]: batch }));
      await Promise.all(requests.map((each) => this.#documents.send(new BatchWriteCommand({ RequestItems: each }))));
    }
  }
}

const nameOf = ({ pk, sk }: Item) => `${pk} ${sk}`;

/** For `JSON.stringify`: bytes as text, also if they are compressed. */
export const readable = (_: string, value: unknown) => {
  const isBytes = typeof value === 'object' && value !== null && '0' in value && value.constructor !== Array;
  if (!isBytes) return value;
  const bytes = Buffer.from(Object.values(value as Record<string, number>));
  return bytes[0] === 0x1f ? gunzipSync(bytes).toString() : bytes.toString();
};

import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Database, Item, Upsert } from '../../../lib/store/table/database.ts';
import { teamPartition } from '../../../lib/store/table/keys.ts';

/** Where the call of a case runs. All its items are in the partition `pk`. */
export type StatementWorld = { database: Database; client: DynamoDBDocumentClient; tableName: string; pk: string };

type StoredAttributes = Record<string, unknown> & { sk: string };

export type StatementCase = {
  what: string;
  /** Items that exist before. */
  given: readonly StoredAttributes[];
  call(world: StatementWorld): Promise<unknown>;
  /** Texts of the requests, with names instead of placeholders, and with `table` as the name of the table. */
  sent: readonly string[];
  result: unknown;
  /** For writes: what the engine reports for each statement or part. `None`: its condition holds. */
  codes?: readonly string[];
  /** The items afterwards, without their partition. */
  after?: readonly StoredAttributes[];
};

/** Stands for the partition of the case in the attributes of `given`. */
export const ownPartition = '<the partition of the case>';

/** The partition of a new team, so that also a scan for the team finds only the items of the case. */
export const newPartition = (): string => teamPartition(randomUUID());
export const teamOf = (pk: string): string => pk.slice(teamPartition('').length);

export const insert = (pk: string, sk: string, attributes: object = {}): Upsert => ({
  kind: 'insert',
  item: { pk, sk, ...attributes },
});

export const update = (pk: string, sk: string, set: object, expect: object = {}): Upsert => ({
  kind: 'update',
  key: { pk, sk },
  set: { ...set },
  expect: { ...expect },
});

export const stored = { sk: 'CONTACT', data: '{}', version: 1, lookup_1: 'l1', lookup_2: 'l2' };
/** The item `stored` after the update. */
export const left = (set: object) =>
  Object.fromEntries(Object.entries({ ...stored, ...set }).filter(([, value]) => value !== undefined)) as typeof stored;

export const sortKeys = ({ items }: { items: Item[] }): string[] => items.map(({ sk }) => sk);

export const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => String(n).padStart(3, '0'));

export const times = (count: number, text: string): string[] => Array.from({ length: count }, () => text);

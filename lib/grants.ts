import type { FilePattern, Grants, Partition, WriteAction } from './routes.ts';
import type { IndexName } from './store/table.ts';

/**
 * Translates the grants of a function to DynamoDB permissions. The stack makes its policies from this. The local
 * service refuses what these policies would refuse, so that a missing grant is noticed locally. Imports only types.
 */
export type TableAction = 'BatchGetItem' | 'Query' | 'DeleteItem' | WriteAction;

export type TablePermission = {
  name: 'Read' | 'Query' | 'Write' | 'Delete' | 'Record' | 'Directory' | 'Lookup';
  actions: readonly TableAction[];
  /** Partitions of the table, or of the indexes if `indexes` is set. */
  partitions: readonly Partition[];
  indexes?: readonly IndexName[];
};

const lookupIndexes = ['lookup_1', 'lookup_2', 'lookup_3', 'lookup_4'] as const satisfies readonly IndexName[];

/** The permissions for the actions that `DynamoDatabase` uses. Reads by key are batched. */
export function tablePermissions(grants: Grants): TablePermission[] {
  const { read, queries = [], write, remove = [], records = false, directory = false, lookup = false } = grants;
  const permissions: TablePermission[] = [
    { name: 'Read', actions: ['BatchGetItem'], partitions: read.filter((each) => !isList(each)) },
    { name: 'Query', actions: ['Query'], partitions: [...read.filter(isList), ...queries] },
    { name: 'Write', actions: write?.by ?? [], partitions: write?.partitions ?? [] },
    { name: 'Delete', actions: ['DeleteItem'], partitions: remove },
    // Not PutItem, which replaces an item: an INSERT statement fails if the item exists.
    { name: 'Record', actions: ['PartiQLInsert'], partitions: records ? ['AUDIT#*'] : [] },
    { name: 'Directory', actions: ['Query'], partitions: directory ? ['T#*'] : [], indexes: ['directory'] },
    { name: 'Lookup', actions: ['Query'], partitions: lookup ? ['T#*'] : [], indexes: lookupIndexes },
  ];
  return permissions.filter(({ partitions }) => partitions.length > 0);
}

/** True if a request for an item or a partition with this key is granted. */
export type GrantCheck = (action: TableAction, partitionKey: string, index?: IndexName) => boolean;

export function grantCheck(grants: Grants): GrantCheck {
  const allowed = tablePermissions(grants).map(({ partitions, ...each }) => ({ ...each, match: anyOf(partitions) }));
  return (action, partitionKey, index) =>
    allowed.some(
      (each) =>
        (index === undefined ? each.indexes === undefined : each.indexes?.includes(index)) &&
        each.actions.includes(action) &&
        each.match.test(partitionKey),
    );
}

export type FileAction = 'read' | 'write';

/** Makes a function that returns true if a request for an object of the drop box is granted. */
export function fileCheck({ files }: Grants): (action: FileAction, key: string) => boolean {
  const read = anyOf(files?.read ?? []);
  const write = anyOf(files?.write ?? []);
  return (action, key) => (action === 'read' ? read : write).test(key);
}

/** Whether the function may read the images of teams. */
export const readsImages = ({ images = false }: Grants): boolean => images;

/** A partition without variable parts holds one list, which is always read as a whole. */
const isList = (partition: Partition): boolean => !partition.includes('#');

/** Matches like StringLike of IAM: `*` matches any text. */
const anyOf = (patterns: readonly (Partition | FilePattern)[]) =>
  patterns.length === 0
    ? /(?!)/
    : new RegExp(`^(?:${patterns.map((each) => each.replaceAll('.', '\\.').replaceAll('*', '.*')).join('|')})$`, 's');

import type { FilePattern, Grants, Partition } from './routes.ts';
import type { IndexName } from './store/table.ts';

/**
 * What a function's grants mean to DynamoDB. The stack makes its policies from this, and the local service refuses what
 * they would refuse, so that a grant that lacks shows on a laptop. Imports only types.
 */
export type TableAction =
  | 'BatchGetItem'
  | 'Query'
  | 'PartiQLInsert'
  | 'PartiQLUpdate'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem';

export type TablePermission = {
  name: 'Read' | 'Query' | 'Write' | 'Delete' | 'Directory' | 'Lookup';
  actions: readonly TableAction[];
  /** Of the table, or with `indexes` of these. */
  partitions: readonly Partition[];
  indexes?: readonly IndexName[];
};

const lookupIndexes = ['lookup_1', 'lookup_2', 'lookup_3', 'lookup_4'] as const satisfies readonly IndexName[];

/**
 * Actions as `DynamoDatabase` uses them: reads by key are batched, independent writes are PartiQL statements or, where
 * they remove two attributes, updates, and the parts of a transaction are puts, updates and deletes.
 */
export function tablePermissions(grants: Grants): TablePermission[] {
  const { read, queries = false, write = [], remove = [], directory = false, lookup = false } = grants;
  const permissions: TablePermission[] = [
    { name: 'Read', actions: ['BatchGetItem'], partitions: read.filter((each) => !isList(each)) },
    { name: 'Query', actions: ['Query'], partitions: read.filter((each) => isList(each) || (queries && isTeam(each))) },
    { name: 'Write', actions: ['PartiQLInsert', 'PartiQLUpdate', 'PutItem', 'UpdateItem'], partitions: write },
    { name: 'Delete', actions: ['DeleteItem'], partitions: remove },
    { name: 'Directory', actions: ['Query'], partitions: directory ? ['T#*'] : [], indexes: ['directory'] },
    { name: 'Lookup', actions: ['Query'], partitions: lookup ? ['T#*'] : [], indexes: lookupIndexes },
  ];
  return permissions.filter(({ partitions }) => partitions.length > 0);
}

/** Whether a request for an item or a partition with this key is granted. */
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

/** Whether a request for an object of the drop box is granted. */
export function fileCheck({ files }: Grants): (action: FileAction, key: string) => boolean {
  const read = anyOf(files?.read ?? []);
  const write = anyOf(files?.write ?? []);
  return (action, key) => (action === 'read' ? read : write).test(key);
}

/** Whether the images of teams may be read. */
export const readsImages = ({ images = false }: Grants): boolean => images;

/** One partition that is a list of things; such are read whole. */
const isList = (partition: Partition): boolean => !partition.includes('#');
const isTeam = (partition: Partition): boolean => partition.startsWith('T#');

/** IAM's StringLike, where `*` stands for any text. */
const anyOf = (patterns: readonly (Partition | FilePattern)[]) =>
  patterns.length === 0
    ? /(?!)/
    : new RegExp(`^(?:${patterns.map((each) => each.replaceAll('.', '\\.').replaceAll('*', '.*')).join('|')})$`, 's');

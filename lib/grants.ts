import { type GrantedKind, type ItemKind, partitionPattern } from './store/table/item-kinds.ts';
import type { IndexName } from './store/table/table.ts';

/** Keys of objects in the drop box, as IAM resource patterns. */
export type FilePattern = '*' | '*/accounts/*' | '*/contacts/*' | '*.report.json' | '*.rejected.csv' | 'work/*';

/**
 * How a function writes, as actions of DynamoDB. Independent writes are PartiQL statements. `PutItem` and `UpdateItem`
 * are the inserts and updates of a transaction; `UpdateItem` is also an update that removes two attributes.
 */
export type WriteAction = 'PartiQLInsert' | 'PartiQLUpdate' | 'PutItem' | 'UpdateItem';

/**
 * What a function may do. Everything else is denied. It names kinds of items. A policy can only name partitions, so a
 * kind stands for all kinds in its partition. The partition of a team has the pattern `T#*`, which also matches all other
 * partitions of teams.
 */
export type Grants = {
  /** Reads items by key, and partitions without variable parts, such as the list of teams, as a whole. */
  readonly read: readonly GrantedKind<'read' | 'write'>[];
  /** Queries partitions, for example the accounts of a contact or the chunks of a batch. */
  readonly queries?: readonly GrantedKind<'read' | 'write'>[];
  /** Inserts and updates items with these actions. */
  readonly write?: { readonly items: readonly GrantedKind<'write'>[]; readonly by: readonly WriteAction[] };
  readonly remove?: readonly GrantedKind<'write'>[];
  /** Makes a transaction depend on items that it does not write. */
  readonly checks?: readonly GrantedKind<'write'>[];
  /** States how a journey has ended, at the item of its id, on the condition that nothing else has ended it. */
  readonly ends?: boolean;
  /** Inserts entries of the audit log, and can neither read nor change them. */
  readonly records?: boolean;
  /** Queries the directory index. */
  readonly directory?: boolean;
  /** Queries the lookup indexes. */
  readonly lookup?: boolean;
  /** Wakes the imports and the completions of teams. */
  readonly sends?: boolean;
  /** Sends messages to the queue of dropped files. */
  readonly forwards?: boolean;
  /** Wakes webhooks. */
  readonly notifies?: boolean;
  /** Wakes the lanes of targeting. */
  readonly targets?: boolean;
  /** Wakes the lanes of messages, if messages are sent. */
  readonly mails?: boolean;
  /** Hashes addresses and opens links, with the secret of messages, if they are sent. */
  readonly hashes?: boolean;
  /** Adds entries to the journal of listed addresses. */
  readonly journals?: boolean;
  /** Hands messages to the provider. */
  readonly mailsOut?: boolean;
  /** Reads and writes the objects of the drop box whose keys match. */
  readonly files?: { readonly read: readonly FilePattern[]; readonly write: readonly FilePattern[] };
  /** Lists and deletes the objects of the drop box, and adds entries to the list of erasures. */
  readonly erases?: boolean;
  /** Reads the images of teams. */
  readonly images?: boolean;
  /** Reads the private signing keys. */
  readonly signs?: boolean;
};

/**
 * Translates the grants of a function to DynamoDB permissions. The stack makes its policies from this. The local
 * service refuses what these policies would refuse, so that a missing grant is noticed locally.
 */
export type TableAction = 'BatchGetItem' | 'Query' | 'DeleteItem' | 'ConditionCheckItem' | WriteAction;

export type TablePermission = {
  name: 'Read' | 'Query' | 'Write' | 'Delete' | 'Check' | 'End' | 'Record' | 'Directory' | 'Lookup';
  actions: readonly TableAction[];
  /**
   * Partition keys of the table, or of the indexes if `indexes` is set, as patterns for the IAM condition
   * `dynamodb:LeadingKeys`.
   */
  partitions: readonly string[];
  indexes?: readonly IndexName[];
};

const lookupIndexes = ['lookup_1', 'lookup_2', 'lookup_3', 'lookup_4'] as const satisfies readonly IndexName[];

/** The permissions for the actions that `DynamoDatabase` uses. Reads by key are batched. */
export function tablePermissions(grants: Grants): TablePermission[] {
  const { queries = [], write, remove = [], checks = [] } = grants;
  const { ends = false, records = false, directory = false, lookup = false } = grants;
  const [reads, lists] = [grants.read.filter((each) => !isList(each)), grants.read.filter(isList)];
  const permissions: TablePermission[] = [
    { name: 'Read', actions: ['BatchGetItem'], partitions: patternsOf(reads) },
    { name: 'Query', actions: ['Query'], partitions: patternsOf([...lists, ...queries]) },
    { name: 'Write', actions: write?.by ?? [], partitions: patternsOf(write?.items ?? []) },
    { name: 'Delete', actions: ['DeleteItem'], partitions: patternsOf(remove) },
    { name: 'Check', actions: ['ConditionCheckItem'], partitions: patternsOf(checks) },
    { name: 'End', actions: ['UpdateItem'], partitions: patternsOf(ends ? ['journeyId'] : []) },
    // Not PutItem, which replaces an item: an INSERT statement fails if the item exists.
    { name: 'Record', actions: ['PartiQLInsert'], partitions: patternsOf(records ? ['audit'] : []) },
    {
      name: 'Directory',
      actions: ['Query'],
      partitions: patternsOf(directory ? ['team'] : []),
      indexes: ['directory'],
    },
    { name: 'Lookup', actions: ['Query'], partitions: patternsOf(lookup ? ['team'] : []), indexes: lookupIndexes },
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
const isList = (kind: ItemKind): boolean => !partitionPattern(kind).includes('*');

/** The patterns of the partitions of these kinds, without those that another one includes. */
function patternsOf(kinds: readonly ItemKind[]): string[] {
  const patterns = [...new Set(kinds.map(partitionPattern))];
  return patterns.filter((each) => !patterns.some((other) => other !== each && anyOf([other]).test(each)));
}

/** Matches like StringLike of IAM: `*` matches any text. */
const anyOf = (patterns: readonly string[]) =>
  patterns.length === 0
    ? /(?!)/
    : new RegExp(`^(?:${patterns.map((each) => each.replaceAll('.', '\\.').replaceAll('*', '.*')).join('|')})$`, 's');

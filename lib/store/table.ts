/**
 * The one table, as data: the CDK stack and the local service both create it from here. Imports nothing.
 * What lies in it is said in `keys.ts`, the only file that knows the shape of a key.
 */
export const table = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /**
   * Unix seconds. Set on import payloads, old revisions of content, dropped files, used assertions and the audit log; an item without
   * it stays for good.
   */
  timeToLive: 'expires_at',
  indexes: {
    /** Contacts of a team in order of creation, spread over a few partitions. `row` is what search and sorting look at. */
    directory: {
      name: 'directory',
      partitionKey: 'directory_pk',
      sortKey: 'directory_sk',
      projected: ['row'],
    },
    /** Contacts by what they have in a field that their team declared for lookups. Keys alone: the contact is read. */
    lookup_1: { name: 'lookup_1', partitionKey: 'lookup_1', sortKey: 'pk', projected: [] },
    lookup_2: { name: 'lookup_2', partitionKey: 'lookup_2', sortKey: 'pk', projected: [] },
    lookup_3: { name: 'lookup_3', partitionKey: 'lookup_3', sortKey: 'pk', projected: [] },
    lookup_4: { name: 'lookup_4', partitionKey: 'lookup_4', sortKey: 'pk', projected: [] },
  },
} as const;

export type IndexName = keyof typeof table.indexes;

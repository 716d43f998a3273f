/**
 * The table, as data: the CDK stack and the local service both create it from this file. It imports nothing.
 * `keys.ts` describes the items; it is the only file that knows the form of the keys.
 */
export const table = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /**
   * Unix seconds. Set on events, import payloads, dropped files, used assertions and entries of the audit log. An item
   * without it never expires.
   */
  timeToLive: 'expires_at',
  indexes: {
    /**
     * Contacts of a team in order of creation, spread over a few partitions. Search and sorting read `row`. Other lists
     * by time are here too: batches, dropped files, and the journeys of a template and their responses.
     */
    directory: {
      name: 'directory',
      partitionKey: 'directory_pk',
      sortKey: 'directory_sk',
      projected: ['row'],
    },
    /** Contacts by their value in a field that the team declared for lookups. Only keys; the contact itself is read. */
    lookup_1: { name: 'lookup_1', partitionKey: 'lookup_1', sortKey: 'pk', projected: [] },
    lookup_2: { name: 'lookup_2', partitionKey: 'lookup_2', sortKey: 'pk', projected: [] },
    lookup_3: { name: 'lookup_3', partitionKey: 'lookup_3', sortKey: 'pk', projected: [] },
    lookup_4: { name: 'lookup_4', partitionKey: 'lookup_4', sortKey: 'pk', projected: [] },
  },
} as const;

export type IndexName = keyof typeof table.indexes;

/**
 * The one table, as data: the CDK stack and the local service both create it from here. Imports nothing.
 * What lies in it is said in `keys.ts`, the only file that knows the shape of a key.
 */
export const table = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Unix seconds. Set on import payloads alone; an item without it stays for good. */
  timeToLive: 'expires_at',
  indexes: {
    /** Contacts of a team in order of creation, spread over a few partitions. `row` is what search and sorting look at. */
    directory: {
      name: 'directory',
      partitionKey: 'directory_pk',
      sortKey: 'directory_sk',
      projected: ['row'],
    },
  },
} as const;

import * as z from 'zod';

/**
 * What an institution does in a month of 30 days. These are assumptions, not measurements: `node bench/cost.ts --workload
 * FILE` replaces them.
 */
const share = z.number().min(0).max(1);
const amount = z.number().min(0);
const workload = z.strictObject({
  contacts: z.int().min(0),
  /** Account records for each contact, each with its own account and link. The sample bank has 1.3. */
  accountsPerContact: amount,
  /** Every night, a file with all accounts is put into the drop box. The share of its records that changed. */
  changedShare: share,
  /** Share of contacts that change in a day. Each change is one request. */
  contactChangesPerDay: share,
  /** Reads of a contact and of its accounts, by a month and contact: branch, call center, customer service. */
  contactReads: amount,
  /** Pages of online banking that look up content, by a month and contact: 30 % of people, 8 logins, 3 pages. */
  lookups: amount,
  /** Share of lookups whose content is loaded into the page and seen. */
  contentShownShare: share,
  /** Share of contacts that start a journey in a month. */
  journeyShare: share,
  /** Views of journey pages, and pages that a person completes, by journey. */
  journeyPages: amount,
  journeyCompletions: amount,
  /** Systems that request an access token every hour. */
  clients: amount,
  /** Months that journeys and claims of chunks have been collected. The service does not delete them. */
  monthsKept: amount,
});
export type Workload = z.output<typeof workload>;
export const workloadChange = workload.partial();

const sizes = [20_000, 500_000, 5_000_000] as const;

const usual: Omit<Workload, 'contacts'> = {
  accountsPerContact: 1.3,
  changedShare: 0.03,
  contactChangesPerDay: 0.01,
  contactReads: 1,
  lookups: 7.2,
  contentShownShare: 0.3,
  journeyShare: 0.02,
  journeyPages: 5,
  journeyCompletions: 4,
  clients: 3,
  monthsKept: 12,
};

/** The three sizes, or only one if the change names a number of contacts. */
export const workloadsOf = (change: Partial<Workload> = {}): Workload[] =>
  (change.contacts === undefined ? sizes : [change.contacts]).map((contacts) => ({ ...usual, ...change, contacts }));

export const days = 30;
export const hours = 730;
/** Records of a chunk; the limit of the API. */
export const recordsPerChunk = 500;

export const accountsOf = ({ contacts, accountsPerContact }: Workload): number => contacts * accountsPerContact;
/** Chunks that are accepted in a month. */
export const chunksOf = (of: Workload): number => (accountsOf(of) / recordsPerChunk) * days;

/** What an institution does in a month of 30 days. These are assumptions, not measurements. */
export type Workload = {
  contacts: number;
  /** Account records for each contact, each with its own account and link. The sample bank has 1.3. */
  accountsPerContact: number;
  /** Every night, a file with all accounts is put into the drop box. The share of its records that changed. */
  changedShare: number;
  /** Share of contacts that change in a day. Each change is one request. */
  contactChangesPerDay: number;
  /** Reads of a contact and of its accounts, by a month and contact: branch, call center, customer service. */
  contactReads: number;
  /** Pages of online banking that look up content, by a month and contact: 30 % of people, 8 logins, 3 pages. */
  lookups: number;
  /** Share of lookups whose content is loaded into the page and seen. */
  contentShownShare: number;
  /** Share of contacts that start a journey in a month. */
  journeyShare: number;
  /** Views of journey pages, and pages that a person completes, by journey. */
  journeyPages: number;
  journeyCompletions: number;
  /** Systems that request an access token every hour. */
  clients: number;
  /** Months that journeys and claims of chunks have been collected. The service does not delete them. */
  monthsKept: number;
};

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

export const workloadOf = (contacts: number): Workload => ({ ...usual, contacts });
export const workloads: readonly Workload[] = [20_000, 500_000, 5_000_000].map(workloadOf);

export const days = 30;
export const hours = 730;
/** Records of a chunk; the limit of the API. */
export const recordsPerChunk = 500;

export const accountsOf = ({ contacts, accountsPerContact }: Workload): number => contacts * accountsPerContact;
/** Chunks that are accepted in a month. */
export const chunksOf = (of: Workload): number => (accountsOf(of) / recordsPerChunk) * days;

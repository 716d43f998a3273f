/**
 * What operations cost, as measured. The budget tests hold these numbers and `node bench/cost.ts` calculates with them. The
 * engine counts capacity units: a write unit is 1 KB of an item, twice that in a transaction; a read unit is 4 KB, read
 * strongly. The items here are below 1 KB.
 *
 * A change that costs more fails in a test. To raise a number, change it in the same commit, give the reason in the
 * commit message, and run `node bench/cost.ts --write`.
 */

/** `trips` is the number of sequential round trips. */
export type RequestUnits = { read: number; write: number; trips: number };

/** test/unit/accounts/budgets.test.ts */
export const importUnits = {
  newRecord: { write: 2, read: 2 },
  /** Of the account, one more write than an unchanged record. The link does not change. */
  changedRecord: { write: 1, read: 2 },
  unchangedRecord: { write: 0, read: 2 },
  /** Mean of 500 compressed records of the sample bank: test/unit/journeys/request-units.test.ts. */
  payload: { write: 8.2, read: 2.4 },
  /**
   * Of a chunk that is accepted and worked by itself, beside its payload. Writes: the batch's entry (1), counter, claim
   * and entry among the open chunks in a transaction (6), the start of work (1), claim, import state and the entry at
   * the end in a transaction (6). Reads: claim, counter and import state at acceptance (3), state and open chunks in one
   * query (1).
   */
  chunk: { write: 14, read: 4 },
  /** Of the first chunk of a batch: its place in the team's list of batches, an entry of the index. */
  newBatch: { write: 1 },
  /** Of each of many chunks that are worked in one go: the start is written with the close of the one before. */
  drainedChunk: { write: 13.2, read: 3.1 },
  /** Of each chunk of one large request: they share counter, import state and entry of the batch, and nothing is read for each. */
  uploadedChunk: { write: 10.5, read: 0.3 },
  /** Of the first record that names a code: looked for, and made. */
  newProduct: { write: 1, read: 1 },
} as const;

/**
 * test/unit/contacts/contacts-upsert.test.ts. A contact costs an item and its row in the directory, and two reads: the
 * contact and the identity item of its unique_id.
 */
export const contactUnits = {
  created: { read: 2, write: 2, trips: 2 },
  unchanged: { read: 2, write: 0, trips: 1 },
  changed: { read: 2, write: 2, trips: 2 },
} as const satisfies Record<string, RequestUnits>;

/** test/unit/accounts/budgets.test.ts: the accounts of a contact, and with products that are not cached (`first`). */
export const contactAccountsTrips = { trips: 2, first: 3 } as const;

/**
 * A channel lookup by a declared field: test/unit/journeys/channel-content-operations.test.ts. Round trips: the index, the contact
 * with its journey, and the account with the revision of the products, for a page that an account may complete. Of an
 * instance that has content and products this is all (`warm`). One that had content some seconds ago reads the pointers
 * and the team beside those (`stale`). One that never had any asks four indexes, reads the content as well, and then
 * the product (`cold`).
 */
export const lookupUnits = { trips: 3, coldTrips: 4, warm: 3.5, stale: 7.5, cold: 11 } as const;

/**
 * test/unit/access/token-audit.test.ts. The client is read. The entry of the audit log (1 write unit) is a second round
 * trip: what it says is known only after the first, and the token is signed beside it. On the first token of a day, the
 * day is written at the same time.
 */
export const tokenUnits = { read: 1, write: 1, firstOfDay: 2, trips: 2 } as const;

/**
 * test/unit/journeys/request-units.test.ts, by an instance that had the content of the team some seconds ago. For requests
 * with a token, the state of the client is one more read, at most every 20 seconds. A new journey is written on the condition
 * that the contact exists, a first view or an action on that of the journey: two write units each, and two for what is
 * written. A view again, as of the content, is one write.
 */
export const requestUnits = {
  'get-contact': { read: 1, write: 0, trips: 1 },
  'list-contact-accounts': { read: 4, write: 0, trips: 2 },
  'create-journey': { read: 5, write: 9, trips: 3 },
  'show-journey': { read: 5, write: 0, trips: 2 },
  'record-view': { read: 5, write: 4, trips: 3 },
  'record-action': { read: 7, write: 4, trips: 4 },
  'show-channel-content': { read: 5, write: 0, trips: 2 },
  'record-content-view': { read: 5, write: 1, trips: 3 },
  /** The counters of a campaign are one query, of about a read unit for each five days and pages. */
  'get-template-results': { read: 4, write: 0, trips: 1 },
} as const satisfies Record<string, RequestUnits>;

/** The same for a campaign with a `journey_duration_hours`: when the journey expires is one item more. */
export const createLastingJourney = { read: 5, write: 11, trips: 3 } as const satisfies RequestUnits;
/** The same for a campaign with a rule: the contact can have journeys of it about accounts. */
export const createTargetedJourney = { read: 7, write: 9, trips: 5 } as const satisfies RequestUnits;

/**
 * test/unit/journeys/request-units.test.ts. What a change costs after its request: its event, and the counters and the
 * list of its template. Changes of one second share what the log of events costs (4 writes), so these are upper bounds.
 */
export const publishUnits = {
  // Of a team without rules. Rules are one read more in each invocation.
  contact: { read: 1, write: 4, trips: 2 },
  journey: { read: 5, write: 10, trips: 5 },
  /** A new account with its link, and the end of its batch: whether others were linked to it before is one read of these. */
  account: { read: 7, write: 4, trips: 5 },
  view: { read: 3, write: 12, trips: 5 },
  viewAgain: { read: 3, write: 3, trips: 3 },
  completion: { read: 6, write: 10, trips: 6 },
} as const satisfies Record<string, RequestUnits>;

/**
 * test/unit/journeys/request-units.test.ts. Bytes, with the entries of indexes, and the number of items and entries. A
 * journey is stored with its id, its slug, its place in the list of its template and what it has counted. An action is a
 * viewed or completed page. A chunk is its claim and, for a file of one chunk, the head of the batch. The payload is that
 * of 500 records of the sample bank.
 */
export const storedUnits = {
  contact: { bytes: 1510, items: 3 },
  link: { bytes: 235, items: 1 },
  account: { bytes: 430, items: 1 },
  journey: { bytes: 1380, items: 4 },
  action: { bytes: 265, items: 1 },
  chunk: { bytes: 740, items: 3 },
  payload: { bytes: 7_800, items: 1 },
} as const;

/**
 * test/unit/journeys/request-units.test.ts, of a marketing message that is due, is sent and is reported as delivered, when 20
 * wait. Sending is a transaction of four writes and four conditions (16), and then what became of it (2). Both changes are
 * told.
 */
export const messageUnits = {
  due: { read: 3.4, write: 6.8 },
  sent: { read: 9.45, write: 18.2 },
  told: { read: 3.1, write: 3 },
  delivered: { read: 2, write: 2 },
  toldAgain: { read: 3.1, write: 3 },
} as const;

/** How long functions run, in milliseconds. No test holds these: they depend on the machine. */
export const durations = {
  /** A round trip to the table. An assumption. */
  trip: 5,
  /** CPU of a request, measured with the local service, which includes its gateway. */
  requestCpu: 4,
  /** Of each record, at one full CPU and with one chunk read ahead, measured on a model of the table. */
  workerNew: 0.22,
  workerUnchanged: 0.1,
  /** CPU of each row of a dropped file, and the wait for the acceptance of a chunk. */
  readerCpu: 0.08,
  readerChunk: 25,
  sweep: 30,
  /** Of a message: what is read and written, and the answer of Amazon SES. An assumption. */
  handOver: 150,
  /** Share of requests that start a new function instance, and how long that takes. An assumption. */
  coldStarts: 0.01,
  coldStart: 500,
} as const;

/** Megabytes of the functions for requests: test/unit/infra/cost.test.ts. At 1,769 MB, a function has one full CPU. */
export const endpointMemory = 1024;
export const fullCpuMemory = 1769;

/** Bytes of log lines, with the 26 bytes that CloudWatch adds to each. */
export const logBytes = {
  /** The line of a request, with its metrics, and of a worked wake: test/service/http/metrics.test.ts. */
  request: 650,
  wake: 900,
  sweep: 1070,
  /** The lines of Lambda itself (start, report) and of the access log. Not measured: both are written by AWS. */
  platform: 650,
  access: 380,
} as const;

/** What the stack has, whether it is used or not: test/unit/infra/cost.test.ts. */
export const stackUnits = { alarmMetrics: 53, secrets: 1, fifoSources: 4, standardSources: 1, webAclRules: 6 } as const;

/** Days that daily backups and their copies are kept by default: test/unit/infra/cost.test.ts. */
export const backupDays = { own: 2, copies: 7 } as const;

/** Custom metrics by the hours of a day in which they get data: CloudWatch charges by the hour. */
export const metricUnits = {
  sweeper: 11,
  /** `latency` and `cold_starts`, of each route that is called in every hour. */
  route: 2,
  /** Of worker and reader, in the hours after a file arrives. */
  files: 12,
  filesHours: 2,
} as const;

/**
 * Targeting, for a contact with three accounts: its mark and the judgement of it when many wait, the judgement of it in the
 * daily run, and in addition what is written if a journey starts: test/unit/targeting/units.test.ts.
 */
export const targetingUnits = {
  judgedContact: { read: 4, write: 3 },
  walkedContact: { read: 2, write: 0 },
  startedJourney: { read: 0, write: 11 },
};

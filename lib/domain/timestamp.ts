/**
 * Timestamps of the interface: ISO 8601 in UTC with microseconds, so that their order is the order of their text.
 * The clock gives milliseconds; the places behind them keep the records of one request in the order they were sent.
 */
export const timestamp = (milliseconds: number, microseconds = 0): string =>
  `${new Date(milliseconds).toISOString().slice(0, -1)}${String(microseconds).padStart(3, '0')}Z`;

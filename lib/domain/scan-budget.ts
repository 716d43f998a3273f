/**
 * A search, a sorted list or a lookup without an index reads a team's whole directory. Each client has a budget of read
 * units a minute for them, so that one client cannot cause unlimited costs (contract, section 1: 429).
 */
export const defaultScanUnits = 200_000;

/** A scan below this number of read units is not counted: writing the count would cost about as much. */
export const freeScanUnits = 10;

/** The read units that a client has used in one minute since the epoch. */
export type ScanUse = { minute: number; units: number };

const minuteAt = (now: number): number => Math.floor(now / 60_000);

export const usedAt = ({ minute, units }: ScanUse, now: number): number => (minute === minuteAt(now) ? units : 0);

/** The use after a scan that ended at this time. */
export const afterScan = (use: ScanUse, units: number, now: number): ScanUse => ({
  minute: minuteAt(now),
  units: usedAt(use, now) + units,
});

/** Whole seconds until the next minute, from 1 to 60. */
export const secondsToNextMinute = (now: number): number => Math.ceil((60_000 - (now % 60_000)) / 1000);

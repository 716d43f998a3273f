/**
 * A search, a sorted list or a lookup without an index reads a team's whole directory. Each client has a budget of read
 * units a minute for them, so that one client cannot cause unlimited costs (contract, section 1: 429).
 */
export const defaultScanUnits = 200_000;

/** A scan below this number of read units is not counted: writing the count would cost about as much. */
export const freeScanUnits = 10;

/**
 * The read units that a client has used or reserved in one minute since the epoch, and the expected cost of its next
 * scan: `undefined` until its first scan has ended.
 */
export type ScanUse = { minute: number; units: number; cost?: number | undefined };

const minuteAt = (now: number): number => Math.floor(now / 60_000);

export const usedAt = ({ minute, units }: ScanUse, now: number): number => (minute === minuteAt(now) ? units : 0);

/**
 * The read units that a scan reserves before it begins, so that parallel scans cannot use the budget several times.
 * A client's first scan reserves everything, and others wait for it, because its cost is not known.
 */
export function reservationFor(use: ScanUse, scanUnits: number, now: number): number | 'wait' | 'refuse' {
  const used = usedAt(use, now);
  if (use.cost === undefined && used > 0) return 'wait';
  if (used >= scanUnits) return 'refuse';
  if (use.cost === undefined) return scanUnits;
  return use.cost < freeScanUnits ? 0 : use.cost;
}

export const afterReservation = (use: ScanUse, reserved: number, now: number): ScanUse => ({
  ...use,
  minute: minuteAt(now),
  units: usedAt(use, now) + reserved,
});

/** How far one cheap scan lowers the expected cost, so that it does not open the budget for expensive ones. */
const decay = 0.9;

/** The use after a scan that ended at this time. A reservation of an earlier minute is no longer counted. */
export const afterScan = (
  use: ScanUse,
  { reserved, reservedAt, units }: { reserved: number; reservedAt: number; units: number },
  now: number,
): ScanUse => {
  const released = minuteAt(reservedAt) === minuteAt(now) ? reserved : 0;
  const counted = units < freeScanUnits ? 0 : units;
  return {
    minute: minuteAt(now),
    units: Math.max(0, usedAt(use, now) - released) + counted,
    cost: Math.max(units, decay * (use.cost ?? 0)),
  };
};

/** Whole seconds until the next minute, from 1 to 60. */
export const secondsToNextMinute = (now: number): number => Math.ceil((60_000 - (now % 60_000)) / 1000);

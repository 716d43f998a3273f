/** What a template's targeting has started, so that a wrong rule stops by itself (contract, section 14, "Brake"). */
export type Brake = {
  /** The day of the team's time zone that `started` counts, YYYY-MM-DD. */
  day: string;
  started: number;
  /** What is left of what `targeting resume` permits. Until `permitted_until`, it replaces the limit of the day. */
  permitted: number;
  permitted_until: string | null;
  /** When it stopped. It starts nothing until it is resumed. */
  stopped_at: string | null;
};

export const unusedBrake: Brake = { day: '', started: 0, permitted: 0, permitted_until: null, stopped_at: null };

/** `now` is ISO 8601 in UTC, `day` the same moment in the team's time zone, `limit` the starts of a day. */
export type BrakeTime = { now: string; day: string; limit: number };

export const defaultStartsADay = 1000;
/** Of the team's contacts. */
const shareADay = 0.02;

/** @param contacts as they were counted last; `null` if they never were */
export const startsADay = (mostADay: number | null, contacts: number | null): number =>
  Math.max(mostADay ?? defaultStartsADay, Math.floor((contacts ?? 0) * shareADay));

/** The starts that the brake permits now. */
export function startsLeft(brake: Brake, { now, day, limit }: BrakeTime): number {
  if (brake.stopped_at !== null) return 0;
  if (isResumed(brake, now)) return brake.permitted;
  return Math.max(0, limit - (brake.day === day ? brake.started : 0));
}

/** The brake after so many starts. If more were `wanted`, it stops. */
export function taken(brake: Brake, starts: number, wanted: number, time: BrakeTime): Brake {
  const { now, day } = time;
  return {
    ...brake,
    day,
    started: (brake.day === day ? brake.started : 0) + starts,
    permitted: isResumed(brake, now) ? brake.permitted - starts : 0,
    permitted_until: isResumed(brake, now) ? brake.permitted_until : null,
    stopped_at: wanted > starts ? (brake.stopped_at ?? now) : brake.stopped_at,
  };
}

/**
 * True if `taken` only counts starts of the day. Then it does not matter what others count meanwhile, while the sum is
 * within the limit.
 */
export const onlyCounts = (brake: Brake, starts: number, wanted: number, { day }: BrakeTime): boolean =>
  wanted === starts && brake.stopped_at === null && brake.permitted_until === null && brake.day === day;

/** After it was resumed, it starts so many more within a day, whatever the limit is. @param until ISO 8601 in UTC */
export const resumed = (brake: Brake, permitted: number, until: string): Brake => ({
  ...brake,
  ...{ permitted, permitted_until: until, stopped_at: null },
});

const isResumed = ({ permitted_until }: Brake, now: string): boolean =>
  permitted_until !== null && now < permitted_until;

import { createHash } from 'node:crypto';
import { timestamp } from '../../lib/domain/values/timestamp.ts';
import { uuidPattern } from '../../lib/domain/values/uuid.ts';

const uuids = new RegExp(`\\b${uuidPattern}\\b`, 'g');
const timestamps = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d+Z/g;
/** The first invented time. Each later time is a second after the one before. */
const firstTime = Date.UTC(2026, 2, 2, 9, 15);

export type Known = {
  /** Secret or changing texts, with the names that replace them. */
  names: ReadonlyMap<string, string>;
  /** Ids that are the same each time. */
  isFixed(id: string): boolean;
  /** Times from this one on belong to the recording and are replaced. Milliseconds since the epoch. */
  since: number;
};

/** Replaces ids, times and secrets by invented ones that are the same in every recording. */
export function withPlaceholders<T>(value: T, { names, isFixed, since }: Known): T {
  let text = JSON.stringify(value);
  for (const [found, name] of names) text = text.replaceAll(found, name);
  const ids = new Map<string, string>();
  text = text.replaceAll(uuids, (id) => {
    if (isFixed(id)) return id;
    ids.set(id, ids.get(id) ?? madeUpId(ids.size));
    return ids.get(id)!;
  });
  const isOwn = (time: string) => Date.parse(time) >= since;
  const times = [...new Set(text.match(timestamps))].filter(isOwn).sort();
  const madeUp = new Map(times.map((time, at) => [time, timestamp(firstTime + 1000 * at)]));
  return JSON.parse(text.replaceAll(timestamps, (time) => madeUp.get(time) ?? time));
}

/** The n-th invented UUID. */
function madeUpId(n: number): string {
  const hex = createHash('sha256').update(`example ${n}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

import prices from './prices-2026-11-21.json' with { type: 'json' };

export type Prices = (typeof prices.regions)['us-east-1'];

export const { date, note } = prices;

/** @throws Error if the file has no prices of the region */
export function pricesOf(region: string): Prices {
  const known: Record<string, Prices> = prices.regions;
  const found = known[region];
  if (found) return found;
  const names = Object.keys(known).join(', ');
  throw new Error(`bench/cost/prices-${date}.json has no prices of ${region}. It has: ${names}. Add them there.`);
}

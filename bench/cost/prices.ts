import file from './prices-2026-11-21.json' with { type: 'json' };

export const { date, region, prices } = file;
export type Prices = typeof prices;

import { describe, expect, it } from 'vitest';
import { freshTable } from '../support/engine.ts';
import { fairWeather, simulate, type Weather } from './simulation.ts';

/** More schedules than a run of the suite has time for: `SCHEDULES=5000 npx vitest run test/imports`. */
const schedules = Number(process.env.SCHEDULES ?? 150);

const rough: Weather = { ...fairWeather, crash: 0.02, outage: 0.03, stall: 0.05, lose: 0.01, redrive: 0.02 };
const storm: Weather = {
  ...fairWeather,
  crash: 0.04,
  outage: 0.08,
  stall: 0.06,
  lose: 0.03,
  restart: 0.003,
  redrive: 0.03,
  discard: 0.02,
};

const renaming: Weather = { ...rough, rename: 0.05 };

/**
 * The law of the import: whatever happens, the end is the chunks applied in the order of their numbers, but for
 * superseded records; what was answered 202 is applied, failed or discarded in plain sight; counts add up; no team
 * stays stuck.
 */
describe('the law of the import', () => {
  it.each([
    ['when nothing goes wrong', fairWeather],
    ['when processes die and stall, answers are lost and messages end as dead letters', rough],
    ['when also the queue forgets and an operator discards', storm],
  ])('holds %s', { timeout: 600_000 }, async (_, weather) => {
    for (let seed = 1; seed <= schedules; seed++) expect(await simulate(seed, weather)).toEqual([]);
  });

  it('holds when contacts are given other unique_ids meanwhile', { timeout: 600_000 }, async () => {
    for (let seed = 1; seed <= schedules / 2; seed++) expect(await simulate(seed, renaming)).toEqual([]);
  });

  it('holds on the real engine as on the model', { timeout: 60_000 }, async () => {
    for (let seed = 1; seed <= 3; seed++) {
      const { database } = await freshTable();
      expect(await simulate(seed, rough, database)).toEqual([]);
    }
  });
});

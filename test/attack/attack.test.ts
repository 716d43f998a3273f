import { beforeAll, describe, expect, inject, test } from 'vitest';
import { service } from '../support/service.ts';
import { areas, attackAll } from './areas.ts';
import { makeWorld, type World } from './world.ts';

/** A part of `node test/attack/run.ts`, which sends thousands more. */
let world: World;
beforeAll(async () => {
  world = await makeWorld((await service()).local, inject('serviceDirectory'));
});

const least: Record<string, number> = { tenancy: 40, tokens: 150, inputs: 250, pages: 120, webhooks: 150 };

describe('of the attacks', () => {
  test.each(Object.keys(areas))(
    'on %s none gets anywhere',
    async (area) => {
      const outcomes = await attackAll(world, 'part', [area]);
      const failures = outcomes.flatMap(({ group, failures }) => failures.map((each) => ({ group, ...each })));
      expect(failures).toEqual([]);
      expect(outcomes.reduce((sum, { attacks }) => sum + attacks, 0)).toBeGreaterThan(least[area]!);
    },
    120_000,
  );
});

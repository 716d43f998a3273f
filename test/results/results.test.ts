import { expect, test } from 'vitest';
import { prove } from './proof.ts';

test('results are the count by hand, and the list misses nothing, also if the service is killed', async () => {
  const proof = await prove({ journeys: 50, kills: 1, onProgress: () => {} });
  expect(proof.problems).toEqual([]);
  expect(proof.repeats).toBeGreaterThan(0);
  expect(proof.reads.length).toBeGreaterThan(0);
}, 300_000);

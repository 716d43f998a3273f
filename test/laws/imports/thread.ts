import { parentPort } from 'node:worker_threads';
import { type FaultKind, settingsOf } from './settings.ts';
import { simulate } from './simulation.ts';

/** Schedules with consecutive seeds. */
export type Block = { from: number; count: number };
export type BlockResult = {
  schedules: number;
  chunks: number;
  steps: number;
  met: Map<FaultKind, number>;
  /** Seeds of schedules that violate a guarantee. */
  broken: number[];
};

parentPort?.on('message', async ({ from, count }: Block) => {
  const result: BlockResult = { schedules: 0, chunks: 0, steps: 0, met: new Map(), broken: [] };
  for (let seed = from; seed < from + count && result.broken.length === 0; seed++) {
    const { problems, chunks, steps, met } = await simulate(settingsOf(seed));
    result.schedules += 1;
    result.chunks += chunks;
    result.steps += steps;
    for (const [kind, times] of met) result.met.set(kind, (result.met.get(kind) ?? 0) + times);
    if (problems.length > 0) result.broken.push(seed);
  }
  parentPort?.postMessage(result);
});

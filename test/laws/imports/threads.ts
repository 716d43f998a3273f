import { Worker } from 'node:worker_threads';
import { type FaultKind, faultKinds } from './settings.ts';
import type { Block, BlockResult } from './thread.ts';

export type SimulationResult = {
  schedules: number;
  from: number;
  chunks: number;
  steps: number;
  seconds: number;
  schedules_a_second: number;
  /** How often each kind of fault occurred. */
  faults: Record<FaultKind, number>;
  /** The lowest seed found that violates a guarantee. */
  broken_by: number | null;
};

const blockSize = 100;
/** Schedules create many short-lived objects. */
const maxYoungGenerationSizeMb = 64;

/** Runs the schedules in blocks, each on the next free thread. No block is started after a violation. */
export async function runOnThreads(
  { schedules, from, threads }: { schedules: number; from: number; threads: number },
  onProgress: (done: number) => void,
): Promise<SimulationResult> {
  const began = performance.now();
  const end = from + schedules;
  let next = from;
  const total = { schedules: 0, chunks: 0, steps: 0 };
  const faults = Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Record<FaultKind, number>;
  const broken: number[] = [];
  const lane = async () => {
    // An error that a thread does not catch ends the command.
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb },
    });
    while (next < end && broken.length === 0) {
      const block: Block = { from: next, count: Math.min(blockSize, end - next) };
      next += block.count;
      const done = await runBlock(worker, block);
      for (const name of ['schedules', 'chunks', 'steps'] as const) total[name] += done[name];
      for (const [kind, times] of done.met) faults[kind] += times;
      broken.push(...done.broken);
      onProgress(total.schedules);
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: threads }, lane));
  const seconds = (performance.now() - began) / 1000;
  return {
    ...total,
    from,
    seconds: Math.round(seconds * 10) / 10,
    schedules_a_second: Math.round(total.schedules / seconds),
    faults,
    broken_by: broken.length > 0 ? Math.min(...broken) : null,
  };
}

const runBlock = (worker: Worker, block: Block): Promise<BlockResult> =>
  new Promise((resolve) => {
    worker.once('message', resolve);
    worker.postMessage(block);
  });

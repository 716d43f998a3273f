import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/process.ts';
import { chaos } from './chaos.ts';
import { maxWaitMilliseconds } from './checker.ts';
import { textOf } from './report.ts';

// `node test/chaos/run.ts` does the same for any duration, with a new seed each time.
test('among faults and kills, what was acknowledged is there, in order and counted exactly', async () => {
  const directory = temporaryDirectory();
  const report = await chaos({
    ...{ seed: 1, seconds: 15, kills: 2, teams: 2 },
    history: join(directory, 'history.jsonl'),
  });
  expect(report.violations, textOf(report)).toEqual([]);
  expect(report.longest_wait_milliseconds).toBeLessThan(maxWaitMilliseconds);
  expect(report.kills.service + report.kills.engine).toBe(2);
  // The amount of work in that time depends on the load of the machine.
  expect(report.chunks_taken).toBeGreaterThan(0);
  expect(report.contact_writes_taken).toBeGreaterThan(0);
  expect(Object.keys(report.faults).length).toBeGreaterThan(3);
  // After a failure the history is kept for analysis.
  rmSync(directory, { recursive: true, force: true });
}, 300_000);

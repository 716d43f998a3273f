import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../bin/local/ports.ts';
import { emulatorPython, startEmulator } from '../../bin/rehearse/emulator.ts';
import { CannotRun } from '../../bin/rehearse/processes.ts';
import { EngineFailure, runOnEngine, type StartedEngine } from '../support/on-engine.ts';

/**
 * Runs the table of statements, and the tests of what is told and counted, on the DynamoDB of the emulator that `npm run rehearse` uses. Needs Python; the first run
 * installs the emulator outside the project. Arguments are passed on to vitest in place of the test file.
 */
async function start(): Promise<StartedEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'onboarding-emulator-'));
  try {
    const python = await emulatorPython(console.log);
    const { endpoint, stop } = await startEmulator(python, folder, { port: await freePort(), enforcesRoles: false });
    return {
      endpoint,
      stop: async () => {
        await stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    throw error instanceof CannotRun ? new EngineFailure(error.message) : error;
  }
}

await runOnEngine(start, [
  'test/store/statements.test.ts',
  'test/store/event-log.test.ts',
  'test/store/journeys.test.ts',
  'test/operations/append-events.test.ts',
  'test/operations/import-holders.test.ts',
  'test/operations/list-events.test.ts',
  'test/operations/results/',
]);

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../../support/architecture/sources.ts';

/** A reason for the user why the tests did not run. */
export class EngineFailure extends Error {}

/** @throws EngineFailure if the engine has not responded after `milliseconds`, or has ended; it is then killed. */
export async function untilItResponds(child: ChildProcess, endpoint: string, milliseconds: number): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const isUp = await fetch(endpoint, { signal: AbortSignal.timeout(1000) }).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await sleep(100);
  }
  child.kill('SIGKILL');
  throw new EngineFailure('The engine did not start.');
}

/** Runs tests on the engine, then ends it. The arguments of the command replace the paths. */
async function testsOn({ stop, endpoint }: StartedEngine, paths: readonly string[]): Promise<number> {
  try {
    const chosen = process.argv.length > 2 ? process.argv.slice(2) : paths;
    const tests = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...chosen], {
      cwd: projectRoot,
      env: { ...process.env, DYNAMODB_ENDPOINT: endpoint },
      stdio: 'inherit',
    });
    // Ctrl-C at the terminal stops the tests; the engine must end after them.
    process.on('SIGINT', () => {});
    const [code] = await once(tests, 'close');
    return (code as number | null) ?? 1;
  } finally {
    await stop();
  }
}

export type StartedEngine = { endpoint: string; stop(): Promise<void> };

/** The whole command: starts the engine, runs the tests, and sets the exit status. */
export async function runOnEngine(start: () => Promise<StartedEngine>, paths: readonly string[]): Promise<void> {
  try {
    process.exitCode = await testsOn(await start(), paths);
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { projectRoot } from '../architecture/sources.ts';

/** @property reason the first line of the error */
export type Outcome = { file: string; name: string; failed: boolean; reason?: string | undefined };

type Result = { fullName: string; status: string; failureMessages?: string[] };
type Report = {
  testResults: { name: string; status: string; message?: string; assertionResults: Result[] }[];
};

/**
 * Runs tests of a copy of the project in a process of their own. A file that cannot be loaded is a failed test, as is a
 * run that does not start or end.
 * @param options options and files for `vitest run`
 * @param seconds after which the run is killed
 */
export async function outcomesOf(
  folder: string,
  options: readonly string[],
  seconds = Number.POSITIVE_INFINITY,
): Promise<Outcome[]> {
  const directory = mkdtempSync(join(tmpdir(), 'onboarding-outcomes-'));
  try {
    const file = join(directory, 'report.json');
    const vitest = join(projectRoot, 'node_modules/vitest/vitest.mjs');
    const args = [vitest, 'run', '--reporter=json', `--outputFile=${file}`, ...options];
    // In its own process group, because a worker in an endless loop receives no message.
    const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore', detached: true });
    const kill = () => process.kill(-child.pid!, 'SIGKILL');
    const limit = seconds < Number.POSITIVE_INFINITY ? setTimeout(kill, seconds * 1000) : undefined;
    await once(child, 'close');
    clearTimeout(limit);
    if (!existsSync(file)) return [{ file: 'vitest', name: 'ends', failed: true }];
    const { testResults }: Report = JSON.parse(readFileSync(file, 'utf8'));
    return testResults.flatMap((result) => testsIn(result, relative(folder, result.name)));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function testsIn({ status, message, assertionResults }: Report['testResults'][number], file: string): Outcome[] {
  const tests = assertionResults.map(({ fullName, status: result, failureMessages = [] }) => {
    return { file, name: fullName, failed: result === 'failed', reason: failureMessages[0]?.split('\n')[0] };
  });
  // A file also fails by an error outside its tests.
  const isExplained = status !== 'failed' || tests.some(({ failed }) => failed);
  return isExplained ? tests : [...tests, { file, name: 'the file', failed: true, reason: message?.split('\n')[0] }];
}

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The temporary folder of this process and of those that it starts from now on, so that they leave no files elsewhere. */
export function ownTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'onboarding-tests-'));
  process.env.TMPDIR = folder;
  return folder;
}

/**
 * Ends what still runs with this temporary folder, then removes it. A test that failed may not have stopped its service,
 * and the engine of a killed service lives a moment longer. The children of this process, its test workers, do not end.
 * Does not return before, because a process that exits waits for nothing.
 */
export function removeTemporaryFolder(folder: string): void {
  for (let round = 0; round < 100; round++) {
    const left = processesIn(folder);
    if (left.length === 0) break;
    for (const pid of left) kill(pid);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** Found only on Linux. */
const processesIn = (folder: string): number[] =>
  namesIn('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && contentOf(pid, 'environ').split('\0').includes(`TMPDIR=${folder}`))
    .filter((pid) => !contentOf(pid, 'status').split('\n').includes(`PPid:\t${process.pid}`));

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** Empty for a process that has ended or belongs to someone else. */
function contentOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

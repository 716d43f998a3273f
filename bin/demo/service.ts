import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type LocalDescription, runningService } from '../local/description.ts';

const startMilliseconds = 60_000;
/** Longer than a clean stop takes. */
const stopMilliseconds = 10_000;
const root = fileURLToPath(new URL('../../', import.meta.url));

export type Borrowed = { local: LocalDescription; startedHere: boolean; release(): Promise<void> };

/** The running local service of this folder, or one that is started and stopped on release. */
export async function borrowService(directory: string): Promise<Borrowed> {
  const local = runningService(directory);
  return local ? { local, startedHere: false, release: async () => {} } : startService(directory);
}

/** As in `npm start`: half of the memory after an import, for the same CPU time, see docs/performance.md. */
const heapFlags = ['--max-semi-space-size=4', '--heap-growing-percent=100'];

/** Starts the local service on a free port, in its own process. */
export async function startService(directory: string, ...flags: '--memory'[]): Promise<Borrowed> {
  const child = spawn(process.execPath, [...heapFlags, 'bin/local.ts', ...flags], {
    cwd: root,
    env: { ...process.env, PORT: '0', DATA_DIR: directory },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'close');
  const release = async () => {
    child.kill('SIGTERM');
    const killing = setTimeout(() => child.kill('SIGKILL'), stopMilliseconds);
    await ended;
    clearTimeout(killing);
  };
  try {
    return { local: await whenReady(directory, child), startedHere: true, release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function whenReady(directory: string, child: ChildProcess): Promise<LocalDescription> {
  for (const end = Date.now() + startMilliseconds; Date.now() < end; await sleep(50)) {
    if (child.exitCode !== null) break;
    const local = runningService(directory);
    if (local?.pid === child.pid && local) return local;
  }
  throw new Error('The local service did not start.');
}

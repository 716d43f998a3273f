import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalDescription } from '../../bin/local/data-directory.ts';

export type ServiceOptions = {
  /** A folder that outlives the service; a fresh one that does not, unless given. */
  directory?: string;
  /** With `--memory`, unless said otherwise. */
  persistent?: boolean;
  environment?: Record<string, string>;
};

export type ServiceProcess = {
  directory: string;
  pid: number;
  /** What it has written to the terminal so far. */
  output(): string;
  /** Its exit status, or the signal that ended it. */
  exited: Promise<number | string>;
  kill(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): void;
  stop(): Promise<void>;
};

const root = new URL('../../', import.meta.url).pathname;
const readyMilliseconds = 15_000;

export const temporaryDirectory = () => mkdtempSync(join(tmpdir(), 'onboarding-'));

/** Starts `bin/local.ts` as a process of its own, on a port that the system picks. */
export function launchService(options: ServiceOptions = {}): ServiceProcess {
  const directory = options.directory ?? temporaryDirectory();
  const child = spawn(process.execPath, ['bin/local.ts', ...(options.persistent ? [] : ['--memory'])], {
    cwd: root,
    env: { ...process.env, PORT: '0', DATA_DIR: directory, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const exited = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  const { pid } = child;
  if (pid === undefined) throw new Error('the local service did not start');
  return {
    directory,
    pid,
    output: () => output,
    exited,
    kill: (signal) => child.kill(signal),
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A service that starts removes what one that was killed has left, perhaps just now. */
function written(path: string): LocalDescription | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * What the service says of itself, once it answers. With a `pid`, what that process says: one that was killed leaves
 * its file behind.
 */
export async function description(
  directory: string,
  pid?: number,
  isRunning: () => boolean = () => true,
): Promise<LocalDescription> {
  const path = join(directory, 'local.json');
  const deadline = Date.now() + readyMilliseconds;
  while (Date.now() < deadline && isRunning()) {
    const found = written(path);
    if (found && (pid === undefined || found.pid === pid)) return found;
    await sleep(20);
  }
  throw new Error(`no local service came up in ${directory}`);
}
